/** The followers of all sources: what is followed by configuration and by the stored list, their state, and the commands. */
import type { Registry } from '../observability/metrics-library.ts';
import type { Logger } from 'pino';
import type { FollowSettings } from '../config/config.ts';
import type { ArchivedUser } from '../domain/records.ts';
import type { HeldArchive, HeldTweets } from '../ports/held-records.ts';
import type { Target } from '../ports/live-source.ts';
import type { LiveSink } from '../ports/live-sink.ts';
import type { Store } from '../ports/storage.ts';
import { systemClock, type Clock } from './clock.ts';
import type { BackfillRequest, FollowCoordination } from './follow-coordination.ts';
import { FollowMetrics } from './follow-metrics.ts';
import { Followers } from './followers.ts';
import { leadingSink } from './leading-sink.ts';
import { OperatorReports } from './operator-reports.ts';
import type { OpenSource } from './sources.ts';
import { duration, followed, type SourceStatus, type TargetStatus } from './status.ts';
import type { TargetStore } from './target-store.ts';
import { TargetContents } from './target-contents.ts';
import {
  parseTarget,
  sourceNames,
  sourceTitle,
  targetText,
  unboundedTarget,
  uniqueTargets,
} from '../config/targets.ts';

export interface FollowServiceParts {
  readonly settings: FollowSettings;
  /** Whether the archive keeps all tweets, so that the whole network cannot be followed. */
  readonly keepsAll: boolean;
  readonly store: TargetStore;
  readonly sink: LiveSink;
  readonly held: HeldArchive;
  readonly openSource: OpenSource;
  /** Where the sources keep their own state. */
  readonly documents: Pick<Store, 'document'>;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Prints a line of the start for the operator. */
  readonly announce: (line: string) => void;
  readonly clock?: Clock;
  /** With other processes that share the storage: only the leader follows. */
  readonly coordination?: FollowCoordination | undefined;
}

/** A target in the list of the operator. */
export interface ListedTarget extends TargetStatus, HeldTweets {
  /** Whether the target comes from the configuration of this run. */
  readonly isConfigured: boolean;
  /** Whether the archive knows which tweets belong to the target: not for a search or the network. */
  readonly isCounted: boolean;
}

export interface FollowListing {
  readonly sources: readonly (Omit<SourceStatus, 'targets'> & { readonly targets: readonly ListedTarget[] })[];
  /** Whether a server follows the targets. */
  readonly isRunning: boolean;
}

/** What `/live` shows of a source. */
export interface FollowedSource {
  readonly source: string;
  readonly title: string;
  /** Such as `12 accounts on Bluesky`. */
  readonly following: string;
  readonly connected: boolean;
  readonly lag_seconds?: number;
}

/** How long a command waits for a platform to find its targets, and how often it looks. */
const maxResolutionMs = 10_000;
const resolutionStepMs = 50;

/** The wanted targets of a source. One that is neither resolved nor failed has the error of the source, if there is one. */
const explained = ({ targets, error }: SourceStatus, wanted: ReadonlySet<string>): TargetStatus[] =>
  targets
    .filter(({ target }) => wanted.has(target))
    .map((target) => (error === undefined || target.title !== undefined ? target : { error, ...target }));

export class FollowService {
  readonly metrics = new FollowMetrics();
  readonly #parts: FollowServiceParts;
  readonly #clock: Clock;
  readonly #followers: Followers;
  readonly #contents: TargetContents;
  #isStarted = false;
  #unwatch: () => void = () => {};

  constructor(parts: FollowServiceParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#contents = new TargetContents(parts.held, parts.store);
    this.#followers = this.#createFollowers();
  }

