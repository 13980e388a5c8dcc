/**
 * The pool of accounts: who answers next, and how much is left. A reservation is durable before the provider is called; how the
 * question ended is written down later, because losing that only wastes capacity. So no account is ever asked more than its quota
 * in a window, with any number of callers, whatever is killed when.
 */
import { randomUUID } from 'node:crypto';
import type { Schemas } from '../contract/operations.ts';
import { unavailable, type ServiceError } from '../contract/service-error.ts';
import { StoreError, type Journal, type Store } from '../ports/storage.ts';
import {
  clamp,
  freeSlots,
  newAccount,
  next,
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
  /** Questions that each account may be asked in 24 hours. */
  readonly quota: number;
  /** How long a question may take, in milliseconds. */
  readonly deadlineMs: number;
  /** Milliseconds since the epoch; must not go back while it runs. By default the system's time at the start, and what has really passed since. */
  readonly now?: () => number;
}

/** The right to put one question to an account, until the deadline. */
export interface Lease {
  readonly account: Account;
  readonly questions: number;
  /** Milliseconds left; nothing may be sent after. */
  remainingMs(): number;
  /** Says how it ended. Once; what is never settled stays charged. */
  settle(end: LeaseResult): void;
}

export interface LeaseResult {
  readonly outcome: CallOutcome;
  readonly counted: number;
  readonly retryAfterMs?: number | undefined;
}

/** How a question ended that brought this error: what is not said to be uncounted was counted. */
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
  /** Why it cools or is incapable; null where its questions are used up, or nothing is wrong. */
  readonly reason: CallOutcome | null;
  readonly used: number;
  readonly remaining: number;
  /** RFC 3339: when it can be asked, or is probed, again; null where that is now. */
  readonly until: string | null;
}

export interface AccountPool {
  /**
   * Takes a question of this cost from the account that is capable, has as much left, and was used longest ago; durable when it
   * resolves. Throws 503 with the time until one is free, and where nothing can be written.
   */
  reserve(cost: number, except?: ReadonlySet<string>): Promise<Lease>;
  /** Takes one question from this account to find out whether it can answer; undefined where it is unknown or has none left. */
  reserveProbe(id: string): Promise<Lease | undefined>;
  /** The account that a background probe is due for first, and when (milliseconds since the epoch, by `now`). */
  nextProbe(): { readonly id: string; readonly at: number } | undefined;
  status(): Schemas['PoolStatus'];
  /** Until a question of this cost can be taken, or a probe may bring an account that can; 0 or less where that is now. */
  secondsUntilFree(cost: number): number;
  /** Takes in an account; what it was asked before, under the same id, still counts. */
  add(account: Account, capability: 'untested' | 'capable'): void;
  /** False where there is none. What it was asked is remembered as long as it counts. */
  remove(id: string): boolean;
  list(): AccountView[];
  /** Questions that ended, by how, since the start. */
  readonly ended: ReadonlyMap<CallOutcome, number>;
  /** Questions that found no account free, since the start. */
  readonly refused: number;
  /** Calls back after each change that is not merely time passing; ends by the function that is returned. */
  onChange(listener: (status: Schemas['PoolStatus']) => void): () => void;
  /**
   * Milliseconds since the epoch; never before what the pool has written down. Where the system's clock was set back between two runs it
   * goes on from there: questions that were asked by a clock that is behind would count too short once it is right again.
   */
  readonly now: () => number;
}

/** Lines of the journal. `account` is a whole state, as it was at a time: what the journal is rewritten to. */
type Line =
  | { kind: 'account'; id: string; at?: number; state: AccountState }
  | { kind: 'event'; id: string; at: number; event: AccountEvent };

interface Entry {
  /** Absent for one that was removed, or is not named any more: its slots still count should it come back. */
  account: Account | undefined;
  state: AccountState;
}

type Present = Entry & { account: Account };

/** The journal is rewritten when it has this many lines, and most of them are history. */
const leastHistory = 1_000;

/** A step of the system's clock while the process runs does not move it. */
const steadyClock = (): number => Math.round(performance.timeOrigin + performance.now());

