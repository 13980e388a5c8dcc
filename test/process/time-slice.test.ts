/** Long work in the thread that answers requests lets other work run in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { openLowdbStore, type LowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: LowdbStore;
beforeEach(async () => {
  folder = await temporaryFolder();
  store = await openLowdbStore(folder.path);
});
afterEach(async () => {
  await store.close();
  await folder.dispose();
});

/** The different values that a turn of the event loop sees until the work ends. */
async function valuesDuring<Value>(work: Promise<unknown>, look: () => Value): Promise<Value[]> {
  const seen = new Set([look()]);
  let isRunning = true;
  const ended = work.finally(() => (isRunning = false));
  while (isRunning) {
    await nextTurn();
    seen.add(look());
  }
  await ended;
  return [...seen];
}

const tweets = Array.from({ length: 1000 }, (_, index): ArchiveRecord => {
  const text = `${index} `.repeat(30);
  return { kind: 'tweet', tweet: { id: String(index + 1), text, created_at: '2026-01-01T00:00:00Z', author_id: '1' } };
});

test('the archive applies the records of one append, and removes tweets, in slices', async () => {
  const durable = await openArchive(store);
  const size = (): number => durable.archive.size;
  const growing = await valuesDuring(durable.follow('source', { position: '1', at: 1 }, tweets), size);
  expect(growing.length).toBeGreaterThan(3);
  expect(growing).toEqual(growing.toSorted((a, b) => a - b));
  expect([growing[0], growing.at(-1)]).toEqual([0, 1000]);
  const deletions = tweets
    .slice(0, 120)
    .map((_, index): ArchiveRecord => ({ kind: 'delete', tweet_id: `${index + 1}` }));
  const falling = await valuesDuring(durable.follow('source', undefined, deletions), size);
  expect(falling.length).toBeGreaterThan(2);
  expect([falling[0], falling.at(-1)]).toEqual([1000, 880]);
  // An eviction removes all tweets of one change together.
  const tweet_ids = Array.from({ length: 128 }, (_, index) => String(500 + index));
  const evicting = await valuesDuring(durable.evict({ tweet_ids }), size);
  expect(evicting.length).toBeGreaterThan(2);
  expect([evicting[0], evicting.at(-1)]).toEqual([880, 752]);
  await durable.close();
});

test('an append that comes while the one before is applied comes after it', async () => {
  const durable = await openArchive(store);
  const ended: string[] = [];
  const first = durable.follow('source', undefined, tweets).then(() => void ended.push('first'));
  while (durable.archive.size === 0) await nextTurn();
  expect(durable.archive.size).toBeLessThan(1000);
  const later: ArchiveRecord = { kind: 'delete', tweet_id: '1000' };
  const second = durable.follow('other', undefined, [later]).then(([outcome]) => void ended.push(outcome ?? ''));
  await Promise.all([first, second]);
  expect(ended).toEqual(['first', 'updated']);
  expect(durable.archive.size).toBe(999);
  await durable.close();
});

test('a purge reads and copies the records of the journal in slices', async () => {
  const journal = await store.journal('log');
  await journal.replay(() => {});
  await journal.append(['1', '2', '3', '4', '5']);
  let turns = 0;
  const seen: number[] = [];
  const purging = journal.purge((_json, seq) => {
    // Longer than a slice.
    for (const end = performance.now() + 2; performance.now() < end;);
    seen.push(turns);
    return seq !== 4;
  });
  await valuesDuring(purging, () => turns++);
  // Twice four records until the first to remove, before and behind the start of a new segment; then all for the copy.
  expect(seen).toHaveLength(13);
  expect(new Set(seen).size).toBe(13);
});
