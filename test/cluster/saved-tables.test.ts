/** The saved tables of an instance: a start with them is the same as one without, whatever others did. `TEST_PG=1 npm test -- cluster`. */
import { textOf } from '../support/statement-text.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir, readdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeFingerprint } from '../../server/platforms/archive/code-fingerprint.ts';
import type { DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import type { SaveOptions } from '../../server/platforms/archive/saved-tables.ts';
import type { EventSink } from '../../server/ports/event-sink.ts';
import type { Journal } from '../../server/ports/storage.ts';
import { savedFileOf } from '../../server/storage/lowdb/saved-file.ts';
import { openPostgresStore, type PostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import { answers, content, step } from '../platforms/archive/answers.ts';
import { world } from '../platforms/archive/arbitrary.ts';
import { MemoryEvents } from '../platforms/archive/memory-events.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';
import { until } from '../support/until.ts';
import { openCluster, type Instance } from './instances.ts';
import { apply, remove, replayed, tweet, tweets } from './saved-records.ts';

/** Whether a file below a folder contains a text. */
async function holds(folder: string, text: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    // A file can be replaced meanwhile.
    const bytes = await readFile(join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0));
    if (bytes.includes(text)) return true;
  }
  return false;
}

/** The tests need a database. */
const withDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

withDatabase('the saved tables of an instance', () => {
  let storage: PostgresStorage;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  const running = new Set<Opened>();
  beforeEach(async () => {
    storage = await postgresStorage();
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    for (const each of running) await each.stop();
    await storage.dispose();
    await folder.dispose();
  });

  interface Opened {
    readonly store: PostgresStore;
    readonly durable: DurableArchive;
    readonly journal: Journal;
    /** Why the start did not use the saved tables. */
    readonly ignored: readonly string[];
    stop(): Promise<void>;
  }

  const copyOf = (name: string): string => join(folder.path, name);
  const tablesOf = (name: string): string => join(copyOf(name), 'tables');
  const fileOf = (name: string): string => join(tablesOf(name), 'archive');

  /** Starts an instance with a folder. It saves its tables in the background only with other options. */
  async function start(
    name: string,
    { save = {}, events }: { readonly save?: SaveOptions; readonly events?: EventSink } = {},
    from = storage,
  ): Promise<Opened> {
    const store = await from.open({ copies: { folder: copyOf(name), logs: ['archive'] } });
    const ignored: string[] = [];
    const onIgnored = (reason: string): void => void ignored.push(reason);
    const options = { minRecords: 1, checkMs: 3_600_000, onIgnored, ...save };
    // Only the tests purge.
    const durable = await openArchive(store, events, undefined, { mayRun: () => false }, options);
    const opened: Opened = {
      ...{ store, durable, ignored, journal: store.journals.get('archive')! },
      async stop() {
        running.delete(opened);
        await durable.close();
        await store.close();
      },
    };
    running.add(opened);
    return opened;
  }

  test('a start reads the tables, and from the log only what is behind them', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 100));
    expect(await a.durable.saveTables()).toBe(true);
    const { lastSeq } = a.journal;
    await apply(a.durable, ...tweets(100, 110));
    const { firstSeq, bytes } = a.journal;
    await a.stop();
    const b = await start('b');
    await apply(b.durable, ...tweets(110, 120));
    const again = await start('a');
    expect([again.durable.restoredSeq, again.durable.archive.size, again.ignored]).toEqual([lastSeq, 119, []]);
    expect([again.journal.firstSeq, again.journal.lastSeq]).toEqual([firstSeq, b.journal.lastSeq]);
    expect(again.journal.bytes).toBe(b.journal.bytes);
    expect(again.journal.bytes).toBeGreaterThan(bytes);
    expect(content(again.durable.archive)).toEqual(await replayed(storage));
    // Records of others go on coming.
    await apply(b.durable, ...tweets(120, 130));
    await until(() => again.durable.archive.size === 129);
  });

  test('equal the log, after any changes of two instances, also while the tables are saved', async () => {
    const batch = fc.array(step, { minLength: 1, maxLength: 20 });
    const property = fc.asyncProperty(
      fc.array(fc.tuple(batch, batch), { minLength: 1, maxLength: 3 }),
      async (parts) => {
        const names = [`a${Math.random()}`, 'b'] as const;
        for (const [first, second] of parts) {
          const [a, b] = await Promise.all(names.map((name) => start(name)));
          const change = async (opened: Opened | undefined, records: typeof first): Promise<void> => {
            for (const each of records)
              if (each.kind === 'evict') await opened?.durable.evict(each);
              else if (opened !== undefined) await apply(opened.durable, each);
          };
          await change(a, world);
          const others = change(b, second);
          await change(a, first);
          // A purge in the background, which an old deletion starts at once, refuses saves until its end.
          await until(() => a?.durable.saveTables() ?? true);
          await others;
          await a?.stop();
          await b?.stop();
          const whole = await replayed(storage);
          const again = await start(names[0]);
          expect(content(again.durable.archive)).toEqual(whole);
          answers(again.durable.archive);
          await again.stop();
        }
      },
    );
    await fc.assert(property, { numRuns: rounds(30, 4) });
  });

  test('changes of others wait while the position is held, which is behind all that came before', async () => {
    const [a, b] = [await start('a'), await start('b')];
    await apply(a.durable, ...tweets(1, 20));
    await apply(b.durable, ...tweets(20, 40));
    const { lastSeq } = b.journal;
    const held = await a.journal.positions?.hold(async (position) => {
      const before = a.durable.archive.size;
      await apply(b.durable, ...tweets(40, 50));
      // The instance learns of the new records twice, and has turns to apply them.
      for (let round = 0; round < 2; round++) await a.store.poll();
      for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
      return [position?.seq, before, a.durable.archive.size];
    });
    expect(held).toEqual([lastSeq, 39, 39]);
    await until(() => a.durable.archive.size === 49);
    // The task's error is that of the call, and the work goes on.
    await expect(a.journal.positions?.hold(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await apply(a.durable, tweet(50));
    expect(a.durable.archive.size).toBe(50);
  });

  test('are not saved by an instance that is ahead of the database', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 20));
    await storage.admin.run({ text: 'DELETE FROM social_data.change WHERE seq > 10' });
    expect(await a.durable.saveTables()).toBe(false);
  });

  test.each(['before', 'after'] as const)(
    'hold no text of a purge that another instance makes just %s the position is read',
    async (moment) => {
      const [a, b] = [await start('a'), await start('b')];
      await apply(a.durable, ...tweets(1, 50), tweet(50, 'unspeakable words'));
      await until(() => b.durable.archive.size === 50);
      const { run } = b.store.database;
      const purge = async (): Promise<void> => {
        Object.assign(b.store.database, { run });
        await apply(a.durable, remove(50));
        await a.durable.purge();
      };
      const racing: typeof run = async (statement) => {
        const isMark = textOf(statement).includes('purge.stamp');
        if (isMark && moment === 'before') await purge();
        const rows = await run(statement);
        if (isMark && moment === 'after') await purge();
        return rows as never;
      };
      Object.assign(b.store.database, { run: racing });
      await b.durable.saveTables();
      expect(b.store.database.run).toBe(run);
      await b.store.poll();
      await until(async () => !(await holds(tablesOf('b'), 'unspeakable')));
      await until(() => b.durable.archive.size === 49);
      await b.stop();
      const again = await start('b');
      expect([again.durable.archive.size, await holds(tablesOf('b'), 'unspeakable')]).toEqual([49, false]);
    },
  );

  test('that are damaged, of another program, log or time are ignored, with one line, and the start is right', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50));
    await a.durable.saveTables();
    await apply(a.durable, ...tweets(50, 60));
    await a.stop();
    const whole = await readFile(fileOf('a'));
    const damaged = Buffer.from(whole);
    damaged[5000] = damaged[5000]! ^ 1;
    const expectIgnored = async (reason: RegExp, size = 59, from = storage): Promise<void> => {
      const opened = await start('a', {}, from);
      expect([opened.durable.restoredSeq, opened.durable.archive.size]).toEqual([0, size]);
      expect(opened.ignored).toEqual([expect.stringMatching(reason)]);
      expect(await readdir(tablesOf('a'))).toEqual([]);
      await opened.stop();
    };
    for (const bytes of [damaged, whole.subarray(0, 2000), Buffer.alloc(0)]) {
      await writeFile(fileOf('a'), bytes);
      await expectIgnored(/damaged/);
    }
    const write = (format: string, proof: string): Promise<boolean> =>
      savedFileOf(copyOf('a'), 'archive').write(
        { format, position: { seq: 50, proof }, records: 0, facts: {} },
        [],
        () => true,
      );
    await write('another', '{}');
    await expectIgnored(/another version/);
    // Of a data directory without a database.
    await write((await codeFingerprint()) ?? '', '{"before":[],"file":"x","bytes":1,"lines":1,"crc":1}');
    await expectIgnored(/another one/);
    // Another database.
    const other = await postgresStorage();
    await writeFile(fileOf('a'), whole);
    await expectIgnored(/another one/, 0, other);
    await other.dispose();
    // A copy of the database.
    const [database] = await storage.admin.run<{ id: string }>({ text: 'SELECT id FROM social_data.storage' });
    await storage.admin.run({ text: 'UPDATE social_data.storage SET id = gen_random_uuid()' });
    await writeFile(fileOf('a'), whole);
    await expectIgnored(/another one/);
    await storage.admin.run({ text: 'UPDATE social_data.storage SET id = $1', params: [database?.id ?? ''] });
    // The database was restored to a time before the tables, and has gone on from there.
    await storage.admin.run({ text: 'DELETE FROM social_data.change WHERE seq > 20' });
    const text = `UPDATE social_data.change SET chain = sha256('x') WHERE seq = 20`;
    await storage.admin.run({ text });
    await writeFile(fileOf('a'), whole);
    await expectIgnored(/another one/, 20);
    const b = await start('b');
    await apply(b.durable, ...tweets(30, 80));
    await b.stop();
    await writeFile(fileOf('a'), whole);
    await expectIgnored(/another one/, 70);
  });

  test('are removed with a purge by another instance, also one that was made while this one was away', async () => {
    const a = await start('a');
    const events = new MemoryEvents();
    const b = await start('b', { events, save: { checkMs: 1, quietMs: 3_600_000 } });
    await apply(a.durable, ...tweets(1, 50), tweet(50, 'unspeakable words'), tweet(51, 'indecent words'));
    await until(() => b.durable.archive.size === 51);
    expect(await b.durable.saveTables()).toBe(true);
    expect(await holds(tablesOf('b'), 'unspeakable')).toBe(true);
    await apply(a.durable, remove(50));
    await a.durable.purge();
    await until(async () => !(await holds(tablesOf('b'), 'unspeakable')));
    // They are saved again, without a word of it.
    await until(async () => (await readdir(tablesOf('b'))).includes('archive'));
    expect(await holds(tablesOf('b'), 'unspeakable')).toBe(false);
    await b.stop();
    expect(await holds(tablesOf('b'), 'indecent')).toBe(true);
    await apply(a.durable, remove(51));
    await a.durable.purge();
    const again = await start('b');
    expect(again.ignored).toEqual([expect.stringMatching(/a purge has removed records/)]);
    expect([again.durable.restoredSeq, again.durable.archive.size]).toEqual([0, 49]);
    expect(await holds(copyOf('b'), 'indecent')).toBe(false);
  });

  test('of a time when this instance did not know a removal are not used after the purge of it', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50), tweet(50, 'unspeakable words'));
    const b = await start('b');
    await b.durable.saveTables();
    await b.stop();
    const before = await readFile(fileOf('b'));
    await apply(a.durable, remove(50));
    await a.durable.purge();
    const later = await start('b');
    // The purge was before this start: what it saves now has no word of the tweet.
    expect(await later.durable.saveTables()).toBe(true);
    expect(await holds(tablesOf('b'), 'unspeakable')).toBe(false);
    await later.stop();
    await writeFile(fileOf('b'), before);
    const again = await start('b');
    expect(again.ignored).toHaveLength(1);
    expect(await holds(copyOf('b'), 'unspeakable')).toBe(false);
  });

  test('whose removal fails are removed again and again, and the failures are reported', async () => {
    const failures: unknown[] = [];
    const a = await start('a');
    const save = { minRecords: 1_000_000, checkMs: 1, onFailed: (error: unknown) => void failures.push(error) };
    const b = await start('b', { events: new MemoryEvents(), save });
    await apply(a.durable, ...tweets(1, 50), tweet(50, 'unspeakable words'));
    await until(() => b.durable.archive.size === 50);
    await b.durable.saveTables();
    // A folder in the place of the file cannot be removed like a file.
    await rm(fileOf('b'));
    await mkdir(fileOf('b'));
    await apply(a.durable, remove(50));
    await a.durable.purge();
    await until(() => failures.length > 2);
    await rmdir(fileOf('b'));
    await until(() => b.durable.saveTables());
    expect(await holds(tablesOf('b'), 'unspeakable')).toBe(false);
  });

  test('are used without the copy of the log, which is then built again', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50));
    await a.durable.saveTables();
    await apply(a.durable, ...tweets(50, 60));
    const { bytes } = a.journal;
    await a.stop();
    const log = join(copyOf('a'), 'archive');
    for (const name of await readdir(log)) if (name.endsWith('.rows')) await rm(join(log, name));
    const again = await start('a');
    expect([again.durable.restoredSeq > 0, again.durable.archive.size]).toEqual([true, 59]);
    expect(again.journal.bytes).toBe(bytes);
    await again.stop();
    // Other texts with the same chains show where the records come from.
    await storage.admin.run({ text: `UPDATE social_data.change SET record = '{"of":"the database"}'` });
    await rm(tablesOf('a'), { recursive: true });
    const copied = await start('a');
    expect([copied.durable.restoredSeq, copied.durable.archive.size]).toEqual([0, 59]);
  });

  test('are newer than the published events after a kill: then the log is replayed, and no event is missing', async () => {
    const events = new MemoryEvents();
    const a = await start('a', { events });
    await apply(a.durable, ...tweets(1, 10));
    expect(await a.durable.saveTables()).toBe(true);
    await a.stop();
    events.checkpoint = 3;
    events.published.length = 0;
    const again = await start('a', { events });
    expect([again.durable.restoredSeq, again.ignored]).toEqual([0, ['the event log is older']]);
    expect(events.published).toHaveLength(6);
  });

  test('stay on the disk when the database cannot be asked', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50));
    await a.durable.saveTables();
    await a.stop();
    const store = await storage.open({ copies: { folder: copyOf('a'), logs: ['archive'] } });
    await storage.admin.script('ALTER TABLE social_data.purge RENAME TO away');
    await expect(openArchive(store)).rejects.toMatchObject({ name: 'StoreError' });
    await storage.admin.script('ALTER TABLE social_data.away RENAME TO purge');
    await store.close();
    const again = await start('a');
    expect([again.durable.restoredSeq > 0, again.durable.archive.size]).toEqual([true, 49]);
  });
});

