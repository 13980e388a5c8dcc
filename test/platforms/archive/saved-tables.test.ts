/** The saved tables of a data directory: a start with them is the same as one without, whatever happened to them. */
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive, openArchiveSink } from '../../../server/platforms/archive/open-archive.ts';
import { codeFingerprint } from '../../../server/platforms/archive/code-fingerprint.ts';
import type { EventSink } from '../../../server/ports/event-sink.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { backUp } from '../../../server/storage/lowdb/backup.ts';
import { openLowdbStore, type LowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { savedFileOf } from '../../../server/storage/lowdb/saved-file.ts';
import { temporaryFolder } from '../../support/folder.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { until } from '../../support/until.ts';
import { answers, content, step } from './answers.ts';
import { world } from './arbitrary.ts';
import { MemoryEvents } from './memory-events.ts';
import { nightlyTest } from '../../support/nightly.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
});
afterEach(() => folder.dispose());

const progress = { values: 1, done: false };
const at = '2026-01-01T00:00:00.000Z';
const tweet = (id: number, text = `text${id}`): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(id), text, created_at: at, author_id: '1' },
});
const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const tweets = (from: number, to: number): ArchiveRecord[] => range(from, to).map((id) => tweet(id));

interface Opened {
  readonly durable: DurableArchive;
  readonly store: LowdbStore;
}

/** Opens the archive. A save in the background needs only one new record. */
async function withArchive<Result>(
  use: (opened: Opened) => Promise<Result> | Result,
  { events, save = {} }: { events?: EventSink; save?: object } = {},
): Promise<Result> {
  const store = await openLowdbStore(data, { segmentBytes: 20_000 });
  try {
    const durable = await openArchive(store, events, undefined, {}, { minRecords: 1, checkMs: 3_600_000, ...save });
    try {
      return await use({ durable, store });
    } finally {
      await durable.close();
    }
  } finally {
    await store.close();
  }
}

const apply = (durable: DurableArchive, records: ArchiveRecord[]) => durable.apply('file', progress, records);
const restoredSeq = (): Promise<number> => withArchive(({ durable }) => durable.restoredSeq);

/** What a start that replays the whole journal would hold. */
async function replayedContent(): Promise<string[]> {
  const copy = join(folder.path, 'copy');
  await cp(data, copy, { recursive: true });
  await rm(join(copy, 'tables'), { recursive: true, force: true });
  const store = await openLowdbStore(copy);
  const durable = await openArchive(store);
  expect(durable.restoredSeq).toBe(0);
  const replayed = content(durable.archive);
  await store.close();
  await rm(copy, { recursive: true });
  return replayed;
}

nightlyTest('a start with saved tables equals one without, after any changes, saves and restarts', async () => {
  const batch = fc.array(step, { maxLength: 30 });
  const property = fc.asyncProperty(fc.array(fc.tuple(batch, fc.boolean(), batch), { maxLength: 4 }), async (parts) => {
    data = join(folder.path, String(Math.random()));
    for (const [first, isSaved, second] of parts) {
      await withArchive(async ({ durable }) => {
        for (const records of [world, first, second]) {
          for (const each of records)
            if (each.kind === 'evict') await durable.evict(each);
            else await apply(durable, [each]);
          // A purge in the background, which an old deletion starts at once, refuses saves until its end.
          if (isSaved && records === first) await until(() => durable.saveTables());
        }
      });
      const whole = await replayedContent();
      await withArchive(async ({ durable: { archive } }) => {
        expect(content(archive)).toEqual(whole);
        expect(archive.revision).toBeGreaterThan(0);
        answers(archive);
      });
    }
    await rm(data, { recursive: true, force: true });
  });
  await fc.assert(property, { numRuns: rounds(40, 6) });
});

