/** The snapshot of the saved tables in the database: a start with it is the same as one that reads the log. `TEST_PG=1 npm test -- cluster`. */
import { textOf } from '../support/statement-text.ts';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { readConfig } from '../../server/config/config.ts';
import type { DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import type { SavedAbout } from '../../server/ports/storage.ts';
import { openEventLog } from '../../server/realtime/journal-event-log.ts';
import type { SavedBytes } from '../../server/storage/lowdb/saved-file.ts';
import { openStorage } from '../../server/storage/open-storage.ts';
import type { PostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import { SnapshotWriter, type SnapshotWriterOptions } from '../../server/storage/postgres/snapshot-writer.ts';
import { TablesSnapshot } from '../../server/storage/postgres/tables-snapshot.ts';
import { measureStore } from '../../server/storage/storage-metrics.ts';
import { content } from '../platforms/archive/answers.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';
import { openCluster } from './instances.ts';
import { apply, remove, replayed, tweet, tweets } from './saved-records.ts';

/** A file of the tests has several of these. */
const pieceBytes = 4096;
const always = async (): Promise<boolean> => true;

/** Whether a file below a folder contains a text. */
async function holds(folder: string, text: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
  return contents.some((bytes) => bytes.includes(text));
}

/** The tests need a database. */
const withDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

withDatabase('the snapshot of the tables', () => {
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
    /** Why the start did not use saved tables, and the sizes of the snapshots that it fetched. */
    readonly ignored: readonly string[];
    readonly fetched: readonly number[];
    stop(): Promise<void>;
  }

  const copyOf = (name: string): string => join(folder.path, name);
  const tablesOf = (name: string): string => join(copyOf(name), 'tables');

  /** Starts an instance with a folder, which saves its tables only when a test does. */
  async function start(name: string, onStore: (store: PostgresStore) => void = () => {}): Promise<Opened> {
    const fetched: number[] = [];
    const ignored: string[] = [];
    const store = await storage.open({
      copies: { folder: copyOf(name), logs: ['archive'] },
      onFetched: (_, { bytes }) => void fetched.push(bytes),
    });
    onStore(store);
    const options = { minRecords: 1, checkMs: 3_600_000, onIgnored: (reason: string) => void ignored.push(reason) };
    const durable = await openArchive(store, undefined, undefined, { mayRun: () => false }, options);
    const opened: Opened = {
      ...{ store, durable, ignored, fetched },
      async stop() {
        running.delete(opened);
        await durable.close();
        await store.close();
      },
    };
    running.add(opened);
    return opened;
  }

  const snapshotOf = ({ store }: Opened): TablesSnapshot =>
    new TablesSnapshot('archive', store.database.run, pieceBytes);

  /** The saved tables of an instance. */
  async function bytesOf({ store }: Opened): Promise<SavedBytes> {
    const bytes = await store.saved?.('archive').openBytes();
    if (bytes === undefined) throw new Error('there are no saved tables');
    return bytes;
  }

  /** Saves the tables of an instance, and writes them as the snapshot. Returns whether it was written. */
  async function share(opened: Opened, pause = always): Promise<boolean> {
    await opened.durable.saveTables();
    const bytes = await bytesOf(opened);
    try {
      return await snapshotOf(opened).write(bytes, pause);
    } finally {
      await bytes.handle.close();
    }
  }

  async function count(text: string): Promise<number> {
    const [row] = await storage.admin.run<{ n: string }>({ text: `SELECT count(*) AS n FROM ${text}` });
    return Number(row?.n);
  }
  const chunks = (): Promise<number> => count('social_data.snapshot_chunk');
  const snapshots = (): Promise<number> => count('social_data.snapshot');
  const change = (text: string): Promise<unknown> => storage.admin.run({ text });

  const writerOf = (opened: Opened, options: SnapshotWriterOptions = {}, mayRun = (): boolean => true) =>
    new SnapshotWriter({ snapshot: snapshotOf(opened), file: opened.store.saved?.('archive'), mayRun }, options);

  test('is what an instance without local files starts with, and it reads from the log what is behind it', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 200));
    expect(await share(a)).toBe(true);
    expect(await chunks()).toBeGreaterThan(2);
    const restored = a.store.journals.get('archive')?.lastSeq;
    const { size } = await stat(join(tablesOf('a'), 'archive'));
    await apply(a.durable, ...tweets(200, 210), remove(3));
    const whole = await replayed(storage);
    // A start that reads all of the log does not see this text.
    await change(`UPDATE social_data.change SET record = replace(record, 'text77"', 'other"') WHERE seq < 150`);
    const b = await start('b');
    expect([b.durable.restoredSeq, b.ignored, b.fetched]).toEqual([restored, [], [size]]);
    expect(content(b.durable.archive)).toEqual(whole);
    expect(b.durable.archive.index.frequency('text77')).toBe(1);
    // It has its own saved tables now, and gets the changes of others.
    expect(await readdir(tablesOf('b'))).toEqual(['archive']);
    await apply(a.durable, ...tweets(210, 220));
    await until(() => b.durable.archive.size === a.durable.archive.size);
    await b.stop();
    const again = await start('b');
    expect([again.durable.restoredSeq, again.fetched]).toEqual([restored, []]);
  });

  test('takes the place of local tables that cannot be used, and not of usable ones', async () => {
    const [a, b] = [await start('a'), await start('b')];
    await apply(a.durable, ...tweets(1, 50));
    await until(() => b.durable.archive.size === 49);
    await b.durable.saveTables();
    await b.stop();
    await apply(a.durable, tweet(50), remove(50));
    await a.durable.purge();
    expect(await share(a)).toBe(true);
    const again = await start('b');
    expect([again.durable.restoredSeq > 0, again.durable.archive.size, again.fetched.length]).toEqual([true, 49, 1]);
    expect(again.ignored).toEqual([]);
  });

  test('that is not whole, or of another program, log or time is ignored, with one line, and the start is right', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50));
    await share(a);
    await apply(a.durable, ...tweets(50, 60));
    await a.stop();
    await storage.admin.script(
      `CREATE TABLE social_data.kept AS SELECT * FROM social_data.snapshot;
      CREATE TABLE social_data.kept_chunk AS SELECT * FROM social_data.snapshot_chunk;`,
    );
    const expectIgnored = async (damage: string, reason: RegExp, size = 59): Promise<void> => {
      await storage.admin.script(
        `DELETE FROM social_data.snapshot;
        INSERT INTO social_data.snapshot SELECT * FROM social_data.kept;
        INSERT INTO social_data.snapshot_chunk SELECT * FROM social_data.kept_chunk; ${damage}`,
      );
      const b = await start('b');
      expect([b.durable.restoredSeq, b.durable.archive.size]).toEqual([0, size]);
      expect(b.ignored).toEqual([expect.stringMatching(reason)]);
      expect(b.ignored[0]).toMatch(/^those in the database: /);
      expect(await readdir(tablesOf('b')).catch(() => [])).toEqual([]);
      await b.stop();
      await rm(copyOf('b'), { recursive: true });
    };
    const [chunk, row] = ['social_data.snapshot_chunk', 'UPDATE social_data.snapshot SET'];
    await expectIgnored(`DELETE FROM ${chunk} WHERE n = 1`, /a part is missing/);
    await expectIgnored(
      `UPDATE ${chunk} SET data = set_byte(data, 100, get_byte(data, 100) # 1) WHERE n = 0`,
      /damaged/,
    );
    await expectIgnored(`UPDATE ${chunk} SET data = substr(data, 1, 50) WHERE n = 1`, /a part is damaged/);
    // Whole chunks in another order.
    await expectIgnored(
      `UPDATE ${chunk} SET n = 1 - n - 10 WHERE n < 2; UPDATE ${chunk} SET n = n + 10 WHERE n < 0`,
      /they are damaged/,
    );
    await expectIgnored(`${row} chunks = chunks - 1`, /they are damaged/);
    await expectIgnored(`${row} bytes = bytes + 1`, /they are damaged/);
    await expectIgnored(`${row} crc = crc # 1`, /they are damaged/);
    await expectIgnored(`${row} format = 2`, /another version/);
    for (const about of ['{', '{}', '{"format":"x","records":1,"facts":{},"position":{"seq":1}}'])
      await expectIgnored(`${row} about = '${about}'`, /their description is damaged/);
    const [kept] = await storage.admin.run<{ about: string }>({ text: 'SELECT about FROM social_data.kept' });
    const about = JSON.parse(kept?.about ?? '') as SavedAbout;
    const described = (changed: Partial<SavedAbout>): string =>
      `${row} about = '${JSON.stringify({ ...about, ...changed })}'`;
    await expectIgnored(described({ format: 'another' }), /another version/);
    await expectIgnored(described({ position: { seq: 50, proof: '{}' } }), /another one/);
    // A description of what the chunks are not: the file is checked again.
    const { chain } = JSON.parse(about.position.proof) as { chain: string };
    const moved = `UPDATE social_data.change SET chain = decode('${chain}', 'hex') WHERE chain IS NOT NULL AND seq > 55;
      UPDATE social_data.change SET chain = sha256('x') WHERE seq = ${about.position.seq}`;
    const [last] = await storage.admin.run<{ seq: string }>({
      text: 'SELECT max(seq) AS seq FROM social_data.change WHERE chain IS NOT NULL',
    });
    const position = { ...about.position, seq: Number(last?.seq) };
    await expectIgnored(`${moved}; ${described({ position })}`, /another one/);
    // The database was restored to a time before the snapshot.
    await expectIgnored('DELETE FROM social_data.change WHERE seq > 20', /another one/, 20);
  });

  test('has no text of a purge: it is gone with it, before another one is written', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50), tweet(50, 'unspeakable words'));
    await share(a);
    const before = await bytesOf(a);
    await apply(a.durable, remove(50));
    expect(await snapshots()).toBe(1);
    await a.durable.purge();
    expect([await snapshots(), await chunks()]).toEqual([0, 0]);
    // The purge has removed the chunks from the disk, too.
    await until(
      async () =>
        (await count(
          `pg_stat_user_tables WHERE relid = 'social_data.snapshot_chunk'::regclass AND vacuum_count > 0`,
        )) === 1,
    );
    // The tables from before it are not written again.
    expect(await snapshotOf(a).write(before, always)).toBe(false);
    expect([await snapshots(), await chunks()]).toEqual([0, 0]);
    await before.handle.close();
    expect(await share(a)).toBe(true);
    const b = await start('b');
    expect([b.durable.restoredSeq > 0, b.durable.archive.size]).toEqual([true, 49]);
    expect(await holds(copyOf('b'), 'unspeakable')).toBe(false);
  });

  test('that is written during a purge ends, and leaves nothing', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50), tweet(50, 'unspeakable words'));
    let written = 0;
    const isShared = share(a, async () => {
      if (written++ !== 1) return true;
      expect(await chunks()).toBe(1);
      await apply(a.durable, remove(50));
      await a.durable.purge();
      return true;
    });
    expect([await isShared, await snapshots(), await chunks()]).toEqual([false, 0, 0]);
    expect(written).toBe(2);
  });

  test('that a purge removes while a start reads it is ignored, and leaves nothing in the folder', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50), tweet(50, 'unspeakable words'));
    for (const [name, text, reason] of [
      ['b', 'WHERE snapshot = $1 AND n = $2', /a part is missing/],
      // After all chunks were read: the file is whole, and of a time before the purge.
      ['c', 'purge.stamp', /a purge has removed records/],
    ] as const) {
      await apply(a.durable, tweet(51, 'indecent words'));
      expect(await share(a)).toBe(true);
      let calls = 0;
      const b = await start(name, ({ database }) => {
        const { run } = database;
        const racing: typeof run = async (statement) => {
          if (textOf(statement).includes(text) && ++calls === 2) {
            await apply(a.durable, remove(51));
            await a.durable.purge();
          }
          return run(statement);
        };
        Object.assign(database, { run: racing });
      });
      expect([b.durable.restoredSeq, b.durable.archive.size]).toEqual([0, 50]);
      expect(b.ignored).toEqual([expect.stringMatching(reason)]);
      expect(await holds(copyOf(name), 'indecent')).toBe(false);
      await b.stop();
    }
  });

  test('that a killed process has begun is never used, and the next one takes its place', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 200));
    await a.durable.saveTables();
    const program = fileURLToPath(new URL('fixtures/uploading.ts', import.meta.url));
    const url = `${storage.url}?schema=${storage.schema}`;
    const child = spawn(process.execPath, [program, url, copyOf('a'), String(pieceBytes), '2'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    for await (const line of createInterface({ input: child.stdout })) if (line === '2') child.kill('SIGKILL');
    await closed;
    expect([await snapshots(), await chunks()]).toEqual([1, 2]);
    const b = await start('b');
    expect([b.durable.restoredSeq, b.durable.archive.size, b.ignored, b.fetched]).toEqual([0, 199, [], []]);
    expect(await share(a)).toBe(true);
    expect([
      await snapshots(),
      await count('social_data.snapshot_chunk WHERE snapshot IN (SELECT id FROM social_data.snapshot)'),
    ]).toEqual([1, await chunks()]);
    const c = await start('c');
    expect([c.durable.restoredSeq > 0, c.fetched.length]).toEqual([true, 1]);
  });

  test('of two instances that write at the same time is that of the last one to begin', async () => {
    const [a, b] = [await start('a'), await start('b')];
    await apply(a.durable, ...tweets(1, 100));
    await until(() => b.durable.archive.size === 99);
    const began = Promise.withResolvers<void>();
    const other = Promise.withResolvers<boolean>();
    const first = share(a, async () => {
      began.resolve();
      await other.promise;
      return true;
    });
    await began.promise;
    other.resolve(await share(b));
    expect([await other.promise, await first, await snapshots()]).toEqual([true, false, 1]);
    const c = await start('c');
    expect([c.durable.restoredSeq > 0, content(c.durable.archive)]).toEqual([true, await replayed(storage)]);
  });

  test.each([
    ['another instance has written one', 1],
    ['a chunk is missing', 0],
  ] as const)('does not end where %s meanwhile', async (what, left) => {
    const [a, b] = [await start('a'), await start('b')];
    await apply(a.durable, ...tweets(1, 100));
    await until(() => b.durable.archive.size === 99);
    const { database } = a.store;
    const { run } = database;
    const racing: typeof run = async (statement) => {
      if (textOf(statement).includes('end_snapshot'))
        if (left === 1) expect([what, await share(b)]).toEqual([what, true]);
        else await change('DELETE FROM social_data.snapshot_chunk WHERE n = 0');
      return run(statement);
    };
    Object.assign(database, { run: racing });
    expect(await share(a)).toBe(false);
    expect([await snapshots(), await count('social_data.snapshot WHERE chunks IS NOT NULL')]).toEqual([left, left]);
  });

  test('is not written where the database has another history than the tables', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 50));
    await a.durable.saveTables();
    await change(`UPDATE social_data.change SET chain = sha256('x') WHERE chain IS NOT NULL`);
    const bytes = await bytesOf(a);
    expect(await snapshotOf(a).write(bytes, always)).toBe(false);
    expect(await snapshots()).toBe(0);
    await bytes.handle.close();
  });

  test('is read and written piece by piece', async () => {
    const a = await start('a');
    await apply(a.durable, ...tweets(1, 200));
    await a.durable.saveTables();
    const { run } = a.store.database;
    let [open, most] = [0, 0];
    const lengths: number[] = [];
    const watched: typeof run = async (statement) => {
      most = Math.max(most, ++open);
      return run<never>(statement).finally(() => open--);
    };
    const snapshot = new TablesSnapshot('archive', watched, pieceBytes);
    const { handle, ...about } = await bytesOf(a);
    const read: typeof handle.read = (async (buffer: Buffer, offset: number, length: number, from: number) => {
      lengths.push(length);
      return handle.read(buffer, offset, length, from);
    }) as never;
    expect(await snapshot.write({ ...about, handle: { read } as typeof handle }, always)).toBe(true);
    expect([most, lengths.length, Math.max(...lengths)]).toEqual([1, Math.ceil(about.size / pieceBytes), pieceBytes]);
    await handle.close();
    const written: number[] = [];
    const file = {
      async copyFrom(pieces: AsyncIterable<Uint8Array>): Promise<void> {
        for await (const piece of pieces) {
          written.push(piece.length);
          expect(open).toBe(0);
        }
      },
    };
    await snapshot.copyTo(file as never, async () => {});
    expect([most, written.length, Math.max(...written)]).toEqual([1, lengths.length, pieceBytes]);
  });

  describe('of the leader', () => {
    test('is written when it covers enough that the one before does not', async () => {
      const a = await start('a');
      const check = (): Promise<boolean> => writerOf(a, { minRecords: 20 }).check();
      // There are no saved tables.
      expect(await check()).toBe(false);
      const grow = async (from: number, to: number): Promise<void> => {
        await apply(a.durable, ...tweets(from, to));
        await a.durable.saveTables();
      };
      await grow(1, 15);
      expect(await check()).toBe(false);
      await grow(15, 30);
      expect([await check(), await check()]).toEqual([true, false]);
      await grow(30, 45);
      expect(await check()).toBe(false);
      await grow(45, 400);
      expect(await check()).toBe(true);
      // More than 20 records, and less than a tenth.
      await grow(400, 430);
      expect(await check()).toBe(false);
      await change(`UPDATE social_data.snapshot SET about = replace(about, '"format":"', '"format":"x')`);
      expect([await check(), await check()]).toEqual([true, false]);
      await change('UPDATE social_data.snapshot SET format = 7');
      expect([await check(), await snapshots()]).toEqual([true, 1]);
    });

    test('ends early, and leaves nothing, when the lease is lost or the instance stops', async () => {
      const a = await start('a');
      await apply(a.durable, ...tweets(1, 200));
      await a.durable.saveTables();
      let calls = 0;
      expect(await writerOf(a, { minRecords: 1 }, () => ++calls < 4).check()).toBe(false);
      expect([calls, await snapshots(), await chunks()]).toEqual([4, 0, 0]);
      expect(await writerOf(a, { minRecords: 1 }, () => false).check()).toBe(false);
      const writer: SnapshotWriter = writerOf(a, { minRecords: 1 }, () => {
        if (++calls === 8) void writer.stop();
        return true;
      });
      expect([await writer.check(), calls, await snapshots()]).toEqual([false, 8, 0]);
      await writer.stop();
    });

    test('is tried again after a failure, not at once, and only the failure is reported', async () => {
      const a = await start('a');
      await apply(a.durable, ...tweets(1, 200));
      await a.durable.saveTables();
      await storage.admin.script('ALTER TABLE social_data.snapshot_chunk ADD CONSTRAINT full_disk CHECK (n < 1)');
      const failures: unknown[] = [];
      const parts = { snapshot: snapshotOf(a), file: a.store.saved?.('archive'), mayRun: () => true };
      const writer = new SnapshotWriter(
        { ...parts, onFailed: (error) => void failures.push(error) },
        { minRecords: 1, checkMs: 1 },
      );
      expect(await writer.check()).toBe(false);
      expect([failures, await snapshots()]).toEqual([[expect.objectContaining({ name: 'StoreError' })], 0]);
      await storage.admin.script('ALTER TABLE social_data.snapshot_chunk DROP CONSTRAINT full_disk');
      expect(await writer.check()).toBe(false);
      writer.start();
      await until(async () => (await snapshots()) === 1);
      await writer.stop();
      expect(failures).toHaveLength(1);
    });
  });

  test('is written by an instance in the background, and another one starts with it', async () => {
    const cluster = await openCluster();
    const data = await temporaryFolder();
    try {
      const observer = { metrics: measureStore(), logger: pino({ level: 'silent' }), onDiverged: () => {} };
      const settings = { dataDir: data.path, databaseUrl: cluster.databaseUrl, platform: 'archive' } as const;
      const opened = await openStorage(
        { ...settings, rateLimit: 'off', snapshots: { minRecords: 1, checkMs: 5 } },
        observer,
      );
      await opened.join(() => new Map());
      const events = await openEventLog(opened.store, readConfig({}).eventRetention);
      const durable = await openArchive(opened.store, events);
      await apply(durable, ...tweets(1, 50));
      await durable.saveTables();
      const { admin } = cluster.storage;
      const count = async (): Promise<number> =>
        (await admin.run({ text: 'SELECT FROM social_data.snapshot WHERE chunks IS NOT NULL' })).length;
      await until(async () => (await count()) === 1);
      await opened.leave();
      await opened.store.close();
      await admin.run({
        text: `UPDATE social_data.change SET record = replace(record, 'text7"', 'other"') WHERE seq < 50`,
      });
      const instance = await cluster.start();
      const found = async (query: string): Promise<number> => {
        const response = await instance.request(`/social/tweet/advanced_search?query=${query}`);
        return ((await response.json()) as { tweets: unknown[] }).tweets.length;
      };
      expect([await found('text7'), await found('other')]).toEqual([1, 0]);
    } finally {
      await cluster.stop();
      await data.dispose();
    }
  });
});
