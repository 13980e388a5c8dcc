/** What the command-line client shows on a terminal. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import stringWidth from 'string-width';
import { card, cut, table } from '../../client/cli/output.ts';
import type { Tweet, TweetInfo, UserInfo } from '../../client/src/index.ts';
import { exampleAnswer } from '../support/contract.ts';
import { runCommand } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { json, startScripted, type Scripted } from '../support/scripted.ts';
import fc, { anyGrapheme } from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const [tweet] = (exampleAnswer('getUserLastTweets') as { tweets: [Tweet] }).tweets;
const long = 'Nine minutes are two now, because the build runs on Node 24, which starts faster. '.repeat(3);
const widthOf = (text: string): number => Math.max(...text.split('\n').map((line) => stringWidth(line)));

let server: Scripted;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let body: unknown;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startScripted((_request, response) => json(response, 200, body));
});
afterAll(async () => {
  await server?.stop();
  await folder?.dispose();
});
const call = async (answer: unknown, ...line: string[]): Promise<string> => {
  body = answer;
  const env = { SOCIAL_DATA_BASE_URL: server.url, SOCIAL_DATA_API_KEY: 'k' };
  return (await runCommand(line, { env, home: folder.path, isTerminal: true, columns: 80 })).out;
};

describe('one record is a card', () => {
  test('of a user: name, description, counts, and which of them are unknown', async () => {
    const answer = exampleAnswer('getUser') as UserInfo;
    const out = await call(answer, 'user', 'info', 'mira_codes');
    expect(out).toMatch(/^Mira Holt {2}@mira_codes {2}2019-05-06 07:08 UTC\n\nSmall tools, fast builds\.\n\n/);
    expect(out).toContain('1,840 followers  310 following  5,120 tweets  ? likes  420 media\n');
    expect(out).toMatch(/^location +Lisbon$/m);
    expect(out).toMatch(/^id +4200000001$/m);
    expect(widthOf(out)).toBeLessThanOrEqual(80);
  });

  test('of a tweet: its author, its whole text, its counts, and no JSON', async () => {
    const answer = exampleAnswer('getTweet') as TweetInfo;
    const text = `${long}\n\u001b[2Jsecond line`;
    const out = await call({ ...answer, tweet: { ...answer.tweet, text } }, 'tweet', 'info', answer.tweet.id);
    expect(out.split('\n', 1)[0]).toBe('Tom Abara  @tom_sails  2026-03-04 05:20 UTC');
    expect(out.replaceAll(/\s+/g, ' ')).toContain(long.trim());
    expect(out).toMatch(/^second line$/m);
    expect(out).toMatch(/^\d+ retweets {2}\d+ replies {2}\d+ likes/m);
    expect(out).not.toMatch(/[{}"\u001b]/);
    expect(widthOf(out)).toBeLessThanOrEqual(80);
  });

  test('of the pool: its members', async () => {
    const out = await call(exampleAnswer('getAssistantStatus'), 'assistant', 'status');
    expect(out).toMatch(/^capable +5$/m);
    expect(out).toMatch(/^capacity used 24h +29$/m);
  });
});

describe('an answer with a list', () => {
  test('has its other members as a card, and the list as a table', async () => {
    const out = await call(exampleAnswer('countTweets'), 'tweet', 'counts', 'tea');
    expect(out).toMatch(/^total +\d+$/m);
    expect(out).toMatch(/^start +end +tweets$/m);
    expect(out).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC +\d{4}-\d\d-\d\d \d\d:\d\d UTC +\d+$/m);
    expect(out).not.toMatch(/[{}"]/);
    expect(widthOf(out)).toBeLessThanOrEqual(80);
  });

  test('of some tweets, beside the ids that are missing', async () => {
    const out = await call(
      { tweets: [{ ...tweet, text: long }], missing: ['404'] },
      'tweets',
      'get-tweets',
      '1',
      '404',
    );
    expect(out).toMatch(/^missing {2}404\n\ntime +author +text +id\n/);
    expect(out.trimEnd().split('\n')).toHaveLength(4);
  });

  test('that is empty says so', async () => {
    expect(await call({ searches: [] }, 'searches', 'list-saved-searches')).toBe('no searches\n');
  });
});

describe('a list is a table', () => {
  test('whose text has the room, with a short time and a whole id, at 80 columns', async () => {
    const page = { ...(exampleAnswer('searchTweets') as object), tweets: [{ ...tweet, text: long }] };
    const [head = '', row = '', ...rest] = (await call(page, 'tweet', 'advanced-search', 'node')).split('\n');
    expect(rest).toEqual(['']);
    expect(head).toMatch(/^time +author +text +id$/);
    expect(row).toMatch(/^\w{3} \d+ +@mira_codes  Nine minutes are two now, because .*… +1890000000000000001$/);
    expect(row.length - head.indexOf('text') - 21).toBeGreaterThanOrEqual(34);
    expect(stringWidth(row)).toBe(80);
  });

  test('is at most as wide as the terminal, and cuts the id last', () => {
    const rows = [{ ...tweet, text: long, author: { ...tweet.author, username: 'a_name_of_15_ch' } }];
    for (const width of [40, 60, 80, 120]) {
      const lines = table(rows, width);
      expect(widthOf(lines)).toBeLessThanOrEqual(width);
      expect(lines).toContain('1890000000000000001');
    }
    expect(widthOf(table(rows, 20))).toBeLessThanOrEqual(20);
  });

  test('has minutes, hours or dates as times', () => {
    const at = (ms: number): string => new Date(Date.now() - ms).toISOString();
    const times = [5 * 60_000, 3 * 3_600_000, 3 * 365 * 86_400_000].map((ms) => ({ created_at: at(ms), text: 'x' }));
    expect(table(times, 80).split('\n').slice(1)).toEqual([
      expect.stringMatching(/^5m /),
      expect.stringMatching(/^3h /),
      expect.stringMatching(/^[A-Z][a-z]{2} 20\d\d /),
      '',
    ]);
  });
});

test('wide characters count two columns, in texts that are cut and in columns', () => {
  expect(cut('日本語のテキスト', 7)).toBe('日本語…');
  expect(cut('👩‍👩‍👧 family', 4)).toMatch(/^👩‍👩‍👧 ?…$/);
  const rows = ['日本語', 'abc'].map((text, index) => ({ text, id: `${index}` }));
  expect(table(rows, 80)).toBe('text    id\n日本語  0\nabc     1\n');
});

test('no text is wider than its limit, and a card has all of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyGrapheme }), fc.integer({ min: 12, max: 60 }), (text, width) => {
      expect(stringWidth(cut(text, width))).toBeLessThanOrEqual(width);
      expect(widthOf(card({ id: '1', text }, width))).toBeLessThanOrEqual(width);
      expect(widthOf(table([{ id: '1', text }], width))).toBeLessThanOrEqual(width);
    }),
    { numRuns: rounds(100) },
  );
});
