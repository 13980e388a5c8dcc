import { describe, expect, test } from '@jest/globals';
import type { LogEntry } from '../../server/ports/event-log.ts';
import type { DeletedIds } from '../../server/ports/tweet-data-holder.ts';
import { readChannel, type ChannelTarget } from '../../server/realtime/channels.ts';
import { Deletions, unknownTweets } from '../../server/realtime/deletions.ts';
import { EventReader } from '../../server/realtime/event-reader.ts';
import { textOf } from '../../server/realtime/frame.ts';
import { MemoryPlatform } from '../ports/reference/platform.ts';
import { options } from '../support/call-options.ts';

const unused = (): never => {
  throw new Error('not used');
};
const entryOf = (seq: number, event = 'pool.status', more: object = {}): LogEntry =>
  ({ event, seq, at: 0, ...more }) as LogEntry;
const deleted = (seq: number, id: string): LogEntry => entryOf(seq, 'tweet.deleted', { id });
/** Entries without a tweet, with these numbers. */
const plain = (first: number, last: number): LogEntry[] =>
  Array.from({ length: last - first + 1 }, (_, place) => entryOf(first + place));

/** A reader of these entries; `head`: the last event when it starts. */
function readerOf(entries: LogEntry[], head = 0) {
  const reads: [after: number, limit: number][] = [];
  const log = {
    head,
    read: async (after: number, limit: number) => {
      reads.push([after, limit]);
      return entries.filter(({ seq }) => seq > after).slice(0, limit);
    },
  };
  const platform = new MemoryPlatform();
  const deletions = new Deletions();
  const published: DeletedIds[] = [];
  deletions.add({ isEmpty: true, drop: (ids) => void published.push(ids) });
  const context = { epoch: 'e', poolStatus: unused, reportInvalid: unused };
  const events = new EventReader(log, platform, context, options, deletions);
  return { log, reads, platform, deletions, published, events };
}

test('keeps the events that connections read, for the others, and not those that the hub reads', async () => {
  const { events, deletions } = readerOf(plain(1, 600), 600);
  const [live] = await events.load(0, { once: true });
  expect(live?.seq).toBe(1);
  expect(events.prepared(1)).toBeUndefined();
  // Nothing holds the text of a tweet, so the hub has to publish no deletions.
  expect(deletions.isIdle).toBe(true);

  const [read] = await events.load(0);
  expect(events.prepared(1)).toBe(read);
  expect(deletions.isIdle).toBe(false);
  expect((await events.load(0))[0]).toBe(read);
});

test('a read ends where the next batch begins, so that readers meet', async () => {
  const { events, reads } = readerOf(plain(1, 600));
  expect((await events.load(10)).map(({ seq }) => seq)).toEqual(plain(11, 256).map(({ seq }) => seq));
  await events.load(256);
  expect(reads).toEqual([
    [10, 246],
    [256, 256],
  ]);
});

test('readers at one position share one read, and the next reader begins another one', async () => {
  const { events, reads } = readerOf(plain(1, 3));
  const both = [events.load(0), events.load(0), events.load(1)];
  expect(both[0]).toBe(both[1]);
  await Promise.all(both);
  expect(reads.map(([after]) => after)).toEqual([0, 1]);
  await events.load(0);
  expect(reads).toHaveLength(3);
});

test('a read that failed is tried again', async () => {
  const { events, log } = readerOf(plain(1, 3));
  const { read } = log;
  log.read = () => Promise.reject(new Error('no disk'));
  await expect(events.load(0)).rejects.toThrow('no disk');
  log.read = read;
  expect(await events.load(0)).toHaveLength(3);
});

test('each event has its own tweet or member', async () => {
  const { events, platform } = readerOf([
    entryOf(1, 'tweet.created', { id: '5' }),
    entryOf(2, 'community.joined', { id: '70', userId: '2' }),
    entryOf(3),
    entryOf(4, 'tweet.created', { id: '6' }),
    entryOf(5, 'community.joined', { id: '70', userId: '1' }),
    entryOf(6, 'unknown'),
  ]);
  const created_at = '2026-01-01T00:00:00Z';
  platform.add([
    { kind: 'user', user: { id: '1', username: 'mira' } },
    { kind: 'user', user: { id: '2', username: 'tom' } },
    { kind: 'tweet', tweet: { id: '5', text: 'a', created_at, author_id: '1' } },
    { kind: 'tweet', tweet: { id: '6', text: 'b', created_at, author_id: '2' } },
  ]);
  expect((await events.load(0)).map(({ topics }) => topics)).toEqual([
    ...[['author 1', 'author @mira'], ['member 2', 'member @tom'], ['pool']],
    ...[['author 2', 'author @tom'], ['member 1', 'member @mira'], []],
  ]);
});

