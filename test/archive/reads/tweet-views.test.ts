/** Tweets are kept in memory when they are read again, and never shown as they were before a known transaction. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { TweetViews } from '../../../server/archive/reads/tweet-views.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { RunSql } from '../../../server/archive/sql.ts';
import type { ArchiveWriter } from '../../../server/archive/writes/sql-archive.ts';
import { archiveOn, ReadCommits, sqliteTables, type ArchiveTables } from '../engines.ts';

const observed_at = '2026-02-01T00:00:00.000Z';
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: '2026-01-01T00:00:00.000Z', author_id: '1', ...more },
});
const mentions = [{ username: 'zoe' }, { username: 'old', id: '3' }];
const changes: readonly Change[] = [
  ...['1', '2', '3'].map((id): Change => ({ kind: 'user', user: { id, username: `u${id}` } })),
  tweet('11', { author_id: '2', lang: 'en' }),
  tweet('10', { quoted_tweet_id: '11', entities: { mentions, hashtags: [], cashtags: [], urls: [] } }),
  tweet('12'),
];

let tables: ArchiveTables;
let archive: ArchiveWriter;
let commits: ReadCommits;
let views: TweetViews;
let statements: number;
/** What happens before the next statement. */
let before: () => Promise<void>;
const run: RunSql = async (statement) => {
  statements++;
  await before();
  return tables.run(statement);
};

beforeAll(async () => void (tables = await sqliteTables()));
afterAll(() => tables.dispose());
beforeEach(async () => {
  await tables.clear();
  before = async () => {};
  archive = archiveOn(tables);
  commits = new ReadCommits(tables);
  views = new TweetViews(run, commits);
  await write(...changes);
});

async function write(...given: Change[]): Promise<void> {
  await archive.apply(given);
  await commits.read();
}
/** The number of statements of a task. */
async function cost(task: () => Promise<unknown>): Promise<number> {
  statements = 0;
  await task();
  return statements;
}
const full = (...ids: string[]) => views.full(ids);
const short = (...ids: string[]) => views.short(ids);

test('tweets come in the order of the ids, without those that are not there', async () => {
  const ids = ['12', '99', 'no id', '10'];
  expect((await full(...ids)).map(({ id }) => id)).toEqual(['12', '10']);
  expect((await short(...ids)).map(({ id }) => id)).toEqual(['12', '10']);
  expect(await cost(() => full('no id'))).toBe(0);
});

test('a tweet is kept from its second reading on, at once where its reader comes back, in each form', async () => {
  for (const read of [full, short]) {
    views = new TweetViews(run, commits);
    const costs = [];
    for (const id of ['12', '12', '12', '11']) costs.push(await cost(() => read(id)));
    expect(costs.map((each) => each > 0)).toEqual([true, true, false, true]);
    expect((await read('12')).map(({ text }) => text)).toEqual(['text 12']);
  }
  await views.full(['10'], { isBackSoon: true });
  await views.short(['11'], { isBackSoon: true });
  expect([await cost(() => full('10')), await cost(() => short('11'))]).toEqual([0, 0]);
  expect(await cost(() => full('11'))).toBeGreaterThan(0);
});

test('nothing is kept where the transactions of others are not known', async () => {
  views = new TweetViews(run, undefined);
  await views.full(['12'], { isBackSoon: true });
  expect(await cost(() => full('12'))).toBe(1);
});

test('no reader can change a tweet that is kept', async () => {
  const [kept] = await views.full(['10'], { isBackSoon: true });
  expect(() => kept!.entities.mentions.pop()).toThrow(TypeError);
  expect(() => Object.assign(kept!.quoted_tweet!.author, { name: 'other' })).toThrow(TypeError);
});

describe('a kept tweet is read again after a change', () => {
  test.each<[string, Change]>([
    ['of itself', tweet('10', { text: 'other', observed_at })],
    ['of its author', { kind: 'user', user: { id: '1', username: 'u1', name: 'New', observed_at } }],
    ['of the quoted tweet', tweet('11', { author_id: '2', like_count: 5, observed_at })],
    [
      'of the author of the quoted tweet',
      { kind: 'user', user: { id: '2', username: 'u2', name: 'New', observed_at } },
    ],
    ['that removes the quoted tweet', { kind: 'delete', tweet_id: '11' }],
    [
      'of a user whom it mentions by the id',
      { kind: 'user', user: { id: '3', username: 'u3', name: 'New', observed_at } },
    ],
    ['of the owner of a username that it mentions', { kind: 'user', user: { id: '4', username: 'Zoe', name: 'New' } }],
  ])('%s', async (_what, change) => {
    const [stale] = await views.full(['10'], { isBackSoon: true });
    await write(change);
    const [fresh] = await new TweetViews(run, undefined).full(['10']);
    expect(fresh).not.toEqual(stale);
    expect(await full('10')).toEqual([fresh]);
  });

  test('but not after a change of others', async () => {
    await views.full(['10'], { isBackSoon: true });
    await write(tweet('12', { text: 'other', observed_at }), { kind: 'user', user: { id: '5', username: 'u5' } });
    expect(await cost(() => full('10'))).toBe(0);
  });

  test('that became known while it was read', async () => {
    before = async () => {
      before = async () => {};
      await write(tweet('13'));
    };
    await views.full(['10'], { isBackSoon: true });
    expect(await cost(() => full('10'))).toBeGreaterThan(0);
  });
});

test('backgrounds come from kept tweets, otherwise from the tables, in the order of the ids', async () => {
  await views.full(['10'], { isBackSoon: true });
  let found: Awaited<ReturnType<TweetViews['backgrounds']>> = [];
  expect(await cost(async () => (found = await views.backgrounds(['10'])))).toBe(0);
  expect(found).toMatchObject([{ quotedId: '11', knownCounts: [] }]);
  expect(await views.backgrounds(['11', '99', '10'])).toMatchObject([{ lang: 'en' }, undefined, { quotedId: '11' }]);
});

test('kept tweets need a bounded memory, by the length of all of their texts', async () => {
  const text = 'x'.repeat(3_200_000);
  const article = { title: 'Long', text };
  // A long text of its own, an article, and a long text that it quotes, 6.4 MB each.
  await write(tweet('20', { text }), tweet('21', { article }), tweet('22', { quoted_tweet_id: '20' }));
  await write(tweet('23', { retweeted_tweet_id: '20', author_id: '2' }), tweet('24', { text }));
  const isKept = async (read: (id: string) => Promise<unknown>, id: string): Promise<boolean> =>
    (await cost(() => read(id))) === 0;
  for (const id of ['20', '21', '22', '23']) await views.full([id], { isBackSoon: true });
  expect([await isKept(full, '23'), await isKept(full, '22'), await isKept(full, '21')]).toEqual([true, true, true]);
  expect(await isKept(full, '20')).toBe(false);
  for (const id of ['12', '20', '24']) await views.short([id], { isBackSoon: true });
  expect([await isKept(short, '24'), await isKept(short, '20')]).toEqual([true, false]);
});
