/** The return types of the methods: a promise of the response body, and for lists an async iterator of the pages. */
import type { Operation } from './contract.ts';
import type { Completed } from './exchange.ts';
import { SocialDataError } from './failure.ts';
import { errorResponses, onDemand } from './on-demand.ts';
import type { ListOptions } from './options.ts';
import type { AnyPage, Paging } from './paging.ts';
import type { RateLimit } from './rate-limit.ts';

/** The response body with the metadata of the response. */
export interface Answered<Data> {
  readonly data: Data;
  readonly response: Response;
  readonly requestId: string | undefined;
  readonly rateLimit: RateLimit | undefined;
}

/** Sends a call of the contract. Rejects with the typed error of an error response. */
export type Send = <Data>(
  path: string,
  operation: Operation,
  parameters: Record<string, unknown>,
  options: ListOptions | undefined,
) => Promise<Completed<Data>>;

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

/** The result of `start`, which runs at the first call, once. */
function callOnce<Result>(start: () => Promise<Result>): () => Promise<Result> {
  let started: Promise<Result> | undefined;
  return () => (started ??= start());
}

/** A lazy call: the first use of its result runs `start`, once. */
export function callOf<Data, Failure>(start: () => Promise<Completed<Data>>): Call<Data, Failure> {
  const startOnce = callOnce(start);
  const body = (): Promise<Data> => startOnce().then(({ data }) => data);
  return {
    then: (fulfilled, rejected) => body().then(fulfilled, rejected),
    catch: (rejected) => body().catch(rejected),
    finally: (settled) => body().finally(settled),
    [Symbol.toStringTag]: 'Promise',
    async withResponse() {
      const { data, response } = await startOnce();
      return { data, response, ...(await errorResponses()).readContext(response.headers) };
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

const iteration = onDemand(() => import('./paging.ts'));

/** A list whose pages are requested by cursor. The first page is requested once. */
export function listOf<One, Page extends AnyPage, Failure>(paging: Paging<One, Page>): List<One, Page, Failure> {
  const first = callOnce(() => paging.fetchPage());
  const source: Paging<One, Page> = {
    ...paging,
    fetchPage: (cursor) => (cursor === undefined ? first() : paging.fetchPage(cursor)),
  };
  async function* items(): AsyncGenerator<One, void, undefined> {
    yield* (await iteration()).itemsOf(source);
  }
  return Object.assign(callOf<Page, Failure>(first), {
    async *pages(): AsyncGenerator<Page, void, undefined> {
      yield* (await iteration()).pagesOf(source);
    },
    [Symbol.asyncIterator]: items,
    toArray: async () => (await iteration()).collect(source),
  });
}
