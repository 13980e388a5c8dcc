/** A thread that searches a SQLite file, one search at a time. */
import { parentPort, workerData } from 'node:worker_threads';
import { unavailable } from '../../contract/service-error.ts';
import { SqliteDatabase } from './sqlite-database.ts';
import { SqliteSearch } from './sqlite-search.ts';
import { ThreadPort } from './thread-calls.ts';
import type { ReaderSettings, SearchCall } from './thread-search.ts';

if (parentPort === null) throw new Error('this module runs in a thread');
const { path, isCancelled } = workerData as ReaderSettings;

/** After how many seconds a caller may try again whose search took too long: others may have been in the way. */
const retryAfter = 10;
let mostMs = Number.POSITIVE_INFINITY;
let endAt = Number.POSITIVE_INFINITY;

const search = new SqliteSearch(new SqliteDatabase(path, { readOnly: true }), {
  mayGoOn() {
    // Nobody reads this error.
    if (Atomics.load(isCancelled, 0) !== 0) throw new Error('the search was cancelled');
    if (performance.now() > endAt)
      throw unavailable(`the search took longer than ${mostMs / 1000} s: add words or a shorter time`, retryAfter);
  },
});

new ThreadPort(parentPort).serve({
  search(call: SearchCall) {
    mostMs = call.mostMs ?? Number.POSITIVE_INFINITY;
    endAt = performance.now() + mostMs;
    const { now } = call;
    if (call.order === 'Counts') return search.counts(call.query, call.span, now);
    const { page } = call;
    if (call.order === 'Oldest') return search.oldest(call.tweets, page, now);
    return call.order === 'Top' ? search.top(call.query, page, now) : search.latest(call.query, page, now);
  },
});