test('a start reads the tables and replays what is behind them, with the events that are not published', async () => {
  const events = new MemoryEvents();
  const atSave = await withArchive(
    async ({ durable, store }) => {
      await apply(durable, [...tweets(1, 100), { kind: 'user', user: { id: '1', username: 'ann' } }]);
      expect(await durable.saveTables()).toBe(true);
      const { lastSeq } = store.journals.get('archive')!;
      await apply(durable, tweets(100, 120));
      return lastSeq;
    },
    { events, save: { minRecords: 1_000_000 } },
  );
  // As if the process had been killed before it published these.
  events.checkpoint = atSave;
  events.published.length = 0;
  await withArchive(
    ({ durable }) => {
      expect(durable.restoredSeq).toBe(atSave);
      expect(durable.archive.size).toBe(119);
      expect(durable.archive.index.frequency('text119')).toBe(1);
    },
    { events },
  );
  expect(events.published).toHaveLength(20);
});

nightlyTest('tables that are newer than the event log are not used', async () => {
  const events = new MemoryEvents();
  await withArchive(({ durable }) => apply(durable, tweets(1, 10)), { events });
  expect((await readdir(join(data, 'tables'))).length).toBe(1);
  events.checkpoint = 3;
  events.published.length = 0;
  await withArchive(({ durable }) => expect(durable.restoredSeq).toBe(0), { events });
  expect(events.published).toHaveLength(6);
});

test('damaged tables, and those of another program or journal, are removed, and the journal is replayed', async () => {
  const file = join(data, 'tables', 'archive');
  await withArchive(async ({ durable }) => {
    await apply(durable, tweets(1, 50));
    await durable.saveTables();
  });
  const whole = await readFile(file);
  expect(await restoredSeq()).toBe(50);
  const damaged = Buffer.from(whole);
  damaged[5000] = damaged[5000]! ^ 1;
  const foreign = Buffer.from(
    whole.toString('latin1').replaceAll((await codeFingerprint())!, 'f'.repeat(32)),
    'latin1',
  );
  for (const bytes of [damaged, foreign, whole.subarray(0, 2000), Buffer.alloc(0)]) {
    await writeFile(file, bytes);
    await withArchive(({ durable }) => {
      expect([durable.restoredSeq, durable.archive.size]).toEqual([0, 49]);
    });
    expect(await readdir(join(data, 'tables'))).toEqual([]);
  }
  // The journal of an older backup.
  const other = join(folder.path, 'other');
  await rm(join(data, 'tables'), { recursive: true });
  await cp(data, other, { recursive: true });
  await withArchive(async ({ durable }) => {
    await apply(durable, tweets(50, 80));
    await durable.saveTables();
  });
  await cp(join(data, 'tables'), join(other, 'tables'), { recursive: true });
  data = other;
  await withArchive(({ durable }) => expect([durable.restoredSeq, durable.archive.size]).toEqual([0, 49]));
});

nightlyTest('a save waits for changes in progress, changes wait for the save, and reads go on', async () => {
  await withArchive(async ({ durable }) => {
    await apply(durable, [...tweets(1, 2100), { kind: 'like', tweet_id: '7' }]);
    // An unlike is in the journal at once; what an import adds, the archive first compares with what it has.
    const before = durable.unlike('7');
    const saving = durable.saveTables();
    const behind = apply(durable, tweets(2100, 2200));
    let turns = 0;
    let isSaved = false;
    void saving.then(() => (isSaved = true));
    await before;
    while (!isSaved) {
      turns++;
      expect([durable.archive.size, durable.archive.liked('7')]).toEqual([2099, false]);
      expect(durable.archive.index.frequency('text7')).toBe(1);
      await new Promise(setImmediate);
    }
    expect(turns).toBeGreaterThan(3);
    await behind;
    expect(durable.archive.size).toBe(2199);
  });
  await withArchive(({ durable }) => {
    expect(durable.restoredSeq).toBeGreaterThan(2000);
    expect(durable.restoredSeq).toBeLessThan(2200);
    expect(durable.archive.size).toBe(2199);
  });
});

