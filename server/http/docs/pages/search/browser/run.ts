/** Runs queries and shows what they find, page by page. */
import { part } from '../../browser/element.ts';
import { enteredKey, keyRejected, keyAccepted } from '../../browser/key.ts';
import { curl, send, type SearchResponse, type SearchRequest } from './request.ts';
import { cards, errorItem } from './results.ts';

const results = part<HTMLOListElement>('results');
const status = part('status');
const outdated = part('outdated');
const more = part<HTMLButtonElement>('more');
const command = part('command');

/** The query of the results on show, and what the next page is asked with. */
let shown = '';
let next: SearchRequest | undefined;
let running: AbortController | undefined;

/** A request is being put together: shows it as a command, and whether the results on show are those of another query. */
export function prepare(request: SearchRequest): void {
  command.textContent = request.query === '' ? '' : curl(request);
  outdated.hidden = !hasResults() || request.query === shown;
}

export const hasResults = (): boolean => results.children.length > 0;

/** Sends a request in place of one that is still under way, and shows the answer; further pages go below those on show. */
export async function run(request: SearchRequest): Promise<void> {
  running?.abort();
  const { signal } = (running = new AbortController());
  shown = request.query;
  if (request.cursor === undefined) results.replaceChildren();
  prepare(request);
  more.hidden = true;
  status.textContent = 'Asking …';
  results.setAttribute('aria-busy', 'true');
  try {
    show(await send(request, enteredKey(), signal), request);
  } catch (error) {
    if (!signal.aborted) status.textContent = `The server could not be reached: ${(error as Error).message}`;
  } finally {
    if (running.signal === signal) results.removeAttribute('aria-busy');
  }
}

function show(answer: SearchResponse, request: SearchRequest): void {
  if ('error' in answer) {
    status.textContent = `The server refused, after ${answer.ms} ms.`;
    results.append(errorItem(answer.status, answer.error));
    if (answer.status === 401) keyRejected();
    return;
  }
  keyAccepted();
  const { next_cursor } = answer.page;
  const added = cards(answer.page);
  results.append(...added);
  status.textContent = found(results.children.length, next_cursor !== null, answer.ms);
  next = next_cursor === null ? undefined : { ...request, cursor: next_cursor };
  more.hidden = next === undefined;
  if (request.cursor !== undefined) added[0]?.focus();
}

function found(count: number, isMore: boolean, ms: number): string {
  if (count === 0) return `Nothing found, in ${ms} ms.`;
  return `${count} ${count === 1 ? 'tweet' : 'tweets'}${isMore ? ' so far' : ''}, in ${ms} ms.`;
}

more.addEventListener('click', () => void (next !== undefined && run(next)));
