import { expect, test } from '@jest/globals';
import { Likes } from '../../../server/archive/rules/likes.ts';

const like = (likes: Likes): unknown => Array.from(likes.entries(), ([, each]) => each)[0];

test('a removal takes effect at the time of the like or later, and a like only after the removal', () => {
  const likes = new Likes();
  expect([likes.add('1', 10), like(likes)]).toEqual(['added', { liked: true, at: 10 }]);
  expect([likes.add('1', 12), like(likes)]).toEqual(['unchanged', { liked: true, at: 10 }]);
  expect([likes.remove('1', 9), like(likes)]).toEqual(['unchanged', { liked: true, at: 10 }]);
  expect([likes.remove('1', 10), like(likes)]).toEqual(['updated', { liked: false, at: 10 }]);
  expect(likes.remove('1', 20)).toBe('unchanged');
  for (const at of [9, 10]) expect([likes.add('1', at), like(likes)]).toEqual(['unchanged', { liked: false, at: 10 }]);
  expect([likes.add('1', 11), like(likes)]).toEqual(['updated', { liked: true, at: 11 }]);
});

test('a removal that is known before its like holds against an earlier like', () => {
  const likes = new Likes();
  expect(likes.remove('1', 10)).toBe('added');
  expect([likes.add('1', 10), like(likes)]).toEqual(['unchanged', { liked: false, at: 10 }]);
  expect([likes.add('1', 11), like(likes)]).toEqual(['updated', { liked: true, at: 11 }]);
});
