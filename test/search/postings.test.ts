import { expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { all, any, ordinalIterator, next, not, type Postings } from '../../server/search/inverted-index/postings.ts';
import { rounds } from '../support/rounds.ts';

/** More than two windows of a union of many walks. */
const ranks = 2_500;
const identity = Uint32Array.from({ length: ranks }, (_, rank) => rank);
const everything = (): Postings => ({ iterator: ordinalIterator(identity, identity) });

type Condition = { set: number[] } | { all: Condition[] } | { any: Condition[] } | { not: Condition };

/** Sets that are sparse, or dense around a place: also at the borders of windows. */
const set = fc.oneof(
  fc.uniqueArray(fc.nat(ranks - 1), { maxLength: 12 }),
  fc
    .tuple(fc.nat(ranks - 1), fc.integer({ min: 1, max: 40 }))
    .map(([from, length]) => Array.from({ length: Math.min(length, ranks - from) }, (_, n) => from + n)),
);
const leaf: fc.Arbitrary<Condition> = set.map((numbers) => ({ set: numbers.toSorted((a, b) => a - b) }));
const condition = fc.letrec<{ any: Condition }>((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(leaf, { minLength: 9, maxLength: 14 }).map((parts) => ({ any: parts })),
    fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map((parts) => ({ any: parts })),
    fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((parts) => ({ all: parts })),
    tie('any').map((part) => ({ not: part })),
  ),
})).any;

function found(asked: Condition): Postings {
  if ('set' in asked) return { iterator: ordinalIterator(Uint32Array.from(asked.set), identity) };
  if ('not' in asked) return not(found(asked.not));
  return 'all' in asked ? all(asked.all.map(found)) : any(asked.any.map(found));
}

function holds(asked: Condition, rank: number): boolean {
  if ('set' in asked) return asked.set.includes(rank);
  if ('not' in asked) return !holds(asked.not, rank);
  return 'all' in asked ? asked.all.every((part) => holds(part, rank)) : asked.any.some((part) => holds(part, rank));
}

test('an iterator finds all matches within any bounds', () => {
  fc.assert(
    fc.property(condition, fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }), (asked, skips) => {
      const walk = all([found(asked), everything()]) as Postings & Required<Pick<Postings, 'iterator'>>;
      const expected = Array.from(identity).filter((rank) => holds(asked, rank));
      let bound = ranks - 1;
      for (let turn = 0; bound >= 0; turn++) {
        const rank = next(walk, bound);
        expect(rank).toBe(expected.findLast((candidate) => candidate <= bound) ?? -1);
        if (rank < 0) return;
        bound = rank - 1 - skips[turn % skips.length]!;
      }
    }),
    { numRuns: rounds(1_000) },
  );
});
