/** The return types of the methods: a promise of the response body, and for lists an async iterator of the pages. */
import type { Answer, Item, OperationId } from './contract.ts';
import type { ErrorOf } from './error-of.ts';
import { PagingError, SocialDataError, type Failed } from './errors.ts';
import { readContext, type RateLimit } from './headers.ts';

/** The response body with the metadata of the response. */
export interface Answered<Data> {
  readonly data: Data;
  readonly response: Response;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/** The response body or an error, for callers that prefer a value over an exception. */
export type Result<Data, Failure> =
  | { readonly ok: true; readonly data: Data; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly data?: never };

/** A promise of the response body. It rejects with a SocialDataError. */
export interface Call<Data, Failure> extends Promise<Data> {
  /** The body together with the response, the request id and the rate limit. */
  withResponse(): Promise<Answered<Data>>;
  /** Resolves with the typed error instead of rejecting, for every error of this package. */
  result(): Promise<Result<Data, Failure>>;
}

/**
 * A list. `for await` iterates over its items and requests each page when the loop needs it; `await` returns the first page.
 * The client sends no request before one of the two.
 */
export interface List<One, Page, Failure> extends Call<Page, Failure>, AsyncIterable<One> {
  /** Iterates page by page. To continue later, pass a page's `next_cursor` as `cursor`, with the same parameters. */
  pages(): AsyncIterableIterator<Page>;
  /** All items of all pages, at most `limit`. */
  toArray(): Promise<One[]>;
}

export type CallOf<Id extends OperationId> = [Item<Id>] extends [never]
  ? Call<Answer<Id>, ErrorOf<Id>>
  : List<Item<Id>, Answer<Id>, ErrorOf<Id>>;

/** A finished call: the response body, the response and the context for errors. */
export interface Completed<Data> {
  readonly data: Data;
  readonly response: Response;
  readonly failed: Failed;
}

/** A lazy call: the first use of its result runs `start`, once. */
export function callOf<Data, Failure>(start: () => Promise<Completed<Data>>): Call<Data, Failure> {
  let started: Promise<Completed<Data>> | undefined;
  const startOnce = (): Promise<Completed<Data>> => (started ??= start());
  const body = (): Promise<Data> => startOnce().then(({ data }) => data);
  return {
    then: (fulfilled, rejected) => body().then(fulfilled, rejected),
    catch: (rejected) => body().catch(rejected),
    finally: (settled) => body().finally(settled),
    [Symbol.toStringTag]: 'Promise',
    async withResponse() {
      const { data, response } = await startOnce();
      return { data, response, ...readContext(response.headers) };
    },
    async result() {
      try {
        return { ok: true, data: await body() };
      } catch (error) {
        if (error instanceof SocialDataError) return { ok: false, error: error as Failure };
        throw error;
      }
    },
  };
}

/** A page of any list. */
export interface AnyPage {
  readonly next_cursor: string | null;
  readonly has_next_page: boolean;
}

/** A list whose pages `fetchPage` requests by cursor. `limit` is the maximum number of items of one iteration. */
export function listOf<One, Page extends AnyPage, Failure>(
  fetchPage: (cursor?: string) => Promise<Completed<Page>>,
  itemsOf: (page: Page) => readonly One[],
  limit: number,
): List<One, Page, Failure> {
  const call = callOf<Page, Failure>(() => fetchPage());

  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    for (let remaining = limit; remaining > 0;) {
      let page: Page;
      try {
        if (cursor === undefined) page = await call;
        else {
          const completed: Completed<Page> = await fetchPage(cursor);
          page = completed.data;
          if (page.has_next_page && page.next_cursor === cursor)
            throw new PagingError('the next cursor repeats', completed.failed);
        }
      } catch (error) {
        if (error instanceof SocialDataError && cursor !== undefined) error.cursor = cursor;
        throw error;
      }
      yield page;
      remaining -= itemsOf(page).length;
      const { has_next_page: hasNext, next_cursor: next } = page;
      if (!hasNext || !next) return;
      cursor = next;
    }
  }

  async function* iterateItems(): AsyncGenerator<One, void, undefined> {
    let remaining = limit;
    for await (const page of pages()) {
      for (const item of itemsOf(page)) {
        yield item;
        if (--remaining <= 0) return;
      }
    }
  }

  return Object.assign(call, {
    pages,
    [Symbol.asyncIterator]: iterateItems,
    async toArray() {
      const all: One[] = [];
      for await (const item of iterateItems()) all.push(item);
      return all;
    },
  });
}
