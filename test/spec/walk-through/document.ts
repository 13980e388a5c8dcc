/** Parses a document into steps: edits of files, and commands with their output. */

/** A block goes into a file: where the line `at` is, or as all of it. */
export interface Edit {
  readonly file: string;
  readonly how: 'above' | 'below' | 'in place of' | 'becomes';
  /** The line, without what stands before and behind it; `…` is any text. undefined where the block is the file. */
  readonly at: string | undefined;
  readonly text: string;
}

/** A command, and what it prints. */
export interface Command {
  readonly command: string;
  readonly prints: readonly string[];
  /** Whether it goes on running, in a separate terminal. */
  readonly stays: boolean;
}

export type Action = Edit | Command;

/** What stands under one heading. */
export interface Step {
  readonly heading: string;
  readonly actions: readonly Action[];
}

const edit = /\bin `([^`]+)`, (above|below|in place of) `([^`]+)`$/i;
const whole = /`([^`]+)` becomes$/;

function editOf(before: string, text: string): Edit {
  const said = before.replaceAll(/\s+/g, ' ').trim().replace(/[,:]$/, '');
  const [, file, how, at] = edit.exec(said) ?? [];
  if (file !== undefined) return { file, how: how as Edit['how'], at, text };
  const [, made] = whole.exec(said) ?? [];
  if (made === undefined) throw new Error(`the words before this block do not say where it belongs: ${said}\n${text}`);
  return { file: made, how: 'becomes', at: undefined, text };
}

function commandsOf(before: string, text: string): Command[] {
  const stays = /\bin a second terminal:?$/i.test(before.trim());
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((one) => {
      const [command, ...prints] = one.trimEnd().split('\n');
      return { command: command!, prints, stays };
    });
}

/** What stands below each heading of the third level, the heading first. A line in a block is no heading. */
function sectionsOf(markdown: string): string[] {
  const sections: string[][] = [];
  let inBlock = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) inBlock = !inBlock;
    if (!inBlock && line.startsWith('### ')) sections.push([line.slice('### '.length)]);
    else sections.at(-1)?.push(line);
  }
  return sections.map((lines) => lines.join('\n'));
}

/** The steps of a document: its headings of the third level, with the blocks of `yaml`, `ts`, `md` and `console` below them. */
export function stepsOf(markdown: string): Step[] {
  return sectionsOf(markdown).map((section) => {
    const heading = section.slice(0, section.indexOf('\n'));
    const actions: Action[] = [];
    // Odd parts are blocks, with the language first; the paragraph before one says what becomes of it.
    const parts = section.slice(heading.length).split(/^```/m);
    for (const [place, part] of parts.entries()) {
      if (place % 2 === 0) continue;
      const [language, text] = [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n') + 1)];
      const before = parts[place - 1]!.trimEnd();
      if (language === 'console') actions.push(...commandsOf(before, text));
      else actions.push(editOf(before, text));
    }
    return { heading, actions };
  });
}

const literally = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const lineLike = (line: string): string => line.split('…').map(literally).join('.*');

/** What output a document's lines stand for: a line `…` is any number of lines, `…` within a line any text. */
export const outputLike = (lines: readonly string[]): RegExp =>
  new RegExp(`^${lines.map((line) => (line.trim() === '…' ? '(?:.*\\n)*?' : `${lineLike(line)}\\n`)).join('')}$`);

/** The text of a file after an edit. Throws where the line does not stand there exactly once. */
export function edited(text: string | undefined, { file, how, at, text: block }: Edit): string {
  if (at === undefined) return block;
  if (text === undefined) throw new Error(`there is no ${file}`);
  const lines = text.split('\n');
  const like = new RegExp(`^${lineLike(at)}$`);
  const places = lines.flatMap((line, place) => (like.test(line.trim()) ? [place] : []));
  if (places.length !== 1) throw new Error(`${file} has ${places.length} lines \`${at}\`, not one`);
  const [place] = places as [number];
  const start = how === 'below' ? place + 1 : place;
  lines.splice(start, how === 'in place of' ? 1 : 0, ...block.replace(/\n$/, '').split('\n'));
  return lines.join('\n');
}
