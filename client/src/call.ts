/** What a method answers: a promise of the body with ways to see more, and for lists a walk through the pages. */
import type { Answer, Item, OperationId } from './contract.ts';
import type { ErrorOf } from './error-of.ts';
import { PagingError, SocialDataError, type Failed } from './errors.ts';
import { readContext, type RateLimit } from './headers.ts';

/** An answer with what came along with it. */
export interface Answered<Data> {
  readonly data: Data;
  readonly response: Response;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/** An answer or an error, for callers who would rather not catch. */
export type Result<Data, Failure> =
  | { readonly ok: true; readonly data: Data; readonly error?: never }
  | { readonly ok: false; readonly error: Failure; readonly data?: never };

/** A promise of the body of an answer, which rejects with a SocialDataError. */
export interface Call<Data, Failure> extends Promise<Data> {
  /** The body together with the response, the request id and the rate limit. */
  withResponse(): Promise<Answered<Data>>;
  /** Never rejects with an error of this package: it answers it, typed. */
  result(): Promise<Result<Data, Failure>>;
}

/**
 * A list. `for await` walks through its items, page after page as they are needed; awaited it is its first page. Nothing is
 * sent before one of the two.
 */
export interface List<One, Page, Failure> extends Call<Page, Failure>, AsyncIterable<One> {
  /** Walks page by page. Keep `next_cursor` of a page to go on after it another day, with the same parameters and `cursor`. */
  pages(): AsyncIterableIterator<Page>;
  /** All items. */
  toArray(): Promise<One[]>;
}

export type CallOf<Id extends OperationId> = [Item<Id>] extends [never]
  ? Call<Answer<Id>, ErrorOf<Id>>
  : List<Item<Id>, Answer<Id>, ErrorOf<Id>>;

/** Body, response, and which call it was. */
export interface Completed<Data> {
  readonly data: Data;
  readonly response: Response;
  readonly failed: Failed;
}

/** A call that `start` begins when someone first asks for its answer. */
export function callOf<Data, Failure>(start: () => Promise<Completed<Data>>): Call<Data, Failure> {
  let started: Promise<Completed<Data>> | undefined;
  const begin = (): Promise<Completed<Data>> => (started ??= start());
  const body = (): Promise<Data> => begin().then(({ data }) => data);
  return {
    then: (fulfilled, rejected) => body().then(fulfilled, rejected),
    catch: (rejected) => body().catch(rejected),
    finally: (settled) => body().finally(settled),
    [Symbol.toStringTag]: 'Promise',
    async withResponse() {
      const { data, response } = await begin();
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

interface AnyPage {
  readonly next_cursor: string | null;
  readonly has_next_page: boolean;
}

/** A list whose page after a cursor `fetchPage` gets; `limit` bounds the items of one walk. */
export function listOf<One, Page, Failure>(
  fetchPage: (cursor?: string) => Promise<Completed<Page>>,
  items: string,
  limit: number,
): List<One, Page, Failure> {
  const call = callOf<Page, Failure>(() => fetchPage());
  const itemsOf = (page: Page): readonly One[] => (page as Record<string, readonly One[]>)[items]!;

  async function* pages(): AsyncGenerator<Page, void, undefined> {
    let cursor: string | undefined;
    for (let left = limit; left > 0;) {
      let page: Page;
      try {
        const completed: Completed<Page> | undefined = cursor === undefined ? undefined : await fetchPage(cursor);
        page = completed?.data ?? (await call);
        const next = page as AnyPage;
        if (cursor !== undefined && next.has_next_page && next.next_cursor === cursor)
          throw new PagingError('the page names itself as the next one', completed!.failed);
      } catch (error) {
        if (error instanceof SocialDataError && cursor !== undefined) error.cursor = cursor;
        throw error;
      }
      yield page;
      left -= itemsOf(page).length;
      const { has_next_page: hasNext, next_cursor: next } = page as AnyPage;
      if (!hasNext || !next) return;
      cursor = next;
    }
  }

  async function* each(): AsyncGenerator<One, void, undefined> {
    let left = limit;
    for await (const page of pages()) {
      for (const item of itemsOf(page)) {
        yield item;
        if (--left <= 0) return;
      }
    }
  }

  return Object.assign(call, {
    pages,
    [Symbol.asyncIterator]: each,
    async toArray() {
      const all: One[] = [];
      for await (const item of each()) all.push(item);
      return all;
    },
  });
}
