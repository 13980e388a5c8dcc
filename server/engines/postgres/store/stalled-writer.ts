/**
 * Ends a writer that holds the lock of a log and makes no progress: its process or host is gone or frozen, but a proxy between them keeps
 * the connection alive, or PostgreSQL waits for rows of a COPY, where its own time limits do not count. What ends is a transaction, which is
 * rolled back. A process that only was slow finds its connection lost, and repeats the transaction.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError, type Database } from './database.ts';
import type { RunAny } from './database.ts';
import { endHolder, readHolders, type HolderRow } from './statements.ts';

/** How long a writer may make no progress, and the time between two looks at it, in milliseconds. */
const stalledMs = 5_000;
const lookMs = 500;

/** lock_not_available: the wait for a lock was longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean => error instanceof DatabaseError && error.code === '55P03';

/** Looks at the writers that hold the locks until one makes progress, all have ended, or one was ended. Returns whether the locks may be free. */
async function endStalled(run: RunAny, logs: readonly string[]): Promise<boolean> {
  const look = (): Promise<readonly HolderRow[]> => run<HolderRow>(readHolders(logs));
  const first = await look();
  const began = performance.now();
  for (let now = first; now.length > 0; now = await look()) {
    const isStill = now.every(
      ({ pid, progress, waits }) => waits && first.some((each) => each.pid === pid && each.progress === progress),
    );
    if (!isStill) return false;
    if (performance.now() - began < stalledMs) await sleep(lookMs);
    else for (const { pid, progress } of now) await run(endHolder(logs, pid, progress));
    // It has ended, or it has made progress at the last moment.
    if (performance.now() - began > 2 * stalledMs) return false;
  }
  return true;
}

/**
 * Runs a step that takes the locks of logs in a transaction. Where it has waited for one too long, and the writer that holds it makes no
 * progress, ends that writer and runs the step again. Rejects as the step does.
 */
export async function withLock<Result>(
  database: Pick<Database, 'run' | 'reportStalled'>,
  logs: readonly string[],
  step: () => Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    const began = performance.now();
    const isFree = await endStalled(database.run, logs).catch(() => false);
    if (!isFree) throw error;
    if (performance.now() - began >= stalledMs) database.reportStalled();
    return step();
  }
}
