import { expect, test } from '@jest/globals';
import { memoized } from '../../server/collections/memoized.ts';

test('computes the result of a short text once, until there are too many', () => {
  const computed: string[] = [];
  const length = memoized(3, (text) => (computed.push(text), text.length));
  expect(['a', 'bc', 'a', '', 'bc'].map(length)).toEqual([1, 2, 1, 0, 2]);
  expect(computed).toEqual(['a', 'bc', '']);
  expect(['d', 'd', 'a'].map(length)).toEqual([1, 1, 1]);
  expect(computed).toEqual(['a', 'bc', '', 'd', 'a']);
});

test('keeps no long text, which can be a part of a much longer one', () => {
  let calls = 0;
  const count = memoized(3, () => ++calls);
  expect([count('x'.repeat(13)), count('x'.repeat(13))]).toEqual([1, 2]);
  expect([count('x'.repeat(12)), count('x'.repeat(12))]).toEqual([3, 3]);
});
