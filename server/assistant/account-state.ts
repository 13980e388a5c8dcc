/**
 * One account of the pool as a state machine: (state, event, now) -> state, pure.
 *
 * An account has as many slots as it may answer questions in a window. A question takes a slot until a moment that is surely a whole
 * window later than when the provider counted it: the provider counts between the sending and the deadline, so the slot is taken until
 * the deadline plus the window, and until the answer plus the window once that is there. So a slot holds at most one counted question
 * in any window, and no sum over several questions can be wrong. What is lost, to a crash say, only wastes capacity.
 *
 *   untested ── answered ──▶ capable ── limited, or the 3rd failure in a row ──▶ (rests, longer each time) ──▶ capable, one at a time
 *      │                       │
 *      └──── unauthorized ─────┴──▶ incapable ── a probe is due after 6 h, 12 h … 3 days ──▶ probed as if untested
 *
 * Times are milliseconds since the epoch.
 */
import type { ProviderFault } from '../ports/assistant-provider.ts';

/** How a question ended. */
export type CallOutcome = 'answered' | ProviderFault;

interface Slot {
  /** When it may be taken again. */
  readonly freeAt: number;
  /** The question that took it, while it is open; null once that is settled. */
  readonly question: string | null;
}

export interface AccountState {
  readonly capability: 'untested' | 'capable' | 'incapable';
  /** Until when it is left alone: a capable account cools so long, any other waits so long for its next probe. */
  readonly restsUntil: number;
  /** Why it rests or is incapable. */
  readonly reason: CallOutcome | null;
  /** Failures in a row. */
  readonly strikes: number;
  /** Rests since the last answer; each makes the next one longer. */
  readonly setbacks: number;
  readonly slots: readonly Slot[];
}

export type AccountEvent =
  | { readonly kind: 'reserve'; readonly question: string; readonly cost: number; readonly deadline: number }
  | {
      readonly kind: 'settle';
      readonly question: string;
      readonly outcome: CallOutcome;
      /** How many of the reserved questions the provider may have counted; the others are free again at once. */
      readonly counted: number;
      readonly retryAfterMs?: number | undefined;
    }
  /** The operator wants it tested anew. */
  | { readonly kind: 'reset' };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

export const windowMs = 24 * hour;
/** How far the clocks here and at the provider may be apart. */
export const marginMs = minute;
const mostStrikes = 3;
/** However long a provider asks to be left alone, it is asked again after the window in which it counts. */
const longestRest = windowMs + marginMs;
const shortestRest = second;

/** First and longest rest after each fault; it doubles in between. Faults of the caller's are none of the account's. */
const rests = {
  limited: [minute, hour],
  failed: [30 * second, 15 * minute],
  timeout: [30 * second, 15 * minute],
  // Costs nothing to try, and ends all at once when the network is back.
  unreached: [5 * second, minute],
  unauthorized: [6 * hour, 72 * hour],
} as const;
/** Between probes that did not find out whether the account can answer. */
const probeRest = [30 * second, hour] as const;

const backOff = ([first, most]: readonly [number, number], setbacks: number): number =>
  Math.min(most, first * 2 ** Math.min(setbacks, 30));

/** An account that was never used. */
export const newAccount = (quota: number): AccountState =>
  withQuota({ capability: 'untested', restsUntil: 0, reason: null, strikes: 0, setbacks: 0, slots: [] }, quota);

/** The same with another number of slots: the ones that are taken longest stay, so that the new quota holds from now on. */
export function withQuota(state: AccountState, quota: number): AccountState {
  const kept = state.slots.toSorted((a, b) => b.freeAt - a.freeAt).slice(0, quota);
  const more = Array.from({ length: quota - kept.length }, () => ({ freeAt: 0, question: null }));
  return { ...state, slots: [...kept, ...more] };
}

export function next(state: AccountState, event: AccountEvent, now: number): AccountState {
  switch (event.kind) {
    case 'reserve':
      return reserve(state, event.question, event.cost, event.deadline, now);
    case 'reset':
      return { ...state, capability: 'untested', restsUntil: 0, reason: null, strikes: 0, setbacks: 0 };
    case 'settle':
      return judge(settleSlots(state, event, now), event.outcome, event.retryAfterMs, now);
  }
}

/**
 * Takes free slots. Whether there are enough is for the caller to ask before: where there are not, as in a journal of a time with a larger
 * quota, it adds some.
 */
function reserve(state: AccountState, question: string, cost: number, deadline: number, now: number): AccountState {
  const taken: Slot = { freeAt: deadline + windowMs + marginMs, question };
  let left = cost;
  const slots = state.slots.map((slot) => (left > 0 && slot.freeAt <= now ? (left--, taken) : slot));
  return { ...state, slots: [...slots, ...Array<Slot>(left).fill(taken)] };
}

