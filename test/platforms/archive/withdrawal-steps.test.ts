/** The changes of a withdrawal are selected step by step: the archive changes meanwhile. */
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { Change } from '../../../server/platforms/archive/change.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../../support/folder.ts';

const at = '2026-02-01T00:00:00.000Z';
const withdrawal: ArchiveRecord = { kind: 'withdraw', user_id: '1', at };
const tweet = (id: number, author_id: string): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), author_id, text: 'hello', created_at: new Date(Date.UTC(2026, 0, 1) + id).toISOString() },
});
const deleted = (changes: Iterable<Change>): string[] =>
  Array.from(changes).flatMap((change) => (change.kind === 'delete' ? change.tweet_id : []));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => void (folder = await temporaryFolder()));
afterEach(async () => {
  jest.restoreAllMocks();
  await folder.dispose();
});

test('tweets that go between two steps of a withdrawal are not in it, nor is a tweet that gets their ordinal', () => {
  const archive = new Archive();
  for (let id = 100; id < 120; id++) archive.apply(tweet(id, '1'));
  const steps = archive.changesInSteps(withdrawal)[Symbol.iterator]();
  const found = [steps.next().value as Change];
  for (let id = 110; id < 120; id++) archive.apply({ kind: 'delete', tweet_id: String(id), at });
  Array.from(archive.sweepIndex());
  for (let id = 200; id < 205; id++) archive.apply(tweet(id, '2'));
  archive.apply(tweet(300, '1'));
  expect(archive.ordinalCount).toBe(20);
  for (let step = steps.next(); step.done !== true; step = steps.next()) found.push(step.value);
  expect(deleted(found)).toEqual(['100', '101', '102', '103', '104', '105', '106', '107', '108', '109']);
  // A tweet that came meanwhile goes with the withdrawal itself.
  for (const change of found) archive.apply(change);
  expect([archive.byAuthor.get('1'), archive.byAuthor.get('2')?.length]).toEqual([undefined, 5]);
  expect(archive.tombstone('300')?.reason).toBe('account');
});

test('an account is withdrawn as a whole while its tweets arrive, go and lose likes', async () => {
  let now = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  const store = await openLowdbStore(folder.path, {});
  try {
    const durable = await openArchive(store);
    const records = Array.from({ length: 300 }, (_, index) => tweet(1_000 + index, index % 3 === 0 ? '2' : '1'));
    await durable.apply('file', { values: 1, done: false }, records);
    const others = durable.archive.byAuthor.get('2')?.length;
    let isEnd = false;
    const withdrawing = durable.follow('source', undefined, [withdrawal]).finally(() => (isEnd = true));
    const pending: Promise<unknown>[] = [];
    for (let turn = 0; !isEnd; turn++) {
      if (turn < 60) pending.push(durable.evict({ tweet_ids: [String(1_299 - turn)] }));
      if (turn < 20) pending.push(durable.follow('other', undefined, [tweet(2_000 + turn, '1')]));
      await nextTurn();
    }
    await Promise.all([withdrawing, ...pending]);
    const { archive } = durable;
    expect(archive.byAuthor.get('1')).toBeUndefined();
    expect(archive.byAuthor.get('2')?.length).toBe((others ?? 0) - 20);
    expect(archive.isWithdrawn('1')).toBe(true);
    expect(archive.tombstone('1001')?.reason).toBe('account');
  } finally {
    await store.close();
  }
});
