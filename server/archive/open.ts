/** The archive that survives: changes go to the journal first in order, and are acknowledged when they are durable. */
import type { ImportProgress, ImportSink } from '../import/sink.ts';
import { openLowdbStore } from '../store/lowdb-store.ts';
import type { Journal, Store } from '../store/store.ts';
import { Archive, type Change, type Happening } from './archive.ts';
import type { ArchiveRecord, Outcome } from './records.ts';

/** How far an import got, kept beside the records it brought, so that both are there or neither. */
type ImportLine = { kind: 'import'; fingerprint: string; progress: ImportProgress };
/** Around the records of a rewritten journal: they are older than any revision that a cursor may name. */
type SnapshotLine = { kind: 'snapshot'; is: 'begin' | 'end' };
type Line = Change | ImportLine | SnapshotLine;

/** What happened, with the number of the change in the archive's journal that did it. */
export type Told = Happening & { readonly change: number };

/** Where it is told what happens in the archive, once it is durable there. */
export interface Feed {
  /** The last change that was told of; undefined where nothing was told yet, and what is there is no news. */
  readonly toldUpTo: number | undefined;
  /** Tells what happened, oldest first. Resolves when the next may be told; never rejects. */
  tell(happenings: readonly Told[]): Promise<void>;
  /** What is there up to this change is no news. Throws StoreError. */
  skipTo(change: number): Promise<void>;
}

/** The journal is written anew at start when more than this share of it, and this many records, are history. */
const mostHistory = 2;
const leastHistory = 100_000;

export interface DurableArchive extends ImportSink {
  readonly archive: Archive;
  /** What opening cut off the journal, if anything: a write that a crash left half done and nobody was told of. */
  readonly recovered: Journal['recovered'];
  /** Takes back the like on a tweet; false where there was none. Resolves when durable. Throws StoreError when it cannot be. */
  unlike(tweetId: string): Promise<boolean>;
}

/**
 * Reads the archive of a store. What changed while nobody told it, as by an import while the server was down, is told to the feed.
 * Throws StoreError where a file is damaged.
 */
export async function openArchive(store: Store, feed?: Feed): Promise<DurableArchive> {
  const journal = await store.journal('archive');
  const archive = new Archive();
  const imports = new Map<string, ImportProgress>();
  let happened: Told[] = [];
  const takeHappened = (): Told[] => {
    const taken = happened;
    happened = [];
    return taken;
  };
  await replay(journal, archive, imports, (from) => {
    const isNews = feed?.toldUpTo !== undefined && from > feed.toldUpTo;
    archive.happened = isNews ? (happening) => void happened.push({ ...happening, change: from }) : () => {};
  });
  await feed?.tell(takeHappened());
  const records = journal.lastSeq - journal.firstSeq + 1;
  if (records > mostHistory * (archive.live + imports.size) + leastHistory) {
    await rewrite(journal, archive, imports);
    await feed?.skipTo(journal.lastSeq);
  } else if (feed?.toldUpTo === undefined) {
    await feed?.skipTo(journal.lastSeq);
  }
  archive.happened = feed === undefined ? () => {} : (happening) => void happened.push({ ...happening, change: archive.revision + 1 });

  /** Telling what happened last. */
  let telling: Promise<void> | undefined;

  async function append(lines: Line[]): Promise<void> {
    // The journal gives its lines the numbers that the archive just counted: both go in step.
    const durable = journal.append(lines.map((line) => JSON.stringify(line)));
    archive.revision = journal.lastSeq;
    const news = takeHappened();
    await durable;
    if (news.length > 0) telling = feed?.tell(news);
  }

  return {
    archive,
    recovered: journal.recovered,

    async resume(fingerprint) {
      return imports.get(fingerprint);
    },

    async apply(fingerprint: string, progress: ImportProgress, records: ArchiveRecord[]): Promise<Outcome[]> {
      const lines: Line[] = [];
      const outcomes = records.map((record) => {
        const outcome = archive.apply(record);
        if (outcome !== 'unchanged') lines.push(record);
        return outcome;
      });
      imports.set(fingerprint, progress);
      await append([...lines, { kind: 'import', fingerprint, progress }]);
      // An import goes no faster than it can be told.
      await telling;
      return outcomes;
    },

    async unlike(tweetId) {
      if (!archive.liked(tweetId)) return false;
      const change: Change = { kind: 'unlike', tweet_id: tweetId, at: Date.now() };
      archive.apply(change);
      await append([change]);
      return true;
    },
  };
}

/** `before` is called ahead of each change that is not part of a snapshot, with its number. */
async function replay(journal: Journal, archive: Archive, imports: Map<string, ImportProgress>, before: (change: number) => void): Promise<void> {
  let snapshot = false;
  await journal.replay((json, seq) => {
    const line = JSON.parse(json.toString()) as Line;
    if (line.kind === 'snapshot') snapshot = line.is === 'begin';
    else if (line.kind === 'import') imports.set(line.fingerprint, line.progress);
    else {
      if (!snapshot) before(seq);
      archive.apply(line, snapshot);
    }
    archive.revision = seq;
  });
}

async function rewrite(journal: Journal, archive: Archive, imports: Map<string, ImportProgress>): Promise<void> {
  function* lines(): Generator<string, void> {
    const line = (value: Line): string => JSON.stringify(value);
    yield line({ kind: 'snapshot', is: 'begin' });
    for (const change of archive.changes()) yield line(change);
    for (const [fingerprint, progress] of imports) yield line({ kind: 'import', fingerprint, progress });
    yield line({ kind: 'snapshot', is: 'end' });
  }
  await journal.rewrite(lines());
  archive.revision = journal.lastSeq;
}

/** Opens the archive in a data directory of its own, for an import while no server runs. Throws StoreError when it is in use. */
export async function openArchiveSink(dataDir: string): Promise<{ sink: ImportSink; close(): Promise<void> }> {
  const store = await openLowdbStore(dataDir);
  try {
    return { sink: await openArchive(store), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}
