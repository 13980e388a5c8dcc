import { expect, test } from '@jest/globals';
import { inTurn, isFull, isWalkInTurn } from './rounds.ts';

test.each([
  [7, 3],
  [12, 4],
  [2, 1],
  [3, 5],
])(
  'of %i items, %i in turn are all of them within as few turns as possible, and all at once in a full run',
  (length, count) => {
    const items = Array.from({ length }, (_, place) => place);
    const taken = isFull ? length : Math.min(count, length);
    for (const first of [0, 20_780]) {
      const turns = Array.from({ length: Math.ceil(length / taken) }, (_, turn) => inTurn(items, count, first + turn));
      expect(turns.map((each) => new Set(each).size)).toEqual(turns.map(() => taken));
      expect(new Set(turns.flat())).toEqual(new Set(items));
    }
  },
);

test('a run of all files makes one of the walks, the run of the next day another one; a call with names makes all', () => {
  const made = (turn: number): boolean[] => {
    process.env.TEST_TURN = String(turn);
    return [isWalkInTurn('npm run dev'), isWalkInTurn('the packed client')];
  };
  process.env.TEST_NAMED = '1';
  expect([made(5), made(6)]).toEqual([
    [true, true],
    [true, true],
  ]);
  delete process.env.TEST_NAMED;
  expect([made(5), made(6)]).toEqual([
    [true, isFull],
    [isFull, true],
  ]);
});