  #createFollowers(): Followers {
    const { settings, held, openSource, documents, store, sink, coordination, logger, announce } = this.#parts;
    const reports = new OperatorReports(logger, announce);
    return new Followers({
      ...{ settings, held, openSource, documents, reports, clock: this.#clock, metrics: this.metrics },
      sink: coordination === undefined ? sink : leadingSink(sink, () => coordination.leads),
      targets: () => (this.isRunning ? this.#targets() : []).filter((target) => this.#isPermitted(target, reports)),
      known: {
        last: (text) => store.last(text),
        store: (text, resolved) => store.resolved(text, resolved, new Set(this.#targets().map(targetText))),
      },
      // The configuration has a token of X only.
      tokenOf: (source) => (source === 'x' ? settings.xToken : undefined) ?? store.token(source),
    });
  }

  /** Whether these settings permit a target; reports one that they do not. */
  #isPermitted(target: Target, reports: OperatorReports): boolean {
    const fault = this.#fault(target);
    if (fault !== undefined) reports.rejected(targetText(target), fault);
    return fault === undefined;
  }

  /** Whether anything is followed. */
  get isFollowing(): boolean {
    return this.#targets().length > 0;
  }

  /** Starts the followers in the background. */
  start(): void {
    this.#isStarted = true;
    const synchronise = (): void => {
      this.#followers
        .synchronise()
        .catch((error: unknown) => this.#parts.logger.error(error, 'the followers could not be started'));
    };
    synchronise();
    this.#unwatch = this.#parts.store.onChange(synchronise);
    this.#parts.coordination?.start({
      onTurn: synchronise,
      statuses: () => this.statuses(),
      backfill: (request) => this.#beginBackfill(request),
    });
  }

  /** Ends the connections, and waits for the writes in progress. */
  async stop(): Promise<void> {
    this.#unwatch();
    this.#isStarted = false;
    await this.#followers.synchronise();
    await this.#parts.coordination?.stop();
  }

  /** Whether this process follows; another process may. */
  get isRunning(): boolean {
    return this.#isStarted && this.#parts.coordination?.leads !== false;
  }

  /** The sources that this process reads; undefined where no other process could. */
  get reading(): readonly string[] | undefined {
    return this.#parts.coordination === undefined ? undefined : this.#followers.sources;
  }

  /** The state of a source here, or as the process that follows published it. */
  #statusOf(source: string): SourceStatus | undefined {
    const own = this.#followers.of(source)?.status();
    if (own !== undefined || this.isRunning) return own;
    return this.#parts.coordination?.published?.find((status) => status.source === source);
  }

  /** Whether an account of a source is followed, and its history was read. `account`: its identifier at the platform. */
  isFollowed(source: string, account: string): boolean {
    const targets = this.#statusOf(source)?.targets ?? [];
    return targets.some(({ state, accounts = [] }) => state === 'following' && accounts.includes(account));
  }

  /**
   * Returns a test for accounts of Bluesky that no target names: a search or the whole network brought them. Undefined if
   * no such target is followed, or if the accounts of a target are not yet known.
   */
  unfollowed(): ((user: ArchivedUser) => boolean) | undefined {
    const targets = this.#followers.of('bluesky')?.status().targets ?? [];
    const chosen = new Set(targets.flatMap(({ accounts = [] }) => accounts));
    const kinds = new Set(
      targets.map(({ target, accounts }) => (accounts === undefined ? parseTarget(target).kind : 'known')),
    );
    if (kinds.has('account') || kinds.has('list') || !(kinds.has('search') || kinds.has('network'))) return undefined;
    return ({ did }) => did !== undefined && !chosen.has(did);
  }

  /** The state of each source of which something is followed. */
  statuses(): SourceStatus[] {
    const targets = this.#shownTargets();
    return sourceNames.flatMap((source): SourceStatus[] => {
      const own = targets.filter((target) => target.source === source);
      if (own.length === 0) return [];
      const running = this.#statusOf(source);
      const byText = new Map(running?.targets.map((status) => [status.target, status]));
      return [
        {
          ...{ source, title: sourceTitle(source), connected: false, queue: 0 },
          ...running,
          targets: own.map((target) => {
            const fault = this.#fault(target);
            const waiting: TargetStatus = { target: targetText(target), state: 'waiting', read: 0 };
            if (fault !== undefined) return { ...waiting, state: 'failed', error: fault };
            return byText.get(targetText(target)) ?? waiting;
          }),
        },
      ];
    });
  }

  /** The state of each source that this process reads, and that no other process could read. */
  ownStatuses(): SourceStatus[] {
    return this.#parts.coordination === undefined || this.isRunning ? this.statuses() : [];
  }

  /** Warnings for /readyz, which anyone can read: they contain no error text. */
  /** Registers the metrics of what is followed. */
  measure(registry: Registry): void {
    this.metrics.measure(
      registry,
      () => this.statuses(),
      () => this.ownStatuses(),
    );
  }

