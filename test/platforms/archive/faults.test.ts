/** The archive and its events on a disk that fails, and under a clock that goes back. */
import { mkdtemp, open as openFile, rm, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { openEventLog, type JournalEventLog } from '../../../server/realtime/journal-event-log.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import type { Store } from '../../../server/ports/storage.ts';
import { record, world } from './arbitrary.ts';
import { rounds } from '../../support/rounds.ts';
import { nightlyTest } from '../../support/nightly.ts';

let directory: string;
let store: Store;
let log: JournalEventLog;
let durable: DurableArchive;
let clock = Date.UTC(2026, 0, 1);
let prototype: FileHandle;
async function open(): Promise<void> {
  store = await openLowdbStore(directory);
  log = await openEventLog(store, { ageMs: 86_400_000, events: 1000 }, () => clock);
  durable = await openArchive(store, log);
}
async function reopen(): Promise<void> {
  await store.close();
  await open();
}
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'archive-faults-'));
  const handle = await openFile(process.execPath);
  prototype = Object.getPrototypeOf(handle) as FileHandle;
  await handle.close();
  await open();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await store.close();
  await rm(directory, { recursive: true, force: true });
});

const progress = { values: 1, done: true };
const liked = (n: number): ArchiveRecord[] => [
  {
    kind: 'tweet',
    tweet: { id: String(n), text: 'x', created_at: '2026-01-01T00:00:00Z', author_id: '1', like_count: 10 },
  },
  { kind: 'like', tweet_id: String(n), created_at: '2026-01-01T00:00:00Z' },
];
const likesOf = (id: string): number | undefined => durable.archive.tweet(durable.archive.ordinal(id)!).like_count;
const delivered = async (): Promise<string[]> =>
  (await log.read(log.floor, log.head + 1)).map((entry) => `${entry.event} ${'id' in entry ? entry.id : ''}`);
/** Lets writes fail whose bytes are such, while they last. */
function failOn(what: RegExp): { mend(): void } {
  const append = prototype.appendFile;
  const spy = jest.spyOn(prototype, 'appendFile').mockImplementation(async function (this: FileHandle, bytes, ...more) {
    if (what.test(String(bytes)))
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    return append.call(this, bytes, ...more);
  });
  return { mend: () => spy.mockRestore() };
}

nightlyTest('the predicted effect of a record equals the effect of applying it', () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 60 }), (records) => {
      const archive = new Archive();
      for (const each of [...world, ...records]) {
        const would = archive.wouldChange(each);
        expect(would).toBe(archive.apply(each).outcome !== 'unchanged');
      }
    }),
    { numRuns: rounds(25) },
  );
});

test('a change is visible only after it is durable; a rejected change is never visible, and can be repeated', async () => {
  await durable.apply('file', progress, [...liked(1), ...liked(2)]);
  const { revision } = durable.archive;
  const unliking = durable.unlike('1');
  expect([likesOf('1'), durable.archive.liked('1')]).toEqual([10, true]);
  expect(await unliking).toBe(true);
  expect([likesOf('1'), durable.archive.liked('1')]).toEqual([9, false]);

  const { mend } = failOn(/"kind"/);
  const refused = await Promise.allSettled([
    durable.unlike('2'),
    durable.unlike('2'),
    durable.apply('other', progress, liked(3)),
  ]);
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect([likesOf('2'), durable.archive.liked('2'), durable.archive.ordinal('3'), durable.archive.revision]).toEqual([
    10,
    true,
    undefined,
    revision + 1,
  ]);
  expect(await durable.resume('other')).toBeUndefined();
  mend();
  expect(await Promise.all([durable.unlike('2'), durable.unlike('2')])).toEqual([true, false]);
  expect(await durable.apply('other', progress, liked(3))).toEqual(['added', 'added']);
  await reopen();
  expect([likesOf('1'), likesOf('2'), durable.archive.size]).toEqual([9, 9, 3]);
  expect(await delivered()).toEqual([
    'tweet.created 1',
    'tweet.created 2',
    'tweet.unliked 1',
    'tweet.unliked 2',
    'tweet.created 3',
  ]);
});

test('events that cannot be written delay later changes, and are written once, in order, after recovery', async () => {
  await durable.apply('file', progress, [...liked(1), ...liked(2)]);
  const { mend } = failOn(/"event"/);
  expect(await durable.unlike('1')).toBe(true);
  while (log.failed === undefined) await new Promise(setImmediate);
  expect(log.head).toBe(3);
  // The events cannot be written, so no further change is accepted.
  await expect(durable.unlike('2')).rejects.toThrow(/events cannot be written: ENOSPC/);
  expect(likesOf('2')).toBe(10);
  mend();
  await log.settle();
  expect([log.failed, await durable.unlike('2')]).toEqual([undefined, true]);
  await reopen();
  expect(await delivered()).toEqual(['tweet.created 1', 'tweet.created 2', 'tweet.unliked 1', 'tweet.unliked 2']);
});

nightlyTest('the next start publishes the very first events after a kill', async () => {
  failOn(/"event"/);
  await durable.apply('file', progress, liked(1));
  while (log.failed === undefined) await new Promise(setImmediate);
  jest.restoreAllMocks();
  await reopen();
  expect(await delivered()).toEqual(['tweet.created 1']);
});

nightlyTest('the next start publishes events that could not be written, with the same numbers', async () => {
  await durable.apply('file', progress, liked(1));
  failOn(/"event"/);
  expect(await durable.unlike('1')).toBe(true);
  while (log.failed === undefined) await new Promise(setImmediate);
  const shown = (await log.read(0, 10)).map(({ event, seq }) => [event, seq]);
  expect(shown).toEqual([
    ['tweet.created', 1],
    ['tweet.unliked', 2],
  ]);
  jest.restoreAllMocks();
  await reopen();
  expect((await log.read(0, 10)).map(({ event, seq }) => [event, seq])).toEqual(shown);
});

nightlyTest('writes equal records of an import once, and the last of different ones', async () => {
  const community = (name: string): ArchiveRecord => ({ kind: 'community', community: { id: '7', name } });
  const outcomes = await durable.apply('file', progress, [
    community('a'),
    community('a'),
    community('b'),
    community('b'),
    community('a'),
  ]);
  expect(outcomes).toEqual(['added', 'unchanged', 'updated', 'unchanged', 'updated']);
  const { revision } = durable.archive;
  await reopen();
  expect([durable.archive.communities.get('7')?.name, durable.archive.revision]).toEqual(['a', revision]);
});

test('a clock that goes back keeps the order of events, and a removed like', async () => {
  await durable.apply('file', progress, liked(1));
  const { head } = log;
  clock -= 5 * 86_400_000;
  jest.spyOn(Date, 'now').mockReturnValue(Date.UTC(2025, 0, 1));
  await durable.unlike('1');
  await durable.apply('file', progress, liked(1));
  expect([durable.archive.liked('1'), likesOf('1')]).toEqual([false, 9]);
  await reopen();
  await durable.apply('file', progress, [...liked(1), ...liked(2)]);
  expect([durable.archive.liked('1'), likesOf('1')]).toEqual([false, 9]);
  expect([log.head, await delivered()]).toEqual([head + 2, ['tweet.created 1', 'tweet.unliked 1', 'tweet.created 2']]);
});
