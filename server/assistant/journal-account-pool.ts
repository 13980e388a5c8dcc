/**
 * The account pool on a journal. A reservation is durable before the provider is called. The result of the question is
 * written later, because losing it only wastes capacity. So no account exceeds its quota in any window, across
 * concurrent callers and crashes.
 */
import { randomUUID } from 'node:crypto';
import type { Schemas } from '../contract/operations.ts';
import type { AccountPool, AccountView, CallOutcome, Lease } from '../ports/account-pool.ts';
import type { Account } from '../ports/assistant-provider.ts';
import { StoreError, type Store } from '../ports/storage.ts';
import { StateJournal } from '../storage/state-journal.ts';
import type { AccountEvent } from './account-state.ts';
import { PoolState, type PoolRecord } from './pool-state.ts';
import { noAccountAvailable, poolUnavailable } from './pool-errors.ts';

export interface PoolOptions {
  readonly store: Store;
  /** The number of questions that an account can answer in 24 hours. */
  readonly quota: number;
  /** The time limit of a question in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Returns milliseconds since the epoch and must not go back while the process runs. Default: the clock of the store.
   */
  readonly now?: () => number;
}

/** The minimum number of records before the journal is rewritten. */
const minHistory = 1_000;
/** The journal is rewritten when it has this number of records for each account. */
const maxRecordsPerAccount = 10;
/** How long the record of an answer waits for a reservation, in milliseconds. */
const lateMs = 100;

/** Opens the account pool of a store, without accounts. Throws StoreError if the journal is damaged. */
export const openAccountPool = (options: PoolOptions): Promise<AccountPool> => JournalAccountPool.open(options);

class JournalAccountPool implements AccountPool {
  readonly outcomes = new Map<CallOutcome, number>();
  readonly #now: () => number;
  readonly #state: PoolState;
  readonly #deadlineMs: number;
  readonly #listeners = new Set<(status: Schemas['PoolStatus']) => void>();
  #journal!: StateJournal<PoolRecord>;
  /** How far the records are ahead of the clock of this process, in milliseconds. */
  #clockOffset = 0;
  #rejected = 0;
  readonly #shared: boolean;
  /** Records that are applied and not written yet. */
  readonly #late: PoolRecord[] = [];

  private constructor({ store, quota, deadlineMs, now = store.now }: PoolOptions) {
    this.#now = now;
    this.#state = new PoolState(quota);
    this.#deadlineMs = deadlineMs;
    this.#shared = store.shared;
  }

