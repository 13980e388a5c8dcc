/** Prints the priorities of the threads of this process: at first, after a worker has lowered its own, and after the process has. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { getPriority } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { lowerProcessPriority, lowerThreadPriority } from '../../server/process/thread-priority.ts';

/** The priorities of the threads, each once, in order. */
const priorities = (): number[] =>
  [...new Set(readdirSync('/proc/self/task').map((thread) => getPriority(Number(thread))))].sort((a, b) => a - b);

if (isMainThread) {
  const before = priorities();
  const worker = new Worker(new URL(import.meta.url));
  const [withWorker] = await once(worker, 'message');
  await worker.terminate();
  lowerProcessPriority();
  console.log(JSON.stringify([before, withWorker, priorities()]));
} else {
  lowerThreadPriority();
  parentPort?.postMessage(priorities());
}
