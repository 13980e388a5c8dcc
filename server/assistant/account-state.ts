/**
 * One account of the pool as a state machine: a pure function (state, event, now) -> state.
 *
 * An account has one slot for each question that its quota allows in a window. The provider counts a question between sending
 * and the deadline. So a question uses its slot until the deadline plus the window, and after an answer only until the time of
 * the answer plus the window. A slot therefore holds at most one counted question in any window. Lost events, for example after
 * a crash, only waste capacity.
 *
 *   untested ── answered ──▶ capable ── limited, or the 3rd failure in a row ──▶ (cooldown, longer each time) ──▶ capable, one at a time
 *      │                       │
 *      └──── unauthorized ─────┴──▶ incapable ── health check after 6 h, 12 h … 3 days ──▶ tested as if untested
 *
 * Times are milliseconds since the epoch.
 */
import type { CallOutcome } from '../ports/account-pool.ts';

interface Slot {
  /** The time from which the slot is free. */
  readonly freeAt: number;
  /** The question that uses the slot and is not settled; null otherwise. */
  readonly question: string | null;
}

export interface AccountState {
  readonly capability: 'untested' | 'capable' | 'incapable';
  /** The end of the cooldown. An account that is not capable waits until then for its next health check. */
  readonly restsUntil: number;
  /** The reason of the cooldown or of the incapability. */
  readonly reason: CallOutcome | null;
  /** Consecutive failures. */
  readonly strikes: number;
  /** Cooldowns since the last answer. Each one makes the next cooldown longer. */
  readonly setbacks: number;
  /** In the order of the times from which they are free. */
  readonly slots: readonly Slot[];
}

export type AccountEvent =
  | { readonly kind: 'reserve'; readonly question: string; readonly cost: number; readonly deadline: number }
  | {
      readonly kind: 'settle';
      readonly question: string;
      readonly outcome: CallOutcome;
      /**
       * The number of reserved questions that the provider may have counted. The slots of the others become free
       * immediately.
       */
      readonly counted: number;
      readonly retryAfterMs?: number | undefined;
    }
  /** The operator requests a new health check. */
  | { readonly kind: 'reset' };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const windowMs = 24 * hour;
/** The maximum difference between the local clock and the provider's clock. */
export const marginMs = minute;
const maxStrikes = 3;
/** The maximum cooldown, also if the provider requests a longer one. After the counting window the account is tried again. */
const maxCooldownMs = windowMs + marginMs;
const minCooldownMs = second;

/**
 * Minimum and maximum cooldown of each fault; the duration doubles in between. Faults that the caller causes have no
 * cooldown.
 */
const cooldownRanges = {
  limited: [minute, hour],
  failed: [30 * second, 15 * minute],
  timeout: [30 * second, 15 * minute],
  // A short range: an attempt costs nothing, and all accounts recover together when the network is back.
  unreached: [5 * second, minute],
  unauthorized: [6 * hour, 72 * hour],
} as const;
/** Cooldown between health checks that did not determine the capability. */
const probeCooldownRange = [30 * second, hour] as const;

const backoffMs = ([min, max]: readonly [number, number], setbacks: number): number =>
  Math.min(max, min * 2 ** Math.min(setbacks, 30));

/** The state of an account that was never used. */
export const newAccount = (quota: number): AccountState =>
  withQuota({ capability: 'untested', restsUntil: 0, reason: null, strikes: 0, setbacks: 0, slots: [] }, quota);

/**
 * The same state with another number of slots. The slots that are used longest remain, so the new quota holds
 * immediately.
 */
export function withQuota(state: AccountState, quota: number): AccountState {
  const retained = inOrder(state.slots).slice(Math.max(0, state.slots.length - quota));
  const added = Array.from({ length: quota - retained.length }, () => ({ freeAt: 0, question: null }));
  return { ...state, slots: [...added, ...retained] };
}

/** The slots with another one, in order. */
const withSlot = (slots: readonly Slot[], added: Slot): readonly Slot[] =>
  slots.toSpliced(freeUntil(slots, added.freeAt), 0, added);

const inOrder = (slots: readonly Slot[]): readonly Slot[] => slots.toSorted((a, b) => a.freeAt - b.freeAt);

/** A stored state. Earlier versions did not order the slots. */
export const restored = (state: AccountState): AccountState => ({ ...state, slots: inOrder(state.slots) });

export function transition(state: AccountState, event: AccountEvent, now: number): AccountState {
  switch (event.kind) {
    case 'reserve':
      return reserve(state, event.question, event.cost, event.deadline, now);
    case 'reset':
      return { ...state, capability: 'untested', restsUntil: 0, reason: null, strikes: 0, setbacks: 0 };
    case 'settle':
      return applyOutcome(settleSlots(state, event, now), event.outcome, event.retryAfterMs, now);
  }
}

/**
 * Uses free slots. The caller checks that there are enough. A journal from a time with a larger quota can require more;
 * then the function adds slots.
 */
function reserve(state: AccountState, question: string, cost: number, deadline: number, now: number): AccountState {
  const taken: Slot = { freeAt: deadline + windowMs + marginMs, question };
  const others = state.slots.slice(Math.min(cost, freeSlots(state, now)));
  return { ...state, slots: Array<Slot>(cost).fill(taken).reduce(withSlot, others) };
}

/**
 * Frees the slots of questions that were certainly not counted. An answer bounds the time of counting; for any other
 * outcome the deadline remains the bound.
 */
