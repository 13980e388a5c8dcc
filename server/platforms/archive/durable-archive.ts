/** The archive that survives: a change goes to the journal first, and is applied and acknowledged when it is durable there. */
import type { ImportProgress, ImportSink } from '../../ports/import-sink.ts';
import { openLowdbStore } from '../../storage/lowdb/lowdb-store.ts';
import { StoreError, type Journal, type RecordPlace, type Store } from '../../ports/storage.ts';
import { Archive, UnusableRecord, type Change, type DomainEvent } from './archive.ts';
import { recordKey, type ArchiveRecord, type ChangeOutcome } from './records.ts';
import { openSetAside, type SetAside, type SetAsideRecord } from './set-aside.ts';

/** How far an import got, kept beside the records it brought, so that both are there or neither. */
type ImportLine = { kind: 'import'; fingerprint: string; progress: ImportProgress };
/** Around the records of a rewritten journal: they are older than any revision that a cursor may name. */
type SnapshotLine = { kind: 'snapshot'; is: 'begin' | 'end' };
type Line = Change | ImportLine | SnapshotLine;

/** What happened, with the number of the change in the archive's journal that did it. */
export type PublishedEvent = DomainEvent & { readonly change: number };

/** Where it is told what happens in the archive, once it is durable there. */
export interface EventSink {
  /** The last change that was told of; undefined where nothing was told yet, and what is there is no news. */
  readonly checkpoint: number | undefined;
  /** Why nothing can be told now: then nothing may happen, either. */
  readonly failed: StoreError | undefined;
  /** Tells what happened, oldest first. Resolves when the next may be told; never rejects. */
  publish(happenings: readonly PublishedEvent[]): Promise<void>;
  /** What is there up to this change is no news. Throws StoreError. */
  advanceCheckpoint(change: number): Promise<void>;
}

/** The journal is written anew at start when more than this share of it, and this many records, are history. */
const mostHistory = 2;
const leastHistory = 100_000;

export interface DurableArchive extends ImportSink {
  readonly archive: Archive;
  /** What opening cut off the journal, if anything: a write that a crash left half done and nobody was told of. */
  readonly recovered: Journal['recovered'];
  /** Records of the journal that could not be applied: they are on disk, and not in the archive. */
  readonly setAside: readonly SetAsideRecord[];
  /** Why the archive in memory is not to be trusted with further changes until the next start; undefined where it is. */
  readonly broken: StoreError | undefined;
  /** Takes back the like on a tweet; false where there was none. Resolves when durable. Throws StoreError when it cannot be. */
  unlike(tweetId: string): Promise<boolean>;
}

/** What the journal has told so far. */
interface State {
  readonly archive: Archive;
  readonly imports: Map<string, ImportProgress>;
  happened: PublishedEvent[];
}

const emptyState = (): State => ({ archive: new Archive(), imports: new Map(), happened: [] });

/**
 * Takes in what the journal has as the record of this number. Throws UnusableRecord, and changes nothing but the revision then, where the
 * record cannot be applied.
 */
function take(
  state: State,
  line: Change | ImportLine,
  seq: number,
  feed: EventSink | undefined,
  snapshot = false,
): ChangeOutcome {
  const { archive, imports } = state;
  archive.revision = seq - 1;
  const isNews = !snapshot && feed?.checkpoint !== undefined && seq > feed.checkpoint;
  archive.happened = isNews ? (happening) => void state.happened.push({ ...happening, change: seq }) : () => {};
  try {
    if (line.kind !== 'import') return archive.apply(line, snapshot);
    imports.set(line.fingerprint, line.progress);
    return 'unchanged';
  } finally {
    archive.revision = seq;
  }
}

/** The line of a journal. Throws UnusableRecord where it is no JSON object. */
function parseLine(json: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(json);
  } catch (error) {
    throw new UnusableRecord(`broken JSON: ${(error as Error).message}`);
  }
  if (typeof line !== 'object' || line === null) throw new UnusableRecord('not a JSON object');
  return line as Line;
}

/** So often the journal is read from its beginning because a record failed in the middle of being applied. */
const mostReadings = 3;

/**
 * Reads the journal; sets aside what cannot be applied. A record that fails in the middle of being applied, which is a fault of this program,
 * may have left half of itself: then all is read again without it. Throws StoreError where a file is damaged, or where that does not help.
 */
async function readJournal(journal: Journal, aside: SetAside, feed: EventSink | undefined): Promise<State> {
  for (let reading = 1; ; reading++) {
    const state = emptyState();
    let failed: { seq: number; place: RecordPlace; json: string; reason: string } | undefined;
    let snapshot = false;
    try {
      await journal.replay((bytes, seq, place) => {
        if (aside.has(seq, place)) return;
        const json = bytes.toString();
        try {
          const line = parseLine(json);
          if (line.kind === 'snapshot') snapshot = line.is === 'begin';
          else take(state, line, seq, feed, snapshot);
        } catch (error) {
          const reason = (error as Error).message;
          if (error instanceof UnusableRecord) return void aside.add(seq, json, reason, place);
          failed = { seq, place: { ...place }, json, reason };
          throw error;
        }
      });
      return state;
    } catch (error) {
      if (failed === undefined) throw error;
      const { seq, place, json, reason } = failed;
      if (reading === mostReadings) {
        throw new StoreError(
          `archive/${place.segment}, line ${place.line} (byte ${place.offset}) cannot be applied: ${reason}`,
          { cause: error },
        );
      }
      aside.add(seq, json, reason, place);
    }
  }
}

