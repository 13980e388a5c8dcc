/** A request to the search operation: what it is, how it is sent, how curl would send it. */
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

/** The address of the operation, from the page's own: it also holds behind a proxy that adds a prefix. */
const address = (): URL => new URL('../social/tweet/advanced_search', location.href.replace(/[?#].*$/, ''));

/** Sends a request. Rejects when the server cannot be reached or `signal` is aborted. */
export async function send(request: SearchRequest, key: string, signal: AbortSignal): Promise<SearchResponse> {
  const url = address();
  url.search = new URLSearchParams({ ...request }).toString();
  const start = performance.now();
  const response = await fetch(url, { headers: { 'x-api-key': key }, signal });
  const body = await response.text();
  const told = { status: response.status, ms: Math.max(1, Math.round(performance.now() - start)) };
  return response.ok ? { ...told, page: JSON.parse(body) as Page } : { ...told, error: body };
}

const inShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The same request as a command for a shell that has the key in `$KEY`. */
export function curl(request: SearchRequest): string {
  const parameters = Object.entries(request).map(([name, value]) => `--data-urlencode ${inShell(`${name}=${value}`)}`);
  return ['curl -H "x-api-key: $KEY" -G', inShell(address().href), ...parameters].join(' ');
}
