/**
 * A connection to X: the filtered stream, beside a search for what was posted while there was no connection. Where the plan of
 * the app has no stream, search alone, again and again.
 */
import { isFields, list, type Fields } from '../../formats/recognised.ts';
import {
  SourceError,
  type LiveBatch,
  type LiveStream,
  type ResolvedTarget,
  type StreamRequest,
} from '../../ports/live-source.ts';
import { Channel } from './channel.ts';
import { problemsOf, problemText, XError } from './errors.ts';
import { wholeTweets } from './fields.ts';
import type { HttpResponse } from '../http.ts';
import { earlier, idAt } from './ids.ts';
import { CountedReads } from './counted-reads.ts';
import { LineSplitter } from './lines.ts';
import type { SourceParts } from './options.ts';
import { Progress } from './progress.ts';
import { newestOf, postBatch, postsOf } from './records.ts';
import { joinAccounts, maxQueryLength, syncRules, type Wanted } from './rules.ts';
import { RecentSearch, searchDelayMs, type SearchTarget } from './search.ts';
import { targetText } from './targets.ts';

const route = '/2/tweets/search/stream';
/** X sends an empty line every 20 s where it has no post. */
const heartbeatMs = 25_000;
/** A line is a post with all that it refers to: less than 200 kB. */
const maxLineBytes = 1024 * 1024;
/** Posts can come out of order within this time. */
const disorderMs = 15_000;
/** The time between two positions of a quiet stream. */
const quietPositionMs = 60_000;
/** A new target begins so long before it is followed, because its history is read at the same time. */
const overlapMs = 60_000;
/** After this wait the socket had nothing more to read when the wait began. */
const idleMs = 1000;
/** The bounds of the time between two searches where there is no stream. */
const pollMs = { min: 30_000, perQuery: 2500, max: 3_600_000 } as const;
/** The smallest page of a search, which each search needs in the budget. */
const pollReads = 10;

export class XStream implements LiveStream {
  readonly #parts: SourceParts;
  readonly #request: StreamRequest;
  readonly #progress: Progress;
  readonly #channel = new Channel<LiveBatch>();
  readonly #search: RecentSearch;
  #targets: readonly ResolvedTarget[];
  #followed: ReadonlySet<string> = new Set();
  /** Rules of others at the same app. */
  #foreign: ReadonlySet<string> = new Set();
  /** Ends the wait of the task that reacts to a change of the targets. */
  #change = new AbortController();
  #hasChanged = false;
  #positionAt = 0;

  constructor(parts: SourceParts, request: StreamRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#targets = request.targets;
    this.#progress = new Progress(request.position);
    const emit = (batch: LiveBatch): Promise<void> => this.#channel.push(batch);
    this.#search = new RecentSearch({ ...parts, progress: this.#progress, followed: () => this.#followed, emit });
  }

