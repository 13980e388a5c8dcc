import { expect, test } from '@jest/globals';
import { Likes } from '../../../server/platforms/archive/likes.ts';

test('a removal takes effect at the time of the like or later, and a like only after the removal', () => {
  const likes = new Likes();
  expect([likes.add('1', 10, 1), likes.likedAt('1')]).toEqual(['added', 10]);
  expect([likes.add('1', 12, 2), likes.likedAt('1')]).toEqual(['unchanged', 10]);
  expect([likes.wouldRemove('1', 9), likes.remove('1', 9, 3), likes.likedAt('1')]).toEqual([false, 'unchanged', 10]);
  expect([likes.wouldRemove('1', 10), likes.remove('1', 10, 4), likes.likedAt('1')]).toEqual([
    true,
    'updated',
    undefined,
  ]);
  expect([likes.wouldRemove('1', 20), likes.remove('1', 20, 5)]).toEqual([false, 'unchanged']);
  for (const at of [9, 10])
    expect([likes.wouldAdd('1', at), likes.add('1', at, 6), likes.likedAt('1')]).toEqual([
      false,
      'unchanged',
      undefined,
    ]);
  expect([likes.wouldAdd('1', 11), likes.add('1', 11, 7), likes.likedAt('1')]).toEqual([true, 'updated', 11]);
});

test('a removal that is known before its like holds against an earlier like', () => {
  const likes = new Likes();
  expect(likes.remove('1', 10, 1)).toBe('added');
  expect([likes.add('1', 10, 2), likes.likedAt('1')]).toEqual(['unchanged', undefined]);
  expect([likes.add('1', 11, 3), likes.likedAt('1')]).toEqual(['updated', 11]);
});
