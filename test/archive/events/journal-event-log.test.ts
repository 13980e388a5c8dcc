/** The epochs of the event log after a loss or a restore, and which events it keeps, reads and removes. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { openEventLog, type JournalEventLog } from '../../../server/archive/events/journal-event-log.ts';
import type { NewEvent } from '../../../server/ports/event-log.ts';
import type { Journal, JournalFollower, Store } from '../../../server/ports/storage.ts';
import { emptyDisk, memoryStore, type Disk } from '../../ports/reference/store.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { SharedDocuments } from '../../support/shared-document.ts';

const day = 86_400_000;
const created = (count: number, from = 1): NewEvent[] =>
  Array.from({ length: count }, (_, place) => ({ event: 'tweet.created', id: String(from + place) }));
const seqs = async (log: JournalEventLog, after: number, limit: number): Promise<number[]> =>
  (await log.read(after, limit)).map(({ seq }) => seq);

/** A store whose journal does more than that of the reference. */
function storeOn(
  disk: Disk,
  more: Partial<Store>,
  ofJournal: (journal: Journal) => Partial<Journal> = () => ({}),
): Store {
  const store = memoryStore(disk, {});
  const open = store.journal.bind(store);
  const journal = async (name: string): Promise<Journal> => {
    const opened = await open(name);
    return Object.assign(opened, ofJournal(opened));
  };
  return Object.assign(store, { journal, ...more });
}

describe('a database that lost its last events', () => {
  let disk: Disk;
  let documents: SharedDocuments;
  /** The last event that the database has kept. */
  let kept: () => Promise<number | undefined>;
  const open = (): Promise<JournalEventLog> => {
    const document: Store['document'] = (name, initial) => documents.document(name, initial);
    return openEventLog(
      storeOn(disk, { document }, () => ({ lastKept: () => kept() })),
      { ageMs: day, events: 100 },
    );
  };
  const lose = async (log: JournalEventLog, upTo: number): Promise<void> => {
    kept = async () => upTo;
    await log.renewEpoch();
    log.takeEpoch();
  };
  beforeEach(() => void ([disk, documents] = [emptyDisk(), new SharedDocuments()]));

  test('has another epoch for the next events; readers of the one before go on with what is kept', async () => {
    const log = await open();
    const first = log.epoch;
    await log.append(created(3));
    await lose(log, 2);
    const second = log.epoch;
    expect(second).not.toBe(first);
    expect([1, 2, 3].map(log.epochAt)).toEqual([first, first, second]);
    expect([first, second, 'other'].map(log.lastOf)).toEqual([2, undefined, undefined]);
    await log.append(created(2));
    await lose(log, 4);
    expect([2, 3, 4, 5].map(log.epochAt)).toEqual([first, second, second, log.epoch]);
    const reopened = await open();
    expect([reopened.epoch, reopened.lastOf(first), reopened.lastOf(second)]).toEqual([log.epoch, 2, 4]);
    await lose(log, 1);
    expect([first, second].map(log.lastOf)).toEqual([1, 1]);
  });

  test.each<[string, () => Promise<number | undefined>]>([
    ['lost all of them', async () => 0],
    ['cannot tell what it has kept', async () => undefined],
    ['cannot be asked', () => Promise.reject(new Error('the connection was lost'))],
  ])('that %s has nothing in common with the epochs before', async (_what, answer) => {
    const log = await open();
    const first = log.epoch;
    await log.append(created(3));
    kept = answer;
    await log.renewEpoch();
    log.takeEpoch();
    expect([log.epoch === first, log.lastOf(first), log.epochAt(1)]).toEqual([false, undefined, log.epoch]);
  });

  test('keeps the last 20 epochs', async () => {
    const log = await open();
    const epochs: string[] = [];
    for (let seq = 1; seq <= 22; seq++) {
      epochs.push(log.epoch);
      await lose(log, seq);
    }
    expect(epochs.map(log.lastOf)).toEqual([undefined, undefined, ...Array.from({ length: 20 }, (_, n) => n + 3)]);
  });

  test('has one new epoch for all processes, each of which learns of it', async () => {
    const [log, other] = [await open(), await open()];
    const first = log.epoch;
    let calls = 0;
    other.onNewEpoch(() => calls++);
    await (await documents.document('events/log', {})).update(() => {});
    expect(calls).toBe(0);
    kept = async () => 1;
    await log.renewEpoch();
    expect([calls, other.epoch]).toEqual([1, first]);
    log.takeEpoch();
    await other.renewEpoch();
    other.takeEpoch();
    expect([log.epoch === first, other.epoch, other.lastOf(first)]).toEqual([false, log.epoch, 1]);
  });

  test('does not use the epochs that a version without them has left', async () => {
    const state = { epoch: 'new', former: [{ epoch: 'old', last: 5 }], former_of: 'before' };
    await documents.document('events/log', state);
    expect((await open()).lastOf('old')).toBeUndefined();
  });
});

