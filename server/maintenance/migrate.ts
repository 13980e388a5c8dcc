/** Copies a data directory into an empty database. The numbers of all records stay, so cursors stay valid. */
import { StoreError } from '../ports/storage.ts';
import { requireNoDatabaseFile } from '../storage/database-file.ts';
import { openLowdbStore } from '../storage/lowdb/lowdb-store.ts';
import { openPostgresStore, type PostgresStore } from '../storage/postgres/postgres-store.ts';
import { countDocuments, deleteChanges, importChanges, markEnd } from '../storage/postgres/statements.ts';
import { requireDataDirectory } from './data-directory.ts';

const journals = ['archive', 'events', 'pool', 'conversations'] as const;
/** `events/log` is the last one: it says that the rest is complete. */
const documents = [
  ...[
    'secrets',
    'accounts',
    'set-aside',
    'audit',
    'follow',
    'follow-tokens',
    'follow-resolved',
    'x-reads',
    'assistant-cost',
  ],
  ...['keys', 'events/log'],
] as const;
const batchRecords = 5_000;

type LocalStore = Awaited<ReturnType<typeof openLowdbStore>>;

/** How many records of each journal were copied. */
export type MigrationResult = Readonly<Record<string, number>>;

/**
 * Migrates a data directory that no server uses. `onProgress` gets the number of copied records. The records of a journal
 * that are not copied yet are in memory. Throws StoreError if the database is in use, or if something cannot be read.
 */
export async function migrateToDatabase(
  dataDir: string,
  url: string,
  onProgress: (records: number) => void = () => {},
): Promise<MigrationResult> {
  await requireDataDirectory(dataDir);
  await requireNoDatabaseFile(dataDir);
  const from = await openLowdbStore(dataDir);
  try {
    const to = await openPostgresStore({ url });
    try {
      const [found] = await to.database.run<{ n: string }>(countDocuments);
      if (found?.n !== '0') throw new StoreError('the database holds the data of a service: use an empty one');
      // A migration that was interrupted left records, and no document.
      await to.database.run(deleteChanges);
      const copied = await copyJournals(from, to, journals, onProgress);
      await copyDocuments(from, to);
      // Without statistics, each page of the log is read with a sort of everything behind it.
      await to.database.maintain('ANALYZE social_data.change');
      return copied;
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Copies journals, with the numbers of their records. Rejects with StoreError. */
export async function copyJournals(
  from: LocalStore,
  to: PostgresStore,
  names: readonly string[],
  onProgress: (records: number) => void,
): Promise<MigrationResult> {
  const copied: Record<string, number> = {};
  let total = 0;
  for (const name of names) {
    const journal = await from.journal(name);
    copied[name] = await copyJournal(journal, to, name, (records) => onProgress(total + records));
    total += copied[name];
  }
  return copied;
}

/** Copies the documents; the last one says that the rest is complete. Rejects with StoreError. */
export async function copyDocuments(from: LocalStore, to: PostgresStore): Promise<void> {
  for (const name of documents) await copyDocument(from, to, name);
}

async function copyJournal(
  journal: Awaited<ReturnType<LocalStore['journal']>>,
  { database }: PostgresStore,
  log: string,
  onProgress: (records: number) => void,
): Promise<number> {
  let seqs: number[] = [];
  let lines: string[] = [];
  let copied = 0;
  let last = 0;
  let failure: { readonly error: unknown } | undefined;
  let sending: Promise<void> = Promise.resolve();
  const send = (): void => {
    const [sentSeqs, sentLines] = [seqs, lines];
    [seqs, lines] = [[], []];
    sending = sending.then(async () => {
      if (failure !== undefined || sentSeqs.length === 0) return;
      try {
        await database.run(importChanges(log, sentSeqs, sentLines));
        copied += sentSeqs.length;
        onProgress(copied);
      } catch (error) {
        failure = { error };
      }
    });
  };
  await journal.replay((json, seq) => {
    last = seq;
    seqs.push(seq);
    lines.push(json.toString());
    if (seqs.length >= batchRecords) send();
  });
  send();
  await sending;
  if (failure !== undefined) throw failure.error;
  // The numbering continues behind records that a purge or a rewrite removed.
  if (journal.lastSeq > last) await database.run(markEnd(log, journal.lastSeq));
  return copied;
}

async function copyDocument(from: LocalStore, to: PostgresStore, name: string): Promise<void> {
  const absent: Record<string, unknown> = {};
  const { data } = await from.document(name, absent);
  if (data === absent) return;
  const document = await to.document<Record<string, unknown>>(name, {});
  await document.update((value) => void Object.assign(value, data));
}
