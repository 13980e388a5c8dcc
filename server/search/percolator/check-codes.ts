/**
 * Clauses as numbers in the lists of the percolator, which the processor reads in sequence: objects for each of 100,000
 * queries would lie at random places in memory.
 *
 * A number below `firstCount` is the number of a term that must be present, or the complement (~) of one that must be
 * absent. A number from `firstCount` on is a count, and the next number its minimum. A number from `firstGroup` on gives
 * the length of a clause with several checks, or none, which follow it.
 */
import { counts } from '../../domain/records.ts';
import type { TweetDocument } from '../../domain/tweet-document.ts';
import type { QueryTerm } from './required-term.ts';
import type { Clause } from './term-checks.ts';

const firstCount = 2 ** 28;
const firstGroup = 2 ** 29;

/** What the checks read of the current tweet. */
export interface CheckedTweet {
  /** By the number of a term, 1 where the tweet has it. */
  readonly presence: Uint8Array;
  readonly counts: Float64Array;
}

/** The counts of a tweet, in the order of their codes. */
export function readCounts(tweet: TweetDocument, into: Float64Array): void {
  for (let index = 0; index < counts.length; index++) into[index] = tweet.counts[counts[index]!];
}

/** The numbers of a clause. `numberOf` returns the number of a term. */
export function codesOf(clause: Clause, numberOf: (term: QueryTerm) => number): number[] {
  const codes = clause.flatMap((check) => {
    const { isExpected } = check;
    if ('term' in check) return isExpected ? numberOf(check.term) : ~numberOf(check.term);
    return [firstCount + 2 * counts.indexOf(check.count) + (isExpected ? 1 : 0), check.min];
  });
  return clause.length === 1 ? codes : [firstGroup + codes.length, ...codes];
}

/** Whether all clauses in a range of a list hold. */
export function clausesHold(list: readonly number[], start: number, end: number, tweet: CheckedTweet): boolean {
  const { presence } = tweet;
  for (let at = start; at < end;) {
    const code = list[at++]!;
    if (code < firstCount) {
      if (!termHolds(code, presence)) return false;
    } else if (code < firstGroup) {
      if (!countHolds(code, list[at++]!, tweet)) return false;
    } else {
      const next = at + code - firstGroup;
      if (!oneHolds(list, at, next, tweet)) return false;
      at = next;
    }
  }
  return true;
}

function oneHolds(list: readonly number[], start: number, end: number, tweet: CheckedTweet): boolean {
  for (let at = start; at < end;) {
    const code = list[at++]!;
    if (code < firstCount ? termHolds(code, tweet.presence) : countHolds(code, list[at++]!, tweet)) return true;
  }
  return false;
}

const termHolds = (code: number, presence: Uint8Array): boolean =>
  code >= 0 ? presence[code] === 1 : presence[~code] === 0;

const countHolds = (code: number, min: number, tweet: CheckedTweet): boolean =>
  tweet.counts[(code - firstCount) >> 1]! >= min === ((code & 1) === 1);
