/**
 * The account pool: selects the account for the next question and enforces the quotas. A reservation is durable before
 * the provider is called. The result of the question is written later, because losing it only wastes capacity. So no
 * account exceeds its quota in any window, across concurrent callers and crashes.
 */
import { randomUUID } from 'node:crypto';
import type { Schemas } from '../contract/operations.ts';
import { unavailable, type ServiceError } from '../contract/service-error.ts';
import { StoreError, type Journal, type Store } from '../ports/storage.ts';
import {
  clamp,
  freeSlots,
  newAccount,
  transition,
  probeAt,
  readyAt,
  withQuota,
  type AccountEvent,
  type AccountState,
  type CallOutcome,
} from './account-state.ts';
import { ProviderError, type Account } from '../ports/assistant-provider.ts';

export interface PoolOptions {
  readonly store: Store;
  /** The number of questions that an account can answer in 24 hours. */
  readonly quota: number;
  /** The time limit of a question in milliseconds. */
  readonly deadlineMs: number;
  /**
   * Returns milliseconds since the epoch and must not go back while the process runs. Default: the system time at the
   * start plus the monotonic time since then.
   */
  readonly now?: () => number;
}

/** The right to send the reserved questions to one account until the deadline. */
export interface Lease {
  readonly account: Account;
  readonly questions: number;
  /** Milliseconds until the deadline. Nothing may be sent after it. */
  remainingMs(): number;
  /** Reports the result, once. A lease that is never settled stays charged to the quota. */
  settle(end: LeaseResult): void;
}

export interface LeaseResult {
  readonly outcome: CallOutcome;
  readonly counted: number;
  readonly retryAfterMs?: number | undefined;
}

/** The result of a question that failed with this error. A question counts unless the error says that it did not. */
export const leaseResultOf = (error: unknown, questions: number): LeaseResult =>
  error instanceof ProviderError
    ? {
        outcome: error.fault,
        counted: Math.min(Math.max(error.counted, 0), questions),
        retryAfterMs: error.retryAfterMs,
      }
    : { outcome: 'failed', counted: questions };

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

export interface AccountPool {
  /**
   * Reserves slots of the least recently used account that is capable and has enough free slots; durable when the
   * promise resolves. Throws ServiceError 503 with the time until an account is free, and 503 if the journal cannot be
   * written.
   */
  reserve(cost: number, except?: ReadonlySet<string>): Promise<Lease>;
  /**
   * Reserves one slot of this account for a health check. Undefined if the account does not exist or has no free slot.
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
  /** Adds an account. Earlier questions under the same id still count. */
  add(account: Account, capability: 'untested' | 'capable'): void;
  /** Removes an account; false if it does not exist. Its used slots are retained until they are free. */
  remove(id: string): boolean;
  list(): AccountView[];
  /** The number of finished questions by outcome, since the start. */
  readonly outcomes: ReadonlyMap<CallOutcome, number>;
  /** The number of questions that found no free account, since the start. */
  readonly rejected: number;
  /**
   * Registers a listener for state changes, except those by time alone. Returns the function that removes the listener.
   */
  onChange(listener: (status: Schemas['PoolStatus']) => void): () => void;
  /**
   * Milliseconds since the epoch, never before the latest time in the journal. If the system clock was set back between
   * two runs, this clock continues from the latest time. Otherwise slots would become free too early when the clock is
   * corrected.
   */
  readonly now: () => number;
}

/** Lines of the journal. `account` is a complete state at a time; a rewrite of the journal consists of such lines. */
type Line =
  | { kind: 'account'; id: string; at?: number; state: AccountState }
  | { kind: 'event'; id: string; at: number; event: AccountEvent };

interface Entry {
  /** Undefined for a removed account. Its slots still count if it is added again. */
  account: Account | undefined;
  state: AccountState;
}

type ActiveEntry = Entry & { account: Account };

/** The minimum number of lines before the journal is rewritten. */
const minHistoryLines = 1_000;

/** A monotonic clock: changes of the system clock while the process runs do not affect it. */
const steadyClock = (): number => Math.round(performance.timeOrigin + performance.now());