describe('a log in a file of its own archive', () => {
  const open = (disk: Disk, more: Partial<Store> = {}): Promise<JournalEventLog> =>
    openEventLog(storeOn(disk, { hasArchive: true, ...more }), { ageMs: day, events: 100 });
  /** The file as it was, with the documents of now. */
  const restored = ({ documents }: Disk, { journals }: Disk): Disk => ({ documents, journals });
  let disk: Disk;
  let log: JournalEventLog;
  beforeEach(async () => {
    disk = emptyDisk();
    log = await open(disk);
    await log.append(created(3));
  });
  afterEach(() => void jest.restoreAllMocks());

  test('has another epoch after an older file was restored, because its next numbers were given before', async () => {
    const older = structuredClone(disk);
    await log.append(created(1));
    await log.saveHead();
    const again = await open(disk);
    expect(again.epoch).toBe(log.epoch);
    const fromOlder = restored(disk, older);
    const after = await open(fromOlder);
    expect([after.head, after.epoch === log.epoch]).toEqual([3, false]);
    expect((await open(fromOlder)).epoch).toBe(after.epoch);
  });

  test('has another epoch once in a copy of the data', async () => {
    let ended = 0;
    const copy = await open(disk, { endCopy: async () => void ended++ });
    expect([copy.epoch === log.epoch, ended]).toEqual([false, 1]);
    expect((await open(disk)).epoch).toBe(copy.epoch);
  });

  test('has the same epoch where the file belongs to no archive, or to several processes', async () => {
    const older = structuredClone(disk);
    await log.append(created(1));
    await log.saveHead();
    for (const more of [{ hasArchive: false }, { shared: true }])
      expect((await open(restored(disk, older), more)).epoch).toBe(log.epoch);
  });

  test('stores the number that readers have got after a minute', async () => {
    const stored = (of: Disk): unknown => (JSON.parse(of.documents.get('events/log')!) as { head?: number }).head;
    const timers = holdTimers(60_000);
    const [own, other] = [emptyDisk(), emptyDisk()];
    log = await open(own);
    for (const head of [4, 8]) {
      await log.append(created(2));
      await log.append(created(2));
      expect(stored(own)).toBe(head === 4 ? undefined : 4);
      timers.end();
      await turn();
      expect(stored(own)).toBe(head);
    }
    // Of another log, the database itself has the number.
    log = await open(other, { hasArchive: false });
    await log.append(created(2));
    await log.saveHead();
    expect(stored(other)).toBeUndefined();
  });
});

describe('the events of a log', () => {
  let now: number;
  let disk: Disk;
  const open = (events: number): Promise<JournalEventLog> =>
    openEventLog(memoryStore(disk), { ageMs: day, events }, () => now);
  beforeEach(() => void ([now, disk] = [day, emptyDisk()]));

  test('are read in order, whether they are in memory or only in the journal', async () => {
    const log = await open(1_000_000);
    await log.append(created(20_000));
    for (const after of [0, 11_806, 11_807, 11_808, 19_998])
      expect(await seqs(log, after, 2)).toEqual([after + 1, after + 2]);
    expect([await seqs(log, 19_999, 9), await seqs(log, 20_000, 9)]).toEqual([[20_000], []]);
    const again = await open(1_000_000);
    expect([again.head, again.floor]).toEqual([20_000, 0]);
    for (const after of [0, 18_999, 19_000]) expect(await seqs(again, after, 2)).toEqual([after + 1, after + 2]);
  });

  test('of a change that this process does not know yet are not read, also from the journal', async () => {
    let journal: Journal | undefined;
    const store = storeOn(disk, {}, (opened) => ((journal = opened), {}));
    const log = await openEventLog(store, { ageMs: day, events: 1_000_000 }, () => now);
    await log.append(created(20_000));
    await journal?.append([JSON.stringify({ event: 'tweet.created', id: '1', at: now, change: 5 })]);
    expect([log.head, (await seqs(log, 5, 30_000)).at(-1)]).toEqual([20_000, 20_000]);
    log.applied(5);
    expect([log.head, (await seqs(log, 5, 30_000)).at(-1)]).toEqual([20_001, 20_001]);
  });

  test('beyond the number that is retained are not read, and leave the journal in large parts', async () => {
    const log = await open(1_000);
    const firstStored = (): number => disk.journals.get('events')!.firstSeq;
    await log.append(created(20_999));
    expect([log.floor, firstStored()]).toEqual([19_999, 1]);
    await log.append(created(1));
    expect([log.floor, firstStored()]).toEqual([20_000, 20_001]);
    expect(await seqs(log, 0, 2)).toEqual([20_001, 20_002]);
  });

  test('that are older than the retention are not read, also behind a start that has them only in the journal', async () => {
    let log = await open(1_000_000);
    await log.append(created(500));
    now += day / 2;
    await log.append(created(1_500));
    // A start has the last 1,000 of them in memory.
    const early = await open(1_000_000);
    now += day / 2;
    expect(log.floor).toBe(0);
    now++;
    expect(log.floor).toBe(500);
    expect(early.floor).toBe(0);
    await turn();
    expect([early.floor, await seqs(early, 0, 1)]).toEqual([500, [501]]);
    log = await open(1_000_000);
    expect([log.floor, await seqs(log, 0, 1)]).toEqual([500, [501]]);
    now += day / 2;
    expect(log.floor).toBe(2_000);
    expect(await seqs(log, 0, 1)).toEqual([]);
  });

  test('that another process has removed before they were read leave a gap', async () => {
    let follower: JournalFollower | undefined;
    const store = storeOn(disk, {}, () => ({ follow: (given) => void (follower = given) }));
    const log = await openEventLog(store, { ageMs: day, events: 100 }, () => now);
    const line = (id: number): string => JSON.stringify({ event: 'tweet.created', id: String(id), at: now });
    follower?.apply([line(1)], 1);
    follower?.apply([line(8), line(9)], 8);
    expect([log.head, log.floor, await seqs(log, 0, 5)]).toEqual([9, 7, [8, 9]]);
    follower?.apply([line(10)], 10);
    expect(await seqs(log, 8, 5)).toEqual([9, 10]);
  });
});
