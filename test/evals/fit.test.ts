import { expect, test } from '@jest/globals';
import { fitted, foundIn, type RankingExample } from '../../scripts/evals/fit.ts';
import type { Signals } from '../../server/assistant/providers/local/ranking.ts';
import { contextOf, queryOf, sceneOf } from '../../server/assistant/providers/local/context.ts';
import { english } from '../../server/assistant/providers/local/languages.ts';
import { matchesOf } from '../../server/assistant/providers/local/ranking.ts';
import { fullArchive, subject } from '../assistant/providers/subjects.ts';

const context = await contextOf(sceneOf(subject('A post of some words.'), fullArchive), english, 'what?');
const [some] = matchesOf(context.candidates, queryOf(context, [], 'any'), context);
const none = Object.fromEntries(Object.keys(some?.signals ?? {}).map((name) => [name, 0])) as unknown as Signals;

/** A question whose answer, the post `b`, has more of one signal, and less of another one. */
const example = (more: keyof Signals, less: keyof Signals, by: number): RankingExample => ({
  posts: ['a', 'b', 'c'],
  signals: [
    { ...none, [less]: by },
    { ...none, [more]: by },
    { ...none, [less]: by / 2 },
  ],
  sources: new Set(['b']),
});
const examples = Array.from({ length: 20 }, (_, n) => example('coverage', 'repeated', 0.2 + (n % 5) / 10));

test('the weights favour what the answers have, and disfavour what the other passages have', () => {
  const weights = fitted(examples);
  expect(weights.coverage).toBeGreaterThan(0.5);
  expect(weights.repeated).toBeLessThan(-0.5);
  expect(weights.likes).toBe(0);
  expect(foundIn(examples, weights, 1)).toBe(1);
});

test('an example without its source among the posts has no influence, and counts as not found', () => {
  const lost: RankingExample = { ...example('repeated', 'coverage', 0.5), sources: new Set(['z']) };
  expect(fitted([...examples, lost])).toEqual(fitted(examples));
  expect(foundIn([...examples, lost], fitted(examples), 3)).toBeCloseTo(20 / 21);
});

test('of several passages of a post the best counts', () => {
  const weights = { ...none, coverage: 1 };
  const twice: RankingExample = {
    posts: ['b', 'a', 'b'],
    signals: [none, { ...none, coverage: 0.5 }, { ...none, coverage: 0.9 }],
    sources: new Set(['b']),
  };
  expect(foundIn([twice], weights, 1)).toBe(1);
  expect(foundIn([{ ...twice, sources: new Set(['a']) }], weights, 1)).toBe(0);
  expect(foundIn([{ ...twice, sources: new Set(['a']) }], weights, 2)).toBe(1);
});