function settleSlots(
  state: AccountState,
  { question, outcome, counted }: AccountEvent & { kind: 'settle' },
  now: number,
): AccountState {
  // The slots of a question have the same time, so they follow one another. Those of an open question are near the end.
  const last = state.slots.findLastIndex((slot) => slot.question === question);
  if (last === -1) return state;
  let start = last;
  while (state.slots[start - 1]?.question === question) start--;
  let remaining = counted;
  const settled = state.slots.slice(start, last + 1).map(({ freeAt }): Slot => {
    if (remaining-- <= 0) return { freeAt: 0, question: null };
    return { freeAt: outcome === 'answered' ? Math.min(freeAt, now + windowMs + marginMs) : freeAt, question: null };
  });
  return { ...state, slots: settled.reduce(withSlot, state.slots.toSpliced(start, settled.length)) };
}

function applyOutcome(
  state: AccountState,
  outcome: CallOutcome,
  retryAfterMs: number | undefined,
  now: number,
): AccountState {
  switch (outcome) {
    case 'aborted':
      return state;
    case 'rejected':
      // A capable account can reject a single question. An account that rejects a health check is unusable.
      return state.capability === 'capable'
        ? state
        : startCooldown(state, 'incapable', outcome, backoffMs(cooldownRanges.unauthorized, state.setbacks), now);
    case 'answered': {
      // An answer to a question that was sent before a 429 does not end the cooldown of the 429.
      const cooling = state.capability === 'capable' && state.restsUntil > now;
      return cooling
        ? { ...state, strikes: 0 }
        : { ...state, capability: 'capable', restsUntil: 0, reason: null, strikes: 0, setbacks: 0 };
    }
    case 'unauthorized':
      return startCooldown(state, 'incapable', outcome, backoffMs(cooldownRanges.unauthorized, state.setbacks), now);
    case 'limited': {
      // A minimum applies even if the provider requests no cooldown.
      const min = state.capability === 'capable' ? minCooldownMs : backoffMs(probeCooldownRange, state.setbacks);
      const requested = retryAfterMs ?? backoffMs(cooldownRanges.limited, state.setbacks);
      return startCooldown(state, state.capability, outcome, Math.min(maxCooldownMs, Math.max(min, requested)), now);
    }
    case 'failed':
    case 'timeout':
    case 'unreached': {
      if (state.capability !== 'capable')
        return startCooldown(state, state.capability, outcome, backoffMs(probeCooldownRange, state.setbacks), now);
      const failed = { ...state, strikes: state.strikes + 1 };
      return failed.strikes < maxStrikes
        ? failed
        : startCooldown(failed, 'capable', outcome, backoffMs(cooldownRanges[outcome], state.setbacks), now);
    }
  }
}

function startCooldown(
  state: AccountState,
  capability: AccountState['capability'],
  reason: CallOutcome,
  ms: number,
  now: number,
): AccountState {
  const until = now + ms;
  if (state.capability === capability && state.restsUntil > now) {
    // Concurrent questions that fail together count as one cooldown. Only a provider's request extends the cooldown.
    return reason === 'limited' ? { ...state, restsUntil: Math.max(state.restsUntil, until) } : state;
  }
  return { ...state, capability, reason, restsUntil: until, setbacks: state.setbacks + 1 };
}

export const freeSlots = ({ slots }: AccountState, now: number): number => freeUntil(slots, now);

/** The number of slots that are free at a time. */
function freeUntil(slots: readonly Slot[], time: number): number {
  let [low, high] = [0, slots.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (slots[middle]!.freeAt <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The latest deadline of an open question; 0 if there is none. The question of a dead process ends at its deadline.
 */
const busyUntil = ({ slots }: AccountState): number =>
  Math.max(0, ...slots.filter(({ question }) => question !== null).map(({ freeAt }) => freeAt - windowMs - marginMs));

/** After a cooldown and before the next answer, the account takes one question at a time. */
const onTrial = ({ setbacks }: AccountState): boolean => setbacks > 0;

/** The time from which so many slots are free; Infinity if there are fewer. */
const freeFrom = (slots: readonly Slot[], count: number): number => slots[count - 1]?.freeAt ?? Infinity;

/**
 * The earliest time for a question of this cost in the current state, in the past if it is possible now, Infinity if
 * the quota is too small. Does not consider the capability.
 */
export function readyAt(state: AccountState, cost: number): number {
  return Math.max(freeFrom(state.slots, cost), state.restsUntil, onTrial(state) ? busyUntil(state) : 0);
}

/**
 * The time of the next background health check: after the cooldown, when at least half of the slots are free, so that a
 * capable account has slots left. Infinity for a capable account.
 */
export const probeAt = (state: AccountState): number =>
  state.capability === 'capable'
    ? Infinity
    : Math.max(readyAt(state, Math.ceil(state.slots.length / 2)), busyUntil(state));

/** Limits the times of a restored state to the values that are possible with the current clock. */
export function clamp(state: AccountState, now: number, deadlineMs: number): AccountState {
  const latest = now + deadlineMs + windowMs + marginMs;
  return {
    ...state,
    restsUntil: Math.min(state.restsUntil, now + cooldownRanges.unauthorized[1]),
    slots: inOrder(state.slots).map((slot) => ({ ...slot, freeAt: Math.min(slot.freeAt, latest) })),
  };
}
