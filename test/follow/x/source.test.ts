// Tests server/follow/x/api.ts, server/follow/x/fields.ts, server/follow/x/search.ts, server/follow/x/refresh.ts and
// server/follow/x/history.ts.
/** Targets, histories, refreshes and the compliance check of X against the stand-in. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { createSend, type Send } from '../../../server/follow/http.ts';
import { validationError } from '../../../server/formats/native.ts';
import type { LiveBatch, ResolvedTarget } from '../../../server/ports/live-source.ts';
import { FollowedX, rejection } from '../../support/x/followed.ts';
import { until } from '../../support/manual-clock.ts';
import { PublishedContract } from '../../support/x/published.ts';
import { notAuthorized, notFound, type StandInPost } from '../../support/x/stand-in.ts';

const alice: ResolvedTarget = {
  target: { source: 'x', kind: 'account', value: 'alice' },
  title: '@alice',
  accounts: ['11'],
};
const tea: ResolvedTarget = {
  target: { source: 'x', kind: 'search', value: 'tea' },
  title: 'tea',
  accounts: undefined,
};
const { signal } = new AbortController();

let x: FollowedX;
let messages: string[];

beforeEach(async () => {
  x = await FollowedX.start(1000);
  messages = [];
});
afterEach(async () => {
  await x.stop();
  expect(x.standIn.violations).toEqual([]);
  expect(JSON.stringify([messages, x.reports])).not.toContain(x.standIn.token);
  expect(JSON.stringify([messages, x.reports])).not.toContain('s3cret');
});

async function recordsOf(batches: AsyncIterable<LiveBatch>): Promise<ArchiveRecord[]> {
  const records: ArchiveRecord[] = [];
  for await (const batch of batches) records.push(...batch.records);
  expect(records.map(validationError).filter((reason) => reason !== undefined)).toEqual([]);
  return records;
}
async function failure(promise: Promise<unknown>): Promise<string> {
  const message = await rejection(promise);
  messages.push(message);
  return message;
}
const ids = (records: readonly ArchiveRecord[]): string[] =>
  records.flatMap((record) => (record.kind === 'tweet' ? [record.tweet.id] : []));
/** Puts a post into the archive, as it was when it was read. */
function hold({ id, text, author_id, created_at }: StandInPost, more: Partial<ArchivedTweet> = {}): ArchivedTweet {
  const entities = { mentions: [], hashtags: [], cashtags: [], urls: [] };
  const tweet = { id, text, author_id, created_at, entities, ...more };
  x.held.tweets.set(id, tweet);
  return tweet;
}

describe('targets', () => {
  test('are accounts and searches', () => {
    const source = x.source();
    expect(source.parse('@Alice')).toEqual({ source: 'x', kind: 'account', value: 'alice' });
    expect(source.parse('search: tea OR from:bob ')).toEqual({ source: 'x', kind: 'search', value: 'tea OR from:bob' });
    for (const wrong of ['', 'a b', 'alice.example.com', 'list:1', 'search:', `search:${'a'.repeat(513)}`])
      expect(() => source.parse(wrong)).toThrow(/expected x:|at most 512/);
  });

  test('are resolved to the id of the account', async () => {
    const source = x.source();
    expect(await source.resolve(source.parse('ALICE'), signal)).toEqual(alice);
    expect(x.kept).toBeUndefined();
    x.standIn.user('14', 'dora', { protected: true });
    expect(await failure(source.resolve(source.parse('nobody'), signal))).toBe('the X account @nobody does not exist');
    expect(await failure(source.resolve(source.parse('dora'), signal))).toBe('the X account @dora is protected');
  });

  test('X checks the query of a search, without a rule', async () => {
    const source = x.source();
    expect(await source.resolve(tea.target, signal)).toMatchObject({ target: tea.target, accounts: undefined });
    expect(await failure(source.resolve(source.parse('search:(tea'), signal))).toContain('cannot parse (tea');
    expect(x.standIn.rules).toEqual([]);
    x.standIn.fault('POST /2/tweets/search/stream/rules', { status: 403 });
    expect(await source.resolve(tea.target, signal)).toMatchObject({ target: tea.target });
  });
});

