/** The query box: what is in it, how that is read, and what is wrong with it. */
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
/** The most characters of a query, by the contract. */
const most = Number(box.dataset.most);

/** Shows a piece of the query where it stands, behind the text of the box. */
function mark(place: Span | undefined, kind: 'looked' | 'fault' = 'looked'): void {
  const text = box.value;
  const { at, end } = place ?? { at: text.length, end: text.length };
  const marked = at < end ? [element('mark', { class: kind }, [text.slice(at, end)])] : [];
  // The blank keeps the last line as high as the box has it.
  mirror.replaceChildren(text.slice(0, at), ...marked, `${text.slice(end)} `);
}

function select({ at, end }: Span): void {
  box.focus();
  box.setSelectionRange(at, end);
}

const placeOf = (at: number, piece: string): Span => ({ at, end: at + piece.length });

/**
 * Reads what is in the box and shows how, or where and why it cannot be read. `mend` is given the text that was probably meant,
 * when the reader takes it.
 */
export function read(mend: (text: string) => void): void {
  const text = box.value;
  // As JSON Schema counts them: a character beyond the Basic Multilingual Plane is one.
  const characters = [...text].length;
  counter.textContent = characters > most * 0.8 ? `${characters} of ${most} characters` : '';
  mark(undefined);
  try {
    if (characters > most) throw tooLong(characters, most);
    const drawn =
      text.trim() === '' ? [] : [drawTree(readingOf(parse(text)), text, { highlight: mark, select: select })];
    verdict.className = '';
    verdict.textContent = drawn.length === 0 ? 'Type a query, or choose an example below.' : 'Read as:';
    reading.replaceChildren(...drawn);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const fault = parseQueryError(error.message);
    verdict.className = 'wrong';
    verdict.textContent = error.message;
    if (fault.offset !== undefined)
      mark(placeOf(fault.offset, fault.wrong ?? text.slice(fault.offset)[0] ?? ''), 'fault');
    reading.replaceChildren(...drawQueryError(fault, text, mend));
  }
}
