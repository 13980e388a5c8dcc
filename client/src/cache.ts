/** Conditional requests: reuses a response that is known by its ETag. Loaded at the first call of a client with a `cache`. */
import type { Init, Reply } from './exchange.ts';
import type { ResponseCache } from './options.ts';

/** Sends a read; the reply to a 304 has the known body. `url` is the address without the key. */
export async function sendCached(
  attempt: { send(init: Init): Promise<Reply> },
  cache: ResponseCache,
  url: string,
  init: Init,
): Promise<Reply> {
  const known = init.headers['if-none-match'] === undefined ? await cache.get(url) : undefined;
  if (known !== undefined) init.headers['if-none-match'] = known.etag;
  const reply = await attempt.send(init);
  const { response, isOk, text } = reply;
  if (known !== undefined && response.status === 304) return { response, isOk: true, data: JSON.parse(known.text) };
  const etag = response.headers.get('etag');
  if (isOk && etag !== null && text !== undefined) await cache.set(url, { etag, text });
  return reply;
}
