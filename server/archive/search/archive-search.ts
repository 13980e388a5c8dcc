/** Pages of search results. Each database engine has its own implementation. */
import type { Page, PageRequest } from '../../contract/page.ts';
import type { Query } from '../../search/language/syntax-tree.ts';

export interface ArchiveSearch {
  /**
   * A page of ids, newest first by (created_at, id). `now` is in milliseconds since the epoch. Rejects with StoreError, and with
   * ServiceError 400 for a position of another order.
   */
  latest(query: Query, page: PageRequest, now: number): Promise<Page<string>>;
  /**
   * A page of ids by engagement, highest first; the newer tweet wins a tie. All pages read the engagement as of the commit of the first
   * page and leave out tweets that arrived later. Rejects as `latest`.
   */
  top(query: Query, page: PageRequest, now: number): Promise<Page<string>>;
  /** As `latest`, but oldest first: the tweets before a time that do not match a query. */
  oldest(
    tweets: { readonly except: Query | undefined; readonly before: number },
    page: PageRequest,
    now: number,
  ): Promise<Page<string>>;
}
