/** The request to the search operation, also as a curl command. */
import type { components } from '../../../../../../generated/types.ts';

export interface SearchRequest {
  readonly query: string;
  readonly query_type: 'Latest' | 'Top';
  readonly cursor?: string;
}

export type Page = components['schemas']['TweetShortPage'];
export type Tweet = components['schemas']['TweetShort'];

export type SearchResponse = { readonly status: number; readonly ms: number } & (
  | { readonly page: Page }
  | { readonly error: string }
);

/** The URL of the operation, relative to the page, so that it also works behind a proxy that adds a prefix. */
const endpoint = (): URL => new URL('../social/tweet/advanced_search', location.href.replace(/[?#].*$/, ''));

/** Sends a request. Rejects when the server cannot be reached or `signal` is aborted. */
export async function send(request: SearchRequest, key: string, signal: AbortSignal): Promise<SearchResponse> {
  const url = endpoint();
  url.search = new URLSearchParams({ ...request }).toString();
  const start = performance.now();
  const response = await fetch(url, { headers: { 'x-api-key': key }, signal });
  const body = await response.text();
  const result = { status: response.status, ms: Math.max(1, Math.round(performance.now() - start)) };
  return response.ok ? { ...result, page: JSON.parse(body) } : { ...result, error: body };
}

const shellQuote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same request as a shell command; the shell variable `KEY` contains the API key. */
export function curl(request: SearchRequest): string {
  const parameters = Object.entries(request).map(
    ([name, value]) => `--data-urlencode ${shellQuote(`${name}=${value}`)}`,
  );
  return ['curl -H "x-api-key: $KEY" -G', shellQuote(endpoint().href), ...parameters].join(' ');
}
