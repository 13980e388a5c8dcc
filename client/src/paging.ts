/** Iterates over the pages of a list, and over their items. Loaded at the first iteration. */
import { abortError } from './abort.ts';
import { type Failed, SocialDataError, PagingError } from './failure.ts';
import type { Completed } from './exchange.ts';

/** A page of any list. */
export interface AnyPage {
  readonly next_cursor: string | null;
  readonly has_next_page: boolean;
}

/** How a list gets its pages. */
export interface Paging<One, Page> {
  /** Without a cursor, the first page. */
  fetchPage(cursor?: string): Promise<Completed<Page>>;
  itemsOf(page: Page): readonly One[];
  /** The maximum number of items of one iteration. */
  readonly limit: number;
  readonly signal?: AbortSignal | null | undefined;
}

/** An iteration whose signal aborted must not end as if it were complete. */
function checkSignal(signal: AbortSignal | null | undefined, failed: Failed): void {
  if (signal?.aborted) throw abortError('iteration', failed, signal.reason);
}

async function* readPages<One, Page extends AnyPage>({
  fetchPage,
  itemsOf: read,
  limit,
  signal,
}: Paging<One, Page>): AsyncGenerator<Completed<Page>, void, undefined> {
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let remaining = limit; remaining > 0;) {
    try {
      const completed = await fetchPage(cursor);
      const { has_next_page: hasNext, next_cursor: next } = completed.data;
      if (hasNext && next && cursors.has(next))
        throw new PagingError('a page refers to an earlier page', completed.failed);
      yield completed;
      checkSignal(signal, completed.failed);
      remaining -= read(completed.data).length;
      if (!hasNext || !next) return;
      cursors.add((cursor = next));
    } catch (error) {
      if (error instanceof SocialDataError && cursor !== undefined) error.cursor ??= cursor;
      throw error;
    }
  }
}

/** The pages of a list. */
export async function* pagesOf<One, Page extends AnyPage>(
  paging: Paging<One, Page>,
): AsyncGenerator<Page, void, undefined> {
  for await (const { data } of readPages(paging)) yield data;
}

/** The items of all pages, at most `limit`. */
export async function* itemsOf<One, Page extends AnyPage>(
  paging: Paging<One, Page>,
): AsyncGenerator<One, void, undefined> {
  let remaining = paging.limit;
  for await (const { data, failed } of readPages(paging)) {
    for (const item of paging.itemsOf(data)) {
      checkSignal(paging.signal, failed);
      yield item;
      if (--remaining <= 0) return;
    }
  }
}

/** An array of the items of all pages. */
export async function collect<One, Page extends AnyPage>(paging: Paging<One, Page>): Promise<One[]> {
  const all: One[] = [];
  for await (const item of itemsOf(paging)) all.push(item);
  return all;
}