nightlyTest('a stop saves the tables where enough is new, and a quiet archive is saved by itself', async () => {
  const events = new MemoryEvents();
  await withArchive(({ durable }) => apply(durable, tweets(1, 20)), { events, save: { minRecords: 100 } });
  expect(await restoredSeq()).toBe(0);
  await withArchive(({ durable }) => apply(durable, tweets(20, 200)), { events, save: { minRecords: 100 } });
  expect(await restoredSeq()).toBeGreaterThan(200);
  const savedFile = join(data, 'tables', 'archive');
  const { mtimeMs } = await stat(savedFile);
  await withArchive(
    async ({ durable }) => {
      await apply(durable, tweets(200, 400));
      while ((await stat(savedFile)).mtimeMs === mtimeMs) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    { events, save: { minRecords: 100, quietMs: 1, checkMs: 1 } },
  );
  expect(await restoredSeq()).toBeGreaterThan(400);
});

nightlyTest(
  'an import without a server saves the tables if enough is new; it publishes its events where a server has begun the log',
  async () => {
    const imported = async (records: ArchiveRecord[], events: MemoryEvents, minRecords = 10): Promise<void> => {
      const { sink, close } = await openArchiveSink(await openLowdbStore(data), async () => events, {
        save: { minRecords },
      });
      await sink.apply(String(records.length), { values: records.length, done: true }, records);
      await close();
    };
    const started = (events: EventSink): Promise<[number, number]> =>
      withArchive(({ durable }) => [durable.restoredSeq, durable.archive.size], { events, save: { minRecords: 1000 } });
    const events = new MemoryEvents();
    await imported(tweets(1, 10), events, 100);
    expect(await started(events)).toEqual([0, 9]);

    // Without a log, no events: the service begins with these tweets.
    await rm(data, { recursive: true });
    const later = new MemoryEvents();
    await imported(tweets(1, 10), later);
    await imported(tweets(10, 30), later);
    await imported(tweets(30, 32), later);
    expect(await started(later)).toEqual([31, 31]);
    expect(await started(later)).toEqual([31, 31]);
    expect(later.published).toEqual([]);

    await imported(tweets(32, 60), later);
    const ids = range(32, 60).map((id) => ({ event: 'tweet.created', id: String(id) }));
    expect(later.published).toMatchObject(ids);
    expect(await started(later)).toEqual([63, 59]);
    expect(later.published).toHaveLength(ids.length);
  },
);

nightlyTest('a failed save leaves the archive as it is, and is reported', async () => {
  const events = new MemoryEvents();
  const failures: unknown[] = [];
  await withArchive(
    async ({ durable }) => {
      await apply(durable, tweets(20, 30));
      await writeFile(join(data, 'tables'), 'a file in the place of the folder');
      await expect(durable.saveTables()).rejects.toThrow(StoreError);
      await apply(durable, tweets(1, 20));
      expect(durable.archive.size).toBe(29);
    },
    { events, save: { onFailed: (error: unknown) => void failures.push(error) } },
  );
  expect(failures).toHaveLength(1);
  expect(await restoredSeq()).toBe(0);
});

/** Whether a file below a folder contains a text. */
async function holds(directory: string, text: string): Promise<boolean> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true }))
    if (entry.isFile() && (await readFile(join(entry.parentPath, entry.name))).includes(text)) return true;
  return false;
}

nightlyTest('a purge removes the tables with removed texts; those saved later hold no word of them', async () => {
  await withArchive(async ({ durable }) => {
    await apply(durable, [
      ...range(1, 300).map((id) => tweet(id, id % 3 === 0 ? `unspeakable${id} text` : `public${id} text`)),
      { kind: 'user', user: { id: '7', username: 'formername', name: 'Formerly Known' } },
    ]);
    await durable.saveTables();
    expect(await holds(join(data, 'tables'), 'unspeakable')).toBe(true);
    await apply(durable, [
      ...range(1, 100).map((id): ArchiveRecord => ({ kind: 'delete', tweet_id: String(id * 3) })),
      { kind: 'withdraw', user_id: '7' },
    ]);
    await durable.purge();
    expect(await holds(data, 'unspeakable')).toBe(false);
    expect(await durable.saveTables()).toBe(true);
    for (const word of ['unspeakable', 'formername', 'formerly']) expect(await holds(data, word)).toBe(false);
    expect(await holds(join(data, 'tables'), 'public1')).toBe(true);
    expect(await replayedContent()).toEqual(content(durable.archive));
  });
  await withArchive(({ durable }) => {
    expect(durable.restoredSeq).toBeGreaterThan(0);
    expect([durable.archive.size, durable.archive.isRemoved('3')]).toEqual([200, true]);
    expect(durable.purgeableSince).toBeUndefined();
  });
});