  update(targets: readonly ResolvedTarget[]): void {
    this.#targets = targets;
    this.#hasChanged = true;
    this.#change.abort();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveBatch, void> {
    const stop = new AbortController();
    const signal = AbortSignal.any([this.#request.signal, stop.signal]);
    const onAbort = (): void => this.#channel.end();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) return;
    const work = this.#work(signal).then(
      () => this.#channel.end(),
      (error: unknown) => this.#channel.end(error),
    );
    try {
      yield* this.#channel;
    } finally {
      stop.abort();
      await work;
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    this.#setTargets();
    const response = await this.#connect(signal);
    if (response === undefined) return this.#poll(signal);
    const stop = new AbortController();
    const inner = AbortSignal.any([signal, stop.signal]);
    const tasks = [this.#readStream(response, inner), this.#keepComplete(inner)];
    try {
      await Promise.all(tasks);
    } finally {
      stop.abort();
      await Promise.allSettled(tasks);
    }
  }

  #setTargets(): void {
    this.#hasChanged = false;
    this.#followed = new Set(this.#targets.flatMap(({ accounts = [] }) => accounts));
    const { api } = this.#parts;
    this.#progress.set(
      this.#searchTargets().map(({ key }) => key),
      idAt(api.now() - overlapMs),
    );
  }

  /** Accounts are known by their id in positions, so that a renamed one keeps its position. */
  #searchTargets(): SearchTarget[] {
    const searches = this.#targets.filter(({ target }) => target.kind === 'search');
    return [
      ...Array.from(this.#followed, (account) => ({ key: account, account })),
      ...searches.map(({ target }) => ({ key: targetText(target), query: target.value })),
    ];
  }

  #wanted(): Wanted {
    const searches = this.#searchTargets().flatMap(({ key, query }) =>
      query === undefined ? [] : [[key, query] as const],
    );
    return { accounts: [...this.#followed], searches: new Map(searches) };
  }

  /** Starts the stream; undefined where the plan has none. */
  async #connect(signal: AbortSignal): Promise<HttpResponse | undefined> {
    const { api, budget, observer } = this.#parts;
    // The stream sends posts, and bills them, as soon as it is open.
    if (budget.left === 0) await budget.take(1);
    try {
      this.#foreign = await syncRules(this.#parts, this.#wanted(), signal);
      const response = await api.open({ route, query: wholeTweets }, signal);
      observer.connected(api.host);
      return response;
    } catch (error) {
      if (error instanceof XError && error.status === 403) return undefined;
      throw error;
    }
  }

