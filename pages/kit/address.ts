/** The addresses of the pages. They also hold behind a proxy that adds a prefix. */
import { root } from './root.ts';

/** The address without a slash at its end, as callers write it. */
export const baseUrl = root.replace(/\/$/, '');

const part = encodeURIComponent;

export const userHref = (username: string): string => `${root}u/${part(username.replace(/^@/, ''))}`;
export const tweetHref = (id: string): string => `${root}t/${part(id)}`;
export const communityHref = (id: string): string => `${root}c/${part(id)}`;
export const spaceHref = (id: string): string => `${root}s/${part(id)}`;
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
