/**
 * The saved tables: a copy of the whole state of the archive at one position of its journal. A start reads it and replays only
 * the journal behind it. It is written when the archive is quiet, at a stop, and after a purge, which removes it first.
 */
import type { EventSink } from '../../ports/event-sink.ts';
import {
  StoreError,
  type Journal,
  type JournalPosition,
  type SavedAbout,
  type SavedState,
} from '../../ports/storage.ts';
import { ArchiveState } from './archive-journal.ts';
import { codeFingerprint } from './code-fingerprint.ts';
import type { SetAsideLog } from './set-aside.ts';
import { TimeSlice } from '../../process/time-slice.ts';

/** When the tables are saved. Times are in milliseconds. */
export interface SaveOptions {
  /** A save covers at least this number of new records; a replay of fewer is fast. */
  readonly minRecords?: number;
  /** The archive is quiet after this time without a change. */
  readonly quietMs?: number;
  /** An archive that is never quiet is saved after this time. */
  readonly busyMs?: number;
  /** How often to look. */
  readonly checkMs?: number;
  /** Called when a save, or the removal of outdated tables, fails. The archive tries again. */
  readonly onFailed?: (error: unknown) => void;
  /** Called when a start has not used the saved tables, with the reasons: it has replayed the whole journal. */
  readonly onIgnored?: (reason: string) => void;
}

const defaults = { minRecords: 5_000, quietMs: 10_000, busyMs: 30 * 60_000, checkMs: 5_000 };
/** A save covers at least this share of the live records, so that its cost is a small part of that of the changes. */
const minNewShare = 1 / 10;
/** Saves take at most this share of the time, because changes wait for them, and each deletion can start a purge. */
const maxSaveShare = 1 / 20;
/** A stop ends a save that takes longer. */
const maxStopMs = 8_000;

/** What a restore and a save use. */
export interface SavedTablesParts {
  readonly journal: Journal;
  readonly saved: SavedState;
  readonly setAsideLog: SetAsideLog;
  readonly eventSink: EventSink | undefined;
}

/** A state of the archive, and the position of the journal that it stands for. */
export interface RestoredState {
  readonly state: ArchiveState;
  readonly position: JournalPosition;
}

/** Not the tables of this journal and this program. */
class Outdated extends Error {
  override readonly name = 'Outdated';
}

/**
 * Restores the saved tables, those of this process before those that another one has shared. Removes them, and returns undefined, where
 * anything is in doubt: `onIgnored` gets each reason. Rejects with StoreError where the journal cannot be asked.
 */
export async function restoreTables(
  parts: SavedTablesParts,
  onIgnored: (reason: string) => void = () => {},
): Promise<RestoredState | undefined> {
  const own = await restoreSaved(parts, onIgnored);
  const onSharedIgnored = (reason: string): void => onIgnored(`those in the database: ${reason}`);
  return own ?? ((await fetchShared(parts, onSharedIgnored)) ? restoreSaved(parts, onSharedIgnored) : undefined);
}

/** Fetches the tables that another process has shared. Returns whether there are any that this process can use. */
async function fetchShared(parts: SavedTablesParts, onIgnored: (reason: string) => void): Promise<boolean> {
  try {
    return (await parts.saved.fetch?.((about) => requireCurrent(parts, about))) ?? false;
  } catch (error) {
    // Where the journal cannot be read either, the replay reports it.
    if (!(error instanceof Outdated || error instanceof StoreError)) throw error;
    onIgnored(error.message);
    return false;
  }
}

async function restoreSaved(
  parts: SavedTablesParts,
  onIgnored: (reason: string) => void,
): Promise<RestoredState | undefined> {
  const { saved } = parts;
  let restored: RestoredState | undefined;
  let failure: unknown;
  const outcome = await saved.read(async (about, reader) => {
    try {
      await requireCurrent(parts, about);
      const state = new ArchiveState();
      state.load(reader);
      restored = { state, position: about.position };
    } catch (error) {
      failure = error;
      throw error;
    }
  });
  if (outcome === 'read' && restored !== undefined) return restored;
  if (outcome === 'none') return undefined;
  // Nothing is known about the tables.
  if (failure instanceof StoreError) throw failure;
  onIgnored(failure instanceof Outdated ? failure.message : 'the file is damaged');
  // A file that cannot be removed stops no start: the next purge reports it.
  await saved.remove().catch(() => {});
  return undefined;
}

/** Throws Outdated for saved tables that are not those of this program, this journal and this event log. */
async function requireCurrent(
  { journal, setAsideLog, eventSink }: SavedTablesParts,
  { format, position, facts }: SavedAbout,
): Promise<void> {
  const fingerprint = await codeFingerprint();
  if (fingerprint === undefined || format !== fingerprint)
    throw new Outdated('another version of the program wrote it');
  // The events between the checkpoint and the position would be missing. An import saves tables without a checkpoint.
  const checkpoint = eventSink?.checkpoint;
  if (checkpoint !== undefined && checkpoint < (facts['checkpoint'] ?? position.seq))
    throw new Outdated('the event log is older');
  if (setAsideLog.records.some(({ seq, segment }) => seq <= position.seq && segment === undefined))
    throw new Outdated('the place of a record that was set aside is not known');
  if ((await journal.positions?.contains(position)) !== true)
    throw new Outdated('the journal is another one, or a purge has removed records from it');
}

interface TableSaverParts extends SavedTablesParts {
  readonly state: ArchiveState;
  /** Runs a task while no change is applied; changes wait for its end. */
  readonly pause: (task: () => Promise<boolean>) => Promise<boolean>;
  /** Waits until the events of all changes are durable. */
  readonly settleEvents: () => Promise<void>;
}

