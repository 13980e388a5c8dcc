/**
 * Copies everything of a service between a data directory and the tables of a PostgreSQL database: the content, the logs with the numbers of
 * their records, how far imports and live sources are, and the documents. Keys, event cursors and page cursors stay valid.
 */
import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { commitLog } from '../archive/content/commit-log.ts';
import { contentPages } from '../archive/writes/loaded-rows.ts';
import { countRows } from '../archive/upkeep/contents.ts';
import { loadContent } from '../engines/sqlite/content-loader.ts';
import { copyMark } from '../engines/sqlite/copy-mark.ts';
import { isNewFile } from '../engines/sqlite/file-version.ts';
import { SqliteDatabase } from '../engines/sqlite/sqlite-database.ts';
import { createTables } from '../engines/sqlite/sqlite-search-rows.ts';
import { sql, type Integer, type RunSql } from '../archive/sql.ts';
import { beginFilling, endFilling, openTablesToFill, requireTables } from '../engines/postgres/open-tables.ts';
import { StoreError } from '../ports/storage.ts';
import { databaseFile, partialDatabaseFile } from '../storage/database-file.ts';
import { createFolder, DurableJSONFile } from '../storage/lowdb/durable-file.ts';
import { openDocuments, type Documents } from '../storage/lowdb/documents.ts';
import type { Database } from '../engines/postgres/store/database.ts';
import { openPostgresStore, type PostgresStore } from '../engines/postgres/store/postgres-store.ts';
import {
  countDocuments,
  countInstances,
  deleteChanges,
  importChanges,
  listDocuments,
  markEnd,
  type DocumentRow,
} from '../engines/postgres/store/statements.ts';
import { upgradeDirectory } from '../engines/upgrade/upgrade-directory.ts';
import { requireDataDirectory } from './data-directory.ts';
import { createEmptyFolder } from './empty-folder.ts';
import { fillTables, type FillOptions, type OnCopyProgress } from './fill-tables.ts';
import { checkCopy, completeCopy, type FileBackup, type FileBackupOptions } from './file-backup.ts';

const eventsLog = 'events';
const logs = [eventsLog, 'pool', 'conversations', 'deliveries'];
const eventsDocument = 'events/log';
const documents = [
  ...['secrets', 'accounts', 'set-aside', 'audit', 'follow', 'follow-tokens', 'follow-resolved', 'x-reads'],
  ...['assistant-cost', 'saved-searches', 'keys', eventsDocument],
];
/** Documents that only running instances need. */
const transient = new Set(['follow-status', 'follow-requests', 'vacuum', 'backfill']);

/** The tables of the content, and one with a row while a migration is not complete. */
const contentTables = [
  ...['tweet', 'tweet_count', 'long_tweet', 'mention', 'engagement_before', 'person', 'place', 'place_term', 'list'],
  ...['community', 'space', 'space_participant', 'list_member', 'follow', 'retweet', 'highlight', 'membership'],
  ...['tweet_like', 'tombstone', 'withdrawn', 'withdrawn_list', 'geo_scrub', 'import_progress', 'source_position'],
].map((name) => `social_data.${name}`);
/** Notes of a migration that is not complete: rows of `import_progress`, which end with it. */
const marker = 'migration in progress';
const pageRecords = 5_000;

/** What was copied: the records of the archive and of each log. */
export type MigrationResult = Readonly<Record<string, number>>;

interface LogRecord {
  readonly seq: number;
  readonly record: string;
}

/**
 * Migrates a data directory that no server uses into an empty database; one of version 1.2 is upgraded first. After an interruption, the same call goes on with
 * what is missing, or begins again if the directory has changed. Rejects with StoreError if the database is in use, or if something cannot be read.
 */
export async function migrateToDatabase(
  dataDir: string,
  url: string,
  options: FillOptions = {},
): Promise<MigrationResult> {
  await requireDatabaseFile(dataDir);
  const files = await openDocuments(dataDir);
  try {
    const path = join(dataDir, databaseFile);
    const from = new SqliteDatabase(path, { readOnly: true });
    try {
      if (isNewFile(from, path)) throw new StoreError(`${path} has no tables: there is nothing to copy`);
      const to = await openPostgresStore({ url });
      try {
        return await fillDatabase({ files, from }, to, url, options);
      } finally {
        await to.close();
      }
    } finally {
      from.close();
    }
  } finally {
    await files.close();
  }
}

/** Upgrades a directory of version 1.2. Throws StoreError for one without a database file. */
async function requireDatabaseFile(dataDir: string): Promise<void> {
  await requireDataDirectory(dataDir);
  await upgradeDirectory(dataDir, { logger: pino({ level: 'silent' }) });
  const stats = await stat(join(dataDir, databaseFile)).catch(() => undefined);
  if (stats === undefined) throw new StoreError(`${dataDir} has no ${databaseFile}: there is nothing to copy`);
}

interface Directory {
  readonly files: Documents;
  readonly from: SqliteDatabase;
}

