/** Real archives in SQLite and in PostgreSQL without a server. */
import { pino } from 'pino';
import { Commits } from '../../server/archive/writes/commits.ts';
import { SqlPlatform } from '../../server/archive/sql-platform.ts';
import { contentOf } from '../../server/archive/upkeep/contents.ts';
import { WriteFaults } from '../../server/archive/upkeep/write-faults.ts';
import type { UnusableChange } from '../../server/archive/writes/sql-archive.ts';
import { readConfig } from '../../server/config/config.ts';
import { requireSqliteStore } from '../../server/engines/sqlite/open-engine.ts';
import type { Change } from '../../server/archive/rules/change.ts';
import {
  openArchive,
  openStoredArchive,
  type OpenArchive,
  type StoredArchive,
} from '../../server/engines/open-archive.ts';
import type { Retention } from '../../server/ports/event-log.ts';
import { openEventLog, type JournalEventLog } from '../../server/archive/events/journal-event-log.ts';
import { openStorage } from '../../server/engines/open-storage.ts';
import { measureStore } from '../../server/storage/storage-metrics.ts';
import { temporaryFolder } from './folder.ts';
import { StoredContent } from './stored-content.ts';

const refuse = ({ change, reason }: UnusableChange): never => {
  throw new Error(`${change.kind}: ${reason}`);
};

/** Opens the archive in the tables of a PostgreSQL database, as the process of another host does. */
export async function openArchiveAt(url: string, onUnusable = refuse): Promise<StoredArchive> {
  const folder = await temporaryFolder();
  try {
    const config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: url });
    const opened = await openStoredArchive(config, onUnusable);
    return { ...opened, close: () => opened.close().finally(() => folder.dispose()) };
  } catch (error) {
    await folder.dispose();
    throw error;
  }
}

/** The configuration of a data directory. */
const configOf = (dataDir: string) => readConfig({ DATA_DIR: dataDir });

/** An archive in the SQLite file of a data directory. */
export interface FileArchive extends StoredArchive {
  readonly content: StoredContent;
}

/** Opens the archive of a data directory, as a command without a server does. */
export async function openArchiveIn(
  dataDir: string,
  onUnusable: (unusable: UnusableChange) => void = refuse,
): Promise<FileArchive> {
  const opened = await openStoredArchive(configOf(dataDir), onUnusable);
  return { ...opened, content: new StoredContent(requireSqliteStore(opened.store).reader) };
}

/** An archive in the SQLite file of a data directory, with what a service reads of it. */
export interface ServiceArchive extends OpenArchive {
  readonly store: StoredArchive['store'];
  readonly content: StoredContent;
  readonly log: JournalEventLog;
  readonly platform: SqlPlatform;
  close(): Promise<void>;
}

export interface ServiceArchiveOptions {
  readonly retention?: Retention;
  /** The clock of the retention. */
  readonly now?: () => number;
  /** Whether a thread of its own writes, as in a service; not by default, because it takes time to start. */
  readonly isThread?: boolean;
}

/** Opens the archive of a data directory with its event log, as a service does. */
export async function openServiceArchive(
  dataDir: string,
  { retention = { ageMs: 86_400_000, events: 1_000_000 }, now, isThread = false }: ServiceArchiveOptions = {},
): Promise<ServiceArchive> {
  const [config, logger] = [configOf(dataDir), pino({ level: 'silent' })];
  const onEnded = (reason: string): never => {
    throw new Error(reason);
  };
  const observer = { metrics: measureStore(), logger, onDiverged: () => {} };
  const storage = await openStorage(config, { ...observer, ...(isThread ? { onEnded } : {}) });
  const { store } = storage;
  try {
    const log = await openEventLog(store, retention, now);
    const commits = await Commits.open(store, log);
    const opened = await openArchive({
      ...{ config, storage, logger, commits, writeFaults: new WriteFaults(), onUnusable: refuse },
      known: ({ commit }) => commits.reached(commit),
    });
    const { engine, archive, deadLetters } = opened;
    const { run, search } = engine;
    return {
      ...{ ...opened, store, log },
      content: new StoredContent(requireSqliteStore(store).reader),
      platform: new SqlPlatform({ run, archive, search, commits }),
      async close() {
        await deadLetters.settled();
        await engine.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens an archive with these changes, in a folder of its own that `close` removes. */
export async function openArchiveOf(changes: readonly Change[]): Promise<ServiceArchive> {
  const folder = await temporaryFolder();
  const opened = await openServiceArchive(folder.path);
  // In parts: a transaction holds what its changes touch.
  for (let from = 0; from < changes.length; from += 1_000) {
    const { unusable } = await opened.archive.apply(changes.slice(from, from + 1_000));
    unusable.forEach(refuse);
  }
  return { ...opened, close: () => opened.close().finally(() => folder.dispose()) };
}

/** Everything that an archive holds as lines of JSON, in an order that does not depend on the arrivals. */
export async function linesOf({ engine }: Pick<OpenArchive, 'engine'>): Promise<string[]> {
  const lines: string[] = [];
  for await (const page of contentOf(engine.run)) lines.push(...page.map((change) => JSON.stringify(change)));
  return lines.toSorted();
}
