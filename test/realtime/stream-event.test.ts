import { describe, expect, test } from '@jest/globals';
import { notFound, ServiceError } from '../../server/contract/service-error.ts';
import { StreamEvent, type EventContext, type EventSubject } from '../../server/realtime/stream-event.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import type { LogEntry } from '../../server/ports/event-log.ts';
import type { GoneTweet, TweetRelations, TweetSnapshot } from '../../server/ports/platform.ts';
import type { TweetDocument } from '../../server/domain/tweet-document.ts';
import { textOf } from '../../server/realtime/frame.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { exampleAnswer } from '../support/contract.ts';

const parts = {
  epoch: 'epoch',
  poolStatus: () => exampleAnswer('getAssistantStatus') as Schemas['PoolStatus'],
  reportInvalid: (_entry: unknown, findings: unknown) => {
    throw new Error(JSON.stringify(findings));
  },
} satisfies EventContext;
const event = new StreamEvent({ event: 'pool.status', seq: 7, at: 0 }, {}, parts);
const frame = (name: string): Buffer => event.frame([name], 'assistant:pool', 'pool', false)!;

const platform = new MemoryPlatform();
platform.add([
  { kind: 'user', user: { id: '1', username: 'Mira', name: 'Mira' } },
  { kind: 'user', user: { id: '2', username: 'Tom', name: 'Tom' } },
  { kind: 'community', community: { id: '70', name: 'Makers' } },
  { kind: 'membership', community_id: '70', user_id: '2', role: 'member' },
  {
    kind: 'tweet',
    tweet: { id: '5', text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', like_count: 3 },
  },
]);
const [found] = (await platform.snapshots(['5'])) as [TweetSnapshot];
const member = platform.communityOf('70', '2');

const relations: TweetRelations = {
  authorId: '1',
  authorUsername: 'Mira',
  mentions: [
    { id: '2', username: 'Tom' },
    { id: undefined, username: 'Ann' },
    { id: '2', username: 'tom' },
    { id: '3', username: undefined },
  ],
  inReplyToId: '4',
  communityId: '70',
};
const tweet: TweetSnapshot = { ...found, ...relations, includedIds: ['8', '9'] };
const gone: GoneTweet = { ...relations, isGone: true };
const plain: TweetRelations = {
  ...{ authorId: '1', authorUsername: undefined, mentions: [], inReplyToId: undefined, communityId: undefined },
};
const entryOf = (name: string, more: object = { id: '5' }): LogEntry =>
  ({ event: name, seq: 8, at: Date.parse('2026-01-02T03:04:05Z'), ...more }) as LogEntry;
const joined = entryOf('community.joined', { id: '70', userId: '2' });

/** An event, and what it has reported. */
function eventOf(entry: LogEntry, subject: EventSubject = {}, more: Partial<EventContext> = {}) {
  const reported: unknown[] = [];
  const made = new StreamEvent(entry, subject, {
    ...{ ...parts, reportInvalid: (of, why) => void reported.push([of, why]) },
    ...more,
  });
  return { made, reported };
}

test('connections with equal subscriptions share the bytes of a frame, cached up to a few kilobytes', () => {
  const names = Array.from({ length: 1_000 }, (_, number) => `s${number}`);
  const first = names.map(frame);
  const second = names.map(frame);
  expect(first[0]).toBe(second[0]);
  expect(second.every((bytes, place) => bytes.equals(first[place]!))).toBe(true);
  const kept = first.filter((bytes, place) => bytes === second[place]);
  const size = kept.reduce((sum, bytes) => sum + bytes.length, 0);
  expect(size).toBeGreaterThan(8 * 1024);
  expect(size).toBeLessThan(32 * 1024);
  expect(first[999]!.toString()).toContain('"subs":["s999"]');
});

// A document is half of the memory of a prepared event, of which 256 are kept.
test('keeps the search document only for connections that read the log', () => {
  let created = 0;
  const document = {} as TweetDocument;
  const counted = { isGone: false, document: () => (created++, document) } as unknown as TweetSnapshot;
  const tweetEvent = new StreamEvent({ event: 'tweet.created', id: '1', seq: 8, at: 0 }, { tweet: counted }, parts);
  expect([tweetEvent.newDocument(), tweetEvent.newDocument(), created]).toEqual([document, document, 2]);
  expect([tweetEvent.document(), tweetEvent.document(), tweetEvent.newDocument(), created]).toEqual([
    ...[document, document, document, 3],
  ]);
});

test.each<[LogEntry, string]>([
  [entryOf('tweet.created'), 'tweet.created:5'],
  [joined, 'community.joined:70:2'],
  [entryOf('pool.status', {}), 'pool.status:epoch.8'],
  [entryOf('unknown', {}), 'unknown:epoch.8'],
  [entryOf('tweet.updated'), 'tweet.updated:5:epoch.8'],
  [entryOf('tweet.deleted'), 'tweet.deleted:5:epoch.8'],
])('%j has an id that is the same for everyone', (entry, id) => {
  expect(eventOf(entry).made.id).toBe(id);
});

test('an id has the epoch of the event', () => {
  const { made } = eventOf(entryOf('tweet.updated'), {}, { epochAt: (seq) => `epoch of ${seq}` });
  expect(made.id).toBe('tweet.updated:5:epoch of 8.8');
});

describe('the topics of an event', () => {
  const ofTweet = [
    ...['author 1', 'author @mira', 'mention 2', 'mention @tom', 'mention @ann', 'mention 3'],
    ...['reply 4', 'community 70'],
  ];
  const ownReply: GoneTweet = { ...gone, ...plain, inReplyToId: '5' };
  const ofOwnReply = ['engagement 5', 'reply 5', 'author 1'];
  test.each<[string, LogEntry, EventSubject, string[]]>([
    ['a new tweet', entryOf('tweet.created'), { tweet }, ofTweet],
    ['an edited tweet', entryOf('tweet.updated'), { tweet }, ofTweet],
    ['a tweet without relations', entryOf('tweet.created'), { tweet: { ...tweet, ...plain } }, ['author 1']],
    ['a new tweet that was deleted since', entryOf('tweet.created'), { tweet: gone }, []],
    ['a new tweet that is unknown', entryOf('tweet.created'), {}, []],
    ['a count', entryOf('tweet.engagement'), { tweet }, ['engagement 5']],
    ['the end of a like', entryOf('tweet.unliked'), { tweet }, ['engagement 5']],
    ['a deletion', entryOf('tweet.deleted'), { tweet: gone }, ['engagement 5', 'reply 5', ...ofTweet]],
    ['the deletion of an unknown tweet', entryOf('tweet.deleted'), {}, ['engagement 5', 'reply 5']],
    ['the deletion of a tweet that replies to itself', entryOf('tweet.deleted'), { tweet: ownReply }, ofOwnReply],
    ['a new member', joined, { member }, ['member 2', 'member @tom']],
    ['a new member without a username', joined, {}, ['member 2']],
    ['the pool', entryOf('pool.status', {}), {}, ['pool']],
    ['a later version', entryOf('unknown', {}), {}, []],
  ])('of %s', (_what, entry, subject, topics) => {
    const { made, reported } = eventOf(entry, subject);
    expect([made.topics, reported]).toEqual([topics, []]);
  });

  test('are none where they cannot be read, which is reported once', () => {
    const fault = new Error('damaged');
    const damaged = Object.defineProperty({ ...tweet }, 'mentions', {
      get: () => {
        throw fault;
      },
    });
    const { made, reported } = eventOf(entryOf('tweet.created'), { tweet: damaged });
    expect([made.topics, made.topics]).toEqual([[], []]);
    expect(reported).toEqual([[made.entry, fault]]);
  });
});

describe('a deletion', () => {
  test.each<[string, string, EventSubject, boolean]>([
    ['tweet.deleted', 'a tweet that is gone', { tweet: gone }, true],
    ['tweet.deleted', 'an unknown tweet', {}, true],
    ['tweet.deleted', 'a tweet that has come back', { tweet }, false],
    ['tweet.updated', 'a tweet that is gone', { tweet: gone }, false],
  ])('%s of %s: whether it ends the channels of the tweet', (name, _what, subject, ends) => {
    const { made } = eventOf(entryOf(name), subject);
    expect([made.isDeletion, made.endsTweet('5'), made.endsTweet('6')]).toEqual([
      name === 'tweet.deleted',
      ends,
      false,
    ]);
  });

  test.each<[string, LogEntry, EventSubject, string, boolean]>([
    ['the tweet itself', entryOf('tweet.created'), { tweet }, '5', true],
    ['the quoted tweet', entryOf('tweet.created'), { tweet }, '8', true],
    ['the retweeted tweet', entryOf('tweet.engagement'), { tweet }, '9', true],
    ['another tweet', entryOf('tweet.created'), { tweet }, '4', false],
    ['a tweet that is gone', entryOf('tweet.deleted'), { tweet: gone }, '5', false],
    ['an unknown tweet', entryOf('tweet.created'), {}, '5', false],
    ['the pool', entryOf('pool.status', {}), {}, '5', false],
  ])('of %s: whether the event holds its text', (_what, entry, subject, deleted, holds) => {
    expect(eventOf(entry, subject).made.holdsTextOf(new Set([deleted]))).toBe(holds);
  });

  test('that nobody has published yet counts as one', () => {
    const missing = Object.defineProperty({ ...tweet }, 'includedIds', {
      get: () => {
        throw notFound('tweet 5');
      },
    });
    expect(eventOf(entryOf('tweet.created'), { tweet: missing }).made.holdsTextOf(new Set(['4']))).toBe(true);
  });
});

describe('the search document', () => {
  test.each<[string, string, EventSubject, boolean]>([
    ['tweet.created', 'a tweet', { tweet }, true],
    ['tweet.updated', 'a tweet', { tweet }, true],
    ['tweet.engagement', 'a tweet', { tweet }, false],
    ['tweet.deleted', 'a tweet that is gone', { tweet: gone }, false],
    ['tweet.created', 'a tweet that is gone', { tweet: gone }, false],
    ['tweet.created', 'an unknown tweet', {}, false],
  ])('of %s with %s: whether it exists', (name, _what, subject, exists) => {
    const { made, reported } = eventOf(entryOf(name), subject);
    expect([made.newDocument()?.id, made.document()?.id]).toEqual(exists ? [5n, 5n] : [undefined, undefined]);
    expect(reported).toEqual([]);
  });
});

describe('what cannot be built', () => {
  const failing = (error: Error): TweetSnapshot => {
    const fail = (): never => {
      throw error;
    };
    return { ...tweet, full: fail, short: fail, document: fail };
  };
  test.each([new Error('damaged'), new ServiceError(503, 'no answer')])('by %s is left out and reported', (fault) => {
    const { made, reported } = eventOf(entryOf('tweet.created'), { tweet: failing(fault) });
    expect([made.newDocument(), made.tweet(), made.frame(['s1'], 'user:tweets', 'full', false)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(reported).toEqual([1, 2, 3].map(() => [made.entry, fault]));
  });
  test('because the tweet was deleted meanwhile is left out without a report', () => {
    const { made, reported } = eventOf(entryOf('tweet.created'), { tweet: failing(notFound('tweet 5')) });
    expect([made.newDocument(), made.tweet(), reported]).toEqual([undefined, undefined, []]);
  });
  test('by the contract is left out, and reported once with the findings', () => {
    const wrong: TweetSnapshot = { ...tweet, short: () => ({ id: 5 }) as never };
    const { made, reported } = eventOf(entryOf('tweet.created'), { tweet: wrong });
    const sent = (): unknown => made.frame(['s1'], 'search:tweets', 'short', false);
    expect([sent(), sent()]).toEqual([undefined, undefined]);
    expect(reported).toEqual([[made.entry, expect.arrayContaining([expect.objectContaining({ keyword: 'anyOf' })])]]);
  });
});

test('the tweet of an event is that of a search, while it exists', () => {
  expect(eventOf(entryOf('tweet.created'), { tweet }).made.tweet()).toEqual(found.short());
  expect(eventOf(entryOf('tweet.deleted'), { tweet: gone }).made.tweet()).toBeUndefined();
  expect(eventOf(joined, { member }).made.tweet()).toBeUndefined();
});

describe('a frame', () => {
  const read = (bytes: Buffer | undefined): unknown => bytes && JSON.parse(textOf(bytes).toString());
  type View = Parameters<StreamEvent['frame']>[2];

  test.each<[LogEntry, EventSubject, Schemas['WsChannel'], View, unknown]>([
    [entryOf('tweet.created'), { tweet }, 'user:tweets', 'full', found.full()],
    [entryOf('tweet.created'), { tweet }, 'search:tweets', 'short', found.short()],
    [entryOf('tweet.engagement'), { tweet }, 'tweet:engagement', 'counts', found.engagement()],
    [entryOf('tweet.deleted'), { tweet: gone }, 'user:tweets', 'full', { id: '5' }],
    [entryOf('tweet.deleted'), { tweet }, 'search:tweets', 'short', { id: '5' }],
    [joined, { member }, 'community:members', 'community', member.community],
    [entryOf('pool.status', {}), {}, 'assistant:pool', 'pool', parts.poolStatus()],
  ])('of %j has the view of its channel', (entry, subject, channel, view, data) => {
    const { made } = eventOf(entry, subject);
    const expected = {
      ...{ type: 'event', subs: ['s1', 's2'], channel, event: entry.event, seq: 8, cursor: 'epoch.8' },
      ...{ event_id: made.id, data, timestamp: '2026-01-02T03:04:05.000Z' },
    };
    expect(read(made.frame(['s1', 's2'], channel, view, false))).toEqual(expected);
    expect(read(made.frame(['s1', 's2'], channel, view, true))).toEqual({ ...expected, replay: true });
  });

  test.each<[string, LogEntry, EventSubject, View]>([
    ['a tweet that is gone', entryOf('tweet.created'), { tweet: gone }, 'short'],
    ['an unknown tweet', entryOf('tweet.created'), {}, 'full'],
    ['a membership that is gone', joined, { member: { username: 'Tom', community: undefined } }, 'community'],
    ['an unknown member', joined, {}, 'community'],
    ['an event of a later version', entryOf('unknown', {}), {}, 'pool'],
  ])('of %s is not sent', (_what, entry, subject, view) => {
    const { made, reported } = eventOf(entry, subject);
    expect([made.frame(['s1'], 'search:tweets', view, false), reported]).toEqual([undefined, []]);
  });

  test('is made once for equal names, and again for others, other channels and a replay', () => {
    let built = 0;
    const counted = { ...tweet, short: () => (built++, found.short()) };
    const { made } = eventOf(entryOf('tweet.created'), { tweet: counted });
    const sent = (names: string[], channel: Schemas['WsChannel'] = 'search:tweets', replay = false) =>
      made.frame(names, channel, 'short', replay)!;
    const all = [
      ...[sent(['s1']), sent(['s2']), sent(['s1', 's2']), sent(['s1'], 'user:mentions')],
      ...[sent(['s1'], 'search:tweets', true), sent(['s2'], 'search:tweets', true)],
    ];
    expect(new Set(all.map(String)).size).toBe(all.length);
    const again = [
      ...[sent(['s1']), sent(['s2']), sent(['s1', 's2']), sent(['s1'], 'user:mentions')],
      ...[sent(['s1'], 'search:tweets', true), sent(['s2'], 'search:tweets', true)],
    ];
    expect(again.map((each, place) => each === all[place])).toEqual(all.map(() => true));
    // Once for each channel.
    expect(built).toBe(2);
  });
});
