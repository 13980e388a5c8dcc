/** The order of the transactions of a SQLite file, and the thread that writes. */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { FileHealth } from '../../../server/engines/sqlite/file-health.ts';
import { LocalWriter } from '../../../server/engines/sqlite/local-writer.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { SqliteWriter, type Appended } from '../../../server/engines/sqlite/sqlite-writer.ts';
import { ThreadWriter } from '../../../server/engines/sqlite/thread-writer.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { emptyArchiveFile, type EmptyArchiveFile } from '../../support/empty-archive-file.ts';

let file: EmptyArchiveFile;
let path: string;
let database: SqliteDatabase;
beforeEach(async () => {
  file = await emptyArchiveFile();
  ({ database, path } = file);
});
afterEach(() => file.dispose());

const records = (log: string): unknown[] => {
  const reader = new SqliteDatabase(path);
  const rows = reader.all('SELECT seq, record FROM change WHERE log = ? ORDER BY seq', log);
  reader.close();
  return rows.map(({ seq, record }) => [seq, record]);
};

const tweet = (n: number, text = 'tea'): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id: String(n), author_id: '1', text, created_at: new Date(Date.UTC(2026, 0, 1) + n * 1000).toISOString() },
});

/** The number of the transactions that a connection sees end while `work` runs. */
async function transactionsOf(work: () => Promise<unknown>): Promise<number> {
  let commits = 0;
  const script = database.script.bind(database);
  database.script = (text) => {
    if (text === 'COMMIT') commits++;
    script(text);
  };
  await work();
  return commits;
}

test('calls that wait share a transaction, and one that fails is undone alone', async () => {
  const appended: Appended[] = [];
  const writer = new SqliteWriter(database, { follower: (each) => appended.push(each) });
  const append = (record: string, fails = false): Promise<number> =>
    writer.transaction(async () => {
      const last = writer.append('log', record, [record]);
      await Promise.resolve();
      if (fails) throw new RangeError(record);
      return last;
    });
  const results = await Promise.allSettled([
    append('a'),
    append('b', true),
    append('c'),
    append('d', true),
    append('e'),
  ]);
  expect(results.map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message))).toEqual([
    ...[1, 'b', 2, 'd', 3],
  ]);
  expect(appended.map(({ records: [record], first }) => [first, record])).toEqual([
    [1, 'a'],
    [2, 'c'],
    [3, 'e'],
  ]);
  expect(records('log')).toEqual([
    [1, 'a'],
    [2, 'c'],
    [3, 'e'],
  ]);
  // A group ends early where a turn of the event loop took long.
  const many = Array.from({ length: 20 }, (_, n) => `f${n}`);
  expect(await transactionsOf(() => Promise.all(many.map((each) => append(each))))).toBeLessThan(10);
  // The first call of a group has no savepoint: the whole transaction ends with it, and the others have another one.
  const others = await Promise.allSettled([append('i', true), append('j')]);
  expect(others.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  expect(records('log').at(-1)).toEqual([24, 'j']);
});

test('where a transaction cannot be committed, all of its calls reject and nobody is told of records', async () => {
  const appended: Appended[] = [];
  const writer = new SqliteWriter(database, { follower: (each) => appended.push(each) });
  database.script('CREATE TABLE parent (id INTEGER PRIMARY KEY); PRAGMA foreign_keys = ON');
  database.script('CREATE TABLE child (id INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED)');
  const results = await Promise.allSettled([
    writer.transaction(async () => writer.append('log', 'a', ['a'])),
    // The reference is checked at the end of the transaction.
    writer.transaction(async (each) => each.run('INSERT INTO child VALUES (1)')),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([appended, records('log')]).toEqual([[], []]);
  expect(await writer.transaction(async () => writer.append('log', 'b', ['b']))).toBe(1);
});

test('a call comes between the steps of a large import, whose progress is durable with its last step', async () => {
  const other = new SqliteDatabase(path);
  const order: string[] = [];
  const writer = new LocalWriter(other, { now: () => 0, health: new FileHealth() });
  writer.follow('tables', () => void order.push('step'));
  const progressRows = (): unknown[] => database.all('SELECT applied, done FROM import_progress');
  const changes = Array.from({ length: 4_000 }, (_, n) => tweet(n + 1));
  const imported = writer.apply(changes, { fingerprint: 'a', progress: { values: 4_000, done: true } });
  await nextTurn();
  await nextTurn();
  const call = writer.apply([{ kind: 'like', tweet_id: '1' }]).then(() => {
    order.push('call');
    expect(progressRows()).toEqual([]);
  });
  await Promise.all([call, imported]);
  expect(order.indexOf('call')).toBeGreaterThan(0);
  expect(order.indexOf('call')).toBeLessThan(order.length - 1);
  expect((await imported).outcomes).toEqual(changes.map(() => 'added'));
  expect(progressRows()).toEqual([{ applied: 4_000, done: 1 }]);
  // Without a call that waits, the steps of a thousand changes share a transaction.
  order.length = 0;
  const others = Array.from({ length: 1_000 }, (_, n) => tweet(n + 10_000));
  await writer.apply(others, { fingerprint: 'b', progress: { values: 1_000, done: true } });
  expect(order).toEqual(['step']);
  await writer.close();
});

test('a thread that ends by a fault rejects its calls, marks the file and says so once', async () => {
  const health = new FileHealth();
  const reasons: string[] = [];
  // A module that the thread cannot read as settings: there is no such folder.
  const writer = new ThreadWriter({ path: join(file.folder, 'none', 'archive.db') }, health, (reason) =>
    reasons.push(reason),
  );
  await expect(writer.apply([tweet(1)])).rejects.toBeInstanceOf(StoreError);
  await expect(writer.append('log', [{ batch: 'a', records: ['a'] }])).rejects.toThrow(/thread that writes/);
  expect(reasons).toEqual([expect.stringMatching(/^the thread that writes to the database has ended: /)]);
  expect(writer.failed).toBeInstanceOf(StoreError);
  await writer.close();
});

test('a thread writes what a writer of this thread writes, and tells of each record before its call ends', async () => {
  const writer = new ThreadWriter({ path }, new FileHealth(), (reason) => {
    throw new Error(reason);
  });
  const told: string[] = [];
  for (const log of ['tables', 'events']) writer.follow(log, ({ first }) => void told.push(`${log} ${first}`));
  const written = await writer.apply([tweet(1), { kind: 'like', tweet_id: '1' }]);
  expect(written).toEqual({ outcomes: ['added', 'added'], unusable: [], commit: 1, lastEvent: expect.any(Number) });
  expect(told).toEqual(['events 1', 'tables 1']);
  const change = { kind: 'tweet', tweet: { ...(tweet(2) as { tweet: object }).tweet, created_at: 'never' } } as never;
  expect((await writer.apply([change])).unusable).toEqual([{ change, reason: expect.stringContaining('created_at') }]);
  await writer.close();
  await expect(writer.apply([tweet(3)])).rejects.toThrow(/closed/);
  expect(
    database.all('SELECT (SELECT count(*) FROM tweet) AS tweets, (SELECT count(*) FROM tweet_like) AS likes'),
  ).toEqual([{ tweets: 1, likes: 1 }]);
});
