/** The request of the search operation that the page is about. */
import type { ApiRequest } from '../kit/index.ts';

export interface SearchRequest {
  readonly query: string;
  readonly query_type: 'Latest' | 'Top';
}

export const apiRequest = (request: SearchRequest): ApiRequest => ({
  path: '/social/tweet/advanced_search',
  parameters: { ...request },
});

/** The request that the fragment of an address has. Browsers never send a fragment to a server. */
export function requestOf(hash: string): SearchRequest | undefined {
  const parameters = new URLSearchParams(hash.slice(1));
  const query = parameters.get('query');
  return query === null ? undefined : { query, query_type: parameters.get('query_type') === 'Top' ? 'Top' : 'Latest' };
}

/** The address of the page with a request. */
export const addressOf = (request: SearchRequest): string =>
  request.query === '' ? location.pathname : `#${new URLSearchParams({ ...request })}`;
