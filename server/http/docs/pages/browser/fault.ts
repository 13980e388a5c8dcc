/** Shows what is wrong with a query: the place with a caret, and the name that was probably meant. */
import { badRequest, type ServiceError } from '../../../../contract/service-error.ts';
import { element } from './element.ts';

export interface QueryError {
  readonly offset: number | undefined;
  /** What stands there, and what was probably meant. */
  readonly wrong: string | undefined;
  readonly suggestion: string | undefined;
}

/** Takes the parser's sentence apart. */
export function parseQueryError(message: string): QueryError {
  const at = /^'query' cannot be read at (\d+): /.exec(message)?.[1];
  const [, wrong, meant] = /: unknown (?:filter|operator) '(.*?)': did you mean '([^']*)'\?/s.exec(message) ?? [];
  return { offset: at === undefined ? undefined : Number(at), wrong, suggestion: meant };
}

export const tooLong = (length: number, most: number): ServiceError =>
  badRequest(`'query' has ${length} characters; at most ${most} are read`);

/** How many characters are shown before the place and from it on: a phone has room for them. */
const [shownBefore, shownAfter] = [16, 24];

/** The place, and where there is one the way to mend it. */
export function drawQueryError(
  { offset: at, wrong, suggestion: meant }: QueryError,
  text: string,
  mend: (text: string) => void,
): HTMLElement[] {
  if (at === undefined) return [];
  const start = Math.max(0, at - shownBefore);
  const before = (start > 0 ? '…' : '') + text.slice(start, at).replaceAll(/\s/g, ' ');
  const after = text.slice(at, at + shownAfter).replaceAll(/\s/g, ' ');
  const place = element('pre', { class: 'place', 'aria-hidden': 'true' }, [
    `${before}${after}\n`,
    // The same text, unseen, is as wide as what stands before the place, whatever the script.
    element('span', { class: 'unseen' }, [before]),
    element('span', { class: 'caret' }, ['▲']),
  ]);
  if (wrong === undefined || meant === undefined || !text.startsWith(wrong, at)) return [place];
  const button = element('button', { type: 'button', class: 'mend' }, [`Use ‘${meant}’`]);
  button.addEventListener('click', () => mend(text.slice(0, at) + meant + text.slice(at + wrong.length)));
  return [place, button];
}
