// Tests server/assistant/providers/local/people.ts.
/** Questions to the local provider that name people, ask for actions, or are worded as in a chat. */
import { describe, expect, test } from '@jest/globals';
import { localProvider } from '../../../server/assistant/providers/local.ts';
import type { Subject } from '../../../server/ports/assistant-provider.ts';
import { author, build, emptyArchive, question, subject, tweet } from './subjects.ts';

const provider = localProvider();
const options = { signal: new AbortController().signal, questions: 1 };
const answerTo = async (prompt: string, about: Subject = build): Promise<string> =>
  (await provider.ask({ id: 'local-1' }, question(about, { prompt }), options)).summary;
const leadOf = async (prompt: string, about?: Subject): Promise<string> =>
  (await answerTo(prompt, about)).split('\n\n')[0]!;

describe('a name without @', () => {
  test.each([
    ['what did yuki_logs say', '@yuki_logs'],
    ['What problem does cold_wallet have?', '@cold_wallet'],
    ['did yuki answer her', '@yuki_logs'],
    ['was hat Yuki_Logs geantwortet?', '@yuki_logs'],
    ['what did slow_sam want', '@slow_sam'],
    ['qué dijo lena_types', '@lena_types'],
  ])('%j: what this participant wrote here', async (prompt, name) => {
    const lead = await leadOf(prompt);
    expect(lead).toContain(name);
    expect(lead).toContain('“');
  });

  test('of the author stands for the author', async () => {
    expect(await leadOf('who is mira_codes')).toContain('(@mira_codes)');
    expect(await leadOf('how many followers does mira_codes have')).toBe('Followers: 1,840.');
    expect(await leadOf('is mira_codes famous')).toBe('Followers: 1,840.');
    expect(await leadOf('how popular was this compared to what mira_codes normally gets')).toContain('more than usual');
  });

  test('that is a word of the conversation is no name', async () => {
    const about = subject(
      'The build is slow.',
      {},
      { replies: [tweet('2', 'Indeed.', { author: author('build_bot') })] },
    );
    expect(await answerTo('is the build slow?', about)).toContain('“The build is slow.”');
  });

  test('of somebody whose reply is not among those that were read is searched', async () => {
    const reply = tweet('77', 'Which loader?', { author: author('late_lou') });
    const queries: string[] = [];
    const archive = {
      ...emptyArchive,
      search: async (query: string) => (queries.push(query), query.startsWith('from:late_lou ') ? [reply] : []),
    };
    const ask = async (prompt: string) =>
      (await provider.ask({ id: 'local-1' }, question(build, { archive, prompt }), options)).summary;
    expect(await ask('what did late_lou say')).toMatch(/^@late_lou: “Which loader\?”/);
    expect(queries).toContain('from:late_lou in_reply_to_tweet_id:1');
    expect(await ask('what about strip_types')).not.toContain('@strip_types');
  });

  test('that several participants share names nobody', async () => {
    const replies = ['yuki_one', 'yuki_two'].map((name, n) =>
      tweet(`${n + 2}`, `Reply ${n}.`, { author: author(name) }),
    );
    expect(await leadOf('did yuki answer', subject('A post.', {}, { replies }))).not.toMatch(/^@yuki/);
  });
});

test.each([
  ['buy me some', 'I cannot do that'],
  ['please delete this', 'I cannot do that'],
  ['Kauf mir einen Loader', 'Das kann ich nicht'],
  ['Achète-le', 'Je ne peux pas faire cela'],
  ['これを削除してください', 'それはできません'],
])('%j asks for an action, which is refused', async (prompt, refusal) => {
  const lead = await leadOf(prompt);
  expect(lead).toContain(refusal);
  expect(lead).not.toContain('ASSISTANT=openai');
});

test.each([
  ['has it got any views', /3,400/],
  ['year?', /2026/],
  ['متى نُشر هذا؟', /2026/],
  ['what does type stripping have to do with it', /Type stripping/],
])('%j gets the fact', async (prompt, fact) => {
  expect(await leadOf(prompt)).toMatch(fact);
});
