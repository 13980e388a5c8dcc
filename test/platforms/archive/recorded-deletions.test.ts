import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { PublishedEvent } from '../../../server/domain/events.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import type { EventSink } from '../../../server/ports/event-sink.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'deletions-'))));
afterEach(async () => {
  jest.restoreAllMocks();
  await rm(directory, { recursive: true, force: true });
});

const week = { withinMs: 7 * 24 * 60 * 60 * 1000 };
const progress = { values: 1, done: false };
const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: string, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: at, author_id: '1', ...more },
});
/** A deletion of now: an older one would start a purge at once. */
const deletion = (tweet_id: string, more: object = {}): ArchiveRecord => ({
  kind: 'delete',
  tweet_id,
  at: new Date().toISOString(),
  ...more,
});
const contents = (archive: Archive): string[] => [...archive.changes()].map((change) => JSON.stringify(change));

async function withArchive<Result>(
  use: (durable: DurableArchive) => Promise<Result> | Result,
  sink?: EventSink,
): Promise<Result> {
  const store = await openLowdbStore(directory);
  try {
    return await use(await openArchive(store, sink, undefined, week));
  } finally {
    await store.close();
  }
}

/** Writes lines to the journal that the archive itself would not write. */
async function appendLines(...lines: readonly object[]): Promise<void> {
  const store = await openLowdbStore(directory);
  const journal = await store.journal('archive');
  await journal.replay(() => {});
  await journal.append(lines.map((line) => JSON.stringify(line)));
  await store.close();
}

/** The ids of the tweets that the archive adds while it opens. */
async function addedIds(): Promise<string[]> {
  const apply = jest.spyOn(Archive.prototype, 'apply');
  await withArchive(() => {});
  const ids = apply.mock.calls.flatMap(([change]) => (change.kind === 'tweet' ? [change.tweet.id] : []));
  apply.mockRestore();
  return ids;
}

test('a start does not add the tweets that the journal deletes, and the archive is the same', async () => {
  const before = await withArchive(async (durable) => {
    await durable.apply('file', progress, [tweet('1'), tweet('2'), tweet('3', { retweeted_tweet_id: '2' })]);
    await durable.apply('file', progress, [deletion('1'), tweet('4')]);
    await durable.apply('file', progress, [{ kind: 'restore', tweet_id: '1' }, tweet('1', { text: 'again' })]);
    await durable.apply('file', progress, [deletion('2')]);
    return { contents: contents(durable.archive), since: durable.purgeableSince };
  });
  await withArchive((durable) => {
    expect(contents(durable.archive)).toEqual(before.contents);
    expect(durable.purgeableSince).toBe(before.since);
    expect(durable.archive.tweet(durable.archive.ordinal('1')!).text).toBe('again');
  });
  // The first `1` and `2` are left out; `3` was removed with `2`, which holds only while `2` is removed.
  expect(await addedIds()).toEqual(['3', '4', '1']);
});

test('a deletion of another tweet with the same id removes nothing', async () => {
  await appendLines(
    tweet('1', { uri: 'at://a' }),
    deletion('1', { uri: 'at://b' }),
    tweet('2', { uri: 'at://a' }),
    // The archive rejects it, because the id is in use.
    tweet('2', { uri: 'at://b' }),
    deletion('2', { uri: 'at://a' }),
  );
  await withArchive(({ archive }) => {
    expect(Array.from(archive.ordinals(), (ordinal) => archive.tweet(ordinal).id)).toEqual(['1']);
    expect(archive.tombstone('2')).toMatchObject({ uri: 'at://a' });
  });
});

test('a deletion that is set aside removes nothing', async () => {
  await appendLines(tweet('1'), { ...deletion('1'), author_id: 'not an id' });
  for (let start = 0; start < 2; start++) {
    await withArchive((durable) => {
      expect(durable.archive.ordinal('1')).toBeDefined();
      expect(durable.setAside).toHaveLength(1);
    });
  }
});

test('a deletion in a write that a crash interrupted removes nothing', async () => {
  await appendLines(tweet('1'));
  const [file = ''] = (await readdir(join(directory, 'archive'))).filter((name) => name.endsWith('.jsonl'));
  const path = join(directory, 'archive', file);
  const { length } = await readFile(path);
  const catalogue = join(directory, 'archive', 'catalogue.json');
  const before = await readFile(catalogue);
  await appendLines(tweet('2'), deletion('1'));
  // After a crash the catalogue is the old one, and a part of the last write is missing, before the deletion.
  await writeFile(catalogue, before);
  await writeFile(path, (await readFile(path)).fill(0, length, length + 40));
  await withArchive(({ archive }) => expect(archive.ordinal('1')).toBeDefined());
});

test('a start publishes the events of the deletions after the checkpoint', async () => {
  await appendLines(tweet('1'), tweet('2'), deletion('1'), tweet('3'), deletion('3'));
  const published: PublishedEvent[] = [];
  const sink: EventSink = {
    checkpoint: 3,
    failed: undefined,
    applied: () => {},
    settle: async () => {},
    publish: async (events) => void published.push(...events),
    advanceCheckpoint: async () => {},
  };
  await withArchive(() => {}, sink);
  expect(published.map(({ event, change }) => [event, change])).toEqual([
    ['tweet.created', 4],
    ['tweet.deleted', 5],
  ]);
});

test('other work goes on between the steps of a large deletion', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => String(n + 1));
  await withArchive(async (durable) => {
    await durable.apply(
      'file',
      progress,
      ids.map((id) => tweet(id)),
    );
    const sizes: number[] = [durable.archive.size];
    let isDone = false;
    const observe = (): void => {
      sizes.push(durable.archive.size);
      if (!isDone) setImmediate(observe);
    };
    setImmediate(observe);
    await durable.apply(
      'file',
      progress,
      ids.map((id) => deletion(id)),
    );
    isDone = true;
    sizes.push(durable.archive.size);
    const steps = sizes.map((size, index) => (sizes[index - 1] ?? size) - size);
    expect(sizes.at(-1)).toBe(0);
    expect(Math.max(...steps)).toBeLessThanOrEqual(128);
  });
});

test('a start adds the tweets whose absence would change what an eviction removes', async () => {
  const before = await withArchive(async (durable) => {
    const users = ['1', '2'].map((id) => ({
      kind: 'user' as const,
      user: { id, username: `u${id}`, name: `User ${id}` },
    }));
    const tweets = [tweet('1', { author_id: '2' }), tweet('2'), tweet('3', { retweeted_tweet_id: '2' }), tweet('4')];
    await durable.apply('file', progress, [...users, ...tweets]);
    // User 2 has a tweet, so the profile stays. The eviction of tweet 2 removes its retweet 3 without a tombstone.
    await durable.evict({ user_ids: ['2'], tweet_ids: ['2'] });
    await durable.apply(
      'file',
      progress,
      ['1', '2', '4'].map((id) => deletion(id)),
    );
    return contents(durable.archive);
  });
  expect(await withArchive(({ archive }) => contents(archive))).toEqual(before);
  expect(before.join('\n')).toContain('"username":"u2"');
  expect(before.join('\n')).not.toContain('"tweet_id":"3"');
  expect(await addedIds()).toEqual(['1', '2', '3']);
});