  warnings(): string[] {
    const { coordination } = this.#parts;
    if (coordination !== undefined && !this.isRunning && this.isFollowing && coordination.published === undefined)
      return ['no instance follows the live platforms'];
    return this.statuses().flatMap(({ source, title, lagMs }) => {
      if (this.#followers.of(source)?.isAway !== true) return [];
      return [`${title} is away${lagMs === undefined ? '' : `: its data is ${duration(lagMs)} old`}`];
    });
  }

  /** Whether this process or another one follows. */
  get #isFollowed(): boolean {
    return this.isRunning || this.#parts.coordination?.published !== undefined;
  }

  /** What `/live` shows. */
  following(): FollowedSource[] {
    return this.statuses().flatMap((status) => {
      const { source, title, connected, lagMs, targets } = status;
      if (targets.every((target) => target.title === undefined)) return [];
      const lag = lagMs === undefined ? {} : { lag_seconds: Math.round(lagMs / 100) / 10 };
      return [{ source, title, following: followed(status), connected, ...lag }];
    });
  }

  /** What is followed, with what the archive holds of it. Rejects with StoreError. */
  async list(): Promise<FollowListing> {
    const configured = new Set(this.#parts.settings.targets.map(targetText));
    const listed = async (target: TargetStatus): Promise<ListedTarget> => {
      const userIds = await this.#contents.accountsOf(parseTarget(target.target), target.accounts);
      const held = await this.#parts.held.heldTweets(userIds ?? []);
      return { ...target, ...held, isCounted: userIds !== undefined, isConfigured: configured.has(target.target) };
    };
    const sources: FollowListing['sources'][number][] = [];
    for (const status of this.statuses()) {
      const targets: ListedTarget[] = [];
      for (const target of status.targets) targets.push(await listed(target));
      sources.push({ ...status, targets });
    }
    return { sources, isRunning: this.#isFollowed };
  }

  /**
   * Stores targets and follows them. Returns their canonical texts. Rejects with TargetError for an invalid one, with an Error for
   * one that cannot be followed with these settings, and with StoreError.
   */
  async add(texts: readonly string[]): Promise<string[]> {
    const targets = uniqueTargets(texts.map(parseTarget));
    for (const target of targets) {
      const fault = this.#fault(target);
      if (fault !== undefined) throw new Error(fault);
    }
    const added = targets.map(targetText);
    const userIds = added.flatMap((text) => this.#parts.store.erasedWith(text));
    if (userIds.length > 0)
      await this.#parts.sink.apply(
        'follow',
        { values: userIds.length, done: true },
        userIds.map((user_id) => ({ kind: 'reinstate', user_id })),
      );
    await this.#parts.store.add(targets, this.#clock.now());
    await this.#followers.synchronise();
    return added;
  }

  /**
   * The states of targets as soon as each is resolved or has failed once, at the latest after some seconds. A target that still waits
   * then has the error of its source, such as a missing token. Without a running server, all are `waiting`.
   */
  async resolutions(texts: readonly string[]): Promise<TargetStatus[]> {
    const wanted = new Set(uniqueTargets(texts.map(parseTarget)).map(targetText));
    const never = new AbortController().signal;
    for (let waited = 0; ; waited += resolutionStepMs) {
      const found = this.#targetStatuses().filter(({ target }) => wanted.has(target));
      const isOpen = found.some(({ title, error }) => title === undefined && error === undefined);
      if (!isOpen || !this.#isFollowed) return found;
      if (waited >= maxResolutionMs) return this.statuses().flatMap((source) => explained(source, wanted));
      await this.#clock.sleep(resolutionStepMs, never);
    }
  }

  /**
   * Stops to follow targets. With `erase`, records that their accounts are erased by the caller. Rejects with an Error for a
   * target that is not stored, and with StoreError.
   */
  async remove(texts: readonly string[], erase: boolean): Promise<{ removed: string[]; userIds: string[] }> {
    const removed = uniqueTargets(texts.map(parseTarget)).map(targetText);
    const erased = erase ? await this.userIdsOf(texts) : new Map<string, string[]>();
    this.#requireStored(removed, erase);
    await this.#parts.store.remove(removed, erased);
    await this.#followers.synchronise();
    return { removed, userIds: [...new Set([...erased.values()].flat())] };
  }

  #requireStored(texts: readonly string[], erase: boolean): void {
    const stored = new Set(this.#parts.store.targets.map(targetText));
    const configured = new Set(this.#parts.settings.targets.map(targetText));
    for (const text of texts) {
      if (configured.has(text))
        throw new Error(`${text} comes from FOLLOW or --follow: remove it there, and restart the server`);
      // An erasure that was interrupted is repeated by the same command.
      if (!stored.has(text) && !erase) throw new Error(`${text} is not followed: see npm run follow -- list`);
    }
  }

  /** The state of each target of which something is followed. */
  #targetStatuses(): TargetStatus[] {
    return this.statuses().flatMap(({ targets }) => targets);
  }

  /** As `TargetContents.postsOfSearches`. */
  postsOf(texts: readonly string[]): Promise<string[]> {
    return this.#contents.postsOfSearches(texts, this.#targetStatuses());
  }

  /** As `TargetContents.accountsByTarget`. */
  userIdsOf(texts: readonly string[]): Promise<Map<string, string[]>> {
    return this.#contents.accountsByTarget(texts, this.#targetStatuses());
  }

  /**
   * Reads the histories of followed targets again. Throws an Error for a target that is not followed. `onProgress` gets the state
   * of the targets at each step; resolves when each one is complete or has failed.
   */
  async backfill(
    texts: readonly string[],
    limit: number,
    onProgress: (targets: readonly TargetStatus[]) => void,
    signal: AbortSignal,
  ): Promise<void> {
    const targets = uniqueTargets(texts.map(parseTarget));
    const wanted = new Set(targets.map(targetText));
    const current = (): TargetStatus[] => this.#targetStatuses().filter(({ target }) => wanted.has(target));
    const known = new Map(current().map((status) => [status.target, status]));
    for (const text of wanted) {
      const status = known.get(text);
      if (status === undefined) throw new Error(`${text} is not followed: npm run follow -- add ${text}`);
      if (status.title === undefined)
        throw new Error(`${text} cannot be read${status.error === undefined ? ' yet' : `: ${status.error}`}`);
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const report = (): void => {
      const states = current();
      onProgress(states);
      if (states.every(({ state, error }) => state !== 'backfilling' || error !== undefined)) resolve();
    };
    signal.addEventListener('abort', () => resolve(), { once: true });
    const unwatch = await this.#requireHistories([...wanted], limit, report, signal);
    await promise;
    unwatch();
  }

  /** Has histories read again, here or by the leader. Returns the function that ends the calls of `report`. */
  async #requireHistories(
    wanted: readonly string[],
    limit: number,
    report: () => void,
    signal: AbortSignal,
  ): Promise<() => void> {
    const { coordination } = this.#parts;
    if (coordination !== undefined && !this.isRunning) {
      await coordination.requestBackfill(wanted, limit, signal);
      const unwatch = coordination.onPublished(report);
      report();
      return unwatch;
    }
    const sources = new Set(wanted.map((text) => parseTarget(text).source));
    const followers = [...sources].flatMap((source) => this.#followers.of(source) ?? []);
    const unwatch = followers.map((follower) => follower.watchHistory(report));
    for (const follower of followers) follower.requireHistory(wanted, limit);
    return () => unwatch.forEach((end) => end());
  }

  /** Begins to read histories that another process wants. Returns false while their targets are not resolved. */
  #beginBackfill({ targets, limit }: BackfillRequest): boolean {
    const known = new Map(this.#targetStatuses().map((status) => [status.target, status]));
    if (targets.some((text) => known.get(text)?.title === undefined)) return false;
    for (const follower of this.#followers.all()) follower.requireHistory(targets, limit);
    return true;
  }

  /** Stores the token of a source and connects with it. Rejects with an Error for an unknown source, and with StoreError. */
  async setToken(source: string, token: string): Promise<void> {
    if (!sourceNames.includes(source))
      throw new Error(`there is no source '${source}': expected one of ${sourceNames.join(', ')}`);
    await this.#parts.store.setToken(source, token);
    await this.#followers.synchronise([source]);
  }

  /** All targets: those of the configuration, then the stored ones. */
  #targets(): Target[] {
    return uniqueTargets([...this.#parts.settings.targets, ...this.#parts.store.targets]);
  }

  /** All targets; where another process follows, also those of its configuration. */
  #shownTargets(): Target[] {
    const published = this.isRunning ? undefined : this.#parts.coordination?.published;
    const elsewhere = published?.flatMap(({ targets }) => targets.map(({ target }) => parseTarget(target))) ?? [];
    return uniqueTargets([...this.#targets(), ...elsewhere]);
  }

  /** Why a target cannot be followed with these settings. */
  #fault(target: Target): string | undefined {
    return this.#parts.keepsAll ? unboundedTarget([target]) : undefined;
  }
}
