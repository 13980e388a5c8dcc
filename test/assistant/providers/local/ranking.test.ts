/** The ranking of passages: what speaks for one, all else being equal. */
import { describe, expect, test } from '@jest/globals';
import { contextOf, queryOf, sceneOf, type Context } from '../../../../server/assistant/providers/local/context.ts';
import { english } from '../../../../server/assistant/providers/local/languages.ts';
import { ranked, matchesOf } from '../../../../server/assistant/providers/local/ranking.ts';
import type { FactKind } from '../../../../server/assistant/providers/local/retrieval.ts';
import type { Subject } from '../../../../server/ports/assistant-provider.ts';
import { author, fullArchive, subject, tweet } from '../subjects.ts';

const contextFor = (about: Subject, prompt: string): Promise<Context> =>
  contextOf(sceneOf(about, fullArchive), english, prompt);

/** The ids of the posts of a conversation, the one that most likely answers first. */
async function order(about: Subject, prompt: string, words: string[], fact: FactKind = 'any'): Promise<string[]> {
  const context = await contextFor(about, prompt);
  return ranked(context.candidates, queryOf(context, words, fact), context).map(({ passage }) => passage.node.post.id);
}

const reply = (id: string, text: string, members = {}) =>
  tweet(id, text, { author: author(`reader_${id}`), ...members });
const bridge = (...texts: readonly string[]): Subject =>
  subject('The old bridge is closed.', {}, { replies: texts.map((text, n) => reply(String(n + 2), text)) });

describe('of two replies the one comes first that', () => {
  test.each([
    [
      'has more words of the question',
      'is the ferry free?',
      ['ferry', 'free'],
      'any',
      'The ferry was free for us.',
      'The ferry was late for us.',
    ],
    [
      'has a number, if it asks for one',
      'how many came?',
      ['came'],
      'number',
      'Some 300 of us came here.',
      'Some few of us came here.',
    ],
    [
      'names a time, if it asks for one',
      'when is it back?',
      ['back'],
      'time',
      'It is back on Monday, they say.',
      'It is back at last, they say.',
    ],
    [
      'gives a reason, if it asks for one',
      'why is it shut?',
      ['shut'],
      'reason',
      'It is shut because of a crack.',
      'It is shut, and with a crack.',
    ],
    [
      'names a place, if it asks for one',
      'where is it held?',
      ['held'],
      'place',
      'They meet in the hall, I hear.',
      'They meet in the rain, I hear.',
    ],
    [
      'has a price, if it asks for one',
      'what does it cost?',
      ['dial'],
      'any',
      'Mine was 40 euros at a fair.',
      'Mine was of wood, at a fair.',
    ],
    [
      'is longer',
      'what happened there?',
      ['there'],
      'any',
      'A crane lifted both halves to the shore by noon.',
      'A crane.',
    ],
    [
      'does not repeat the post',
      'what happened there?',
      ['there'],
      'any',
      'A new crane is here.',
      'The old bridge is closed.',
    ],
  ] as const)('%s', async (_, prompt, words, fact, better, worse) => {
    const both = await order(bridge(worse, better), prompt, [...words], fact);
    expect(both.indexOf('3')).toBeLessThan(both.indexOf('2'));
    const swapped = await order(bridge(better, worse), prompt, [...words], fact);
    expect(swapped.indexOf('2')).toBeLessThan(swapped.indexOf('3'));
  });

  test('more people like', async () => {
    const replies = [
      reply('2', 'We took the boat.', { like_count: 1 }),
      reply('3', 'We took the boat.', { like_count: 900 }),
    ];
    const found = await order(subject('The bridge is closed.', {}, { replies }), 'how do we cross?', ['cross']);
    expect(found.indexOf('3')).toBeLessThan(found.indexOf('2'));
  });

  test('is by whom the question names', async () => {
    const replies = [reply('2', 'We took a boat.'), tweet('3', 'We took a boat.', { author: author('anna_rivers') })];
    const found = await order(subject('The bridge is closed.', {}, { replies }), 'what did anna do?', ['anna']);
    expect(found.indexOf('3')).toBeLessThan(found.indexOf('2'));
  });
});

test('a question about the present prefers what the author wrote later', async () => {
  const later = [tweet('9', 'The rebate is 750 euros.', { created_at: '2026-03-09T00:00:00.000Z' })];
  const about = subject('The rebate is 400 euros here.', {}, { later });
  const lead = async (prompt: string): Promise<number> => {
    const context = await contextFor(about, prompt);
    const found = ranked(context.candidates, queryOf(context, ['rebate'], 'number'), context);
    const scoreOf = (id: string): number => found.find(({ passage }) => passage.node.post.id === id)?.score ?? NaN;
    return scoreOf('9') - scoreOf('1');
  };
  expect(await lead('how high is the rebate now?')).toBeGreaterThan((await lead('how high is the rebate?')) + 1);
});

test('each post is ranked once, by its best passage', async () => {
  const long = `${'The weather was fine all day, and nobody thought of anything else but the fair by the lake. '.repeat(2)}The crack is in the north pier of it.`;
  const context = await contextFor(bridge(long), 'where is the crack?');
  const found = ranked(context.candidates, queryOf(context, ['crack'], 'place'), context);
  expect(found.map(({ passage }) => passage.node.post.id).sort()).toEqual(['1', '2']);
  expect(found[0]?.passage.text).toContain('north pier');
  expect(context.candidates.length).toBeGreaterThan(2);
});

test('the probabilities of all posts are 1 together, and follow the scores', async () => {
  const context = await contextFor(bridge('The crack is in the pier.', 'A crane.', 'Hm, no.'), 'where is the crack?');
  const found = ranked(context.candidates, queryOf(context, ['crack'], 'place'), context);
  expect(found.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1);
  for (const [n, { score, probability }] of found.entries()) {
    const next = found[n + 1];
    if (next !== undefined) expect(probability / next.probability).toBeCloseTo(Math.exp(score - next.score));
  }
});

test('every signal is a finite number, also without words, likes and replies', async () => {
  const context = await contextFor(subject('Hm.', { like_count: 0 }), '?');
  for (const { signals } of matchesOf(context.candidates, queryOf(context, [], 'any'), context))
    for (const value of Object.values(signals)) expect(Number.isFinite(value)).toBe(true);
  expect(ranked([], queryOf(context, [], 'any'), context)).toEqual([]);
});
