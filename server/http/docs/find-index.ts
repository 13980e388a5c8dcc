/**
 * The index of the search over all pages of the documentation: an entry for each operation of the contract, and for each heading and
 * each named row of a table in the guides. It is made of the contract and of the Markdown of the guides, so it cannot lag behind them.
 */
import { setImmediate } from 'node:timers/promises';
import type { OpenApiDocument } from '../../contract/openapi.ts';
import type { Guide } from '../site.ts';
import { idOf, pathOf, sectionsOf, titleOf } from './pages/api/page.ts';

/** A place that the search can find. */
export interface FindEntry {
  readonly title: string;
  /** Its address below `/docs/`. */
  readonly href: string;
  /** The page, and the part of it, that the place is in. */
  readonly within: string;
  readonly text: string;
  /** Names by which readers know it, beside its title. */
  readonly names?: string;
}

/** The words of a Markdown text. */
const plain = (markdown: string): string =>
  markdown
    .replaceAll(/^`{3,}.*$/gm, '')
    .replaceAll(/<a id="[^"]*"><\/a>|<\/?\w+[^>]*>/g, '')
    .replaceAll(/!?\[((?:[^\][]|\\.)*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/`([^`]*)`/g, '$1')
    .replaceAll(/\*\*|~~|^[-*>] |\\(?=[\\*_<>[\]~|])/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The words of an id in camel case, which readers also type apart. */
const wordsOf = (id: string): string => `${id} ${id.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')}`;

function operationEntries(document: OpenApiDocument): FindEntry[] {
  return sectionsOf(document).flatMap(({ title: section, slug, description = '', operations }) => [
    { title: section, href: pathOf(slug), within: 'API reference', text: plain(description) },
    ...operations.map((each) => ({
      title: titleOf(each),
      href: pathOf(idOf(each)),
      within: `API reference · ${section}`,
      names: `${wordsOf(idOf(each))} ${each.path}`,
      text: [
        `${each.method.toUpperCase()} ${each.path}`,
        plain(each.operation.description ?? ''),
        each.parameters.map(({ name }) => name).join(' '),
      ].join(' · '),
    })),
  ]);
}

/** A line of Markdown outside of code: a heading, or a row of a table that links can lead to. */
const headingLine = /^(#{1,3}) (.+)$/;
const anchorLine = /^<a id="([^"]+)"><\/a>$/;
const namedRow = /^\|\s*(?:<a id="|<span id=")([^"]+)"[^|]*\|/;
const tableRule = /^\|(?:\s*:?-+:?\s*\|)+$/;

/** The cells of a row. */
const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map(plain);

/** Reads the Markdown of a guide line by line. */
class GuideReader {
  readonly #page: string;
  readonly #href: string;
  readonly #entries: { title: string; href: string; within: string; lines: string[] }[] = [];
  #anchor = '';
  #section = '';

  constructor({ title, path }: Pick<Guide, 'title' | 'path'>) {
    this.#page = title;
    this.#href = path.replace(/^docs\//, '').replace(/\.md$/, '');
  }

  #add(title: string, anchor: string, within: string): void {
    const href = anchor === '' ? this.#href : `${this.#href}#${anchor}`;
    this.#entries.push({ title: plain(title), href, within, lines: [] });
  }

  #heading(level: number, title: string): void {
    if (level === 1) this.#add(this.#page, '', 'Guide');
    // A heading without an anchor belongs to the part that it is in.
    else if (this.#anchor === '') this.#entries.at(-1)?.lines.push(title);
    else
      this.#add(
        title,
        this.#anchor,
        level === 2 || this.#section === '' ? this.#page : `${this.#page} · ${this.#section}`,
      );
    if (level <= 2) this.#section = level === 2 ? plain(title) : '';
    this.#anchor = '';
  }

  read(line: string): void {
    const [, marks = '', title = ''] = headingLine.exec(line) ?? [];
    const [, anchor] = anchorLine.exec(line) ?? [];
    const [, rowName] = namedRow.exec(line) ?? [];
    if (anchor !== undefined) this.#anchor = anchor;
    else if (marks !== '') this.#heading(marks.length, title);
    else if (rowName !== undefined) {
      const [name = '', ...cells] = cellsOf(line);
      this.#add(name, rowName, `${this.#page} · ${this.#section}`);
      this.#entries.at(-1)?.lines.push(cells.join(' · '));
    } else if (!tableRule.test(line)) this.readText(line);
  }

  readText(line: string): void {
    this.#entries.at(-1)?.lines.push(line.startsWith('|') ? cellsOf(line).join(' · ') : line);
  }

  entries(): FindEntry[] {
    return this.#entries.map(({ lines, ...entry }) => ({ ...entry, text: plain(lines.join('\n')) }));
  }
}

/** The entries of a guide. Blocks of code belong to the part that they are in. */
export function guideEntries(guide: Pick<Guide, 'title' | 'path'>, markdown: string): FindEntry[] {
  const reader = new GuideReader(guide);
  let fence = '';
  for (const line of markdown.split('\n')) {
    const [ticks = ''] = /^`{3,}/.exec(line) ?? [];
    if (fence !== '') {
      if (ticks.length >= fence.length) fence = '';
      else reader.readText(line);
    } else if (ticks !== '') fence = ticks;
    else reader.read(line);
  }
  return reader.entries();
}

/** Makes the index: guide by guide, so that other requests have their turn. */
export async function findIndex(document: OpenApiDocument, guides: readonly Guide[]): Promise<readonly FindEntry[]> {
  const entries = operationEntries(document);
  for (const guide of guides) {
    entries.push(...guideEntries(guide, await guide.markdown()));
    await setImmediate();
  }
  return entries;
}
