/** Pages of search results. Each database engine has its own implementation. */
import type { Page, PageRequest } from '../../contract/page.ts';
import type { CallOptions, CountSpan, TweetCounts } from '../../ports/platform.ts';
import type { Query } from '../../domain/query.ts';
import { compileQuery } from '../../search/language/compile.ts';
import type { Condition } from '../../search/language/condition.ts';

/** The searches that wait for their turn at most; further ones get 503. */
export const maxWaitingSearches = 256;
/** The longest time of a search, or of its wait in a shared database, in milliseconds. */
export const maxSearchMs = 10_000;

/** How a search of a request ends before its result: the engine then rejects with the reason of the signal, or with ServiceError 503. */
export type SearchOptions = Pick<CallOptions, 'signal'>;

/** The condition of the tweets of a count. */
export const conditionOfCount = (query: Query, { since, until }: CountSpan): Condition => ({
  is: 'all',
  parts: [{ is: 'created', since, until }, compileQuery(query)],
});

export interface ArchiveSearch {
  /**
   * A page of ids, newest first by (created_at, id). `now` is in milliseconds since the epoch. Rejects with StoreError, and with
   * ServiceError 400 for a position of another order. With `options`, it also rejects where the call has ended, took too long, or too many
   * searches wait.
   */
  latest(query: Query, page: PageRequest, now: number, options?: SearchOptions): Promise<Page<string>>;
  /**
   * A page of ids by engagement, highest first; the newer tweet wins a tie. All pages read the engagement as of the commit of the first
   * page and leave out tweets that arrived later. Rejects as `latest`.
   */
  top(query: Query, page: PageRequest, now: number, options?: SearchOptions): Promise<Page<string>>;
  /** The tweets of a query within a time, each once. Rejects as `latest`. */
  counts(query: Query, span: CountSpan, now: number, options?: SearchOptions): Promise<TweetCounts>;
  /** As `latest`, but oldest first: the tweets before a time that do not match a query. */
  oldest(
    tweets: { readonly except: Query | undefined; readonly before: number },
    page: PageRequest,
    now: number,
  ): Promise<Page<string>>;
}