/** Frees what surely was not counted. An answer bounds when the rest was; any other end does not, so the deadline stays the bound. */
function settleSlots(
  state: AccountState,
  { question, outcome, counted }: AccountEvent & { kind: 'settle' },
  now: number,
): AccountState {
  let left = counted;
  const slots = state.slots.map((slot): Slot => {
    if (slot.question !== question) return slot;
    if (left-- <= 0) return { freeAt: 0, question: null };
    return {
      freeAt: outcome === 'answered' ? Math.min(slot.freeAt, now + windowMs + marginMs) : slot.freeAt,
      question: null,
    };
  });
  return { ...state, slots };
}

function judge(state: AccountState, outcome: CallOutcome, retryAfterMs: number | undefined, now: number): AccountState {
  switch (outcome) {
    case 'aborted':
      return state;
    case 'rejected':
      // A capable account is right to refuse a question. One that refuses even a probe is of no use.
      return state.capability === 'capable'
        ? state
        : rest(state, 'incapable', outcome, backOff(rests.unauthorized, state.setbacks), now);
    case 'answered': {
      // An answer to a question from before a 429 does not end the rest that the 429 asked for.
      const cooling = state.capability === 'capable' && state.restsUntil > now;
      return cooling
        ? { ...state, strikes: 0 }
        : { ...state, capability: 'capable', restsUntil: 0, reason: null, strikes: 0, setbacks: 0 };
    }
    case 'unauthorized':
      return rest(state, 'incapable', outcome, backOff(rests.unauthorized, state.setbacks), now);
    case 'limited': {
      // A provider that wants to be left alone for no time at all is still not asked again at once.
      const least = state.capability === 'capable' ? shortestRest : backOff(probeRest, state.setbacks);
      const wanted = retryAfterMs ?? backOff(rests.limited, state.setbacks);
      return rest(state, state.capability, outcome, Math.min(longestRest, Math.max(least, wanted)), now);
    }
    case 'failed':
    case 'timeout':
    case 'unreached': {
      if (state.capability !== 'capable')
        return rest(state, state.capability, outcome, backOff(probeRest, state.setbacks), now);
      const struck = { ...state, strikes: state.strikes + 1 };
      return struck.strikes < mostStrikes
        ? struck
        : rest(struck, 'capable', outcome, backOff(rests[outcome], state.setbacks), now);
    }
  }
}

function rest(
  state: AccountState,
  capability: AccountState['capability'],
  reason: CallOutcome,
  ms: number,
  now: number,
): AccountState {
  const until = now + ms;
  if (state.capability === capability && state.restsUntil > now) {
    // Questions under way together that end alike are one setback; only a provider that asks for it makes the rest longer.
    return reason === 'limited' ? { ...state, restsUntil: Math.max(state.restsUntil, until) } : state;
  }
  return { ...state, capability, reason, restsUntil: until, setbacks: state.setbacks + 1 };
}

export const freeSlots = (state: AccountState, now: number): number =>
  state.slots.filter(({ freeAt }) => freeAt <= now).length;

/** Until when a question is under way that nobody has settled; 0 where there is none. One whose process died ends at its deadline. */
const busyUntil = ({ slots }: AccountState): number =>
  Math.max(0, ...slots.filter(({ question }) => question !== null).map(({ freeAt }) => freeAt - windowMs - marginMs));

/** Since its last rest it has not answered: the next question is a trial, and alone. */
const onTrial = ({ setbacks }: AccountState): boolean => setbacks > 0;

/**
 * When a question of this cost can be put to it, as things stand; in the past where it can be now, Infinity where its quota is too small.
 * Whether it is capable is another matter.
 */
export function readyAt(state: AccountState, cost: number): number {
  const slot = state.slots.map(({ freeAt }) => freeAt).toSorted((a, b) => a - b)[cost - 1] ?? Infinity;
  return Math.max(slot, state.restsUntil, onTrial(state) ? busyUntil(state) : 0);
}

/**
 * When to probe it in the background: when its rest is over and at least half of its slots are free, so that finding out that it
 * answers leaves something to ask. Infinity for a capable one.
 */
export const probeAt = (state: AccountState): number =>
  state.capability === 'capable'
    ? Infinity
    : Math.max(readyAt(state, Math.ceil(state.slots.length / 2)), busyUntil(state));

/** A state from another run of the clock: nothing in it may be later than it could be by the clock of now. */
export function clamp(state: AccountState, now: number, deadlineMs: number): AccountState {
  const latest = now + deadlineMs + windowMs + marginMs;
  return {
    ...state,
    restsUntil: Math.min(state.restsUntil, now + rests.unauthorized[1]),
    slots: state.slots.map((slot) => ({ ...slot, freeAt: Math.min(slot.freeAt, latest) })),
  };
}