  async #readStream(response: HttpResponse, signal: AbortSignal): Promise<void> {
    const { observer, budget, clock } = this.#parts;
    const lines = new LineSplitter(maxLineBytes, () => observer.rejected('line too long'));
    const reads = new CountedReads(budget);
    const chunks = response.body[Symbol.asyncIterator]();
    try {
      for (;;) {
        const waitsFrom = clock.now();
        const chunk = await this.#nextChunk(chunks, signal);
        if (signal.aborted) return;
        if (chunk === undefined) throw new SourceError('X ended the stream');
        observer.alive();
        const isIdle = clock.now() - waitsFrom >= idleMs;
        await this.#deliver(lines.add(chunk), reads, isIdle ? waitsFrom : undefined);
      }
    } finally {
      response.discard();
      await reads.end();
    }
  }

  /** The next part of the stream. Rejects when there is none in the time of a heartbeat. */
  async #nextChunk(chunks: AsyncIterator<Buffer>, signal: AbortSignal): Promise<Buffer | undefined> {
    const { clock, api } = this.#parts;
    const read = new AbortController();
    const timeout = clock.sleep(heartbeatMs, AbortSignal.any([read.signal, signal])).then(() => undefined);
    // The rejection of a read that lost the race is the error of a connection that is closed anyway.
    const next = chunks.next().catch((error: unknown) => {
      if (signal.aborted) return { done: true, value: undefined } as const;
      throw new SourceError('the stream of X broke off', { cause: api.redact(String(error)) });
    });
    try {
      const result = await Promise.race([next, timeout]);
      if (result === undefined && !signal.aborted)
        throw new SourceError(`X sent no heartbeat for ${heartbeatMs / 1000} s`);
      return result === undefined || result.done === true ? undefined : result.value;
    } finally {
      read.abort();
      next.catch(() => {});
    }
  }

  /** Passes the posts of some lines on. `readUntil`: the time up to which everything that X sent is read, by this machine. */
  async #deliver(lines: readonly string[], reads: CountedReads, readUntil: number | undefined): Promise<void> {
    const { api, clock } = this.#parts;
    const batch = { records: [] as LiveBatch['records'][number][], ids: [] as string[] };
    let end: unknown;
    try {
      for (const line of lines) if (line !== '') await this.#readLine(line, reads, batch);
    } catch (error) {
      end = error;
    }
    const newest = newestOf(batch.ids);
    if (newest !== undefined) this.#progress.delivered(earlier(newest, disorderMs));
    else if (readUntil !== undefined && end === undefined)
      this.#progress.delivered(idAt(readUntil + api.now() - clock.now() - disorderMs));
    const isQuietPosition = this.#progress.isLive && clock.now() - this.#positionAt >= quietPositionMs;
    if (batch.records.length > 0 || isQuietPosition) {
      const position = this.#progress.isLive ? this.#progress.toString() : undefined;
      if (position !== undefined) this.#positionAt = clock.now();
      await this.#channel.push(postBatch(batch.records, position));
    }
    if (end !== undefined) throw end;
  }

  async #readLine(
    line: string,
    reads: CountedReads,
    batch: { records: LiveBatch['records'][number][]; ids: string[] },
  ): Promise<void> {
    const { api, observer } = this.#parts;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      value = undefined;
    }
    if (!isFields(value)) return observer.rejected('not JSON');
    if (!isFields(value.data)) {
      const [problem] = problemsOf(value);
      if (problem !== undefined) throw new SourceError(`X ends the stream: ${api.redact(problemText(problem))}`);
      return observer.rejected('not a post');
    }
    await reads.use();
    if (this.#isForeign(value)) return;
    const { records, ids } = await postsOf(this.#parts, value, this.#followed);
    for (const record of records) batch.records.push(record);
    batch.ids.push(...ids);
  }

  /** Whether only rules of others match a post. */
  #isForeign(line: Fields): boolean {
    const rules = list(line.matching_rules);
    return rules.length > 0 && rules.every(({ id }) => typeof id === 'string' && this.#foreign.has(id));
  }

  /**
   * Searches for what the stream did not deliver: at once, and again when everything up to the start of the stream is in the index.
   * Then waits for a change of the targets.
   */
  async #keepComplete(signal: AbortSignal): Promise<void> {
    for (;;) {
      await this.#searchBehind(signal);
      await this.#waitForChange(searchDelayMs, signal);
      if (!this.#hasChanged && !signal.aborted) {
        await this.#searchBehind(signal);
        if (!signal.aborted) this.#progress.live(this.#progress.behind);
      }
      while (!this.#hasChanged && !signal.aborted) await this.#waitForChange(3_600_000, signal);
      if (signal.aborted) return;
      this.#setTargets();
      this.#foreign = await syncRules(this.#parts, this.#wanted(), signal);
    }
  }

  async #searchBehind(signal: AbortSignal): Promise<void> {
    const behind = new Set(this.#progress.behind);
    try {
      await this.#search.read(
        this.#searchTargets().filter(({ key }) => behind.has(key)),
        signal,
      );
    } catch (error) {
      if (!(error instanceof XError && error.status === 403)) throw error;
      // A plan with the stream alone: the histories of the accounts are what there is.
      this.#parts.observer.gap('X does not permit recent search');
    }
  }

  /** Waits for a change of the targets, for at most this time. */
  async #waitForChange(ms: number, signal: AbortSignal): Promise<void> {
    this.#change = new AbortController();
    if (this.#hasChanged) return;
    await this.#parts.clock.sleep(ms, AbortSignal.any([signal, this.#change.signal]));
  }

  /** Searches again and again. */
  async #poll(signal: AbortSignal): Promise<void> {
    const { api, observer, budget } = this.#parts;
    while (!signal.aborted) {
      this.#setTargets();
      const targets = this.#searchTargets();
      await this.#search.read(targets, signal);
      if (signal.aborted) return;
      observer.connected(api.host);
      observer.alive();
      const queries = joinAccounts([...this.#followed], maxQueryLength).length + this.#wanted().searches.size;
      await this.#waitForChange(pollIntervalMs(queries, budget.left, budget.msUntilReset), signal);
    }
  }
}

/**
 * The time between two searches of all targets, in milliseconds: so long that the budget lasts until the end of the day, even where
 * each search returned a page of the smallest size.
 */
export function pollIntervalMs(queries: number, readsLeft: number, msUntilReset: number): number {
  const even = (msUntilReset * pollReads * queries) / Math.max(1, readsLeft);
  return Math.min(pollMs.max, Math.max(pollMs.min, pollMs.perQuery * queries, even));
}