  static async open(options: PoolOptions): Promise<AccountPool> {
    const pool = new JournalAccountPool(options);
    const state = pool.#state;
    let latest = 0;
    pool.#journal = await StateJournal.open<PoolRecord>(options.store, 'pool', {
      apply: (record) => {
        state.apply(record);
        latest = Math.max(latest, record.at ?? 0);
      },
      reset: () => state.reset(),
      snapshot: () => state.snapshot(pool.now()),
      hasHistory: (records) => records >= Math.max(minHistory, maxRecordsPerAccount * state.size),
      onOthers: () => pool.#notify(),
    });
    pool.#clockOffset = Math.max(0, latest - pool.#now());
    state.adapt(pool.now(), options.deadlineMs);
    return pool;
  }

  readonly now = (): number => this.#now() + this.#clockOffset;

  get rejected(): number {
    return this.#rejected;
  }

  status(): Schemas['PoolStatus'] {
    return this.#state.status(this.now());
  }

  secondsUntilFree(cost: number): number {
    return this.#state.secondsUntilFree(cost, this.now());
  }

  nextProbe(): { readonly id: string; readonly at: number } | undefined {
    return this.#state.nextProbe();
  }

  list(): AccountView[] {
    return this.#state.list(this.now());
  }

  models(): ReadonlyMap<string, string | undefined> {
    return this.#state.models();
  }

  add(account: Account, capability: 'untested' | 'capable'): void {
    this.#state.add(account, capability);
    this.#notify();
  }

  remove(id: string): boolean {
    const removed = this.#state.remove(id);
    if (removed) this.#notify();
    return removed;
  }

  onChange(listener: (status: Schemas['PoolStatus']) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async reserve(cost: number, except?: ReadonlySet<string>): Promise<Lease> {
    const lease = await this.#reserve(cost, () => this.#state.select(cost, this.now(), except));
    if (lease !== undefined) return lease;
    this.#rejected++;
    throw noAccountAvailable(this.status(), this.secondsUntilFree(cost));
  }

  async reserveProbe(id: string): Promise<Lease | undefined> {
    return this.#reserve(1, () => {
      const account = this.#state.find(id);
      if (account === undefined || this.#state.freeSlots(id, this.now()) === 0) return undefined;
      if (this.#state.isCapable(id)) this.#applyInBackground(id, { kind: 'reset' });
      return account;
    });
  }

  /**
   * Reserves slots of the account that `select` finds in the newest state; undefined if it finds none. Fails before any
   * change if the journal has failed.
   */
  async #reserve(cost: number, select: () => Account | undefined): Promise<Lease | undefined> {
    if (this.#journal.failed !== undefined) throw poolUnavailable(this.#journal.failed);
    const question = randomUUID();
    const cancellation: AccountEvent = { kind: 'settle', question, outcome: 'aborted', counted: 0 };
    let reserved: { readonly account: Account; readonly deadline: number } | undefined;
    try {
      await this.#decide(() => {
        const account = select();
        if (account === undefined) return undefined;
        const deadline = this.now() + this.#deadlineMs;
        reserved = { account, deadline };
        return { id: account.id, event: { kind: 'reserve', question, cost, deadline } };
      });
    } catch (error) {
      // The reservation is not durable, so the question is not sent, and nothing needs to be written.
      if (reserved !== undefined)
        this.#state.apply({ kind: 'event', id: reserved.account.id, at: this.now(), event: cancellation });
      this.#notify();
      throw error instanceof StoreError ? poolUnavailable(error) : error;
    }
    if (reserved === undefined) return undefined;
    const { account, deadline } = reserved;
    if (this.now() >= deadline) {
      this.#applyInBackground(account.id, cancellation);
      throw poolUnavailable(new StoreError('the write took longer than the time limit of the question'));
    }
    return this.#lease(account, cost, question, deadline);
  }

  #lease(account: Account, questions: number, question: string, deadline: number): Lease {
    let open = true;
    return {
      account,
      questions,
      remainingMs: () => deadline - this.now(),
      settle: ({ outcome, counted, retryAfterMs }) => {
        if (!open) return;
        open = false;
        this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
        this.#applyInBackground(account.id, { kind: 'settle', question, outcome, counted, retryAfterMs });
      },
    };
  }

  /**
   * Decides on a change of an account, and applies it. Resolves when the change is durable. In one process, the decision
   * is immediate.
   */
  #decide(decide: () => { readonly id: string; readonly event: AccountEvent } | undefined): Promise<void> {
    return this.#journal.decide(() => {
      const change = decide();
      if (change === undefined) return [];
      const record = this.#apply(change.id, change.event);
      return [...this.#late.splice(0), record];
    });
  }

  /** Applies a change, and returns its record. */
  #apply(id: string, event: AccountEvent): PoolRecord {
    const record: PoolRecord = { kind: 'event', id, event, at: this.now() };
    this.#state.apply(record);
    this.#notify();
    return record;
  }

  /** Ignores a write error here: the next reservation reports it. Until then a lost record only wastes capacity. */
  #applyInBackground(id: string, event: AccountEvent): void {
    // An answer uses the slots that are reserved, so its record can wait for the next reservation, whose transaction it shares.
    if (!this.#shared && event.kind === 'settle' && event.outcome === 'answered') this.#applyLater(id, event);
    else this.#decide(() => ({ id, event })).catch(() => {});
  }

  #applyLater(id: string, event: AccountEvent): void {
    if (this.#late.push(this.#apply(id, event)) === 1)
      setTimeout(() => {
        if (this.#late.length > 0) this.#journal.decide(() => this.#late.splice(0)).catch(() => {});
      }, lateMs).unref();
  }

  #notify(): void {
    if (this.#listeners.size === 0) return;
    const current = this.status();
    for (const listener of this.#listeners) listener(current);
  }
}