async function fillDatabase(
  { files, from }: Directory,
  to: PostgresStore,
  url: string,
  options: FillOptions,
): Promise<MigrationResult> {
  // Readers of a copy get a new epoch: its next event numbers have been given by the original.
  const isCopy = from.first('SELECT 1 AS found FROM meta WHERE name = ?', copyMark) !== undefined;
  const database = await openTablesToFill(url);
  try {
    return await alone(database, options.waitMs ?? 10_000, async () => {
      const run = `${marker} ${stateOf(from)}`;
      await beginFill(database, run);
      const archive = await fillTables(database, { path: from.path, url, run }, options);
      await copyProgress(from.runSql, database.run);
      options.onProgress?.({ unit: 'VACUUM', done: 0, total: 1 });
      await database.maintain(`VACUUM (ANALYZE) ${contentTables.join(', ')}`);
      await database.run(deleteChanges);
      const copied = await copyLogs(from.runSql, {
        names: logs.filter((log) => !(isCopy && log === eventsLog)),
        write: (log, records) =>
          database.run(
            importChanges(
              log,
              records.map(({ seq }) => seq),
              records.map(({ record }) => record),
            ),
          ),
        end: (log, seq) => database.run(markEnd(log, seq)),
        onProgress: (records) => options.onProgress?.({ unit: 'records of logs', done: records, total: undefined }),
      });
      // Without statistics, each page of a log is read with a sort of everything behind it.
      await database.maintain('ANALYZE social_data.change');
      for (const name of documents) if (!(isCopy && name === eventsDocument)) await copyDocument(files, to, name);
      await database.transaction(async (inTransaction) => {
        await inTransaction({
          text: 'DELETE FROM social_data.import_progress WHERE starts_with(fingerprint, $1)',
          params: [marker],
        });
        await inTransaction(endFilling);
      });
      return { archive, ...copied };
    });
  } finally {
    await database.close();
  }
}

/** Does work while no other process migrates into the same tables. Rejects with StoreError. */
async function alone<Result>(database: Database, waitMs: number, work: () => Promise<Result>): Promise<Result> {
  // The statements of the work have other connections: this one has the lock, and no snapshot that VACUUM would wait for.
  return database.transaction(
    async (run) => {
      const end = performance.now() + waitMs;
      for (;;) {
        const [lock] = await run<{ taken: boolean }>({
          text: "SELECT pg_try_advisory_xact_lock(hashtextextended('social_data.migration', 0)) AS taken",
        });
        if (lock?.taken === true) return work();
        if (performance.now() > end)
          throw new StoreError('another migration into these tables is in progress: wait for its end');
        await sleep(200);
      }
    },
    { isUnlimited: true },
  );
}

/** Names the state of a database file: the last commits of its logs, which no other file has. */
function stateOf(from: SqliteDatabase): string {
  const last = from.all<{ batch: string }>(
    'SELECT c.batch FROM change c JOIN (SELECT log, max(seq) AS seq FROM change GROUP BY log) l ON l.log = c.log AND l.seq = c.seq ORDER BY c.log',
  );
  return createHash('sha256')
    .update(last.map(({ batch }) => batch).join())
    .digest('base64url')
    .slice(0, 16);
}

/** Empties what an interrupted migration of another state left. Throws StoreError for a database with other data. */
async function beginFill(database: Database, run: string): Promise<void> {
  const [found] = await database.run<{ n: string }>(countDocuments);
  const marked = await database.run<{ fingerprint: string }>({
    text: 'SELECT fingerprint FROM social_data.import_progress WHERE starts_with(fingerprint, $1)',
    params: [marker],
  });
  const filled = contentTables.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
  const [content] = await database.run<{ is_filled: boolean }>({ text: `SELECT ${filled} AS is_filled` });
  if (marked.length === 0 && (found?.n !== '0' || content?.is_filled === true))
    throw new StoreError('the database holds the data of a service: use an empty one');
  if (marked.some(({ fingerprint }) => fingerprint === run)) return;
  await database.script(`TRUNCATE ${contentTables.join(', ')}; DELETE FROM social_data.document`);
  await database.run({
    text: 'INSERT INTO social_data.import_progress (fingerprint, applied, done) VALUES ($1, 0, false)',
    params: [run],
  });
  await database.run(beginFilling);
}

/** Copies how far imports and live sources are. */
async function copyProgress(from: RunSql, to: RunSql): Promise<void> {
  const imports = await from<{ fingerprint: string; applied: Integer; done: boolean | number }>(
    sql`SELECT fingerprint, applied, done FROM social_data.import_progress ORDER BY fingerprint`,
  );
  const progress = imports.map(({ fingerprint, applied, done }) => ({
    ...{ fingerprint, applied: Number(applied), done: Boolean(done) },
  }));
  const positions = await from<{ source: string; position: string; at: Integer }>(
    sql`SELECT source, position, at FROM social_data.source_position ORDER BY source`,
  );
  const reached = positions.map(({ source, position, at }) => ({ source, position, at: Number(at) }));
  if (progress.length > 0)
    await to({ table: 'import_progress', rows: progress, conflict: { keys: ['fingerprint'], action: 'replace' } });
  if (reached.length > 0)
    await to({ table: 'source_position', rows: reached, conflict: { keys: ['source'], action: 'replace' } });
}

