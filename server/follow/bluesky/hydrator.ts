/** Fetches the profiles and posts that events refer to: in batches, with bounded retries. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../collections/growing-cache.ts';
import type { Fields } from '../../formats/recognised.ts';
import { SourceError } from '../../ports/live-source.ts';
import { StoreError } from '../../ports/storage.ts';
import { DeclinedRequest, maxPerRequest, type AppView } from './api.ts';
import { schedule, type Clock } from '../clock.ts';
import type { PartsWithRecords } from './options.ts';

export type HydrationKind = 'profile' | 'post';

/** The view, or why there is none: the platform does not have it, or all attempts failed. */
export type Hydrated = Fields | 'absent' | 'failed';

export interface HydratorOptions {
  readonly api: Pick<AppView, 'profiles' | 'posts'>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Reads what is known of everything that views name. Rejects with StoreError. */
  readonly know: (views: readonly Fields[]) => Promise<PartsWithRecords>;
  /** Called once for each key that was wanted, before the callbacks of `want`. `parts`: undefined without a view. */
  readonly onResult: (kind: HydrationKind, key: string, result: Hydrated, parts: PartsWithRecords | undefined) => void;
  /** The archive cannot be read. The keys get no result. */
  readonly onFault: (error: StoreError) => void;
  /** Called after each answer. */
  readonly onChange: () => void;
}

/** The delay before the next attempt, by the number of attempts so far. */
const retryMs = [2_000, 6_000, 18_000, 30_000] as const;
/** The longest delay that the platform can ask for before the attempt. */
const maxRetryMs = 120_000;
const maxAbsent = 20_000;
const absentMs = 600_000;

interface Wanted {
  readonly callbacks: ((result: Hydrated) => void)[];
  attempts: number;
  /** The AppView declined a request with this key among others. */
  isAlone: boolean;
}

export class Hydrator {
  readonly #options: HydratorOptions;
  readonly #wanted = { profile: new Map<string, Wanted>(), post: new Map<string, Wanted>() };
  /** The keys that are to be fetched with the next flush. */
  readonly #queued = { profile: new Set<string>(), post: new Set<string>() };
  /** They cancel the attempts that are to come. */
  readonly #cancels = new Set<() => void>();
  /** What the platform did not have a moment ago. */
  readonly #absent: LRUCache<string, true>;

  constructor(options: HydratorOptions) {
    this.#options = options;
    const { clock, signal } = options;
    signal.addEventListener('abort', () => this.#cancels.forEach((cancel) => cancel()), { once: true });
    this.#absent = new LRUCache({
      ...atMost(maxAbsent),
      ttl: absentMs,
      ttlResolution: 0,
      perf: { now: () => clock.now() },
    });
  }

  /** The number of keys without a result. */
  get size(): number {
    return this.#wanted.profile.size + this.#wanted.post.size;
  }

  /**
   * Asks for a profile by DID or a post by at-uri. `done` is called later, once. Returns false, and does nothing, where
   * the platform did not have it a moment ago.
   */
  want(kind: HydrationKind, key: string, done: (result: Hydrated) => void): boolean {
    const existing = this.#wanted[kind].get(key);
    if (existing !== undefined) {
      existing.callbacks.push(done);
      return true;
    }
    if (this.#absent.has(`${kind} ${key}`)) return false;
    this.#wanted[kind].set(key, { callbacks: [done], attempts: 0, isAlone: false });
    this.#queued[kind].add(key);
    return true;
  }

  /** Sends the requests for the queued items. */
  flush(): void {
    for (const kind of ['profile', 'post'] as const) {
      const keys = [...this.#queued[kind]];
      this.#queued[kind].clear();
      const alone = keys.filter((key) => this.#wanted[kind].get(key)?.isAlone === true);
      const together = keys.filter((key) => this.#wanted[kind].get(key)?.isAlone === false);
      for (const key of alone) void this.#fetch(kind, [key]);
      for (let from = 0; from < together.length; from += maxPerRequest)
        void this.#fetch(kind, together.slice(from, from + maxPerRequest));
    }
  }

  async #fetch(kind: HydrationKind, keys: readonly string[]): Promise<void> {
    const { api, signal, know, onChange, onFault } = this.#options;
    try {
      const views = kind === 'profile' ? await api.profiles(keys, signal) : await api.posts(keys, signal);
      const name = kind === 'profile' ? 'did' : 'uri';
      const byKey = new Map(views.map((view) => [view[name], view]));
      const parts = views.length === 0 || signal.aborted ? undefined : await know(views);
      if (!signal.aborted) for (const key of keys) this.#settle(kind, key, byKey.get(key) ?? 'absent', parts);
    } catch (error) {
      if (!signal.aborted && error instanceof StoreError) onFault(error);
      else if (!signal.aborted) this.#failed(kind, keys, error);
    }
    if (!signal.aborted) onChange();
  }

  #failed(kind: HydrationKind, keys: readonly string[], error: unknown): void {
    if (error instanceof DeclinedRequest) {
      const [only] = keys;
      if (keys.length === 1 && only !== undefined) return this.#settle(kind, only, 'absent');
      for (const key of keys) this.#requeue(kind, key, true);
      return this.flush();
    }
    const asked = error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0;
    const retried: string[] = [];
    for (const key of keys) {
      const wanted = this.#wanted[kind].get(key);
      if (wanted === undefined) continue;
      if (wanted.attempts++ < retryMs.length) retried.push(key);
      else this.#settle(kind, key, 'failed');
    }
    const attempts = Math.max(0, ...retried.map((key) => this.#wanted[kind].get(key)?.attempts ?? 0));
    const delay = Math.min(Math.max(asked, retryMs[attempts - 1] ?? 0), maxRetryMs);
    if (retried.length === 0) return;
    const cancel = schedule(this.#options.clock, delay, () => {
      this.#cancels.delete(cancel);
      for (const key of retried) this.#requeue(kind, key, false);
      this.flush();
    });
    this.#cancels.add(cancel);
  }

  #requeue(kind: HydrationKind, key: string, isAlone: boolean): void {
    const wanted = this.#wanted[kind].get(key);
    if (wanted === undefined) return;
    wanted.isAlone ||= isAlone;
    this.#queued[kind].add(key);
  }

  #settle(kind: HydrationKind, key: string, result: Hydrated, parts?: PartsWithRecords): void {
    const wanted = this.#wanted[kind].get(key);
    if (wanted === undefined) return;
    this.#wanted[kind].delete(key);
    if (result === 'absent') this.#absent.set(`${kind} ${key}`, true);
    this.#options.onResult(kind, key, result, parts);
    for (const done of wanted.callbacks) done(result);
  }
}