/**
 * Reads the archive of a store. What changed while nobody told it, as by an import while the server was down, is told to the feed. A record
 * that cannot be applied is set aside, and told to `onSetAside`, now and later. Throws StoreError where a file is damaged.
 */
export async function openArchive(
  store: Store,
  feed?: EventSink,
  onSetAside: (record: SetAsideRecord) => void = () => {},
): Promise<DurableArchive> {
  const journal = await store.journal('archive');
  const aside = await openSetAside(store);
  const known = new Set(aside.records.map(({ seq }) => seq));
  const state = await readJournal(journal, aside, feed);
  const { archive, imports } = state;
  for (const record of aside.records) if (!known.has(record.seq)) onSetAside(record);
  await aside.save();
  const takeHappened = (): PublishedEvent[] => {
    const taken = state.happened;
    state.happened = [];
    return taken;
  };
  // To tell even nothing says that all is told up to now, but not durably: then the first news of all would be lost to a kill.
  const isFirst = feed?.checkpoint === undefined;
  if (!isFirst) await feed?.publish(takeHappened());
  const records = journal.lastSeq - journal.firstSeq + 1;
  // A rewrite lets go of what is set aside: only where its text is kept elsewhere.
  if (aside.isWhole && records > mostHistory * (archive.live + imports.size) + leastHistory) {
    await rewrite(journal, archive, imports);
    await feed?.advanceCheckpoint(journal.lastSeq);
  } else if (isFirst) {
    await feed?.advanceCheckpoint(journal.lastSeq);
  }
  let broken: StoreError | undefined;
  /** Telling what happened last. */
  let telling: Promise<void> | undefined;

  /** Likes that are being taken back. */
  const unliking = new Map<string, Promise<unknown>>();

  /**
   * Makes the lines durable, then takes them in; `texts`: the first of them as JSON, where it is known. Appends resolve in the order of
   * their calls, so both go in step.
   */
  async function append(
    lines: readonly (Change | ImportLine)[],
    texts: readonly string[] = [],
  ): Promise<ChangeOutcome[]> {
    if (feed?.failed !== undefined) throw feed.failed;
    if (broken !== undefined) throw broken;
    const written = lines.map((line, place) => texts[place] ?? JSON.stringify(line));
    const last = await journal.append(written);
    const outcomes = lines.map((line, place) => applied(line, last - lines.length + 1 + place, written[place]!));
    const news = takeHappened();
    if (news.length > 0) telling = feed?.publish(news);
    // Where that fails the next start finds the records again.
    await aside.save().catch(() => {});
    return outcomes;
  }

  /** Applies what is durable; sets it aside where that fails. Throws StoreError where the archive in memory may be half changed. */
  function applied(line: Change | ImportLine, seq: number, json: string): ChangeOutcome {
    if (broken !== undefined) throw broken;
    try {
      return take(state, line, seq, feed);
    } catch (error) {
      const reason = (error as Error).message;
      if (error instanceof UnusableRecord) {
        onSetAside(aside.add(seq, json, reason));
        return 'set aside';
      }
      broken = new StoreError(
        `a change could not be applied as a whole (${reason}): restart the server, which sets it aside`,
        { cause: error },
      );
      throw broken;
    }
  }

  return {
    archive,
    recovered: journal.recovered,
    get setAside() {
      return aside.records;
    },
    get broken() {
      return broken;
    },

    async resume(fingerprint) {
      return imports.get(fingerprint);
    },

    async apply(fingerprint: string, progress: ImportProgress, records: ArchiveRecord[]): Promise<ChangeOutcome[]> {
      const fresh = newIn(archive, records);
      const lines = [...fresh.map(({ place }) => records[place]!), { kind: 'import', fingerprint, progress } as const];
      const applied = await append(
        lines,
        fresh.map(({ text }) => text),
      );
      // An import goes no faster than it can be told.
      await telling;
      const outcomes = records.map((): ChangeOutcome => 'unchanged');
      fresh.forEach(({ place }, index) => (outcomes[place] = applied[index]!));
      return outcomes;
    },

    async unlike(tweetId) {
      while (unliking.has(tweetId)) await unliking.get(tweetId)!.catch(() => {});
      const likedAt = archive.likedAt(tweetId);
      if (likedAt === undefined) return false;
      // Later than the like, whatever the clock says, or the next import of the like would bring it back.
      const durable = append([{ kind: 'unlike', tweet_id: tweetId, at: Math.max(Date.now(), likedAt) }]);
      unliking.set(tweetId, durable);
      await durable.finally(() => unliking.delete(tweetId));
      return true;
    },
  };
}

/**
 * The records that may bring something, by their place and as JSON. Left out of the journal: what the archive knows already, and what is
 * the same as the last one before it about the same thing.
 */
function newIn(
  archive: Archive,
  records: readonly ArchiveRecord[],
): { readonly place: number; readonly text: string }[] {
  const fresh: { place: number; text: string }[] = [];
  const last = new Map<string, string>();
  for (const [place, record] of records.entries()) {
    const thing = recordKey(record);
    const before = last.get(thing);
    if (before === undefined && !archive.wouldChange(record)) continue;
    const text = JSON.stringify(record);
    if (text !== before) fresh.push({ place, text });
    last.set(thing, text);
  }
  return fresh;
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
