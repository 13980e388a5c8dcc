/** This instance learns of the transactions of all instances, with what they changed, and shows their events after that. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { commitLog } from '../../../server/archive/content/commit-log.ts';
import { Commits } from '../../../server/archive/writes/commits.ts';
import type { Journal, JournalFollower } from '../../../server/ports/storage.ts';
import { emptyDisk, memoryStore, type MemoryStore } from '../../ports/reference/store.ts';
import { holdTimers } from '../../support/held-timers.ts';

const record = (...keys: string[]): string => JSON.stringify({ outcomes: 'a', keys });
let store: MemoryStore;
let journal: Journal;
let follower: JournalFollower;
let woken: number[];
let commits: Commits;
/** What happens, in order. */
let seen: unknown[];

beforeEach(async () => {
  const disk = emptyDisk();
  disk.journals.set(commitLog, { firstSeq: 1, records: [record(), record()] });
  store = memoryStore(disk);
  [seen, woken] = [[], []];
  const log = { applied: (commit: number) => void seen.push(commit) };
  const open = async (name: string): Promise<Journal> => {
    journal = await store.journal(name);
    const follow = journal.follow.bind(journal);
    return Object.assign(journal, {
      follow: (given: JournalFollower) => follow((follower = given)),
      wake: (commit: number) => void woken.push(commit),
    });
  };
  commits = await Commits.open({ journal: open }, log);
  commits.onCommit((keys) => void seen.push(keys));
});
afterEach(() => void jest.restoreAllMocks());

test('the transactions before the start are known', () => {
  expect([commits.last, seen]).toEqual([2, [2]]);
});

test('each transaction reports what it changed, before its events are shown', async () => {
  await journal.append([record('u1', 't5'), record()]);
  await journal.append([JSON.stringify({ outcomes: 'a' })]);
  expect(seen).toEqual([2, ['u1', 't5'], [], 4, undefined, 5]);
  expect(commits.last).toBe(5);
});

test('behind transactions that were removed before they were read, everything may have changed', () => {
  follower.apply([record('u1')], 9);
  expect([seen, commits.last]).toEqual([[2, undefined, 9], 9]);
});

test('a writer waits until its transaction is known, which is read at once, or for a second', async () => {
  const timers = holdTimers(1_000);
  await commits.reached(2);
  expect(woken).toEqual([]);
  const done: number[] = [];
  for (const commit of [3, 4, 9]) void commits.reached(commit).then(() => done.push(commit));
  expect(woken).toEqual([3, 4, 9]);
  for (const known of [[3], [3, 4]]) {
    await journal.append([record()]);
    await turn();
    expect(done).toEqual(known);
  }
  timers.end();
  await turn();
  expect(done).toEqual([3, 4, 9]);
});