/** Opens the account pool of a store, without accounts. Throws StoreError if the journal is damaged. */
export async function openAccountPool({
  store,
  quota,
  deadlineMs,
  now: clock = steadyClock,
}: PoolOptions): Promise<AccountPool> {
  const journal = await store.journal('pool');
  const { entries, lines: replayedLines, writtenAt } = await replay(journal, quota);
  const clockOffset = Math.max(0, writtenAt - clock());
  const now = (): number => clock() + clockOffset;
  for (const entry of entries.values()) entry.state = withQuota(clamp(entry.state, now(), deadlineMs), quota);
  const listeners = new Set<(status: Schemas['PoolStatus']) => void>();
  const ended = new Map<CallOutcome, number>();
  let rejected = 0;
  let lines = replayedLines;
  let rewriting = false;

  /** Changes the state immediately; the promise resolves when the change is durable. */
  function apply(id: string, entry: Entry, event: AccountEvent): Promise<unknown> {
    const at = now();
    entry.state = transition(entry.state, event, at);
    lines++;
    const durable = journal.append([JSON.stringify({ kind: 'event', id, at, event } satisfies Line)]);
    compact();
    return durable;
  }

  /** Ignores a write error here: the next reservation reports it. Until then a lost line only wastes capacity. */
  function applyInBackground(id: string, entry: Entry, event: AccountEvent): void {
    apply(id, entry, event).catch(() => {});
    notify();
  }

  function notify(): void {
    if (listeners.size === 0) return;
    const current = status();
    for (const listener of listeners) listener(current);
  }

  function compact(): void {
    if (rewriting || lines < minHistoryLines || lines < 10 * entries.size) return;
    const at = now();
    for (const [id, { account, state }] of entries) {
      if (account === undefined && freeSlots(state, at) === quota && state.restsUntil <= at) entries.delete(id);
    }
    // The lines are a consistent snapshot: later appends follow them in the journal, earlier ones are included in them.
    const stateLines = [...entries].map(([id, { state }]) =>
      JSON.stringify({ kind: 'account', id, at, state } satisfies Line),
    );
    rewriting = true;
    lines = stateLines.length;
    journal
      .rewrite(stateLines)
      .catch(() => {})
      .finally(() => (rewriting = false));
  }

  /** Reserves slots. Fails before any change if the journal has failed. */
  async function acquire(id: string, entry: ActiveEntry, cost: number): Promise<Lease> {
    if (journal.failed !== undefined) throw journalUnavailable(journal.failed);
    // The map is in order of use; the least recently used account is first.
    entries.delete(id);
    entries.set(id, entry);
    const question = randomUUID();
    const { account } = entry;
    const deadline = now() + deadlineMs;
    try {
      const durable = apply(id, entry, { kind: 'reserve', question, cost, deadline });
      notify();
      await durable;
    } catch (error) {
      // The reservation is not durable, so the question is not sent.
      entry.state = transition(entry.state, { kind: 'settle', question, outcome: 'aborted', counted: 0 }, now());
      notify();
      throw error instanceof StoreError ? journalUnavailable(error) : error;
    }
    if (now() >= deadline) {
      applyInBackground(id, entry, { kind: 'settle', question, outcome: 'aborted', counted: 0 });
      throw journalUnavailable(new StoreError('the reservation was not durable before the deadline of the question'));
    }
    let open = true;
    return {
      account,
      questions: cost,
      remainingMs: () => deadline - now(),
      settle({ outcome, counted, retryAfterMs }) {
        if (!open) return;
        open = false;
        ended.set(outcome, (ended.get(outcome) ?? 0) + 1);
        applyInBackground(id, entry, { kind: 'settle', question, outcome, counted, retryAfterMs });
      },
    };
  }

  const activeEntries = (): [string, ActiveEntry][] =>
    [...entries].filter((pair): pair is [string, ActiveEntry] => pair[1].account !== undefined);

  function secondsUntilFree(cost: number): number {
    const times = activeEntries().map(([, { state }]) =>
      state.capability === 'capable' ? readyAt(state, cost) : probeAt(state),
    );
    const first = Math.min(...times);
    return first === Infinity ? 60 : (first - now()) / 1000;
  }

  function status(): Schemas['PoolStatus'] {
    const at = now();
    const states = activeEntries().map(([, { state }]) => state);
    const withCapability = (capability: AccountState['capability']) =>
      states.filter((state) => state.capability === capability);
    const capable = withCapability('capable');
    const available = capable.filter((state) => readyAt(state, 1) <= at).length;
    const remaining = capable.reduce((sum, state) => sum + freeSlots(state, at), 0);
    return {
      capable: capable.length,
      available,
      cooling: capable.length - available,
      untested: withCapability('untested').length,
      incapable: withCapability('incapable').length,
      capacity: {
        capable: capable.length,
        usable_now: available,
        daily_capacity: capable.length * quota,
        remaining_now: remaining,
        used_24h: capable.length * quota - remaining,
      },
    };
  }

  return {
    now,
    outcomes: ended,
    get rejected() {
      return rejected;
    },
    status,
    secondsUntilFree,

    async reserve(cost, except) {
      const at = now();
      const isFree = ([id, { state }]: [string, Entry]): boolean =>
        state.capability === 'capable' && readyAt(state, cost) <= at && !except?.has(id);
      const available = activeEntries().find(isFree);
      if (available === undefined) {
        rejected++;
        throw noAccountAvailable(status(), secondsUntilFree(cost));
      }
      return acquire(...available, cost);
    },

    async reserveProbe(id) {
      const [, entry] = activeEntries().find(([each]) => each === id) ?? [];
      if (entry === undefined || freeSlots(entry.state, now()) === 0) return undefined;
      if (entry.state.capability === 'capable') applyInBackground(id, entry, { kind: 'reset' });
      return acquire(id, entry, 1);
    },

    nextProbe() {
      const due = activeEntries().map(([id, { state }]) => ({ id, at: probeAt(state) }));
      return due.filter(({ at }) => at < Infinity).sort((a, b) => a.at - b.at)[0];
    },

    add(account, capability) {
      const entry = entries.get(account.id) ?? { account, state: newAccount(quota) };
      entry.account = account;
      if (capability === 'capable' && entry.state.capability === 'untested')
        entry.state = { ...entry.state, capability };
      entries.set(account.id, entry);
      notify();
    },

    remove(id) {
      const entry = entries.get(id);
      if (entry?.account === undefined) return false;
      entry.account = undefined;
      notify();
      return true;
    },

    list() {
      const at = now();
      return activeEntries().map(([id, { state }]) => {
        const until = state.capability === 'capable' ? readyAt(state, 1) : probeAt(state);
        const remaining = freeSlots(state, at);
        return {
          id,
          state: state.capability !== 'capable' ? state.capability : until <= at ? 'available' : 'cooling',
          reason: state.reason,
          used: quota - remaining,
          remaining,
          until: until <= at ? null : new Date(until).toISOString(),
        };
      });
    },

    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** `Retry-After` in seconds if an operator must add an account first. */
const operatorRetrySeconds = 600;

/**
 * ServiceError 503 for a pool without a free account. `seconds` is the time until an account may be free. If there is
 * no account at all, waiting does not help.
 */
export function noAccountAvailable(
  { capable, untested, incapable }: Schemas['PoolStatus'],
  seconds: number,
): ServiceError {
  if (capable + untested + incapable === 0) {
    return unavailable(
      'no assistant account is configured: the operator adds one with `npm run accounts -- add`',
      operatorRetrySeconds,
    );
  }
  const wholeSeconds = Math.max(1, Math.ceil(seconds));
  return unavailable(`no assistant account is free; retry in ${wholeSeconds} s`, wholeSeconds);
}

const journalUnavailable = (cause: unknown): Error =>
  Object.assign(unavailable('the assistant is unavailable: its usage cannot be stored', 60), { cause });

/** Replays the journal. `writtenAt` is the latest time in it. */
async function replay(
  journal: Journal,
  quota: number,
): Promise<{ entries: Map<string, Entry>; lines: number; writtenAt: number }> {
  const entries = new Map<string, Entry>();
  let lines = 0;
  let writtenAt = 0;
  await journal.replay((json) => {
    const line = JSON.parse(json.toString()) as Line;
    lines++;
    writtenAt = Math.max(writtenAt, line.at ?? 0);
    if (line.kind === 'account') entries.set(line.id, { account: undefined, state: line.state });
    else {
      const entry = entries.get(line.id) ?? { account: undefined, state: newAccount(quota) };
      entry.state = transition(entry.state, line.event, line.at);
      if (line.event.kind === 'reserve') entries.delete(line.id);
      entries.set(line.id, entry);
    }
  });
  return { entries, lines, writtenAt };
}