describe('the deletions among the entries', () => {
  const entries = [entryOf(1), deleted(2, '20'), deleted(3, '30'), entryOf(4), deleted(5, '50')];

  test('are published once, by the first read or scan that sees them', async () => {
    const { events, published } = readerOf(entries);
    await events.load(0);
    expect(published).toEqual([new Set(['20', '30', '50'])]);
    expect([await events.scan(0), await events.scan(5)]).toEqual([5, 5]);
    await events.load(1);
    expect(published).toHaveLength(1);
  });

  test('before the start of the reader are known', async () => {
    const { events, published } = readerOf(entries, 3);
    await events.load(0);
    expect(published).toEqual([new Set(['50'])]);
  });

  test('are published by a scan, which reads more entries at once and prepares none', async () => {
    const { events, published, reads } = readerOf(entries);
    expect(await events.scan(2)).toBe(5);
    expect([published, reads, events.prepared(3)]).toEqual([[new Set(['30', '50'])], [[2, 4096]], undefined]);
  });

  test('are not published where there are none', async () => {
    const { events, published } = readerOf(plain(1, 9));
    await events.scan(0);
    expect([await events.scan(9), published]).toEqual([9, []]);
  });

  test('before a position that a reader has skipped are published when they are read', async () => {
    const { events, published } = readerOf(entries);
    await events.load(3);
    expect(published).toEqual([new Set(['50'])]);
    await events.load(1);
    expect(published.slice(1)).toEqual([new Set(['20', '30', '50'])]);
    // Only a read without a hole settles them.
    await events.load(0);
    await events.load(0);
    expect(published.slice(2)).toEqual([new Set(['20', '30', '50'])]);
  });

  test('are unknown where the entries are no longer retained', async () => {
    const { events, published } = readerOf(entries.slice(3));
    await events.load(0);
    expect(published).toEqual([unknownTweets]);
    const complete = readerOf(entries.slice(3), 3);
    await complete.events.load(0);
    expect(complete.published).toEqual([new Set(['50'])]);
  });

  test('that are skipped are unknown to those who hold data, and not published later', async () => {
    const { events, published, deletions } = readerOf(entries);
    events.skipTo(3);
    expect(published).toEqual([]);
    const watch = deletions.watch();
    events.skipTo(2);
    expect([published, watch.isTriggered]).toEqual([[unknownTweets], true]);
    await events.load(0);
    expect(published.slice(1)).toEqual([new Set(['50'])]);
  });
});

describe('a tweet that is deleted', () => {
  const tweet = (id: string) =>
    ({
      kind: 'tweet',
      tweet: { id, text: `text of ${id}`, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
    }) as const;
  const created = ['5', '6'].map((id, place) => entryOf(place + 1, 'tweet.created', { id }));

  test('while its event is prepared is not in it; the other events stay', async () => {
    const { events, platform, deletions } = readerOf(created);
    platform.add([tweet('5'), tweet('6')]);
    const { snapshots } = platform;
    let reads = 0;
    platform.snapshots = async (ids) => {
      const found = await snapshots.call(platform, ids);
      if (reads++ > 0) return found;
      platform.remove('5');
      deletions.publish(new Set(['5', '7']));
      return found;
    };
    const [first, second] = await events.load(0);
    expect([first?.tweet(), second?.tweet()?.text, reads]).toEqual([undefined, 'text of 6', 2]);
    expect(deletions.isIdle).toBe(false);
  });

  test('is in none of the kept events', async () => {
    const { events, platform, deletions } = readerOf(created);
    platform.add([tweet('5'), tweet('6')]);
    await events.load(0);
    deletions.publish(new Set(['5']));
    expect([events.prepared(1), events.prepared(2)?.seq]).toEqual([undefined, 2]);
  });

  test('has an event that is prepared again for each reader, because the tweet can come back', async () => {
    const { events } = readerOf([deleted(1, '5'), entryOf(2)]);
    const [first] = await events.load(0);
    expect([first?.isDeletion, events.prepared(1), events.prepared(2)?.seq]).toEqual([true, undefined, 2]);
  });

  test('is not watched for after a read, also a failed one', async () => {
    const { events, platform, deletions } = readerOf(created);
    platform.snapshots = () => Promise.reject(new Error('no disk'));
    await expect(events.load(0)).rejects.toThrow('no disk');
    expect(deletions.isIdle).toBe(true);
  });
});

test('the current state of a channel is an event at a position that the log need not have', async () => {
  const { events, platform } = readerOf([]);
  const created_at = '2026-01-01T00:00:00Z';
  platform.add([{ kind: 'tweet', tweet: { id: '5', text: 'a', created_at, author_id: '1', like_count: 4 } }]);
  const target = (name: 'assistant:pool' | 'tweet:engagement', params = {}): ChannelTarget =>
    readChannel(name, params) as unknown as ChannelTarget;
  const pool = await events.currentState(target('assistant:pool'), 9);
  expect([pool.seq, pool.topics]).toEqual([9, ['pool']]);
  const counts = await events.currentState(target('tweet:engagement', { tweet_id: '5' }), 8);
  const frame = counts.frame(['s1'], 'tweet:engagement', 'counts', false)!;
  expect(JSON.parse(textOf(frame).toString())).toMatchObject({
    ...{ event: 'tweet.engagement', seq: 8, data: { tweet_id: '5', like_count: 4 } },
  });
  expect(Math.abs(Date.now() - counts.entry.at)).toBeLessThan(60_000);
});