describe('histories', () => {
  test('read the timeline up to the limit, and count what X returned', async () => {
    const posts = Array.from({ length: 250 }, (_, index) => x.standIn.post('11', `post ${index}`).id).toReversed();
    const request = { limit: 150, reconcile: false, signal };
    expect(ids(await recordsOf(x.source().history(alice, request)))).toEqual(posts.slice(0, 150));
    expect(x.kept?.reads).toBe(150);
    expect(x.standIn.count('GET /2/users/{id}/tweets')).toBe(2);
  });

  test('of a search have what recent search has', async () => {
    const post = x.standIn.post('12', 'green tea');
    x.clock.jump(60_000);
    // The withdrawal of an account that nobody follows stays: the operator may have asked for it.
    x.held.withdrawn.add('12');
    const records = await recordsOf(x.source().history(tea, { limit: 10, reconcile: true, signal }));
    expect(records.map(({ kind }) => kind)).toEqual(['user', 'tweet']);
    expect(ids(records)).toEqual([post.id]);
  });

  test('leave a part of the budget for new posts', async () => {
    for (let index = 0; index < 900; index++) x.standIn.post('11', `post ${index}`);
    const records: ArchiveRecord[] = [];
    const read = async (): Promise<void> => {
      for await (const batch of x.source().history(alice, { limit: 3200, reconcile: false, signal }))
        records.push(...batch.records);
    };
    expect(await failure(read())).toContain('kept for new posts');
    expect(ids(records)).toHaveLength(800);
    expect(x.source().readsLeft).toBe(200);
  });

  test('find deletions in their span, and ask X for each before', async () => {
    const older = hold(x.standIn.post('11', 'older than the span'));
    const deleted = hold(x.standIn.post('11', 'deleted'));
    const seen = Array.from({ length: 5 }, () => x.standIn.post('11', 'stays'));
    const unlisted = hold(x.standIn.post('11', 'not in the timeline, but there'));
    for (const { id } of [older, deleted]) x.standIn.hidden.set(id, notFound(id));
    const timeline = x.standIn.posts.filter(({ id }) => id !== unlisted.id);
    const all = x.standIn.posts.splice(0);
    x.standIn.posts.push(...timeline);
    const source = x.source();
    const records: ArchiveRecord[] = [];
    for await (const batch of source.history(alice, { limit: 5, reconcile: true, signal })) {
      records.push(...batch.records);
      x.standIn.posts.splice(0, Infinity, ...all);
    }
    expect(ids(records)).toEqual(seen.map(({ id }) => id).toReversed());
    // The timeline ends here, so that the whole of it is known.
    expect(records.filter(({ kind }) => kind === 'delete')).toEqual(
      [deleted, older].map(({ id }) => expect.objectContaining({ tweet_id: id, reason: 'deleted' })),
    );
  });

  test('ask for nothing older than their span', async () => {
    const older = hold(x.standIn.post('11', 'older than the span'));
    x.standIn.hidden.set(older.id, notFound(older.id));
    for (let index = 0; index < 10; index++) x.standIn.post('11', `post ${index}`);
    const records = await recordsOf(x.source().history(alice, { limit: 5, reconcile: true, signal }));
    expect(ids(records)).toHaveLength(5);
    expect(x.standIn.count('GET /2/tweets')).toBe(0);
  });

  test('count no reads where X answers with an error', async () => {
    x.standIn.fault('GET /2/users/{id}/tweets', { status: 503 });
    const read = recordsOf(x.source().history(alice, { limit: 100, reconcile: false, signal }));
    expect(await failure(read)).toBe('X answers with status 503');
    expect(x.kept?.reads).toBe(0);
  });

  test('permit a followed account that X shows again', async () => {
    x.held.withdrawn.add('11').add('12');
    x.standIn.post('11', 'back');
    const records = await recordsOf(x.source().history(alice, { limit: 10, reconcile: false, signal }));
    expect(records.filter(({ kind }) => kind === 'reinstate')).toEqual([{ kind: 'reinstate', user_id: '11' }]);
  });
});

