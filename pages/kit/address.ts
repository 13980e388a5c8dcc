/** The addresses of the pages. They also hold behind a proxy that adds a prefix. */
import { root } from './root.ts';

/** The address without a slash at its end, as callers write it. */
export const baseUrl = root.replace(/\/$/, '');

const part = encodeURIComponent;

export const userHref = (username: string): string => `${root}u/${part(username.replace(/^@/, ''))}`;
export const tweetHref = (id: string): string => `${root}t/${part(id)}`;
/** The part of the page of a tweet with its replies, quotes or retweeters. */
export const tweetPartHref = (id: string, tab: 'Replies' | 'Quotes' | 'Retweeters'): string =>
  `${tweetHref(id)}${tab === 'Replies' ? '' : `?tab=${tab}`}#parts`;
export const communityHref = (id: string): string => `${root}c/${part(id)}`;
export const spaceHref = (id: string): string => `${root}s/${part(id)}`;

/** The page of this service for an address of X that names an audio room or a community; undefined for any other address. */
export function placeOf(url: string): { readonly href: string; readonly words: string } | undefined {
  const found =
    /^https?:\/\/(?:www\.)?(?:x|twitter)\.com\/i\/(?:spaces\/([A-Za-z0-9]{1,32})|communities\/(\d{1,19}))(?:[/?#]|$)/.exec(
      url,
    );
  const [, space, community] = found ?? [];
  if (space !== undefined) return { href: spaceHref(space), words: 'Audio room' };
  return community === undefined ? undefined : { href: communityHref(community), words: 'Community' };
}

export const searchHref = (query: string, order: 'Latest' | 'Top' = 'Latest'): string =>
  `${root}explore?${new URLSearchParams({ q: query, ...(order === 'Top' ? { order: 'top' } : {}) })}`;
export const askHref = (id: string): string => `${root}ask?${new URLSearchParams({ tweet: id })}`;

/** The last part of the path: the name or id that a page is about. */
export function subject(): string {
  const last = location.pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
