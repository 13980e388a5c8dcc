/** Runs queries and shows the results page by page. */
import { part } from '../../browser/element.ts';
import { enteredKey, keyRejected } from '../../browser/key.ts';
import { curl, send, type SearchResponse, type SearchRequest } from './request.ts';
import { cards, errorItem } from './results.ts';

const results = part<HTMLOListElement>('results');
const status = part('status');
const outdated = part('outdated');
const more = part<HTMLButtonElement>('more');
const command = part('command');

/** The query of the shown results, and the request of the next page. */
let shownQuery = '';
let next: SearchRequest | undefined;
let running: AbortController | undefined;

/** Shows the current request as a command, and whether the shown results belong to another query. */
export function prepare(request: SearchRequest): void {
  command.textContent = request.query === '' ? '' : curl(request);
  outdated.hidden = !hasResults() || request.query === shownQuery;
}

export const hasResults = (): boolean => results.children.length > 0;

/** Sends a request, aborts the previous one, and shows the response. Further pages are appended. */
export async function run(request: SearchRequest): Promise<void> {
  running?.abort();
  const { signal } = (running = new AbortController());
  shownQuery = request.query;
  if (request.cursor === undefined) results.replaceChildren();
  prepare(request);
  more.hidden = true;
  status.textContent = 'Asking …';
  results.setAttribute('aria-busy', 'true');
  try {
    showResponse(await send(request, enteredKey(), signal), request);
  } catch (error) {
    if (!signal.aborted) status.textContent = `The server could not be reached: ${(error as Error).message}`;
  } finally {
    if (running.signal === signal) results.removeAttribute('aria-busy');
  }
}

function showResponse(response: SearchResponse, request: SearchRequest): void {
  if ('error' in response) {
    status.textContent = `The server refused, after ${response.ms} ms.`;
    results.append(errorItem(response.status, response.error));
    if (response.status === 401) keyRejected();
    return;
  }
  const { next_cursor } = response.page;
  const added = cards(response.page);
  results.append(...added);
  status.textContent = summaryText(results.children.length, next_cursor !== null, response.ms);
  next = next_cursor === null ? undefined : { ...request, cursor: next_cursor };
  more.hidden = next === undefined;
  if (request.cursor !== undefined) added[0]?.focus();
}

function summaryText(count: number, isMore: boolean, ms: number): string {
  if (count === 0) return `Nothing found, in ${ms} ms.`;
  return `${count} ${count === 1 ? 'tweet' : 'tweets'}${isMore ? ' so far' : ''}, in ${ms} ms.`;
}

more.addEventListener('click', () => void (next !== undefined && run(next)));