describe('a refresh', () => {
  test('returns counts that differ, and what X does not show any more', async () => {
    const counted = x.standIn.post('11', 'counted', { public_metrics: { ...metrics, like_count: 7 } });
    const same = x.standIn.post('11', 'same', { public_metrics: { ...metrics, like_count: 3 } });
    const [deleted, withheld, elsewhere] = ['deleted', 'withheld', 'bluesky'].map((text) => x.standIn.post('11', text));
    x.standIn.hidden.set(deleted!.id, notFound(deleted!.id)).set(withheld!.id, notAuthorized(withheld!.id));
    const held = [
      hold(counted, { like_count: 2, text: 'counted, with a longer text than the answer' }),
      hold(same, { like_count: 3 }),
      ...[deleted!, withheld!].map((post) => hold(post)),
      hold(elsewhere!, { uri: 'at://did:plc:abc/app.bsky.feed.post/3abc' }),
    ];
    const at = new Date(x.clock.now()).toISOString();
    expect(await x.source().refresh(held, signal)).toEqual([
      { kind: 'tweet', tweet: { ...held[0], like_count: 7, observed_at: at } },
      { kind: 'delete', tweet_id: deleted!.id, author_id: '11', at, reason: 'deleted' },
      { kind: 'delete', tweet_id: withheld!.id, author_id: '11', at, reason: 'withheld' },
    ]);
    expect(x.kept?.reads).toBe(2);
  });

  test('asks for 100 posts in a call and leaves half of the budget', async () => {
    const held = Array.from({ length: 550 }, (_, index) => hold(x.standIn.post('11', `post ${index}`)));
    expect(await failure(x.source().refresh(held, signal))).toContain('kept for new posts');
    expect(x.standIn.count('GET /2/tweets')).toBe(5);
    expect(x.kept?.reads).toBe(500);
  });

  test('does not delete for a problem with something that a post refers to', async () => {
    const post = hold(x.standIn.post('11', 'held'));
    const errors = [notFound(post.id, 'tweet', 'referenced_tweets.id')];
    x.standIn.fault('GET /2/tweets', { status: 200, body: { errors } });
    expect(await x.source().refresh([post], signal)).toEqual([]);
  });
});

const metrics = {
  retweet_count: 0,
  reply_count: 0,
  quote_count: 0,
  bookmark_count: 0,
  impression_count: 0,
  like_count: 0,
};

