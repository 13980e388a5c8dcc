/** Searches a SQLite file in threads: however long a search takes, requests are answered meanwhile. */
import { availableParallelism } from 'node:os';
import {
  maxSearchMs,
  maxWaitingSearches,
  type ArchiveSearch,
  type SearchOptions,
} from '../../archive/search/archive-search.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import type { CountSpan, TweetCounts } from '../../ports/platform.ts';
import { unavailable } from '../../contract/service-error.ts';
import type { Query } from '../../domain/query.ts';
import { CalledThread } from './thread-calls.ts';

/** What a thread gets. `isCancelled`: 1 where its search must end. */
export interface ReaderSettings {
  readonly path: string;
  readonly isCancelled: Int32Array<SharedArrayBuffer>;
}

interface SearchedPage {
  readonly page: PageRequest;
  readonly now: number;
}
type Search =
  | { readonly order: 'Counts'; readonly query: Query; readonly span: CountSpan; readonly now: number }
  | ({ readonly order: 'Latest' | 'Top'; readonly query: Query } & SearchedPage)
  | ({ readonly order: 'Oldest'; readonly tweets: Parameters<ArchiveSearch['oldest']>[0] } & SearchedPage);
/** `mostMs`: the longest time that the search may take, in milliseconds. */
export type SearchCall = Search & { readonly mostMs: number | undefined };

export interface ThreadSearchOptions {
  /** The number of threads at most. */
  readonly threads?: number;
  /** The searches that wait at most; further ones are refused. */
  readonly maxWaiting?: number;
  /** The longest time that a search of a request may take, in milliseconds. */
  readonly mostMs?: number;
  /** A thread has ended by a fault. The next search starts another one. */
  readonly onEnded?: (reason: string) => void;
}

const maxThreads = 4;
const defaultThreads = Math.max(1, Math.min(maxThreads, availableParallelism() - 1));
/** After how many seconds a caller may try again while too many searches wait. */
const retryAfter = 1;

interface Reader {
  readonly thread: CalledThread;
  readonly isCancelled: Int32Array<SharedArrayBuffer>;
}
interface Waiting {
  readonly call: SearchCall;
  readonly done: PromiseWithResolvers<unknown>;
  /** The thread that searches; undefined while the search waits. */
  reader?: Reader;
}

export class ThreadSearch implements ArchiveSearch {
  readonly #path: string;
  readonly #options: Required<ThreadSearchOptions>;
  readonly #readers = new Set<Reader>();
  readonly #idle: Reader[] = [];
  #waiting: Waiting[] = [];
  #isClosed = false;

  constructor(
    path: string,
    {
      threads = defaultThreads,
      maxWaiting = maxWaitingSearches,
      mostMs = maxSearchMs,
      onEnded = () => {},
    }: ThreadSearchOptions = {},
  ) {
    this.#path = path;
    this.#options = { threads, maxWaiting, mostMs, onEnded };
  }

  /** Starts a thread before the first search. */
  start(): void {
    if (this.#readers.size > 0) return;
    const reader = this.#add();
    this.#idle.push(reader);
    reader.thread.start();
  }

  latest(query: Query, page: PageRequest, now: number, options?: SearchOptions): Promise<Page<string>> {
    return this.#search({ order: 'Latest', query, page, now }, options);
  }

  top(query: Query, page: PageRequest, now: number, options?: SearchOptions): Promise<Page<string>> {
    return this.#search({ order: 'Top', query, page, now }, options);
  }

  counts(query: Query, span: CountSpan, now: number, options?: SearchOptions): Promise<TweetCounts> {
    return this.#search({ order: 'Counts', query, span, now }, options);
  }

  oldest(tweets: Parameters<ArchiveSearch['oldest']>[0], page: PageRequest, now: number): Promise<Page<string>> {
    return this.#search({ order: 'Oldest', tweets, page, now });
  }

  /** Ends the threads. Searches in progress reject with StoreError. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(Array.from(this.#readers, ({ thread }) => thread.close()));
    for (const { done } of this.#waiting.splice(0)) done.reject(unavailable('the server is shutting down', retryAfter));
  }

  async #search<Result>(search: Search, options?: SearchOptions): Promise<Result> {
    const { maxWaiting, mostMs } = this.#options;
    if (this.#isClosed) throw unavailable('the server is shutting down', retryAfter);
    if (this.#waiting.length >= maxWaiting) throw unavailable('too many searches wait for their turn', retryAfter);
    const signal = options?.signal;
    signal?.throwIfAborted();
    const call = { ...search, mostMs: options === undefined ? undefined : mostMs };
    const waiting: Waiting = { call, done: Promise.withResolvers() };
    const cancel = (): void => this.#cancel(waiting, signal?.reason);
    signal?.addEventListener('abort', cancel, { once: true });
    this.#waiting.push(waiting);
    this.#startNext();
    try {
      return (await waiting.done.promise) as Result;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  #cancel(waiting: Waiting, reason: unknown): void {
    if (waiting.reader === undefined) this.#waiting = this.#waiting.filter((each) => each !== waiting);
    else Atomics.store(waiting.reader.isCancelled, 0, 1);
    waiting.done.reject(reason);
  }

  #startNext(): void {
    if (this.#waiting.length === 0) return;
    const reader = this.#idle.pop() ?? (this.#readers.size < this.#options.threads ? this.#add() : undefined);
    const next = reader && this.#waiting.shift();
    if (reader === undefined || next === undefined) return;
    next.reader = reader;
    Atomics.store(reader.isCancelled, 0, 0);
    const found = reader.thread.call<unknown>('search', next.call);
    found.then(next.done.resolve, next.done.reject).finally(() => {
      if (!this.#readers.has(reader)) return;
      this.#idle.push(reader);
      this.#startNext();
    });
  }

  #add(): Reader {
    const isCancelled = new Int32Array(new SharedArrayBuffer(4));
    const settings: ReaderSettings = { path: this.#path, isCancelled };
    const thread = new CalledThread({
      ...{ module: new URL('reader-thread.ts', import.meta.url), data: settings, task: 'searches' },
      onEnded: (reason) => {
        this.#readers.delete(reader);
        const place = this.#idle.indexOf(reader);
        if (place >= 0) this.#idle.splice(place, 1);
        this.#options.onEnded(reason);
        this.#startNext();
      },
    });
    const reader: Reader = { thread, isCancelled };
    this.#readers.add(reader);
    return reader;
  }
}