nightlyTest('after a purge the tables are saved again soon', async () => {
  const events = new MemoryEvents();
  await withArchive(
    async ({ durable }) => {
      await apply(durable, tweets(1, 200));
      await durable.saveTables();
      await apply(durable, [{ kind: 'delete', tweet_id: '5' }]);
      await durable.purge();
      while ((await readdir(join(data, 'tables'))).length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    },
    { events, save: { quietMs: 3_600_000, checkMs: 1 } },
  );
  expect(await restoredSeq()).toBeGreaterThan(0);
});

nightlyTest('after a purge, a save that takes long is not repeated at once', async () => {
  const events = new MemoryEvents();
  let calls = 0;
  let passedMs = 0;
  const now = performance.now.bind(performance);
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => (calls++, now() + passedMs));
  try {
    await withArchive(
      async ({ durable }) => {
        await apply(durable, tweets(1, 200));
        // The time passes while the save settles what was published.
        Object.defineProperty(events, 'failed', { configurable: true, get: () => void (passedMs += 1_000_000) });
        await durable.saveTables();
        Object.defineProperty(events, 'failed', { value: undefined });
        await apply(durable, [{ kind: 'delete', tweet_id: '5' }]);
        await durable.purge();
        const before = calls;
        await until(() => calls > before + 50);
        expect(await readdir(join(data, 'tables'))).toEqual([]);
        passedMs += 20 * passedMs;
        await until(async () => (await readdir(join(data, 'tables'))).length > 0);
      },
      { events, save: { quietMs: 1, checkMs: 1, minRecords: 100 } },
    );
  } finally {
    clock.mockRestore();
  }
});

nightlyTest('a backup leaves the tables out', async () => {
  await withArchive(async ({ durable }) => {
    await apply(durable, tweets(1, 50));
    await durable.saveTables();
    await backUp(data, join(folder.path, 'backup'));
  });
  expect(await readdir(join(folder.path, 'backup'))).not.toContain('tables');
  data = join(folder.path, 'backup');
  await withArchive(({ durable }) => expect([durable.restoredSeq, durable.archive.size]).toEqual([0, 49]));
});

nightlyTest('a record that cannot be applied stays set aside, before and behind the saved tables', async () => {
  const bad = JSON.stringify({ kind: 'tweet', tweet: { id: 'x' } });
  await withArchive(async ({ durable, store }) => {
    await apply(durable, tweets(1, 20));
    await store.journals.get('archive')!.append([bad]);
    await apply(durable, tweets(20, 30));
    expect(await durable.saveTables()).toBe(true);
  });
  // The first start after the save finds the place of the record by a replay.
  await withArchive(async ({ durable }) => {
    expect([durable.restoredSeq, durable.archive.size, durable.setAside.length]).toEqual([0, 29, 1]);
    expect(await durable.saveTables()).toBe(true);
  });
  await withArchive(async ({ durable, store }) => {
    expect(durable.restoredSeq).toBeGreaterThan(0);
    await store.journals.get('archive')!.append([bad]);
  });
  await withArchive(({ durable }) => {
    expect([durable.archive.size, durable.setAside.length]).toEqual([29, 2]);
  });
});

nightlyTest('the rewrite of a journal with much history removes the tables', async () => {
  const saved = savedFileOf(data, 'archive');
  await withArchive(async ({ durable, store }) => {
    await apply(durable, tweets(1, 20));
    const journal = store.journals.get('archive')!;
    const line = JSON.stringify({ kind: 'import', fingerprint: 'x', progress });
    for (let round = 0; round < 26; round++) await journal.append(Array.from({ length: 4000 }, () => line));
    expect(await durable.saveTables()).toBe(true);
  });
  await withArchive(({ durable }) => expect([durable.restoredSeq > 0, durable.archive.size]).toEqual([true, 19]));
  expect(await saved.read(async () => {})).toBe('none');
  await withArchive(({ durable }) => expect([durable.restoredSeq, durable.archive.size]).toEqual([0, 19]));
});
