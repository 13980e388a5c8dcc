/** Shows an error in a query: the position with a caret, and the suggested name. */
import { badRequest, type ServiceError } from '../../../../contract/service-error.ts';
import { element } from './element.ts';

export interface QueryError {
  readonly offset: number | undefined;
  /** The unknown name at the offset, and the suggested name. */
  readonly wrong: string | undefined;
  readonly suggestion: string | undefined;
}

/** Parses an error message of the query parser. */
export function parseQueryError(message: string): QueryError {
  const offset = /^'query' cannot be read at (\d+): /.exec(message)?.[1];
  const [, wrong, suggestion] = /: unknown (?:filter|operator) '(.*?)': did you mean '([^']*)'\?/s.exec(message) ?? [];
  return { offset: offset === undefined ? undefined : Number(offset), wrong, suggestion };
}

export const tooLong = (length: number, max: number): ServiceError =>
  badRequest(`'query' has ${length} characters; at most ${max} are read`);

/** Number of characters to show before and after the position; they fit on a phone. */
const [shownBefore, shownAfter] = [16, 24];

/** Renders the position and, where there is a suggestion, a button that applies it. */
export function drawQueryError(
  { offset, wrong, suggestion }: QueryError,
  text: string,
  applyFix: (text: string) => void,
): HTMLElement[] {
  if (offset === undefined) return [];
  const start = Math.max(0, offset - shownBefore);
  const before = (start > 0 ? '…' : '') + text.slice(start, offset).replaceAll(/\s/g, ' ');
  const after = text.slice(offset, offset + shownAfter).replaceAll(/\s/g, ' ');
  const marker = element('pre', { class: 'place', 'aria-hidden': 'true' }, [
    `${before}${after}\n`,
    // The same text, invisible, has the width of the text before the position in any script.
    element('span', { class: 'unseen' }, [before]),
    element('span', { class: 'caret' }, ['▲']),
  ]);
  if (wrong === undefined || suggestion === undefined || !text.startsWith(wrong, offset)) return [marker];
  const button = element('button', { type: 'button', class: 'fix' }, [`Use ‘${suggestion}’`]);
  button.addEventListener('click', () =>
    applyFix(text.slice(0, offset) + suggestion + text.slice(offset + wrong.length)),
  );
  return [marker, button];
}
