/** What is kept in memory is removed when a transaction changes what it depends on. */
import { beforeEach, expect, test } from '@jest/globals';
import { DependentCache } from '../../../server/archive/reads/dependent-cache.ts';

let last: number;
let listeners: ((keys: readonly string[] | undefined) => void)[];
/** The size of a value is its length. */
let cache: DependentCache<string>;

beforeEach(() => {
  [last, listeners] = [0, []];
  const commits = {
    get last() {
      return last;
    },
    onCommit: (listener: (typeof listeners)[number]) => void listeners.push(listener),
  };
  cache = new DependentCache(commits, 1_000, (value) => value.length);
});

function commit(keys?: readonly string[]): void {
  for (const listener of listeners) listener(keys);
  last++;
}
const keep = (name: string, value: string, ...keys: string[]): void => cache.set(name, value, keys, cache.readAt);
const kept = (): string[] => ['a', 'b', 'c', 'd'].filter((name) => cache.get(name) !== undefined);

test('a value is removed by a change of any of its keys, and by no other one', () => {
  keep('a', 'A', 'k1', 'k2');
  keep('b', 'B', 'k2');
  keep('c', 'C');
  commit(['k3']);
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual(['A', 'B', 'C']);
  commit(['k1', 'k3']);
  expect(kept()).toEqual(['b', 'c']);
  keep('a', 'A', 'k1');
  keep('d', 'D', 'k2');
  commit(['k2', 'k1']);
  expect(kept()).toEqual(['c']);
});

test('a change of everything removes all values; later ones depend on their keys again', () => {
  keep('a', 'A', 'k1');
  keep('b', 'B');
  commit();
  expect(kept()).toEqual([]);
  keep('a', 'A', 'k1');
  commit(['k1']);
  expect(kept()).toEqual([]);
});

test('a value that was read before the last known transaction is not kept', () => {
  const { readAt } = cache;
  commit(['k1']);
  cache.set('a', 'A', ['k2'], readAt);
  expect(kept()).toEqual([]);
  cache.set('a', 'A', ['k2'], cache.readAt);
  expect(kept()).toEqual(['a']);
});

test('a new value of a name depends on its own keys only', () => {
  keep('a', 'A', 'k1');
  keep('a', 'other', 'k2');
  commit(['k1']);
  expect(cache.get('a')).toBe('other');
  commit(['k2']);
  expect(kept()).toEqual([]);
});

test('beyond the limit of memory, the value that was used least recently is removed; keys count too', () => {
  keep('a', 'A'.repeat(400));
  keep('b', 'B'.repeat(400));
  cache.get('a');
  keep('c', 'C'.repeat(100), 'k1');
  expect(kept()).toEqual(['a', 'c']);
  // Larger than all of the memory.
  keep('d', 'D'.repeat(900), 'k1');
  expect(kept()).toEqual(['a', 'c']);
  commit(['k1']);
  expect(kept()).toEqual(['a']);
});
