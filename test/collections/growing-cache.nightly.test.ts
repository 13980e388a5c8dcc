import { expect, test } from '@jest/globals';
import { LRUCache } from 'lru-cache';
import { atMost } from '../../server/collections/growing-cache.ts';

test('a cache of at most so many entries drops the one that was used longest ago, and takes no memory in advance', () => {
  const cache = new LRUCache<string, number>({ ...atMost(3), ttl: 60_000 });
  for (const [place, name] of ['a', 'b', 'c'].entries()) cache.set(name, place);
  cache.get('a');
  cache.set('d', 3);
  expect([...cache.keys()].toSorted()).toEqual(['a', 'c', 'd']);
  // With `max` it would allocate a full cache at once.
  expect(new LRUCache(atMost(50_000)).max).toBe(0);
});