withDatabase('an instance', () => {
  test('saves its tables when it stops, and starts with them', async () => {
    const [cluster, folder] = [await openCluster(), await temporaryFolder()];
    try {
      const start = (): Promise<Instance> => cluster.start({ DATA_DIR: folder.path });
      const found = async (instance: Instance, query: string): Promise<number> => {
        const response = await instance.request(`/social/tweet/advanced_search?query=${query}`);
        return ((await response.json()) as { tweets: unknown[] }).tweets.length;
      };
      const first = await start();
      const store = await openPostgresStore({ url: cluster.databaseUrl });
      const elsewhere = await openArchive(store);
      await apply(elsewhere, ...tweets(1, 5_100));
      await until(async () => (await found(first, 'text5099')) === 1);
      await first.stop();
      expect(await readdir(join(folder.path, 'copy', 'tables'))).toEqual(['archive']);
      await apply(elsewhere, tweet(5_100));
      await store.close();
      // A start that reads the log behind the tables only does not see this text.
      const admin = cluster.storage.admin;
      await admin.run({
        text: `UPDATE social_data.change SET record = replace(record, 'text77"', 'other"') WHERE seq < 100`,
      });
      await rm(join(folder.path, 'copy', 'archive'), { recursive: true });
      const again = await start();
      expect(await Promise.all(['text77', 'text5100', 'other'].map((query) => found(again, query)))).toEqual([1, 1, 0]);
      await again.stop();
    } finally {
      await cluster.stop();
      await folder.dispose();
    }
  });
});
