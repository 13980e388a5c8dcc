/** A cache of responses with a bounded size. */
import type { CachedResponse, ResponseCache } from './options.ts';

/** Keeps the most recently used responses, at most `entries` (default 100): pass it as the option `cache`. */
export function responseCache(entries = 100): ResponseCache {
  const responses = new Map<string, CachedResponse>();
  const keep = (url: string, response: CachedResponse): void => {
    responses.delete(url);
    responses.set(url, response);
    const [oldest] = responses.keys();
    if (responses.size > entries && oldest !== undefined) responses.delete(oldest);
  };
  return {
    get(url) {
      const found = responses.get(url);
      if (found !== undefined) keep(url, found);
      return found;
    },
    set: keep,
  };
}
