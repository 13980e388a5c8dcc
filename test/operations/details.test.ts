// Tests server/operations/getTweetThread.ts.
/** One user, one tweet, and the thread of a tweet, over HTTP and the archive. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Assistant } from '../../server/assistant/assistant.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { createCursors } from '../../server/contract/cursor.ts';
import { createOperations } from '../../server/operations/index.ts';
import type { SavedSearches } from '../../server/ports/saved-searches.ts';
import { startService, type Service } from '../support/service.ts';
import { openArchiveOf, type ServiceArchive } from '../support/stored-archive.ts';
import { noEvents, noTokens } from '../support/other-parts.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
const tweet = (id: number, author: number, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), author_id: String(author), text: `tweet ${id}`, created_at: at(id), ...more },
});
const reply = (id: number, author: number, to: number): ArchiveRecord =>
  tweet(id, author, { in_reply_to_id: String(to) });

let archive: ServiceArchive;
let service: Service;
beforeAll(async () => {
  archive = await openArchiveOf([]);
  const handlers = createOperations({
    platform: archive.platform,
    cursors: createCursors(Buffer.alloc(32, 7)),
    assistant: {} as Assistant,
    resolver: { resolve: async () => null },
    tokens: noTokens,
    searches: {} as SavedSearches,
    events: noEvents,
  });
  service = await startService({ handlers, revisionOf: () => undefined });
});
afterAll(async () => {
  await service.stop(0);
  await archive.close();
});
const add = async (...records: readonly ArchiveRecord[]): Promise<void> => void (await archive.archive.apply(records));
async function get<Body>(target: string): Promise<Body> {
  const response = await service.request(target);
  const body = (await response.json()) as Body;
  if (response.status !== 200) throw new Error(`${response.status} ${JSON.stringify(body)}`);
  return body;
}
const ids = (tweets: readonly { readonly id: string }[]): number[] => tweets.map(({ id }) => Number(id));
const thread = (id: number, more = ''): Promise<Schemas['TweetThread']> =>
  get(`/social/tweet/thread?tweet_id=${id}${more}`);

/** The pages of a thread. `between` runs after each page. */
async function walk(id: number, limit: number, between = async (): Promise<void> => {}): Promise<number[]> {
  const all: number[] = [];
  for (let cursor = ''; ;) {
    const page = await thread(id, `&limit=${limit}${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
    if (cursor !== '') expect([page.ancestors, page.missing_ancestor_id]).toEqual([[], null]);
    all.push(...ids(page.tweets));
    expect(page.has_next_page).toBe(page.next_cursor !== null);
    if (page.next_cursor === null) return all;
    expect(page.tweets).toHaveLength(limit);
    cursor = page.next_cursor;
    await between();
  }
}

test.each([
  'https://x.com/mira/status/4',
  'https://x.com/mira/status/4?s=20&t=aB_c-D',
  'http://twitter.com/mira/status/4#m',
  'https://mobile.twitter.com/mira/statuses/4/',
  'https://www.x.com/i/web/status/4',
  'https://x.com/i/status/4/photo/1',
  'https://twitter.com/#!/mira/status/4',
])('a tweet has the address %s in each operation', async (address) => {
  await add(tweet(4, 1), reply(5, 2, 4));
  const parameter = `tweet_id=${encodeURIComponent(address)}`;
  expect((await get<Schemas['TweetInfo']>(`/social/tweet/info?${parameter}`)).tweet.id).toBe('4');
  expect(ids((await get<Schemas['RepliesPage']>(`/social/tweet/replies?${parameter}`)).replies)).toEqual([5]);
  expect(ids((await get<Schemas['TweetThread']>(`/social/tweet/thread?${parameter}`)).ancestors)).toEqual([]);
});

test.each([
  'https://x.com/mira/status/',
  'https://x.example/mira/status/4',
  'https://x.com.example/mira/status/4',
  'https://x.com/mira',
  'ftp://x.com/mira/status/4',
])('%s is not the address of a tweet', async (address) => {
  await expect(get(`/social/tweet/info?tweet_id=${encodeURIComponent(address)}`)).rejects.toThrow(
    /^400 .*the address of a post/,
  );
});

test('a user has a profile, and the counts that are unknown', async () => {
  await add({
    kind: 'user',
    user: { id: '1', username: 'mira', description: 'Builds', followers_count: 7, tweet_count: 0 },
  });
  const info = await get<Schemas['UserInfo']>('/social/user/info?username=@MIRA');
  expect(info.user).toMatchObject({
    id: '1',
    description: 'Builds',
    followers_count: 7,
    tweet_count: 0,
    like_count: 0,
  });
  expect(info.unknown_counts).toEqual(['following_count', 'like_count', 'media_count']);
  expect(await get('/social/user/info?user_id=1')).toEqual(info);
  await expect(get('/social/user/info?user_id=99')).rejects.toThrow('404');
  await expect(get('/social/user/info')).rejects.toThrow('400 {"error":"send exactly one of');
});

test('a tweet has the ids that it refers to, also of tweets that the archive does not have', async () => {
  await add(
    tweet(10, 2, {
      ...{ in_reply_to_id: '5', in_reply_to_username: 'tom', quoted_tweet_id: '6', lang: 'en' },
      ...{ like_count: 0, reply_count: 3 },
    }),
  );
  expect(await get('/social/tweet/info?tweet_id=10')).toEqual({
    tweet: expect.objectContaining({ id: '10', like_count: 0, reply_count: 3, quoted_tweet: null }),
    unknown_counts: ['retweet_count', 'quote_count', 'bookmark_count', 'view_count'],
    in_reply_to_id: '5',
    in_reply_to_username: 'tom',
    quoted_tweet_id: '6',
    retweeted_tweet_id: null,
    lang: 'en',
    liked: false,
  });
  await add(tweet(11, 2));
  expect(await get('/social/tweet/info?tweet_id=11')).toMatchObject({ in_reply_to_id: null, lang: null });
});

describe('a thread', () => {
  test('has the ancestors, and the tweets with which the author continues the tweet, in pages', async () => {
    await add(tweet(100, 3), reply(101, 4, 100), reply(102, 3, 101));
    await add(reply(103, 4, 102), reply(104, 3, 102), reply(105, 3, 104), reply(106, 3, 104), reply(107, 3, 105));
    const all = await thread(102);
    expect([ids(all.ancestors), ids(all.tweets), all.missing_ancestor_id]).toEqual([
      [100, 101],
      [102, 104, 105, 107],
      null,
    ]);
    for (const limit of [1, 2, 3, 4]) expect(await walk(102, limit)).toEqual([102, 104, 105, 107]);
  });

  test('names the ancestor that the archive does not have, until it has it', async () => {
    await add(reply(121, 4, 120), reply(122, 3, 121));
    expect(await thread(122)).toMatchObject({ ancestors: [{ id: '121' }], missing_ancestor_id: '120' });
    expect(await thread(121)).toMatchObject({ ancestors: [], missing_ancestor_id: '120' });
    await add(tweet(120, 3));
    expect(await thread(122)).toMatchObject({ ancestors: [{ id: '120' }, { id: '121' }], missing_ancestor_id: null });
    await add({ kind: 'delete', tweet_id: '120' });
    expect(await thread(122)).toMatchObject({ ancestors: [{ id: '121' }], missing_ancestor_id: '120' });
    await expect(thread(120)).rejects.toThrow('404');
    await expect(get('/social/tweet/info?tweet_id=120')).rejects.toThrow('404');
  });

  test('has the nearest 100 ancestors, and the id that leads to those above', async () => {
    await add(tweet(1000, 5));
    for (let id = 1001; id <= 1150; id++) await add(reply(id, id % 2 === 0 ? 5 : 6, id - 1));
    const near = await thread(1150);
    expect([near.ancestors.length, near.missing_ancestor_id]).toEqual([100, '1049']);
    const above = await thread(Number(near.missing_ancestor_id));
    expect([above.ancestors.length, above.missing_ancestor_id]).toEqual([49, null]);
  });

  test('repeats nothing while replies are added before and after the position, or where replies form a cycle', async () => {
    await add(tweet(200, 3), reply(202, 3, 200), reply(205, 3, 202));
    let next = 206;
    const walked = await walk(200, 1, async () => {
      if (next > 209) return;
      // An older reply to the first tweet is another branch; the walk is past it from the second page on.
      if (next > 206) await add(reply(201, 3, 200));
      await add(reply(next, 3, next - 1));
      next += 1;
    });
    expect(walked).toEqual([200, 202, 205, 206, 207, 208, 209]);
    await add(reply(300, 3, 302), reply(301, 3, 300), reply(302, 3, 301));
    for (const limit of [1, 2, 3]) expect(await walk(300, limit)).toEqual([300, 301, 302]);
    expect(await thread(300)).toMatchObject({ missing_ancestor_id: null });
  });

  test('ends where the tweet at the position was deleted meanwhile', async () => {
    await add(tweet(400, 3), reply(401, 3, 400), reply(402, 3, 401), reply(403, 3, 402));
    const remove = (): Promise<void> => add({ kind: 'delete', tweet_id: '401' });
    expect(await walk(400, 2, remove)).toEqual([400, 401]);
  });
});