/** Saves the tables of an open archive. */
export class TableSaver {
  readonly #parts: TableSaverParts;
  readonly #options: Required<Omit<SaveOptions, 'onFailed' | 'onIgnored'>> & SaveOptions;
  /** The last record that the saved tables cover; 0 without saved tables. */
  #savedSeq: number;
  /** When the last save began, and the time that it took. */
  #savedAt = performance.now();
  #saveMs = 0;
  #changedAt = performance.now();
  #saving: Promise<boolean> | undefined;
  /** The number of reasons not to save now. */
  #suspensions = 0;
  #isClosed = false;
  /** Whether to save as soon as possible: a purge has removed the tables. */
  #isWanted = false;
  /** Whether tables from before a purge may still be on the disk, and when that purge was last seen. */
  #isOutdated = false;
  #purgedAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: TableSaverParts, savedSeq: number, options: SaveOptions = {}) {
    this.#parts = parts;
    this.#savedSeq = savedSeq;
    this.#options = { ...defaults, ...options };
    // Without an event log, the next start could not know which events are missing.
    if (parts.eventSink !== undefined) this.#schedule();
  }

  /** Records that the archive has changed. */
  changed(): void {
    this.#changedAt = performance.now();
  }

  #schedule(): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#check(), this.#options.checkMs).unref();
  }

  async #check(): Promise<void> {
    const { quietMs, busyMs, checkMs, onFailed } = this.#options;
    if (this.#isOutdated) await this.#removeOutdated();
    const now = performance.now();
    // A purge of another process has many steps: each of them would end the tables that were saved before it.
    const isWanted = this.#isWanted && now - this.#purgedAt >= checkMs;
    const isDue = isWanted || now - this.#changedAt >= quietMs || now - this.#savedAt >= busyMs;
    const isTime = isDue && this.#saveMs <= (now - this.#savedAt) * maxSaveShare;
    if (isTime && this.needsSave) await this.save().catch((error: unknown) => onFailed?.(error));
    this.#schedule();
  }

  /** Whether there are enough new records for a save. */
  get needsSave(): boolean {
    const { journal, state } = this.#parts;
    const newRecords = journal.lastSeq - this.#savedSeq;
    return newRecords >= this.#options.minRecords && newRecords >= state.archive.live * minNewShare;
  }

  /** Saves the tables now. Returns whether it did. Rejects with StoreError. */
  async save(mayContinue: () => boolean = () => true): Promise<boolean> {
    if (this.#saving !== undefined) return this.#saving;
    if (this.#suspensions > 0) return false;
    this.#saving = this.#parts
      .pause(() => this.#hold(() => this.#suspensions === 0 && mayContinue()))
      .finally(() => (this.#saving = undefined));
    return this.#saving;
  }

  async #hold(mayContinue: () => boolean): Promise<boolean> {
    this.#savedAt = performance.now();
    const { positions } = this.#parts.journal;
    try {
      return (
        (await positions?.hold(async (position) => position !== undefined && this.#save(position, mayContinue))) ??
        false
      );
    } finally {
      this.#saveMs = performance.now() - this.#savedAt;
    }
  }

  async #save(position: JournalPosition, mayContinue: () => boolean): Promise<boolean> {
    const { state, saved, setAsideLog, eventSink, settleEvents } = this.#parts;
    const format = await codeFingerprint();
    await settleEvents();
    await setAsideLog.save();
    if (format === undefined) return false;
    // The words of removed texts leave the tables.
    const slice = new TimeSlice();
    for (const _ of state.archive.sweepIndex()) {
      if (!slice.isOver) continue;
      await slice.next();
      if (!mayContinue()) return false;
    }
    const checkpoint = eventSink?.checkpoint;
    const facts = checkpoint === undefined ? {} : { checkpoint };
    const about = { format, position, records: state.archive.live, facts };
    const isWritten = await saved.write(about, state.save(), mayContinue);
    if (isWritten) [this.#savedSeq, this.#isWanted] = [position.seq, false];
    return isWritten;
  }

  /** Removes the saved tables, and saves none until `resume`. Rejects with StoreError. */
  async suspend(): Promise<void> {
    this.#suspensions++;
    await this.#saving?.catch(() => {});
    this.#isWanted ||= this.#savedSeq > 0;
    this.#savedSeq = 0;
    await this.#parts.saved.remove();
  }

  /** Saves the tables again soon, if there were any. Call once after each `suspend`. */
  resume(): void {
    this.#suspensions--;
  }

  /** Removes tables from before a purge of another process, and saves new ones soon after its end. Does not reject. */
  async purged(): Promise<void> {
    this.#isOutdated = true;
    this.#purgedAt = performance.now();
    await this.#removeOutdated();
  }

  async #removeOutdated(): Promise<void> {
    const seenAt = this.#purgedAt;
    try {
      await this.suspend();
      if (seenAt === this.#purgedAt) this.#isOutdated = false;
    } catch (error) {
      this.#options.onFailed?.(error);
    } finally {
      this.resume();
    }
  }

  /** Ends the saves in the background, and with `mayRun` saves a last time if that makes the next start faster. Does not reject. */
  async close(mayRun: boolean): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const end = performance.now() + maxStopMs;
    try {
      if (mayRun) await this.#saving;
      if (mayRun && this.#parts.eventSink !== undefined && this.needsSave)
        await this.save(() => performance.now() < end);
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      this.#options.onFailed?.(error);
    }
  }
}
