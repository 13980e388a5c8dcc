/**
 * Documentation pages as Markdown, for programs that read text. It is made of the HTML of a page, at the first request for it.
 * What a reader can only use in the page of a running service has the attribute `data-interactive`, and is left out.
 */
import { setImmediate } from 'node:timers/promises';
import TurndownService from 'turndown';
import { html, type Html } from './html.ts';
import { anchor, fenced, markdownTarget } from './markdown-text.ts';

/** What a page consists of, without its frame. */
export interface PageText {
  readonly title: string;
  readonly lead: Html;
  readonly main: Html;
}

const languages: Readonly<Record<string, string>> = {
  ...{ curl: 'sh', TypeScript: 'ts', Python: 'python' },
  ...{ 'sample-browser': 'js', 'sample-ws': 'js', 'sample-resume': 'js', 'sample-shell': 'sh' },
};

/** The language of a block of code, as far as the page says it. */
function languageOf(block: Element): string {
  if (block.className === 'frame' || block.id.endsWith('-response')) return 'json';
  return languages[block.id] ?? languages[block.parentElement?.getAttribute('data-language') ?? ''] ?? '';
}

/** The id by which links find a heading: its own, or that of the section or the article that it begins. */
function anchorOf(heading: Element): string {
  if (heading.id !== '') return heading.id;
  const around = heading.closest('section, article');
  return around?.querySelector('h1, h2, h3') === heading ? around.id : '';
}

function createConverter(): TurndownService {
  const service = new TurndownService({ headingStyle: 'atx', bulletListMarker: '-', codeBlockStyle: 'fenced' });
  service.remove(['nav', 'form', 'script', 'noscript', 'button']);
  service.addRule('code block', {
    filter: 'pre',
    replacement: (_content, node) => `\n\n${fenced(languageOf(node), node.textContent)}\n\n`,
  });
  service.addRule('heading', {
    filter: ['h1', 'h2', 'h3'],
    replacement(content, node) {
      const id = anchorOf(node);
      return `\n\n${id === '' ? '' : `${anchor(id)}\n\n`}${'#'.repeat(Number(node.nodeName.slice(1)))} ${content}\n\n`;
    },
  });
  service.addRule('named', {
    filter: (node) => node.nodeName === 'SPAN' && node.id !== '',
    replacement: (content, node) => anchor(node.id) + content,
  });
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.hasAttribute('href'),
    replacement: (content, node) =>
      node.classList.contains('example') ? content : `[${content}](${markdownTarget(node.getAttribute('href') ?? '')})`,
  });
  service.addRule('struck through', { filter: 'del', replacement: (content) => `~~${content}~~` });
  service.addRule('summary', { filter: 'summary', replacement: (content) => `\n\n**${content}:**\n\n` });
  service.addRule('item', {
    filter: 'li',
    replacement: (content) => `- ${content.trim().replaceAll(/\n+/g, '\n  ')}\n`,
  });
  addTableRules(service);
  // The newest rule is asked first.
  service.addRule('interactive', { filter: (node) => node.hasAttribute('data-interactive'), replacement: () => '' });
  return service;
}

/** Tables as GitHub Flavored Markdown. A cell is one line. */
function addTableRules(service: TurndownService): void {
  service.addRule('cell', {
    filter: ['th', 'td'],
    replacement(content, node) {
      const text = content
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ')
        .replaceAll('|', String.raw`\|`);
      return ` ${text} |${'  |'.repeat((node as HTMLTableCellElement).colSpan - 1)}`;
    },
  });
  service.addRule('row', {
    filter: 'tr',
    replacement: (content, node) =>
      `|${content.trimEnd()}\n${node.parentNode?.nodeName === 'THEAD' ? `|${' --- |'.repeat(node.childNodes.length)}\n` : ''}`,
  });
  service.addRule('rows', { filter: ['thead', 'tbody'], replacement: (content) => content });
  service.addRule('table', {
    filter: 'table',
    replacement: (content) => `\n\n${content.replaceAll(/\n{2,}/g, '\n').trim()}\n\n`,
  });
}

/** Where one part of a page ends and the next begins: the operations of a reference are its articles. */
const parts = /(?=<article\b)/;

/** Makes the Markdown of a page: part by part, so that other requests have their turn. */
export async function markdownOf({ title, lead, main }: PageText): Promise<string> {
  const converter = createConverter();
  const page = html`<h1>${title}</h1><p>${lead}</p>${main}`.html;
  const texts: string[] = [];
  for (const part of page.split(parts)) {
    texts.push(converter.turndown(part).replaceAll(/[ \t]+$/gm, ''));
    await setImmediate();
  }
  return `${texts.filter((text) => text !== '').join('\n\n')}\n`;
}
