/**
 * The accounts of the pool in memory: their states, the choice of the next account, and the figures. Does no I/O and
 * reads no clock, so that the same records always give the same decisions.
 *
 * Times are milliseconds since the epoch.
 */
import type { Schemas } from '../contract/operations.ts';
import type { AccountView } from '../ports/account-pool.ts';
import type { Account } from '../ports/assistant-provider.ts';
import {
  clamp,
  freeSlots,
  newAccount,
  probeAt,
  readyAt,
  restored,
  transition,
  withQuota,
  type AccountEvent,
  type AccountState,
} from './account-state.ts';

/** A stored record. `account` is a complete state at a time; a rewritten journal consists of such records. */
export type PoolRecord =
  | { readonly kind: 'account'; readonly id: string; readonly at?: number; readonly state: AccountState }
  | { readonly kind: 'event'; readonly id: string; readonly at: number; readonly event: AccountEvent };

interface Entry {
  /** Undefined for a removed account. Its slots still count if it is added again. */
  account: Account | undefined;
  /** The capability of the account before any record. */
  initial: 'untested' | 'capable';
  state: AccountState;
}

/** The seconds to wait if no account can ever answer a question. */
const defaultWaitSeconds = 60;

export class PoolState {
  readonly #quota: number;
  /** In order of use: the least recently used account is first. */
  readonly #entries = new Map<string, Entry>();

  constructor(quota: number) {
    this.#quota = quota;
  }

  /** The number of accounts, including removed ones whose slots are retained. */
  get size(): number {
    return this.#entries.size;
  }

  /** Applies a record; an account that is reserved becomes the most recently used one. */
  apply(record: PoolRecord): void {
    const { id } = record;
    const entry = this.#entries.get(id) ?? { account: undefined, initial: 'untested', state: newAccount(this.#quota) };
    if (record.kind === 'account') entry.state = restored(record.state);
    else {
      entry.state = transition(entry.state, record.event, record.at);
      if (record.event.kind === 'reserve') this.#entries.delete(id);
    }
    this.#entries.set(id, entry);
  }

  /** Forgets all states before a complete snapshot; the accounts stay. */
  reset(): void {
    for (const [id, entry] of this.#entries)
      if (entry.account === undefined) this.#entries.delete(id);
      else entry.state = { ...newAccount(this.#quota), capability: entry.initial };
  }

  /** Adapts restored states to the quota and to the current clock. `deadlineMs` is the time limit of a question. */
  adapt(now: number, deadlineMs: number): void {
    for (const entry of this.#entries.values())
      entry.state = withQuota(clamp(entry.state, now, deadlineMs), this.#quota);
  }

  /** The records that restore the current states. Forgets removed accounts whose slots are all free. */
  snapshot(now: number): PoolRecord[] {
    for (const [id, { account, state }] of this.#entries)
      if (account === undefined && freeSlots(state, now) === this.#quota && state.restsUntil <= now)
        this.#entries.delete(id);
    return [...this.#entries].map(([id, { state }]) => ({ kind: 'account', id, at: now, state }));
  }

  add(account: Account, capability: 'untested' | 'capable'): void {
    const entry = this.#entries.get(account.id) ?? { account, initial: capability, state: newAccount(this.#quota) };
    entry.account = account;
    entry.initial = capability;
    if (capability === 'capable' && entry.state.capability === 'untested') entry.state = { ...entry.state, capability };
    this.#entries.set(account.id, entry);
  }

  /** Removes an account; false if it does not exist. Its used slots are retained until they are free. */
  remove(id: string): boolean {
    const entry = this.#entries.get(id);
    if (entry?.account === undefined) return false;
    entry.account = undefined;
    return true;
  }

  /** The account with this id; undefined if it does not exist or is removed. */
  find(id: string): Account | undefined {
    return this.#entries.get(id)?.account;
  }

  models(): Map<string, string | undefined> {
    return new Map(this.#present().map(([{ id, model }]) => [id, model]));
  }

  isCapable(id: string): boolean {
    return this.#entries.get(id)?.state.capability === 'capable';
  }

  freeSlots(id: string, now: number): number {
    const entry = this.#entries.get(id);
    return entry === undefined ? 0 : freeSlots(entry.state, now);
  }

  /**
   * The least recently used account that can take a question of this cost now, without an endpoint only if no other can; undefined if
   * there is none.
   */
  select(cost: number, now: number, except: ReadonlySet<string> | undefined): Account | undefined {
    const isFree = ([{ id }, state]: [Account, AccountState]): boolean =>
      state.capability === 'capable' && readyAt(state, cost) <= now && !except?.has(id);
    const free = this.#present().filter(isFree);
    return (free.find(([{ baseUrl }]) => baseUrl !== undefined) ?? free[0])?.[0];
  }

  /** The account whose background health check is due first, and its time. */
  nextProbe(): { readonly id: string; readonly at: number } | undefined {
    const due = this.#present().map(([{ id }, state]) => ({ id, at: probeAt(state) }));
    return due.filter(({ at }) => at < Infinity).sort((a, b) => a.at - b.at)[0];
  }

  secondsUntilFree(cost: number, now: number): number {
    const times = this.#present().map(([, state]) =>
      state.capability === 'capable' ? readyAt(state, cost) : probeAt(state),
    );
    const first = Math.min(...times);
    return first === Infinity ? defaultWaitSeconds : (first - now) / 1000;
  }

  status(now: number): Schemas['PoolStatus'] {
    const states = this.#present().map(([, state]) => state);
    const withCapability = (capability: AccountState['capability']): AccountState[] =>
      states.filter((state) => state.capability === capability);
    const capable = withCapability('capable');
    const available = capable.filter((state) => readyAt(state, 1) <= now).length;
    const remaining = capable.reduce((sum, state) => sum + freeSlots(state, now), 0);
    return {
      capable: capable.length,
      available,
      cooling: capable.length - available,
      untested: withCapability('untested').length,
      incapable: withCapability('incapable').length,
      capacity: {
        capable: capable.length,
        usable_now: available,
        daily_capacity: capable.length * this.#quota,
        remaining_now: remaining,
        used_24h: capable.length * this.#quota - remaining,
      },
    };
  }

  list(now: number): AccountView[] {
    return this.#present().map(([{ id }, state]) => {
      const until = state.capability === 'capable' ? readyAt(state, 1) : probeAt(state);
      const remaining = freeSlots(state, now);
      return {
        id,
        state: state.capability !== 'capable' ? state.capability : until <= now ? 'available' : 'cooling',
        reason: state.reason,
        used: this.#quota - remaining,
        remaining,
        until: until <= now ? null : new Date(until).toISOString(),
      };
    });
  }

  /** The accounts that are not removed, in order of use. */
  #present(): [Account, AccountState][] {
    return [...this.#entries.values()].flatMap(({ account, state }): [Account, AccountState][] =>
      account === undefined ? [] : [[account, state]],
    );
  }
}
