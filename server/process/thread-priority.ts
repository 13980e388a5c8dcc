/**
 * The CPU priority of work that may wait for requests. Not the lowest one: where the processors are busy all the time, such work must
 * not stop; with this one it still gets about a tenth of what a thread of the normal priority gets.
 */
import { readdirSync, readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

function lower(thread: string): void {
  try {
    setPriority(Number(thread), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The thread has ended, or the system does not allow it: the work goes on with the priority that it has.
  }
}

/**
 * Gives the calling thread a low CPU priority, and the threads that it starts later: the scheduler then prefers those that answer
 * requests. Only on Linux, where each thread has a priority; elsewhere nothing happens. A thread cannot get its priority back.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    lower(basename(readlinkSync('/proc/thread-self')));
  } catch {
    // Without /proc, the thread is not known.
  }
}

/** Gives this process a low CPU priority, with all its threads. */
export function lowerProcessPriority(): void {
  try {
    for (const thread of process.platform === 'linux' ? readdirSync('/proc/self/task') : ['0']) lower(thread);
  } catch {
    // Without /proc, the threads are not known.
  }
}
