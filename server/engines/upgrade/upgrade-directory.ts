/**
 * Upgrades a data directory of version 1.2, whose archive is a journal, to an archive in a SQLite file. The file is `archive.db.new` until
 * it is complete and compared with the journal. The old journals then go to the folder `journal-1.2`, which the first purge removes. A
 * process can end at any moment: the next call continues.
 */
import { hash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { commitLog } from '../../archive/content/commit-log.ts';
import { truncateLog } from '../sqlite/purge.ts';
import { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import { createTables } from '../sqlite/sqlite-search-rows.ts';
import type { DeadLetter } from '../../archive/writes/dead-letters.ts';
import { StoreError, type Document } from '../../ports/storage.ts';
import type { EventRecord } from '../../archive/events/event-record.ts';
import { databaseFile, oldJournalFolder } from '../../storage/database-file.ts';
import { DurableJSONFile, syncFolder } from '../../storage/lowdb/durable-file.ts';
import { openDocuments, type Documents } from '../../storage/lowdb/documents.ts';
import { requireLocalDisk } from '../../storage/network-file-system.ts';
import { messageOf } from '../../text/error-text.ts';
import { OldJournal, type LostLine, type OldRecord } from './old-journal.ts';
import { applyRecords, type OldRecordsParts, type Reached } from './old-records.ts';
import { transactionOn } from './sqlite-target.ts';
import { Survey } from './survey.ts';

/** The journals whose records are copied as they are, and that of the archive. */
const copiedLogs = ['events', 'pool', 'conversations'];
const allLogs = ['archive', ...copiedLogs];
/** The names in `meta`: which journals are upgraded, how far that is, and that the old journals have to be moved. */
const [sourceName, reachedName, movingName] = ['upgrade_of', 'upgrade_reached', 'upgrade_moving'];
/** The list of the damaged records, beside the file. */
const leftOutFile = 'left-out.json';
const reportMs = 5_000;
/** The commits before the last one whose engagement rankings can read. */
const keptCommits = 10_000;
/** The records that cannot be applied and whose texts are kept. */
const maxDeadLetterTexts = 1_000;

export interface UpgradeOptions {
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** The number of records in a transaction. */
  readonly transactionRecords?: number;
}

/**
 * Upgrades a data directory that has journals; does nothing for another one. Rejects with StoreError for a directory that another process
 * uses, that is of a newer version, or whose files are not whole; then nothing is changed.
 */
export async function upgradeDirectory(dataDir: string, options: UpgradeOptions): Promise<void> {
  if (!(await hasJournals(dataDir)) && !(await exists(join(dataDir, oldJournalFolder)))) return;
  requireLocalDisk(dataDir);
  const documents = await openDocuments(dataDir);
  try {
    const upgrade = new Upgrade(dataDir, documents, options);
    if (await exists(join(dataDir, databaseFile))) return await upgrade.finishMove();
    if (await upgrade.fill()) await upgrade.finishMove();
  } finally {
    await documents.close();
  }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whether a data directory has journals of version 1.2, or what an interrupted upgrade has left of them. */
async function hasJournals(dataDir: string): Promise<boolean> {
  for (const name of allLogs) if (await exists(join(dataDir, name, 'catalogue.json'))) return true;
  return false;
}

interface DeadLetterDocument {
  records: DeadLetter[];
}

interface ApplyParts {
  readonly archive: OldJournal;
  readonly document: Document<DeadLetterDocument>;
  /** The number of records. */
  readonly total: number;
}

class Upgrade {
  readonly #dataDir: string;
  readonly #documents: Documents;
  readonly #logger: UpgradeOptions['logger'];
  readonly #transactionRecords: number;
  readonly #lost: (LostLine & { readonly folder: string })[] = [];

  constructor(dataDir: string, documents: Documents, { logger, transactionRecords = 20_000 }: UpgradeOptions) {
    this.#dataDir = dataDir;
    this.#documents = documents;
    this.#logger = logger;
    this.#transactionRecords = transactionRecords;
  }

  /** Fills the new file and gives it its name. Returns whether there was anything to upgrade. */
  async fill(): Promise<boolean> {
    const logs = new Map<string, OldJournal>();
    for (const name of allLogs) {
      const journal = await OldJournal.open(join(this.#dataDir, name));
      if (journal !== undefined) logs.set(name, journal);
    }
    if (logs.size === 0) return false;
    const moved = join(this.#dataDir, oldJournalFolder);
    if (await exists(moved)) throw new StoreError(`${moved} is of an earlier upgrade: move it away`);
    const start = performance.now();
    const identities = Array.from(logs.values(), ({ identity }) => identity);
    const database = await this.#openNew(hash('sha256', identities.join('\n')));
    try {
      const records = await this.#fill(database, logs);
      database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', movingName, '');
      database.run('DELETE FROM meta WHERE name IN (?, ?)', reachedName, sourceName);
      truncateLog(database);
      const seconds = Math.round((performance.now() - start) / 100) / 10;
      this.#logger.info({ records, seconds }, 'the data of version 1.2 are in the new database file');
    } finally {
      database.close();
    }
    const path = this.#newPath;
    await syncFile(path);
    await rename(path, join(this.#dataDir, databaseFile));
    await syncFolder(this.#dataDir);
    return true;
  }

  /** Moves the journals away that are in the file. Rejects with StoreError where the file is not that of an upgrade. */
  async finishMove(): Promise<void> {
    const path = join(this.#dataDir, databaseFile);
    const database = new SqliteDatabase(path);
    try {
      if (database.first('SELECT 1 AS found FROM meta WHERE name = ?', movingName) === undefined) {
        if (!(await hasJournals(this.#dataDir))) return;
        throw new StoreError(
          `${this.#dataDir} has two archives, ${databaseFile} and the journals of version 1.2: move one of them away`,
        );
      }
      await this.#move();
      database.run('DELETE FROM meta WHERE name = ?', movingName);
      truncateLog(database);
    } finally {
      database.close();
    }
    this.#logger.info(
      { folder: join(this.#dataDir, oldJournalFolder) },
      'the journals of version 1.2 are in this folder: the next purge removes it',
    );
  }

  /** The catalogue of each journal is the last one to move: until then, a start finds the rest. */
  async #move(): Promise<void> {
    // Copies of what the journal has, which only made starts faster.
    await rm(join(this.#dataDir, 'tables'), { recursive: true, force: true });
    for (const name of allLogs) {
      const from = join(this.#dataDir, name);
      const names: string[] = await readdir(from).catch(() => []);
      // The document of the event log stays.
      const files = names.filter((file) => !file.startsWith('log.json') && file !== 'catalogue.json');
      if (names.includes('catalogue.json')) {
        const to = join(this.#dataDir, oldJournalFolder, name);
        await mkdir(to, { recursive: true, mode: 0o700 });
        for (const file of [...files, 'catalogue.json']) await rename(join(from, file), join(to, file));
        await syncFolder(to);
        await syncFolder(from);
      }
      // That of the events keeps its document.
      await rmdir(from).catch(() => {});
    }
    await syncFolder(this.#dataDir);
  }

  get #newPath(): string {
    return join(this.#dataDir, `${databaseFile}.new`);
  }

  /** Opens the new file. One of other journals, or of the same ones at an earlier time, begins anew. */
  async #openNew(identity: string): Promise<SqliteDatabase> {
    const path = this.#newPath;
    for (;;) {
      const isNew = !(await exists(path));
      closeSync(openSync(path, 'a', 0o600));
      const database = new SqliteDatabase(path, { cacheMb: 128 });
      const hasTables = database.first("SELECT 1 AS found FROM sqlite_schema WHERE name = 'meta'") !== undefined;
      if (!hasTables)
        database.transaction(() => {
          createTables(database);
          database.run('INSERT INTO meta VALUES (?, ?)', sourceName, identity);
        });
      const source = database.first<{ value: string }>('SELECT value FROM meta WHERE name = ?', sourceName);
      if (source?.value === identity) return database;
      database.close();
      if (isNew) throw new StoreError(`${path} cannot be written`);
      for (const end of ['', '-wal', '-shm']) await rm(path + end, { force: true });
    }
  }

  /** Copies all journals. Returns the number of records of the archive's journal. */
  async #fill(database: SqliteDatabase, logs: ReadonlyMap<string, OldJournal>): Promise<number> {
    const archive = logs.get('archive');
    const survey = new Survey(archive?.bytes ?? 0);
    if (archive !== undefined) await survey.read(archive, (lost) => this.#noteLost('archive', lost));
    const lastSeq = archive?.lastSeq ?? 0;
    let reached = reachedIn(database);
    if (reached === undefined) {
      reached = await this.#copyLogs(database, logs);
      save(database, reached);
    }
    const document = await this.#documents.document<DeadLetterDocument>('set-aside', { records: [] });
    if (archive !== undefined)
      reached = await this.#apply(database, { archive, document, total: survey.total }, reached);
    survey.compare(database, reached.read);
    await survey.compareTweets(database, document.data.records.length);
    database.transaction(() => {
      if (lastSeq > 0)
        database.insert({
          table: 'change',
          rows: [{ log: commitLog, seq: lastSeq, record: JSON.stringify({ outcomes: '' }), batch: 'upgrade' }],
          conflict: { keys: ['log', 'seq'], action: 'keep' },
        });
      database.run('DELETE FROM engagement_before WHERE "commit" <= ?', lastSeq - keptCommits);
    });
    await this.#reportLost();
    return survey.total;
  }

  /** Copies the records of the other journals with their numbers, in one transaction with what `save` stores. */
  async #copyLogs(database: SqliteDatabase, logs: ReadonlyMap<string, OldJournal>): Promise<Reached> {
    let incomplete: EventRecord[] = [];
    await database.asyncTransaction(async () => {
      for (const log of copiedLogs) {
        const journal = logs.get(log);
        if (journal === undefined) continue;
        const insert = (seq: number, record: string | null): void =>
          database.insert({ table: 'change', rows: [{ log, seq, record, batch: 'upgrade' }] });
        const lost: number[] = [];
        const noteLost = (line: LostLine): void => {
          this.#noteLost(log, line);
          if (line.seq !== undefined) lost.push(line.seq);
        };
        let copied = 0;
        for await (const records of journal.read(0, noteLost))
          for (const { seq, json } of records) {
            insert(seq, json);
            copied = seq;
            if (log === 'events') incomplete = withoutWhole(incomplete, JSON.parse(json) as EventRecord);
          }
        // The event log has no number without an event: readers leave out one of an unknown kind.
        if (log === 'events') for (const seq of lost) insert(seq, JSON.stringify({ event: 'damaged', at: 0 }));
        const { lastSeq } = journal;
        if (lastSeq > copied && !(log === 'events' && lost.includes(lastSeq))) insert(lastSeq, null);
      }
      // Texts of ended conversations must leave the disk with those of deleted tweets.
      if (logs.has('conversations'))
        database.run("INSERT OR IGNORE INTO meta VALUES ('removed_at', ?)", String(Date.now()));
      save(database, { seq: 0, isSnapshot: false, read: {}, incomplete });
    });
    return { seq: 0, isSnapshot: false, read: {}, incomplete };
  }

  /** Applies the records of the archive's journal behind those that are in the file. */
  async #apply(database: SqliteDatabase, { archive, document, total }: ApplyParts, from: Reached): Promise<Reached> {
    const known = new Set(document.data.records.map(({ seq }) => seq));
    const parts: OldRecordsParts = {
      ...{ lastSeq: archive.lastSeq, checkpoint: await this.#checkpoint(database) },
      isDeadLetter: ({ seq }) => known.has(seq),
      addDeadLetters: async (found) => {
        await addDeadLetters(document, found, this.#logger);
        for (const { record } of found) known.add(record.seq);
      },
    };
    let [reached, reportedAt] = [from, performance.now()];
    const apply = async (batch: readonly OldRecord[]): Promise<void> => {
      reached = await applyBatch(database, parts, batch, reached);
      truncateLog(database);
      if (performance.now() - reportedAt < reportMs) return;
      reportedAt = performance.now();
      const done = Object.values(reached.read).reduce((sum, count) => sum + count, 0);
      const percent = Math.floor((100 * done) / Math.max(1, total));
      this.#logger.info({ records: done, of: total, percent }, 'the data of version 1.2 are being upgraded');
    };
    for await (const part of archive.read(from.seq)) {
      let batch: OldRecord[] = [];
      for (const record of part) {
        batch.push(record);
        if (batch.length < this.#transactionRecords) continue;
        await apply(batch);
        batch = [];
      }
      if (batch.length > 0) await apply(batch);
    }
    return reached;
  }

  /** The last change whose events are in the event log; undefined where no event log was begun. */
  async #checkpoint(database: SqliteDatabase): Promise<number | undefined> {
    type State = { epoch?: string; checkpoint?: number; told_up_to?: number };
    const { data } = await this.#documents.document<State>('events/log', {});
    if (data.checkpoint === undefined && data.told_up_to === undefined && data.epoch === undefined) return undefined;
    const row = database.first<{ last: number | null }>(
      "SELECT max(record ->> 'change') AS last FROM change WHERE log = 'events' AND batch = 'upgrade'",
    );
    const known = [data.checkpoint, data.told_up_to, row?.last ?? undefined].filter((value) => value !== undefined);
    return known.length === 0 ? undefined : Math.max(...known);
  }

  #noteLost(log: string, lost: LostLine): void {
    this.#lost.push({ ...lost, folder: log });
  }

  /** Logs what was left out, and keeps the list in a file: it has no texts. */
  async #reportLost(): Promise<void> {
    const lost = this.#lost.map(({ folder, segment, seq, ...place }) => ({
      ...{ file: join(oldJournalFolder, folder, segment), ...place, record: seq },
    }));
    for (const each of lost)
      if (each.record === undefined)
        this.#logger.warn(each, 'left out the incomplete last write of a journal, which a crash interrupted');
      else this.#logger.error(each, 'left out a damaged record of a journal');
    const damaged = lost.filter(({ record }) => record !== undefined);
    if (damaged.length > 0) await new DurableJSONFile(join(this.#dataDir, leftOutFile)).write({ records: damaged });
  }
}

/** Applies records in one transaction. A record that shows a fault of this program becomes a dead letter: it is found by halves. */
async function applyBatch(
  database: SqliteDatabase,
  parts: OldRecordsParts,
  records: readonly OldRecord[],
  from: Reached,
): Promise<Reached> {
  try {
    return await database.asyncTransaction(async () => {
      const reached = await applyRecords(parts, transactionOn(database), records, from);
      save(database, reached);
      return reached;
    });
  } catch (error) {
    const [first] = records;
    if (error instanceof StoreError || first === undefined) throw error;
    if (records.length > 1) {
      const half = Math.ceil(records.length / 2);
      const reached = await applyBatch(database, parts, records.slice(0, half), from);
      return applyBatch(database, parts, records.slice(half), reached);
    }
    await parts.addDeadLetters([{ record: first, reason: messageOf(error) }]);
    return applyBatch(database, parts, records, from);
  }
}

const reachedIn = (database: SqliteDatabase): Reached | undefined => {
  const row = database.first<{ value: string }>('SELECT value FROM meta WHERE name = ?', reachedName);
  return row && (JSON.parse(row.value) as Reached);
};

const save = (database: SqliteDatabase, reached: Reached): void =>
  database.run('INSERT OR REPLACE INTO meta VALUES (?, ?)', reachedName, JSON.stringify(reached));

/** The events at the end of the log whose change is not complete. */
function withoutWhole(events: EventRecord[], event: EventRecord): EventRecord[] {
  return event.change !== undefined || event.event === 'pool.status' ? [] : [...events, event];
}

/** Adds records to the list of those that cannot be applied. */
async function addDeadLetters(
  document: Document<DeadLetterDocument>,
  found: readonly { readonly record: OldRecord; readonly reason: string }[],
  logger: UpgradeOptions['logger'],
): Promise<void> {
  await document.update(({ records }) => {
    const known = new Set(records.map(({ seq }) => seq));
    for (const { record, reason } of found) {
      const { seq, json, segment, line, offset } = record;
      if (known.has(seq)) continue;
      const text = records.length < maxDeadLetterTexts ? { record: json } : {};
      const place = { segment, line, offset, bytes: Buffer.byteLength(json) };
      records.push({ seq, ...place, reason, found_at: new Date().toISOString(), ...text });
    }
  });
  logger.error({ records: found.length }, 'records cannot be applied: they are in the document set-aside');
}

async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