/** Opens the pool of a store, without accounts. Throws StoreError where its journal is damaged. */
export async function openAccountPool({
  store,
  quota,
  deadlineMs,
  now: clock = steadyClock,
}: PoolOptions): Promise<AccountPool> {
  const journal = await store.journal('pool');
  const { entries, lines: kept, writtenAt } = await replay(journal, quota);
  const behind = Math.max(0, writtenAt - clock());
  const now = (): number => clock() + behind;
  for (const entry of entries.values()) entry.state = withQuota(clamp(entry.state, now(), deadlineMs), quota);
  const listeners = new Set<(status: Schemas['PoolStatus']) => void>();
  const ended = new Map<CallOutcome, number>();
  let refused = 0;
  let lines = kept;
  let rewriting = false;

  /** Changes the state at once; resolves when that is durable. */
  function apply(id: string, entry: Entry, event: AccountEvent): Promise<unknown> {
    const at = now();
    entry.state = next(entry.state, event, at);
    lines++;
    const durable = journal.append([JSON.stringify({ kind: 'event', id, at, event } satisfies Line)]);
    compact();
    return durable;
  }

  /** The journal tells of a failure with the next reservation; until then what was not written only wastes capacity. */
  function applyLazily(id: string, entry: Entry, event: AccountEvent): void {
    apply(id, entry, event).catch(() => {});
    notify();
  }

  function notify(): void {
    if (listeners.size === 0) return;
    const current = status();
    for (const listener of listeners) listener(current);
  }

  function compact(): void {
    if (rewriting || lines < leastHistory || lines < 10 * entries.size) return;
    const at = now();
    for (const [id, { account, state }] of entries) {
      if (account === undefined && freeSlots(state, at) === quota && state.restsUntil <= at) entries.delete(id);
    }
    // Taken now: what is appended from here on comes after it in the journal, what was appended before is in it.
    const whole = [...entries].map(([id, { state }]) =>
      JSON.stringify({ kind: 'account', id, at, state } satisfies Line),
    );
    rewriting = true;
    lines = whole.length;
    journal
      .rewrite(whole)
      .catch(() => {})
      .finally(() => (rewriting = false));
  }

  /** Refuses before anything is taken, where the journal is known to fail. */
  async function take(id: string, entry: Present, cost: number): Promise<Lease> {
    if (journal.failed !== undefined) throw unwritable(journal.failed);
    // In order of use: the one that was used longest ago is the first.
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
      // It was not written, and is not asked.
      entry.state = next(entry.state, { kind: 'settle', question, outcome: 'aborted', counted: 0 }, now());
      notify();
      throw error instanceof StoreError ? unwritable(error) : error;
    }
    if (now() >= deadline) {
      applyLazily(id, entry, { kind: 'settle', question, outcome: 'aborted', counted: 0 });
      throw unwritable(new StoreError('writing it down took longer than the question may'));
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
        applyLazily(id, entry, { kind: 'settle', question, outcome, counted, retryAfterMs });
      },
    };
  }

  const present = (): [string, Present][] =>
    [...entries].filter((pair): pair is [string, Present] => pair[1].account !== undefined);

  function secondsUntilFree(cost: number): number {
    const times = present().map(([, { state }]) =>
      state.capability === 'capable' ? readyAt(state, cost) : probeAt(state),
    );
    const first = Math.min(...times);
    return first === Infinity ? 60 : (first - now()) / 1000;
  }

  function status(): Schemas['PoolStatus'] {
    const at = now();
    const states = present().map(([, { state }]) => state);
    const those = (capability: AccountState['capability']) => states.filter((state) => state.capability === capability);
    const capable = those('capable');
    const available = capable.filter((state) => readyAt(state, 1) <= at).length;
    const remaining = capable.reduce((sum, state) => sum + freeSlots(state, at), 0);
    return {
      capable: capable.length,
      available,
      cooling: capable.length - available,
      untested: those('untested').length,
      incapable: those('incapable').length,
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
    ended,
    get refused() {
      return refused;
    },
    status,
    secondsUntilFree,

    async reserve(cost, except) {
      const at = now();
      const free = ([id, { state }]: [string, Entry]): boolean =>
        state.capability === 'capable' && readyAt(state, cost) <= at && !except?.has(id);
      const found = present().find(free);
      if (found === undefined) {
        refused++;
        throw noAccountAvailable(status(), secondsUntilFree(cost));
      }
      return take(...found, cost);
    },

    async reserveProbe(id) {
      const [, entry] = present().find(([each]) => each === id) ?? [];
      if (entry === undefined || freeSlots(entry.state, now()) === 0) return undefined;
      if (entry.state.capability === 'capable') applyLazily(id, entry, { kind: 'reset' });
      return take(id, entry, 1);
    },

    nextProbe() {
      const due = present().map(([id, { state }]) => ({ id, at: probeAt(state) }));
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
      return present().map(([id, { state }]) => {
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

/** So many seconds a caller waits for an operator, who has to add an account first. */
const operatorSeconds = 600;

/** 503 for a pool without a free account; `seconds` until one may be free. To wait does not help where there is no account at all. */
export function noAccountAvailable(
  { capable, untested, incapable }: Schemas['PoolStatus'],
  seconds: number,
): ServiceError {
  if (capable + untested + incapable === 0) {
    return unavailable(
      'no assistant account is configured: the operator adds one with `npm run accounts -- add`',
      operatorSeconds,
    );
  }
  const whole = Math.max(1, Math.ceil(seconds));
  return unavailable(`no assistant account is free; retry in ${whole} s`, whole);
}

const unwritable = (cause: unknown): Error =>
  Object.assign(unavailable('the assistant cannot be used now: its use cannot be written down', 60), { cause });

/** `writtenAt` is the latest time that is written in the journal. */
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
      entry.state = next(entry.state, line.event, line.at);
      if (line.event.kind === 'reserve') entries.delete(line.id);
      entries.set(line.id, entry);
    }
  });
  return { entries, lines, writtenAt };
}
