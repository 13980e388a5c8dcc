/** The query box: its text, the syntax tree of the query, and its error. */
import { ServiceError } from '../../../../../contract/service-error.ts';
import { parse } from '../../../../../search/language/parse.ts';
import { element, part } from '../../browser/element.ts';
import { drawQueryError, parseQueryError, tooLong } from '../../browser/fault.ts';
import { readingOf, type Span } from './reading.ts';
import { drawTree } from './tree.ts';

export const box = part<HTMLTextAreaElement>('query');
const mirror = part('mirror');
const counter = part('counter');
const verdict = part('verdict');
const reading = part('reading');
/** Maximum number of characters of a query, from the contract. */
const maxCharacters = Number(box.dataset.most);

/** Highlights a part of the query behind the text of the box. */
function mark(span: Span | undefined, kind: 'looked' | 'fault' = 'looked'): void {
  const text = box.value;
  const { at, end } = span ?? { at: text.length, end: text.length };
  const marked = at < end ? [element('mark', { class: kind }, [text.slice(at, end)])] : [];
  // The trailing space gives the last line the same height as in the box.
  mirror.replaceChildren(text.slice(0, at), ...marked, `${text.slice(end)} `);
}

function select({ at, end }: Span): void {
  box.focus();
  box.setSelectionRange(at, end);
}

const spanOf = (at: number, piece: string): Span => ({ at, end: at + piece.length });

/**
 * Parses the query and shows its tree or its error. `applyFix` receives the corrected query when the reader accepts the
 * suggestion.
 */
export function read(applyFix: (text: string) => void): void {
  const text = box.value;
  // Counts as JSON Schema does: a character beyond the Basic Multilingual Plane is one character.
  const characters = [...text].length;
  counter.textContent = characters > maxCharacters * 0.8 ? `${characters} of ${maxCharacters} characters` : '';
  mark(undefined);
  try {
    if (characters > maxCharacters) throw tooLong(characters, maxCharacters);
    const trees =
      text.trim() === '' ? [] : [drawTree(readingOf(parse(text)), text, { highlight: mark, select: select })];
    verdict.className = '';
    verdict.textContent = trees.length === 0 ? 'Type a query, or choose an example below.' : 'Read as:';
    reading.replaceChildren(...trees);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const queryError = parseQueryError(error.message);
    verdict.className = 'wrong';
    verdict.textContent = error.message;
    if (queryError.offset !== undefined)
      mark(spanOf(queryError.offset, queryError.wrong ?? text.slice(queryError.offset)[0] ?? ''), 'fault');
    reading.replaceChildren(...drawQueryError(queryError, text, applyFix));
  }
}