describe('the compliance check', () => {
  async function* inTurn(tweets: Iterable<ArchivedTweet>): AsyncGenerator<ArchivedTweet> {
    yield* tweets;
  }
  /** Runs a check, and lets the time pass that its jobs need. */
  async function check(tweets: Iterable<ArchivedTweet>): Promise<ArchiveRecord[]> {
    const state = { isOver: false };
    const result = recordsOf(x.source().complianceCheck!(inTurn(tweets), signal)).finally(() => (state.isOver = true));
    result.catch(() => {});
    while (!state.isOver) {
      await until(() => state.isOver || x.clock.waits.some((wait) => wait < 30_000));
      if (!state.isOver) x.clock.jump(20_000);
    }
    return result;
  }

  test('removes deleted posts, places, and accounts that are suspended or protected', async () => {
    const posts = Array.from({ length: 4 }, (_, index) => x.standIn.post(String(21 + index), `post ${index}`));
    const held = posts.map((post) => hold(post));
    const place = hold(x.standIn.post('25', 'with a place'), { place: 'Rome' });
    const elsewhere = hold(x.standIn.post('31', 'bluesky'), { uri: 'at://did:plc:abc/app.bsky.feed.post/3abc' });
    const result = (id: string, reason: string, action = 'delete'): string =>
      JSON.stringify({
        id,
        action,
        created_at: '2026-01-01T00:00:00.000Z',
        redacted_at: '2026-11-19T08:00:00.000Z',
        reason,
      });
    x.standIn.results.set('tweets', [
      result(held[0]!.id, 'deleted'),
      result(held[1]!.id, 'suspended'),
      result(place.id, 'scrub_geo', 'scrub_geo'),
      result(held[3]!.id, 'scrub_geo', 'scrub_geo'),
      result('999', 'deleted'),
      'rubbish',
    ]);
    x.standIn.results.set('users', [result('22', 'suspended'), result('23', 'protected')]);
    const at = '2026-11-19T08:00:00.000Z';
    expect(await check([...held, place, elsewhere])).toEqual([
      { kind: 'delete', tweet_id: held[0]!.id, at, reason: 'deleted' },
      { kind: 'withdraw', user_id: '22', at },
      { kind: 'scrub_geo', tweet_id: place.id, at },
      { kind: 'scrub_geo', tweet_id: held[3]!.id, at },
      { kind: 'withdraw', user_id: '22', at },
      { kind: 'withdraw', user_id: '23', at },
    ]);
    expect(x.standIn.uploads).toEqual([[...held, place].map(({ id }) => id), ['21', '22', '23', '24', '25']]);
    expect(x.count('rejected compliance result')).toBe(2);
    expect(x.kept).toBeUndefined();
  });

  test('uses no address but those of the documented storage and the configured API', async () => {
    const held = hold(x.standIn.post('11', 'post'));
    const addresses = [
      'http://169.254.169.254',
      'https://storage.googleapis.com.example.com',
      'http://storage.googleapis.com',
    ];
    for (const storage of [
      ...addresses,
      'https://user:pw@storage.googleapis.com',
      'https://storage.googleapis.com:8443',
      'file:///etc',
    ]) {
      x.standIn.storage = storage;
      expect(await failure(check([held]))).toContain('not at storage.googleapis.com');
    }
    expect(x.standIn.uploads).toEqual([]);
  });

  test('ends where a job is not complete after 6 hours', async () => {
    const held = hold(x.standIn.post('11', 'post'));
    x.standIn.fault('GET /2/compliance/jobs/{id}', { status: 200, body: {} }, { isLasting: true });
    const result = failure(recordsOf(x.source().complianceCheck!(inTurn([held]), signal)));
    await until(() => x.clock.waits.includes(5000));
    x.clock.jump(6 * 60 * 60 * 1000);
    expect(await result).toBe('a compliance job of X was not complete after 6 hours');
  });

  test('fails without the signed address in its message', async () => {
    const held = hold(x.standIn.post('11', 'post'));
    // The name of the storage has an address in a private network here.
    x.standIn.storage = 'https://storage.googleapis.com';
    const send = createSend((_, done) => done(null, [{ address: '10.0.0.1', family: 4 }]));
    const source = x.source(x.standIn.url, send);
    const message = await failure(recordsOf(source.complianceCheck!(inTurn([held]), signal)));
    const failing: Send = (request) =>
      request.method === 'PUT' ? Promise.reject(new Error(`no way to ${request.url.href}`)) : createSend()(request);
    const other = x.source(x.standIn.url, failing);
    expect(await failure(recordsOf(other.complianceCheck!(inTurn([held]), signal)))).toContain(
      'no way to https://storage',
    );
    expect(message).toBe(
      'the storage of X cannot be reached: storage.googleapis.com has an address in a private network',
    );
  });
});

describe('the API address', () => {
  test('must be https, or on this machine', () => {
    for (const url of ['http://api.x.com', 'ftp://api.x.com', 'nonsense'])
      expect(() => x.source(url)).toThrow('https:');
    expect(x.source('https://api.x.com').name).toBe('x');
    expect(x.standIn.requests).toEqual([]);
  });

  test('must not lead into a private network by its name', async () => {
    const send = createSend((_, done) => done(null, [{ address: '192.168.0.1', family: 4 }]));
    const source = x.source('https://api.x.example', send);
    expect(await failure(source.resolve(alice.target, signal))).toContain('an address in a private network');
  });
});

const contract = PublishedContract.open();
(contract === undefined ? test.skip : test)('the stand-in finds requests and answers that are not published', () => {
  const exchange = {
    method: 'GET',
    path: '/2/tweets',
    query: new URLSearchParams({ ids: '1,x', nonsense: '1' }),
    body: undefined,
  };
  expect(contract!.requestErrors(exchange)).toHaveLength(2);
  expect(contract!.answerErrors(exchange, { data: [{ text: 1 }] })).not.toEqual([]);
  expect(contract!.answerErrors(exchange, { data: [{ id: '1', text: 'a', edit_history_tweet_ids: ['1'] }] })).toEqual(
    [],
  );
});
