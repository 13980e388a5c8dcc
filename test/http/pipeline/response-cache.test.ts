import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { Representation } from '../../../server/http/pipeline/representation.ts';
import { ResponseCache } from '../../../server/http/pipeline/response-cache.ts';

const mebibyte = 1024 * 1024;
const parsed = { id: 'getUser', path: '/a', query: {} } as const;
/** Stores a response as at the second request of its target. */
function stored(cache: ResponseCache, target: string, bytes: Buffer): Representation {
  cache.store(target, parsed, 1, bytes);
  return cache.store(target, parsed, 1, bytes);
}

test('a response is stored at the second request of its target, in a copy', () => {
  const cache = new ResponseCache();
  const bytes = Buffer.from('{"id":"1"}');
  expect(cache.store('/a', parsed, 1, bytes).bytes.equals(bytes)).toBe(true);
  expect(cache.get('/a')).toBeUndefined();
  const representation = cache.store('/a', parsed, 2, bytes);
  expect(cache.get('/a')).toEqual({ ...parsed, revision: 2, representation });
  bytes.fill(0);
  expect(representation.bytes.toString()).toBe('{"id":"1"}');
  const later = cache.store('/a', parsed, 3, Buffer.from('{}'));
  expect(cache.get('/a')).toMatchObject({ revision: 3, representation: later });
});

test('the compressed forms of a response count, and may replace the response that was used least recently', async () => {
  const cache = new ResponseCache();
  const first = stored(cache, '/first', randomBytes(10 * mebibyte));
  stored(cache, '/second', randomBytes(10 * mebibyte));
  const third = stored(cache, '/third', randomBytes(10 * mebibyte));
  const present = (): boolean[] => ['/first', '/second', '/third'].map((target) => cache.get(target) !== undefined);
  expect(present()).toEqual([true, true, true]);
  await third.encoded('deflate');
  expect(present()).toEqual([false, true, true]);
  // A response that is no longer in the cache may still be sent.
  expect((await first.encoded('deflate')).length).toBeGreaterThan(0);
  expect(present()).toEqual([false, true, true]);
});

test('the targets count, by two bytes for each character', () => {
  const cache = new ResponseCache();
  const targets = Array.from({ length: 17 }, (_, n) => `/${n}?`.padEnd(mebibyte, 'a'));
  for (const target of targets) stored(cache, target, Buffer.from('{}'));
  const present = targets.filter((target) => cache.get(target) !== undefined);
  expect(present).toHaveLength(15);
  expect(present[0]).toBe(targets[2]);
});
