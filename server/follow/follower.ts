/**
 * Reads one live source into the archive: resolves its targets, keeps a connection, writes what comes, and reads histories where
 * events may have been missed. Knows no platform.
 */
import type { ArchivedTweet, ArchiveRecord } from '../domain/records.ts';
import {
  SourceError,
  type LiveSource,
  type LiveStream,
  type SourceObserver,
  type Target,
} from '../ports/live-source.ts';
import type { LiveSink, SourcePosition } from '../ports/live-sink.ts';
import type { Awaitable } from '../ports/platform.ts';
import { messageOf } from '../text/error-text.ts';
import { Backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import type { SourceMetrics } from './follow-metrics.ts';
import { ComplianceLoop } from './compliance-loop.ts';
import { ConnectionState } from './connection-state.ts';
import { Histories } from './histories.ts';
import { RefreshLoop } from './refresh-loop.ts';
import type { SourceStatus, TargetStatus } from './status.ts';
import { StreamWriter } from './stream-writer.ts';
import { TargetResolver, type ResolvedTargets } from './target-resolver.ts';
import { targetText } from '../config/targets.ts';
import type { HeldRecords } from '../ports/held-records.ts';

/** What the operator reads of a follower: one call for each change of state. */
export interface FollowerReporter {
  /** The source is connected, at first or after it was reported as away. */
  following(status: SourceStatus): void;
  /** The source is away for longer than a reconnect takes. */
  away(source: string, reason: string): void;
  /** A target cannot be followed, or its history cannot be read; it is tried again. */
  failed(target: string, reason: string): void;
  /** The daily compliance check failed; it is tried again. */
  complianceFailed(source: string, reason: string): void;
  /** The first record that does not conform to the native format, with the reason. */
  invalid(source: string, reason: string): void;
  /** The archive rejects changes (an error), or accepts them again (undefined). */
  archiveFailed(source: string, error: unknown): void;
}

export interface FollowerParts {
  /** Creates the source. Rejects with SourceError, as without a token. */
  readonly open: (observer: SourceObserver) => Promise<LiveSource>;
  /** The name of the source, and its name for output. */
  readonly source: string;
  readonly title: string;
  readonly sink: LiveSink;
  readonly held: HeldRecords;
  readonly known: ResolvedTargets;
  /** The ids in the archive of accounts by the identifiers of the platform; those that it does not know are left out. */
  readonly userIdsOf: (accounts: readonly string[]) => Awaitable<readonly string[]>;
  /** All tweets of the archive, for the compliance check of a platform. */
  readonly allTweets: () => AsyncIterable<ArchivedTweet>;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
  /** The maximum number of tweets of each account of a new target. */
  readonly backfill: number;
  readonly reporter: FollowerReporter;
  /** Removes secrets from a text of the source. */
  readonly redact: (text: string) => string;
}

/** The components of an open source. */
interface Opened {
  readonly source: LiveSource;
  readonly resolver: TargetResolver;
  readonly histories: Histories;
  readonly writer: StreamWriter;
  readonly refresh: RefreshLoop;
  readonly compliance: ComplianceLoop;
}

export class Follower {
  readonly #parts: FollowerParts;
  readonly #stopping = new AbortController();
  readonly #backoff = new Backoff();
  #targets: readonly Target[] = [];
  #running: Promise<unknown> = Promise.resolve();
  #opened: Opened | undefined;
  #stream: LiveStream | undefined;
  /** Ends the connection, or the wait for the next one. */
  #current = new AbortController();
  readonly #connection: ConnectionState;
  #failures = 0;
  #error: string | undefined;
  /** Whether the resolved targets changed since the stream and the histories got them. */
  #hasNewTargets = false;
  /** The beginning of the last gap that was counted, in milliseconds since the epoch. */
  #gapFrom: number | undefined;
  /** The accounts whose tweets are in the refresh schedule. */
  readonly #scheduled = new Set<string>();
  #hasInvalid = false;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
    this.#connection = new ConnectionState({
      clock: parts.clock,
      signal: this.#stopping.signal,
      onFollowing: () => parts.reporter.following(this.status()),
      onAway: () => parts.reporter.away(parts.source, this.#error ?? 'no connection yet'),
      // Each target without a resolution reports its own reason.
      isIdle: () => this.#opened?.resolver.resolved.length === 0,
    });
  }

  /** Replaces the targets, also while the follower runs. */
  setTargets(targets: readonly Target[]): void {
    this.#targets = targets;
    this.#opened?.resolver.set(targets);
  }

  /** Starts in the background. Errors are reported and counted, and never thrown. */
  start(): void {
    this.#running = this.#run();
  }

  /** Ends the connection, and waits until what came before is durable or given up. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#current.abort();
    await this.#running;
  }

  /** Reads the histories of targets again, with at most `limit` tweets of each account. */
  requireHistory(targets: readonly string[], limit: number): void {
    this.#opened?.histories.require(targets, limit);
  }

  /** Calls back at each progress of a history, until the returned function is called. */
  watchHistory(onProgress: () => void): () => void {
    return this.#opened?.histories.watch(onProgress) ?? (() => {});
  }

  /** Whether the source is away for longer than a reconnect takes. */
  get isAway(): boolean {
    return this.#connection.isAway;
  }

  status(): SourceStatus {
    const { source, title } = this.#parts;
    const { isConnected, host } = this.#connection;
    const lagMs = this.#opened?.writer.lagMs(isConnected);
    const readsLeft = this.#opened?.source.readsLeft;
    return {
      ...{ source, title, connected: isConnected },
      ...(isConnected && host !== undefined ? { host } : {}),
      ...(lagMs === undefined ? {} : { lagMs }),
      queue: this.#opened?.writer.queued ?? 0,
      ...(readsLeft === undefined ? {} : { readsLeft }),
      ...(this.#error === undefined ? {} : { error: this.#error }),
      targets: this.#targets.map((target) => this.#targetStatus(targetText(target))),
    };
  }

  #targetStatus(target: string): TargetStatus {
    const resolution = this.#opened?.resolver.get(target);
    const history = this.#opened?.histories.get(target);
    const { title, accounts } = resolution?.resolved ?? {};
    const error = resolution?.error ?? history?.error;
    const state =
      resolution?.resolved === undefined
        ? ({ state: error === undefined ? 'waiting' : 'failed' } as const)
        : ({ state: history?.isDone === true ? 'following' : 'backfilling' } as const);
    return {
      ...{ target, ...state, read: history?.read ?? 0 },
      ...(title === undefined ? {} : { title }),
      ...(accounts === undefined ? {} : { accounts }),
      ...(error === undefined ? {} : { error: this.#parts.redact(error) }),
    };
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const opened = await this.#open();
    if (opened === undefined) return;
    this.#opened = opened;
    opened.resolver.set(this.#targets);
    const { resolver, writer, histories, refresh, compliance } = opened;
    const background = [resolver, writer, histories, refresh, compliance].map((each) => each.run(signal));
    await this.#connectAgainAndAgain(opened);
    await Promise.all(background);
  }

  /** Opens the source, and tries again where that fails; undefined after `stop`. */
  async #open(): Promise<Opened | undefined> {
    const { open, source, sink, clock } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      try {
        return this.#componentsOf(await open(this.#observer()), await sink.position(source));
      } catch (error) {
        this.#fail(error);
        this.#connection.report();
        await clock.sleep(this.#backoff.next(error), this.#stopping.signal);
      }
    }
    return undefined;
  }

  #componentsOf(source: LiveSource, position: SourcePosition | undefined): Opened {
    const { source: name, sink, held, clock, metrics, backfill, reporter, redact } = this.#parts;
    const onFailed = (target: string, reason: string): void => reporter.failed(target, redact(reason));
    const onInvalid = (reason: string): void => this.#invalid(reason);
    const refresh = new RefreshLoop({ source, sink, held, clock, metrics, onInvalid });
    const onApplied = (records: readonly ArchiveRecord[]): void => refresh.add(records);
    const common = { source, sink, clock, metrics, onApplied, onInvalid, onFailed };
    const histories = new Histories({ ...common, backfill });
    const writer = new StreamWriter({
      ...common,
      source: name,
      position,
      // What may be missing must be known after a crash, before the position moves on.
      beforePosition: () => histories.marked(),
      onFailed: (error) => reporter.archiveFailed(name, error),
    });
    const resolver = new TargetResolver({
      ...{ source, clock, known: this.#parts.known, onFailed },
      onChanged: () => this.#targetsChanged(),
    });
    const compliance = new ComplianceLoop({
      ...{ source, sink, clock, metrics, onInvalid, allTweets: this.#parts.allTweets },
      onFailed: (error) => reporter.complianceFailed(name, redact(messageOf(error))),
    });
    return { source, resolver, histories, writer, refresh, compliance };
  }

  #observer(): SourceObserver {
    const { metrics } = this.#parts;
    return {
      connected: (host) => {
        this.#connection.host = host;
        this.#setConnected(true);
      },
      alive: () => {
        this.#succeeded();
        this.#opened?.writer.alive();
      },
      requested: (status) => metrics.requested(status),
      rejected: (reason) => metrics.rejected(reason),
      gap: () => {
        metrics.gap();
        this.#opened?.histories.requireAll();
      },
    };
  }

  async #connectAgainAndAgain(opened: Opened): Promise<void> {
    const { clock, metrics } = this.#parts;
    this.#setConnected(false);
    while (!this.#stopping.signal.aborted) {
      this.#current = new AbortController();
      const { signal } = this.#current;
      if (this.#stopping.signal.aborted) break;
      if (!opened.resolver.isFirstPassOver || opened.resolver.resolved.length === 0) {
        // A change of the targets ends the wait.
        await clock.sleep(3_600_000, signal);
        continue;
      }
      const error = await this.#readStream(opened, signal);
      this.#setConnected(false);
      if (error === undefined || this.#stopping.signal.aborted) continue;
      this.#failures++;
      metrics.reconnected();
      this.#fail(error);
      const pause = new AbortController();
      this.#current = pause;
      if (!this.#stopping.signal.aborted) await clock.sleep(this.#backoff.next(error), pause.signal);
    }
  }

  /** Reads from one connection. Returns the error that ended it; undefined after an abort. */
  async #readStream(opened: Opened, signal: AbortSignal): Promise<unknown> {
    const { source, writer } = opened;
    try {
      await this.#startHistories(opened);
      const stream = source.stream({
        targets: opened.resolver.resolved,
        position: (await this.#parts.sink.position(source.name))?.position,
        failures: this.#failures,
        signal,
      });
      this.#stream = stream;
      for await (const batch of stream) {
        this.#setConnected(true);
        this.#succeeded();
        await writer.add(batch, this.#stopping.signal);
        if (signal.aborted) break;
      }
      return signal.aborted ? undefined : new SourceError('the connection ended');
    } catch (error) {
      return signal.aborted ? undefined : error;
    } finally {
      this.#stream = undefined;
      // The next connection begins at the durable position.
      await writer.settled(this.#stopping.signal);
    }
  }

  /** Before a connection: decides which histories are to be read, because events may have been missed. */
  async #startHistories(opened: Opened): Promise<void> {
    const { source, histories, writer } = opened;
    const { sink, clock, metrics } = this.#parts;
    this.#hasNewTargets = false;
    await this.#setHistories(opened);
    const position = await sink.position(source.name);
    const readUntil = writer.readUntil ?? position?.at;
    if (position !== undefined && readUntil !== undefined && clock.now() - readUntil <= source.maxGapMs) return;
    // Several attempts to connect end one absence.
    if (position !== undefined && this.#gapFrom !== readUntil) metrics.gap();
    this.#gapFrom = readUntil;
    histories.requireAll();
  }

  #targetsChanged(): void {
    const opened = this.#opened;
    if (opened === undefined) return;
    if (this.#stream === undefined || opened.resolver.resolved.length === 0) return this.#current.abort();
    if (this.#hasNewTargets) return;
    this.#hasNewTargets = true;
    // Several changes in one turn are one update.
    setImmediate(() => void this.#updateTargets(opened));
  }

  /** Changes the targets of the connection. */
  async #updateTargets(opened: Opened): Promise<void> {
    if (this.#stream === undefined || !this.#hasNewTargets) return;
    this.#hasNewTargets = false;
    try {
      // The stream comes first: what happens while a history is read comes by the stream.
      this.#stream.update(opened.resolver.resolved);
      await this.#setHistories(opened);
    } catch {
      // A new connection begins with the new targets.
      this.#current.abort();
    }
  }

  async #setHistories({ resolver, histories, refresh }: Opened): Promise<void> {
    await histories.set(resolver.resolved, resolver.unresolved);
    const accounts = resolver.resolved.flatMap((target) => target.accounts ?? []);
    const added = accounts.filter((account) => !this.#scheduled.has(account));
    await refresh.addAccounts(await this.#parts.userIdsOf(added));
    for (const account of added) this.#scheduled.add(account);
  }

  #succeeded(): void {
    this.#failures = 0;
    this.#error = undefined;
    this.#backoff.reset();
  }

  #fail(error: unknown): void {
    this.#error = this.#parts.redact(messageOf(error));
  }

  #invalid(reason: string): void {
    if (this.#hasInvalid) return;
    this.#hasInvalid = true;
    this.#parts.reporter.invalid(this.#parts.source, this.#parts.redact(reason));
  }

  #setConnected(isConnected: boolean): void {
    if (this.#connection.set(isConnected)) this.#opened?.histories.setConnected(isConnected);
  }
}
