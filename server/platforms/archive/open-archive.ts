/** Opens the archive of a store: from saved tables and the journal behind them, or from the whole journal. */
import type { EventSink } from '../../ports/event-sink.ts';
import type { ImportSink } from '../../ports/import-sink.ts';
import { StoreError, type Journal, type Store } from '../../ports/storage.ts';
import { readJournal, type ArchiveState, type Line } from './archive-journal.ts';
import { DurableArchive } from './durable-archive.ts';
import type { PurgeOptions } from './purge-schedule.ts';
import { restoreTables, type SaveOptions } from './saved-tables.ts';
import { openSetAsideLog, type SetAsideRecord } from './set-aside.ts';

/** The start rewrites a journal that holds more than `maxHistoryRatio` × live records + `minHistoryRecords`. */
const maxHistoryRatio = 2;
const minHistoryRecords = 100_000;

/** What an archive reports while it opens. */
export interface OpenReports {
  /** Called for each record that the archive cannot apply, also later. */
  readonly onSetAside?: (record: SetAsideRecord) => void;
  /** Called every few seconds while a long start reads the journal. `share`: from 0 to 1; undefined where the size is not known. */
  readonly onProgress?:
    | ((progress: { readonly records: number; readonly share: number | undefined }) => void)
    | undefined;
}

/**
 * Opens the archive of a store. Publishes the events of changes after the checkpoint, as of an import while the server
 * was down. Sets aside each record that the archive cannot apply. Throws StoreError if a file is damaged.
 */
export async function openArchive(
  store: Store,
  eventSink?: EventSink,
  { onSetAside = () => {}, onProgress }: OpenReports = {},
  purge: PurgeOptions = {},
  save: SaveOptions = {},
): Promise<DurableArchive> {
  const journal = await store.journal('archive');
  const setAsideLog = await openSetAsideLog(store);
  const savedSeqs = new Set(setAsideLog.records.map(({ seq }) => seq));
  const saved = journal.positions === undefined ? undefined : store.saved?.('archive');
  const ignored: string[] = [];
  const noteIgnored = (reason: string): void => void ignored.push(reason);
  const restored = saved && (await restoreTables({ journal, saved, setAsideLog, eventSink }, noteIgnored));
  let savedSeq = restored?.position.seq ?? 0;
  const totalBytes = restored === undefined ? journal.bytes : 0;
  const state = await readJournal(journal, setAsideLog, eventSink?.checkpoint, restored, {
    onProgress: ({ records, bytes }) =>
      onProgress?.({ records, share: bytes < totalBytes ? bytes / totalBytes : undefined }),
  });
  // Not before: where the journal is damaged, that is what the operator must know.
  if (restored === undefined && ignored.length > 0) save.onIgnored?.(ignored.join('; '));
  for (const record of setAsideLog.records) if (!savedSeqs.has(record.seq)) onSetAside(record);
  await setAsideLog.save();
  // Publishing an empty list would move the checkpoint, but not durably: a kill would then lose the very first events.
  const isFirst = eventSink?.checkpoint === undefined;
  if (!isFirst) {
    eventSink?.applied(journal.lastSeq);
    await eventSink?.publish(state.drainEvents());
    await eventSink?.settle();
  }
  const records = journal.lastSeq - journal.firstSeq + 1;
  const { archive, imports, positions } = state;
  const live = archive.live + imports.size + positions.size;
  // A rewrite removes the records that are set aside, so their texts must be stored elsewhere, and the events of all records must
  // be durable. Where other processes read the journal, only purges remove records.
  const mayRewrite = !store.shared && setAsideLog.hasAllTexts && eventSink?.failed === undefined;
  if (mayRewrite && records > maxHistoryRatio * live + minHistoryRecords) {
    // Their position is not in the new records.
    await saved?.remove();
    savedSeq = 0;
    await rewrite(journal, state);
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  } else if (isFirst) {
    await eventSink?.advanceCheckpoint(journal.lastSeq);
  }
  const tables = saved && { saved, savedSeq, options: save };
  const restoredSeq = restored?.position.seq ?? 0;
  return new DurableArchive({ journal, state, setAsideLog, eventSink, onSetAside, purge, restoredSeq, tables });
}

async function rewrite(journal: Journal, { archive, imports, positions }: ArchiveState): Promise<void> {
  function* lines(): Generator<string, void> {
    const line = (value: Line): string => JSON.stringify(value);
    yield line({ kind: 'snapshot', is: 'begin' });
    for (const change of archive.changes()) yield line(change);
    for (const [fingerprint, progress] of imports) yield line({ kind: 'import', fingerprint, progress });
    for (const [source, position] of positions) yield line({ kind: 'position', source, ...position });
    yield line({ kind: 'snapshot', is: 'end' });
  }
  await journal.rewrite(lines);
  archive.advanceTo(journal.lastSeq);
}

/**
 * Closes an archive that a command has opened without a server, and its store. Saves the tables before if that makes the next start
 * faster; instances that share the store save their own.
 */
export async function closeArchive(durable: DurableArchive, store: Store): Promise<void> {
  try {
    if (!store.shared)
      await durable.saveTablesIfNeeded().catch((error: unknown) => {
        // The changes are durable: the next start replays them.
        if (!(error instanceof StoreError)) throw error;
      });
    await durable.close();
  } finally {
    await store.close();
  }
}

/**
 * Opens the archive of a store for an import without a server. Closes the store if that fails. Throws StoreError. `openEvents` opens the
 * event log that a server of this store has begun, if any. The import publishes the events of its changes there: otherwise, the next
 * start would have to replay these changes. Servers that share the store do that themselves.
 */
export async function openArchiveSink(
  store: Store,
  openEvents: (store: Store) => Promise<EventSink | undefined>,
  { save = {}, ...reports }: OpenReports & { readonly save?: SaveOptions } = {},
): Promise<{ sink: ImportSink; close(): Promise<void> }> {
  try {
    const events = store.shared ? undefined : await openEvents(store);
    const sink = await openArchive(store, events?.checkpoint === undefined ? undefined : events, reports, {}, save);
    sink.archive.isBulkLoading = true;
    return { sink, close: () => closeArchive(sink, store) };
  } catch (error) {
    await store.close();
    throw error;
  }
}
