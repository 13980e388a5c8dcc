import { describe, expect, test } from '@jest/globals';
import { judgedCases } from '../../scripts/judge/cases/index.ts';
import { judge, type Facts, type JudgedCase } from '../../scripts/judge/rubric.ts';
import { isPresent, JudgedWorld } from '../../scripts/judge/world.ts';
import { sampled } from '../support/rounds.ts';

test('the judged set has two hundred cases, each once', () => {
  const keys = judgedCases.map(({ set, tweet, prompts }) => JSON.stringify([set, tweet, prompts]));
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThanOrEqual(200);
});

test('of the answers about the sample four fifths are useful, and none is untrue', async () => {
  const world = await JudgedWorld.open('sample');
  const judged = [];
  for (const each of sampled(judgedCases.filter(({ set }) => set === 'sample'))) judged.push(await world.judge(each));
  expect(judged.filter(({ untruths }) => untruths.length > 0)).toEqual([]);
  expect(judged.filter(({ weaknesses }) => weaknesses.length === 0).length).toBeGreaterThanOrEqual(0.8 * judged.length);
});

// Only the small set here: `npm run judge` reads all of them.
(isPresent('03-archive') ? test : test.skip)('no answer about a real archive is untrue', async () => {
  const world = await JudgedWorld.open('03-archive');
  for (const each of judgedCases.filter(({ set }) => set === '03-archive'))
    expect((await world.judge(each)).untruths).toEqual([]);
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
    replies: [],
    usernameOf: () => undefined,
    texts: 'Mira We moved the build. https://example.org/node',
    usernames: new Set(['mira_codes']),
  };
  const judged: JudgedCase = { set: 'sample', tweet: '1', prompts: ['?'], lead: ['$author', '$likes'], max: 80 };
  const of = (summary: string, urls: readonly string[] = []) =>
    judge(
      judged,
      { summary, model: 'm', citations: urls.map((url) => ({ url, title: null, domain: '', snippet: null })) },
      facts,
    );

  test('accepts a short answer with what was asked for', () => {
    const { weaknesses, untruths } = of('@mira_codes has 1,234 likes: “We moved the build.”', ['https://example.org/']);
    expect([weaknesses, untruths]).toEqual([[], []]);
  });

  test.each([
    ['lacks what was asked for', '@mira_codes has likes.', []],
    ['is too long', `@mira_codes has 1234 likes.${' More.'.repeat(20)}`, []],
    ['answers in the second paragraph', 'Well.\n\n@mira_codes has 1,234 likes.', []],
    ['cites another page', '@mira_codes has 1,234 likes.', ['https://elsewhere.example/']],
  ])('finds an answer weak that %s', (_what, summary, urls) => {
    const { weaknesses, untruths } = of(summary, urls);
    expect([weaknesses.length > 0, untruths]).toEqual([true, []]);
  });

  test.each([
    ['quotes what nobody wrote', '@mira_codes has 1,234 likes: “We sank the ship.”'],
    ['names a stranger', '@mira_codes and @nobody have 1,234 likes.'],
  ])('finds an answer untrue that %s', (_what, summary) => {
    expect(of(summary).untruths).toHaveLength(1);
  });
});
