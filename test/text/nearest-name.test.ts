import { expect, test } from '@jest/globals';
import { editDistance, nearest } from '../../server/text/nearest-name.ts';

test.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['cursor', 'cursor', 0],
  ['crusor', 'cursor', 1],
  ['kitten', 'sitting', 3],
  ['ab', 'ba', 1],
  ['user_name', 'username', 1],
])('the distance of %j and %j is %i, both ways', (a, b, distance) => {
  expect([editDistance(a, b), editDistance(b, a)]).toEqual([distance, distance]);
});
test('finds the nearest name in any case, or nothing', () => {
  const names = ['username', 'user_id', 'cursor', 'limit'];
  expect(nearest('UserName', names)).toBe('username');
  expect(nearest('limits', names)).toBe('limit');
  expect(nearest('colour', names)).toBeUndefined();
  expect(nearest('x'.repeat(100_000), names)).toBeUndefined();
  expect(nearest('x', [])).toBeUndefined();
  expect(nearest('q', ['id', 'query'])).toBeUndefined();
  expect(nearest('2', ['0', '1'])).toBeUndefined();
  expect(nearest('ID', ['id'])).toBe('id');
});
