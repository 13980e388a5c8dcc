/** Reads the journal of the archive: applies its lines, and sets aside each record that the archive cannot apply. */
import type { PublishedEvent } from '../../domain/events.ts';
import type { ChangeOutcome } from '../../domain/records.ts';
import type { ImportProgress } from '../../ports/import-sink.ts';
import { StoreError, type Journal, type RecordPlace } from '../../ports/storage.ts';
import { Archive } from './archive.ts';
import { UnusableRecord, type Change } from './change.ts';
import type { SetAsideLog } from './set-aside.ts';

/** The progress of an import, in the same append as its records, so that both are durable or neither. */
export type ImportLine = { kind: 'import'; fingerprint: string; progress: ImportProgress };
/** Marks the start and the end of a snapshot: its records are older than any revision that a cursor may contain. */
export type SnapshotLine = { kind: 'snapshot'; is: 'begin' | 'end' };
export type Line = Change | ImportLine | SnapshotLine;

/** The state after the replayed part of the journal. */
export class ArchiveState {
  readonly archive = new Archive();
  readonly imports = new Map<string, ImportProgress>();
  #events: PublishedEvent[] = [];

  /**
   * Applies the journal line with this number. Collects its events if `publish` is true. Throws UnusableRecord if the
   * archive cannot apply the record; then only the revision changes.
   */
  apply(line: Change | ImportLine, seq: number, publish: boolean, snapshot = false): ChangeOutcome {
    if (line.kind === 'import') {
      this.archive.advanceTo(seq);
      this.imports.set(line.fingerprint, line.progress);
      return 'unchanged';
    }
    const { outcome, events } = this.archive.apply(line, { seq, snapshot });
    if (publish) for (const event of events) this.#events.push({ ...event, change: seq });
    return outcome;
  }

  /** Returns the collected events and removes them. */
  drainEvents(): PublishedEvent[] {
    const drained = this.#events;
    this.#events = [];
    return drained;
  }
}

/** Parses a line of the journal. Throws UnusableRecord if it is not a JSON object. */
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

/** The number of times that the start replays the journal before it gives up on partly applied records. */
const maxReplayAttempts = 3;

/**
 * Replays the journal and sets aside each record that the archive cannot apply. A record that fails halfway, because of
 * a fault of this program, may leave a partial change: the function then replays everything without that record.
 * Collects the events of the changes after `checkpoint`, none if it is undefined. Throws StoreError if a file is
 * damaged, or if the last attempt fails too.
 */
export async function readJournal(
  journal: Journal,
  setAsideLog: SetAsideLog,
  checkpoint: number | undefined,
): Promise<ArchiveState> {
  for (let attempt = 1; ; attempt++) {
    const state = new ArchiveState();
    let failed: { seq: number; place: RecordPlace; json: string; reason: string } | undefined;
    let snapshot = false;
    try {
      await journal.replay((bytes, seq, location) => {
        if (setAsideLog.has(seq, location)) return;
        const json = bytes.toString();
        try {
          const line = parseLine(json);
          if (line.kind === 'snapshot') snapshot = line.is === 'begin';
          else state.apply(line, seq, !snapshot && checkpoint !== undefined && seq > checkpoint, snapshot);
        } catch (error) {
          const reason = (error as Error).message;
          if (error instanceof UnusableRecord) return void setAsideLog.add(seq, json, reason, location);
          failed = { seq, place: { ...location }, json, reason };
          throw error;
        }
      });
      return state;
    } catch (error) {
      if (failed === undefined) throw error;
      const { seq, place: location, json, reason } = failed;
      if (attempt === maxReplayAttempts) {
        throw new StoreError(
          `archive/${location.segment}, line ${location.line} (byte ${location.offset}) cannot be applied: ${reason}`,
          { cause: error },
        );
      }
      setAsideLog.add(seq, json, reason, location);
    }
  }
}