interface LogCopy {
  readonly names: readonly string[];
  readonly write: (log: string, records: readonly LogRecord[]) => Promise<unknown>;
  /** Notes the last number of a log whose last record was removed. */
  readonly end: (log: string, seq: number) => Promise<unknown>;
  readonly onProgress: (records: number) => void;
}

/** Copies logs with the numbers of their records. Of the log of the commits, only the last number is of use. */
async function copyLogs(from: RunSql, { names, write, end, onProgress }: LogCopy): Promise<MigrationResult> {
  const copied: Record<string, number> = {};
  let total = 0;
  for (const log of names) {
    let [last, written, count] = [0, 0, 0];
    for (let isLast = false; !isLast;) {
      const rows = await from<{ seq: Integer; record: string | null }>(
        sql`SELECT seq, record FROM social_data.change WHERE log = ${log} AND seq > ${last} ORDER BY seq LIMIT ${pageRecords}`,
      );
      const records = rows.flatMap(({ seq, record }) => (record === null ? [] : [{ seq: Number(seq), record }]));
      if (records.length > 0) await write(log, records);
      last = Number(rows.at(-1)?.seq ?? last);
      written = records.at(-1)?.seq ?? written;
      count += records.length;
      isLast = rows.length < pageRecords;
      onProgress(total + count);
    }
    if (last > written) await end(log, last);
    copied[log] = count;
    total += count;
  }
  const [commit] = await from<{ seq: Integer | null }>(
    sql`SELECT max(seq) AS seq FROM social_data.change WHERE log = ${commitLog}`,
  );
  if (commit?.seq != null) await end(commitLog, Number(commit.seq));
  return copied;
}

async function copyDocument(from: Documents, to: PostgresStore, name: string): Promise<void> {
  const absent: Record<string, unknown> = {};
  const { data } = await from.document(name, absent);
  if (data === absent) return;
  const document = await to.document<Record<string, unknown>>(name, {});
  await document.update((value) => void Object.assign(value, data));
}

export interface CopyOptions extends Pick<FileBackupOptions, 'copyMore'> {
  /** A backup may be made while instances run. Its event log begins a new epoch, so that no event number is given twice. */
  readonly isBackup: boolean;
  readonly onProgress?: OnCopyProgress;
}

/**
 * Copies the state of one moment of a database to a folder that does not exist or is empty, as a data directory, and checks the copy.
 * Without `isBackup`, no instance may run. Rejects with StoreError; the folder is then not there.
 */
export async function copyDatabase(
  url: string,
  folder: string,
  { isBackup, onProgress = () => {}, copyMore = async () => {} }: CopyOptions,
): Promise<FileBackup> {
  const store = await openPostgresStore({ url, listens: false });
  try {
    await requireTables(store.database);
    const [running] = await store.database.run<{ n: string }>(countInstances);
    if (!isBackup && running?.n !== '0') throw new StoreError('instances use the database: stop them first');
    await createEmptyFolder(folder);
    try {
      const { run, end } = await store.database.openSnapshot();
      try {
        await writeFile(run, join(folder, partialDatabaseFile), onProgress);
        await writeDocuments(await run<DocumentRow & { readonly name: string }>(listDocuments), folder);
      } finally {
        await end();
      }
      const counts = checkCopy(join(folder, partialDatabaseFile), { isMarked: isBackup });
      await copyMore(folder);
      return { ...counts, bytes: await completeCopy(folder) };
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  } finally {
    await store.close();
  }
}

/** Writes the content and the logs to a new database file. */
async function writeFile(from: RunSql, path: string, onProgress: OnCopyProgress): Promise<void> {
  // SQLite gives the files beside it the same permissions.
  closeSync(openSync(path, 'a', 0o600));
  const to = new SqliteDatabase(path, { cacheMb: 64 });
  try {
    to.transaction(() => createTables(to));
    // The file gets its name after it is durable.
    to.script('PRAGMA synchronous = OFF');
    const total = await countRows(from);
    await loadContent(to, contentPages(from), (changes) =>
      onProgress({ unit: 'records', done: Math.min(changes, total), total }),
    );
    await copyProgress(from, to.runSql);
    const insert = (log: string, rows: readonly { seq: number; record: string | null }[]): void =>
      to.transaction(() =>
        to.insert({ table: 'change', rows: rows.map((row) => ({ log, ...row, batch: randomUUID() })) }),
      );
    await copyLogs(from, {
      names: logs,
      write: async (log, records) => insert(log, records),
      end: async (log, seq) => insert(log, [{ seq, record: null }]),
      onProgress: (records) => onProgress({ unit: 'records of logs', done: records, total: undefined }),
    });
  } finally {
    to.close();
  }
}

async function writeDocuments(
  found: readonly { readonly name: string; readonly value: string }[],
  folder: string,
): Promise<void> {
  for (const { name, value } of found) {
    if (transient.has(name)) continue;
    const path = join(folder, `${name}.json`);
    await createFolder(dirname(path));
    await new DurableJSONFile<object>(path).write(JSON.parse(value) as object);
  }
}
