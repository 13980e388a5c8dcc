// Not in `npm run test:fast`: it opens many database files.
/** A start on a database file that cannot be used says what to do, and leaves the file as it is. */
import { mkdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { isNewFile } from '../../../server/engines/sqlite/file-version.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { openSqliteStore } from '../../../server/engines/sqlite/sqlite-store.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { networkFileSystemOf, requireLocalDisk } from '../../../server/storage/network-file-system.ts';
import { temporaryFolder } from '../../support/folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let path: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  path = join(folder.path, 'archive.db');
});
afterEach(() => folder.dispose());

const open = (): Promise<{ close(): Promise<void> }> => openSqliteStore(folder.path);

/** Makes the file of a service that has stopped, in which each page of the first tables is used. */
async function create(): Promise<void> {
  await (await open()).close();
  const database = new DatabaseSync(path);
  const add = database.prepare('INSERT INTO meta VALUES (?, ?)');
  for (let n = 0; n < 500; n++) add.run(`filler${n}`, 'text '.repeat(100));
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

async function expectRefused(reason: RegExp): Promise<void> {
  // Jest takes seconds to compare so many bytes.
  const content = (): Promise<string | undefined> => readFile(path, 'latin1').catch(() => undefined);
  const before = await content();
  const error = await open().then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(StoreError);
  expect((error as Error).message).toMatch(reason);
  expect((error as Error).message).not.toContain('\n');
  expect((await content()) === before).toBe(true);
}

test('a file that is no database is refused', async () => {
  await writeFile(path, 'this is a text of somebody else. '.repeat(100));
  await expectRefused(/archive\.db cannot be used \(file is not a database\): .* restore a backup, or move it away/);
});

test('a database of another program is refused', async () => {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE meta (name TEXT, value TEXT)');
  database.close();
  await expectRefused(/archive\.db is a database of another program: set DATA_DIR to another folder/);
});

test('a file of a newer schema is refused, and so is one from before the first release', async () => {
  await create();
  const set = (version: number): void => {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };
  set(99);
  await expectRefused(
    /newer version of this service \(schema 99, this version knows \d+\): start that version, or restore/,
  );
  set(0);
  await expectRefused(/before the first release/);
});

test('a file of the first schema gets the columns and indexes of this one at the start, and a read before needs none', async () => {
  await create();
  const inFile = <Result>(read: (database: DatabaseSync) => Result): Result => {
    const database = new DatabaseSync(path);
    try {
      return read(database);
    } finally {
      database.close();
    }
  };
  const schema = (): unknown =>
    inFile((database) => [
      database.prepare('PRAGMA user_version').get(),
      ['tweet_count', 'engagement_before'].map((table) => database.prepare(`PRAGMA table_info(${table})`).all()),
      database
        .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY name")
        .all(),
    ]);
  // White space is that of the statement which made the index.
  const plain = (value: unknown): string => JSON.stringify(value).replaceAll(/(\\n|\s)+/g, ' ');
  const expected = plain(schema());
  inFile((database) =>
    database.exec(`DROP INDEX tweet_quotes_newest; DROP INDEX follow_followers;
      CREATE INDEX follow_by_following ON follow (following_id);
      DROP INDEX tweet_count_community; DROP INDEX engagement_before_community; DROP INDEX mention_without_id;
      ALTER TABLE tweet_count DROP COLUMN community_id; ALTER TABLE tweet_count DROP COLUMN rank;
      ALTER TABLE engagement_before DROP COLUMN community_id; PRAGMA user_version = 1`),
  );
  const looking = new SqliteDatabase(path, { readOnly: true });
  expect(isNewFile(looking, path)).toBe(false);
  looking.close();
  expect(plain(schema())).not.toEqual(expected);
  await (await open()).close();
  expect(plain(schema())).toEqual(expected);
});

test.each([0.9, 0.5, 0.1])('a file that is cut off after %d of it is refused', async (part) => {
  await create();
  const { size } = await stat(path);
  await truncate(path, Math.floor((size * part) / 4096) * 4096 + 100);
  await expectRefused(/it is damaged: stop the service, and restore a backup or run `npm run doctor -- --repair`/);
});

test('a file that has gone, or is empty, is not replaced by an empty archive where a service has run', async () => {
  await create();
  await mkdir(join(folder.path, 'events'));
  await writeFile(join(folder.path, 'events', 'log.json'), '{}');
  await truncate(path, 0);
  await expectRefused(/archive\.db is missing or empty although a service has run in this folder: restore it, or/);
  await rm(path);
  await expectRefused(/archive\.db is missing or empty although a service has run in this folder: restore it, or/);
  await rm(join(folder.path, 'events'), { recursive: true });
  await (await open()).close();
});

test('a network file system is refused with its name, and a local disk is not', () => {
  expect(
    [0x6969, 0xff534d42, 0xfe534d42, -11317950, 0xef53, 0x01021994].map((type) => networkFileSystemOf(type, 'linux')),
  ).toEqual(['NFS', 'CIFS', 'SMB', 'CIFS', undefined, undefined]);
  expect(networkFileSystemOf(0x6969, 'darwin')).toBeUndefined();
  requireLocalDisk(folder.path);
  if (process.platform === 'linux')
    expect(() => requireLocalDisk(folder.path, () => 0x6969)).toThrow(
      /is on NFS, a network file system: .* set DATA_DIR to one, or keep the archive in PostgreSQL/,
    );
});
