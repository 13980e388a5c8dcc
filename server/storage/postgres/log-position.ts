/**
 * Positions in a log. A position has the chain of the history before it, and the stamp of the last purge, because a purge changes
 * no chain. So a log of another history, and one from which a purge has removed records since, do not contain it.
 */
import type { JournalPosition } from '../../ports/storage.ts';
import { isObject } from '../../text/object.ts';
import type { Run } from './database.ts';
import type { Position } from './log-reader.ts';
import { readMark, type MarkRow } from './statements.ts';

/** The state of a log at one moment. */
export interface Mark {
  /** The number of the last row; 0 without one. */
  readonly head: number;
  /** The number of the first record. */
  readonly first: number | undefined;
  /** The chain of the row that was asked for, in hex. */
  readonly chain: string | undefined;
  /** The number of the steps of purges, and the stamp of the last one; empty without a purge. */
  readonly steps: number;
  readonly stamp: string;
}

/** What identifies the records up to a position. */
export interface LogProof {
  /** Identifies the database. */
  readonly identity: string;
  readonly chain: string;
  readonly stamp: string;
  /** The size of the records up to the position. */
  readonly bytes: number;
}

/** Reads the state of a log, with the chain of the row `seq`. Rejects with DatabaseError. */
export async function markOf(run: Run, log: string, seq: number): Promise<Mark> {
  const [row] = await run<MarkRow>(readMark(log, seq));
  return {
    head: Number(row?.head ?? 0),
    first: row?.first == null ? undefined : Number(row.first),
    chain: row?.chain ?? undefined,
    steps: Number(row?.steps ?? 0),
    stamp: row?.stamp ?? '',
  };
}

/** The position of a process in a log whose state it has read before; undefined where the process is not at that state. */
export function positionOf(
  { seq, chain }: Position,
  { head, stamp }: Mark,
  { identity, bytes }: Pick<LogProof, 'identity' | 'bytes'>,
): JournalPosition | undefined {
  // A record that a purge has removed is in no state that has applied all records which the log had then.
  if (seq === 0 || seq !== head || chain === undefined) return undefined;
  return { seq, proof: JSON.stringify({ identity, chain, stamp, bytes } satisfies LogProof) };
}

/** The proof of a position; undefined for that of another storage. */
export function proofOf({ proof }: JournalPosition): LogProof | undefined {
  try {
    const value: unknown = JSON.parse(proof);
    return isProof(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isProof(value: unknown): value is LogProof {
  if (!isObject(value)) return false;
  const { identity, chain, stamp, bytes } = value;
  return [identity, chain, stamp].every((each) => typeof each === 'string') && typeof bytes === 'number';
}
