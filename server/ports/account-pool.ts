/** The port to the account pool, which decides which account answers a question and enforces the quotas. */
import type { Schemas } from '../contract/operations.ts';
import type { Account, ProviderFault } from './assistant-provider.ts';

/** The outcome of a question. */
export type CallOutcome = 'answered' | ProviderFault;

/** The result of a question: its outcome and the number of reserved slots that the provider may have counted. */
export interface LeaseResult {
  readonly outcome: CallOutcome;
  readonly counted: number;
  /** With `limited`: the wait that the provider requests, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** The right to send the reserved questions to one account until the deadline. */
export interface Lease {
  readonly account: Account;
  readonly questions: number;
  /** Milliseconds until the deadline. Nothing may be sent after it. */
  remainingMs(): number;
  /**
   * Reports the result, once; later calls do nothing. The result is written in the background, because losing it only
   * wastes capacity: a lease that is never settled stays charged to the quota.
   */
  settle(result: LeaseResult): void;
}

/** An account as the operator sees it. */
export interface AccountView {
  readonly id: string;
  readonly state: 'untested' | 'available' | 'cooling' | 'incapable';
  /** The reason of the cooldown or incapability; null if only the quota is used up, or if the account is available. */
  readonly reason: CallOutcome | null;
  readonly used: number;
  readonly remaining: number;
  /** RFC 3339 time of the next question or health check; null if it is possible now. */
  readonly until: string | null;
}

/**
 * The account pool. No account is sent more questions than its quota in any 24 hours: across concurrent callers,
 * crashes, and all processes that share the storage of the pool.
 *
 * A reservation is decided on the newest stored state and is durable before the promise resolves. All other members
 * show the state as this process last saw it, so they need no I/O; `onChange` reports when it changes.
 */
export interface AccountPool {
  /**
   * Reserves slots of the least recently used account that is capable, has enough free slots and is not in `except`; of one without an
   * endpoint only if no other is free.
   * Throws ServiceError 503 with the time until an account is free, and 503 if the reservation cannot be stored.
   */
  reserve(cost: number, except?: ReadonlySet<string>): Promise<Lease>;
  /**
   * Reserves one slot of this account for a health check, whatever its capability. Undefined if the account does not
   * exist or has no free slot. Throws ServiceError 503 if the reservation cannot be stored.
   */
  reserveProbe(id: string): Promise<Lease | undefined>;
  /**
   * The account whose background health check is due first, and its time in milliseconds since the epoch, by `now`.
   */
  nextProbe(): { readonly id: string; readonly at: number } | undefined;
  status(): Schemas['PoolStatus'];
  /**
   * Seconds until an account is free for a question of this cost, or until the next health check; 0 or less if an
   * account is free now.
   */
  secondsUntilFree(cost: number): number;
  /** Adds an account to this process. Earlier questions under the same id still count. */
  add(account: Account, capability: 'untested' | 'capable'): void;
  /** Removes an account; false if it does not exist. Its used slots are retained until they are free. */
  remove(id: string): boolean;
  list(): AccountView[];
  /** The ids of the accounts, with the model of each that has one of its own. */
  models(): ReadonlyMap<string, string | undefined>;
  /** The number of questions that this process settled, by outcome. */
  readonly outcomes: ReadonlyMap<CallOutcome, number>;
  /** The number of questions for which this process found no free account. */
  readonly rejected: number;
  /**
   * Registers a listener for state changes, except those by time alone. Returns the function that removes the listener.
   */
  onChange(listener: (status: Schemas['PoolStatus']) => void): () => void;
  /**
   * The clock of the pool in milliseconds since the epoch. It is never before the latest stored time: if the system
   * clock was set back between two runs, slots would otherwise become free too early when the clock is corrected.
   */
  readonly now: () => number;
}
