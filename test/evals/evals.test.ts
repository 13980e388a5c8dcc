// Not in `npm run test:fast`: it asks the assistant questions over several archives.
import { describe, expect, test } from '@jest/globals';
import { evalCases, splits } from '../../scripts/evals/cases/index.ts';
import { grade, type Facts, type EvalCase, type EvalResult } from '../../scripts/evals/rubric.ts';
import { isPresent, EvalArchive } from '../../scripts/evals/eval-archive.ts';
import { nightlyTest } from '../support/nightly.ts';
import { inTurn, sampled } from '../support/rounds.ts';

test('the evals have 900 cases of 15 types over eleven archives, each once, and a third of half of them is held out', () => {
  const keys = evalCases.map(({ set, tweet, prompts }) => JSON.stringify([set, tweet, prompts]));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThanOrEqual(900);
  expect(new Set(evalCases.map(({ type }) => type)).size).toBeGreaterThanOrEqual(15);
  expect(new Set(evalCases.map(({ set }) => set)).size).toBe(11);
  const judged = evalCases.filter(({ set }) => set !== 'paraphrased' && set !== 'everyday');
  expect(splits[1].cases.length).toBeGreaterThanOrEqual(judged.length / 3.2);
});

test.each(inTurn(['sample', 'town', 'harbour', 'market', 'valley', 'glen'] as const, 2))(
  'of the answers about %s three quarters are right, and none is untrue',
  async (set) => {
    const archive = await EvalArchive.open(set);
    const results: EvalResult[] = [];
    for (const each of sampled(evalCases.filter((one) => one.set === set))) results.push(await archive.run(each));
    await archive.close();
    expect(results.filter(({ verdict }) => verdict === 'untrue')).toEqual([]);
    const right = results.filter(({ verdict }) => verdict === 'useful' || verdict === 'nothing, rightly');
    expect(right.length).toBeGreaterThanOrEqual(0.75 * results.length);
  },
);

for (const name of ['02-v2', 'paraphrased', 'everyday'] as const)
  (isPresent(name) ? nightlyTest : test.skip)(`no answer about the archive ${name} is untrue`, async () => {
    const archive = await EvalArchive.open(name);
    for (const each of evalCases.filter(({ set }) => set === name))
      expect((await archive.run(each)).verdict).not.toBe('untrue');
    await archive.close();
  });

test('an answer in other words than the question is found, and a negated agreement confirms nothing', async () => {
  const archive = await EvalArchive.open('market');
  const asked = async (tweet: string, prompt: string, rest: Partial<EvalCase>) =>
    (await archive.run({ set: 'market', tweet, type: 'fact', prompts: [prompt], ...rest })).reasons;
  expect(await asked('750001', 'Is it cheap?', { sources: ['750001'], has: ['4 euros'] })).toEqual([]);
  expect(await asked('770001', 'Wird das Geld erstattet?', { sources: ['770003'] })).toEqual([]);
  expect(await asked('740001', 'कितने मिनट की देरी है?', { has: ['बीस मिनट'] })).toEqual([]);
  const rumour = 'C’est vrai que la halle devient un parking ?';
  expect(await asked('710001', rumour, { sources: ['710007'], never: ['@odile_r approuve'] })).toEqual([]);
  await archive.close();
});

describe('the rubric', () => {
  const facts: Facts = {
    tweet: {
      id: '1',
      author_id: '1',
      text: 'We moved the build.',
      created_at: '2026-03-04T05:06:00Z',
      like_count: 1234,
    },
    author: { id: '1', username: 'mira_codes' },
    faults: (answer) => (answer.includes('ship') ? ['nobody wrote that'] : []),
  };
  const given: EvalCase = {
    ...{ set: 'sample', tweet: '1', type: 'fact', prompts: ['?'], has: ['$author', '$likes'], never: ['no reason'] },
    ...{ sources: ['7'], any: ['8', '9'], max: 80 },
  };
  const of = (summary: string, citedTweets: string[] = ['7', '9'], rest: Partial<EvalCase> = {}) =>
    grade({ ...given, ...rest }, { summary, model: 'm', citations: [], citedTweets }, facts).verdict;

  test('accepts an answer with the facts and the sources', () => {
    expect(of('@mira_codes has 1,234 likes.')).toBe('useful');
  });

  test.each([
    ['lacks a fact', '@mira_codes has likes.', ['7', '9']],
    ['lacks a source', '@mira_codes has 1,234 likes.', ['8']],
    ['lacks each of several sources', '@mira_codes has 1,234 likes.', ['7']],
    ['is too long', `@mira_codes has 1234 likes.${' More.'.repeat(20)}`, ['7', '9']],
  ])('an answer restates that %s', (_what, summary, cited) => {
    expect(of(summary, cited)).toBe('restating');
  });

  test('an answer is untrue that the independent reader refutes, or that says what must not be said', () => {
    expect(of('@mira_codes has 1,234 likes: the ship.')).toBe('untrue');
    expect(of('@mira_codes has 1,234 likes for no reason.')).toBe('untrue');
  });

  test('nothing found is right only where there is nothing', () => {
    const nothing =
      'I found nothing that answers this in 3 posts of this conversation and 0 other posts of the archive.';
    expect(of(nothing)).toBe('nothing, wrongly');
    expect(of(nothing, [], { nothing: true })).toBe('nothing, rightly');
    expect(of('@mira_codes has 1,234 likes.', ['7', '9'], { nothing: true })).toBe('restating');
  });

  test('a doubt is right where there is nothing, and takes nothing from an answer that is right', () => {
    const doubt = 'I am not sure that this answers it; it is the nearest that I found.\n\n';
    const [right, wrong] = [`${doubt}@mira_codes has 1,234 likes.`, `${doubt}@mira_codes has likes.`];
    const rest = { max: 200 };
    expect([of(right, ['7', '9'], rest), of(wrong, [], rest), of(wrong, [], { nothing: true })]).toEqual([
      'useful',
      'unsure',
      'nothing, rightly',
    ]);
  });
});
