/** Copies a data directory into the tables of an empty database. Keys, event cursors and page cursors stay valid. */
import { openArchive } from '../platforms/archive/open-archive.ts';
import { commitLog } from '../archive/content/commit-log.ts';
import { beginFilling, endFilling, openTablesToFill } from '../platforms/postgres/open-tables.ts';
import { loadSnapshot } from '../platforms/postgres/maintenance/tables-loader.ts';
import { contextFrom } from '../search/document.ts';
import { StoreError } from '../ports/storage.ts';
import { openEventLog, unlimitedRetention } from '../realtime/journal-event-log.ts';
import { requireNoDatabaseFile } from '../storage/database-file.ts';
import { openLowdbStore } from '../storage/lowdb/lowdb-store.ts';
import type { Database } from '../storage/postgres/database.ts';
import { openPostgresStore } from '../storage/postgres/postgres-store.ts';
import { countDocuments, deleteChanges, markEnd } from '../storage/postgres/statements.ts';
import { requireDataDirectory } from './data-directory.ts';
import { copyDocuments, copyJournals } from './migrate.ts';

/** The tables of the content, and one with a row while a migration is not complete. */
const contentTables = [
  ...[
    'tweet',
    'tweet_count',
    'long_tweet',
    'mention',
    'engagement_before',
    'person',
    'place',
    'list',
    'community',
    'space',
  ],
  ...['list_member', 'follow', 'retweet', 'highlight', 'membership', 'tweet_like', 'tombstone', 'withdrawn'],
  ...['import_progress', 'source_position'],
].map((name) => `social_data.${name}`);
const marker = 'migration in progress';

/** What was copied: the records of the archive and of each journal. */
export type TablesMigration = Readonly<Record<string, number>>;

/**
 * Migrates a data directory that no server uses; its archive is in memory meanwhile. After an interruption, the same call begins again.
 * `onProgress` gets the number of copied records. Rejects with StoreError if the database is in use, or if something cannot be read.
 */
export async function migrateToTables(
  dataDir: string,
  url: string,
  onProgress: (records: number) => void = () => {},
): Promise<TablesMigration> {
  await requireDataDirectory(dataDir);
  await requireNoDatabaseFile(dataDir);
  const to = await openPostgresStore({ url, usesTables: true });
  try {
    const database = await openTablesToFill(url);
    try {
      await begin(database);
      const archive = await loadArchive(dataDir, database, onProgress);
      const from = await openLowdbStore(dataDir);
      try {
        const copied = await copyJournals(from, to, ['events', 'pool', 'conversations'], (n) =>
          onProgress(archive + n),
        );
        await database.transaction(async (run) => {
          await run({ text: 'DELETE FROM social_data.import_progress WHERE fingerprint = $1', params: [marker] });
          await run(endFilling);
        });
        // The documents say that the rest is complete.
        await copyDocuments(from, to);
        return { archive, ...copied };
      } finally {
        await from.close();
      }
    } finally {
      await database.close();
    }
  } finally {
    await to.close();
  }
}

/** Empties what an interrupted migration left. Throws StoreError for a database with other data. */
async function begin(database: Database): Promise<void> {
  const [documents] = await database.run<{ n: string }>(countDocuments);
  const marked = await database.run({
    text: 'SELECT FROM social_data.import_progress WHERE fingerprint = $1',
    params: [marker],
  });
  const filled = contentTables.map((table) => `EXISTS (SELECT FROM ${table})`).join(' OR ');
  const [content] = await database.run<{ is_filled: boolean }>({ text: `SELECT ${filled} AS is_filled` });
  if (documents?.n !== '0' || (content?.is_filled === true && marked.length === 0))
    throw new StoreError('the database holds the data of a service: use an empty one');
  await database.script(`TRUNCATE ${contentTables.join(', ')}`);
  await database.run(deleteChanges);
  await database.run({
    text: 'INSERT INTO social_data.import_progress (fingerprint, applied, done) VALUES ($1, 0, false)',
    params: [marker],
  });
  await database.run(beginFilling);
}

/** Loads the archive. Returns the number of its records. */
async function loadArchive(
  dataDir: string,
  database: Database,
  onProgress: (records: number) => void,
): Promise<number> {
  const store = await openLowdbStore(dataDir);
  try {
    // The event log gets what a crash left out: tables derive no events.
    const log = await openEventLog(store, unlimitedRetention);
    const durable = await openArchive(store, log);
    await durable.settleEvents();
    const { archive } = durable;
    const content = { changes: archive.changes(), context: contextFrom(archive) };
    const loaded = await loadSnapshot(database, content, onProgress);
    for (const fingerprint of durable.fingerprints('')) {
      const progress = await durable.resume(fingerprint);
      if (progress === undefined) continue;
      await database.run({
        text: 'INSERT INTO social_data.import_progress (fingerprint, applied, done) VALUES ($1, $2, $3)',
        params: [fingerprint, progress.values, progress.done],
      });
    }
    for (const [source, { position, at }] of durable.positions())
      await database.run({
        text: 'INSERT INTO social_data.source_position (source, position, at) VALUES ($1, $2, $3)',
        params: [source, position, at],
      });
    // The numbers of transactions continue behind those of the changes, which events and cursors name.
    const { revision } = archive;
    if (revision > 0) await database.run(markEnd(commitLog, revision));
    await database.maintain(`VACUUM (ANALYZE) ${contentTables.join(', ')}`);
    return loaded;
  } finally {
    await store.close();
  }
}
