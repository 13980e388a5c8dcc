/**
 * An account pool in memory that any number of processes share: each reservation is decided and stored in one step on
 * the shared state, as a database does under a lock.
 */
import type { Schemas } from '../../../server/contract/operations.ts';
import {
  clamp,
  freeSlots,
  newAccount,
  probeAt,
  readyAt,
  transition,
  withQuota,
  type AccountEvent,
  type AccountState,
} from '../../../server/assistant/account-state.ts';
import { noAccountAvailable, poolUnavailable } from '../../../server/assistant/pool-errors.ts';
import type { AccountPool, AccountView, CallOutcome, Lease } from '../../../server/ports/account-pool.ts';
import type { Account } from '../../../server/ports/assistant-provider.ts';

/** What outlives a process. */
export class SharedAccounts {
  readonly states = new Map<string, AccountState>();
  /** The ids of the accounts in order of use. */
  readonly order: string[] = [];
  readonly listeners = new Set<() => void>();
  latest = 0;
  isFailing = false;

  write(id: string, state: AccountState, now: number): void {
    if (this.isFailing) throw poolUnavailable(new Error('the storage has failed'));
    this.states.set(id, state);
    this.latest = Math.max(this.latest, now);
    for (const listener of this.listeners) listener();
  }
}

export interface ReferencePoolOptions {
  readonly quota: number;
  readonly deadlineMs: number;
  readonly now: () => number;
}

export class ReferenceAccountPool implements AccountPool {
  readonly now: () => number;
  readonly outcomes = new Map<CallOutcome, number>();
  rejected = 0;
  readonly #shared: SharedAccounts;
  readonly #options: ReferencePoolOptions;
  readonly #accounts = new Map<string, Account>();
  readonly #listeners = new Set<(status: Schemas['PoolStatus']) => void>();
  readonly #onWrite = (): void => this.#notify();
  #questions = 0;

  constructor(shared: SharedAccounts, options: ReferencePoolOptions) {
    const offset = Math.max(0, shared.latest - options.now());
    this.now = () => options.now() + offset;
    this.#shared = shared;
    this.#options = options;
    shared.listeners.add(this.#onWrite);
  }

  close(): void {
    this.#shared.listeners.delete(this.#onWrite);
  }

  async reserve(cost: number, except: ReadonlySet<string> = new Set()): Promise<Lease> {
    const now = this.now();
    const uses = ({ id }: Account): number => this.#shared.order.indexOf(id);
    const free = [...this.#accounts.values()]
      .filter(({ id }) => {
        const state = this.#state(id);
        return state.capability === 'capable' && readyAt(state, cost) <= now && !except.has(id);
      })
      .sort((a, b) => uses(a) - uses(b))[0];
    if (free !== undefined) return this.#reserve(free, cost);
    this.rejected++;
    throw noAccountAvailable(this.status(), this.secondsUntilFree(cost));
  }

  async reserveProbe(id: string): Promise<Lease | undefined> {
    const account = this.#accounts.get(id);
    if (account === undefined || freeSlots(this.#state(id), this.now()) === 0) return undefined;
    if (this.#state(id).capability === 'capable') this.#apply(id, { kind: 'reset' });
    return this.#reserve(account, 1);
  }

  nextProbe(): { readonly id: string; readonly at: number } | undefined {
    const due = [...this.#accounts.keys()].map((id) => ({ id, at: probeAt(this.#state(id)) }));
    return due.filter(({ at }) => at < Infinity).sort((a, b) => a.at - b.at)[0];
  }

  status(): Schemas['PoolStatus'] {
    const { quota } = this.#options;
    const views = this.list();
    const count = (...states: AccountView['state'][]): number =>
      views.filter(({ state }) => states.includes(state)).length;
    const capable = count('available', 'cooling');
    const remaining = views
      .filter(({ state }) => state === 'available' || state === 'cooling')
      .reduce((sum, view) => sum + view.remaining, 0);
    return {
      capable,
      available: count('available'),
      cooling: count('cooling'),
      untested: count('untested'),
      incapable: count('incapable'),
      capacity: {
        capable,
        usable_now: count('available'),
        daily_capacity: capable * quota,
        remaining_now: remaining,
        used_24h: capable * quota - remaining,
      },
    };
  }

  models(): ReadonlyMap<string, string | undefined> {
    return new Map([...this.#accounts].map(([id, { model }]) => [id, model]));
  }

  secondsUntilFree(cost: number): number {
    const times = [...this.#accounts.keys()].map((id) => {
      const state = this.#state(id);
      return state.capability === 'capable' ? readyAt(state, cost) : probeAt(state);
    });
    const first = Math.min(...times);
    return first === Infinity ? 60 : (first - this.now()) / 1000;
  }

  add(account: Account, capability: 'untested' | 'capable'): void {
    const { id } = account;
    const state = this.#stored(id);
    this.#shared.states.set(id, state.capability === 'untested' ? { ...state, capability } : state);
    if (!this.#shared.order.includes(id)) this.#shared.order.push(id);
    this.#accounts.set(id, account);
    this.#notify();
  }

  remove(id: string): boolean {
    const removed = this.#accounts.delete(id);
    if (removed) this.#notify();
    return removed;
  }

  list(): AccountView[] {
    const now = this.now();
    return this.#shared.order
      .filter((id) => this.#accounts.has(id))
      .map((id) => {
        const state = this.#state(id);
        const until = state.capability === 'capable' ? readyAt(state, 1) : probeAt(state);
        const remaining = freeSlots(state, now);
        return {
          id,
          state: state.capability !== 'capable' ? state.capability : until <= now ? 'available' : 'cooling',
          reason: state.reason,
          used: this.#options.quota - remaining,
          remaining,
          until: until <= now ? null : new Date(until).toISOString(),
        };
      });
  }

  onChange(listener: (status: Schemas['PoolStatus']) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #stored(id: string): AccountState {
    return this.#shared.states.get(id) ?? newAccount(this.#options.quota);
  }

  /** The stored state by the quota and the clock of this process. */
  #state(id: string): AccountState {
    const { deadlineMs, quota } = this.#options;
    return withQuota(clamp(this.#stored(id), this.now(), deadlineMs), quota);
  }

  #apply(id: string, event: AccountEvent): void {
    this.#shared.write(id, transition(this.#stored(id), event, this.now()), this.now());
  }

  #reserve(account: Account, cost: number): Lease {
    const { id } = account;
    const { order } = this.#shared;
    const deadline = this.now() + this.#options.deadlineMs;
    const question = `${id} ${this.#questions++} ${deadline} ${Math.random()}`;
    this.#apply(id, { kind: 'reserve', question, cost, deadline });
    order.push(...order.splice(order.indexOf(id), 1));
    let open = true;
    return {
      account,
      questions: cost,
      remainingMs: () => deadline - this.now(),
      settle: ({ outcome, counted, retryAfterMs }) => {
        if (!open) return;
        open = false;
        this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
        if (!this.#shared.isFailing) this.#apply(id, { kind: 'settle', question, outcome, counted, retryAfterMs });
      },
    };
  }

  #notify(): void {
    const status = this.status();
    for (const listener of this.#listeners) listener(status);
  }
}
