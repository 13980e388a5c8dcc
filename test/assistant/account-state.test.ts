import { describe, expect, test } from '@jest/globals';
import {
  clamp,
  freeSlots,
  marginMs,
  newAccount,
  transition,
  probeAt,
  readyAt,
  windowMs,
  withQuota,
  type AccountEvent,
  type AccountState,
} from '../../server/assistant/account-state.ts';
import type { CallOutcome } from '../../server/ports/account-pool.ts';

const t0 = Date.UTC(2026, 8, 1);
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const deadline = minute;

const untested = newAccount(20);
const capable: AccountState = { ...untested, capability: 'capable' };

let questions = 0;
/** One question that ends after a second. */
function ask(
  state: AccountState,
  outcome: CallOutcome,
  options: { at?: number; cost?: number; counted?: number; retryAfterMs?: number } = {},
): AccountState {
  const { at = t0, cost = 1, counted = cost, retryAfterMs } = options;
  const question = `q${questions++}`;
  const reserved = transition(state, { kind: 'reserve', question, cost, deadline: at + deadline }, at);
  return transition(reserved, { kind: 'settle', question, outcome, counted, retryAfterMs }, at + second);
}
const restOf = (state: AccountState, at = t0): number => state.restsUntil - (at + second);
/** Fails until it rests, as often as is said, each time when the rest is over; answers how long it then rested. */
function restsAfter(
  state: AccountState,
  outcomes: readonly CallOutcome[],
  options: { counted?: number } = {},
): number[] {
  let now = t0;
  const rests: number[] = [];
  for (const outcome of outcomes) {
    state = ask({ ...state, slots: untested.slots }, outcome, { at: now, ...options });
    rests.push(Math.max(0, restOf(state, now)));
    now = Math.max(now + second, state.restsUntil);
  }
  return rests;
}

describe('a slot', () => {
  test('of an open question stays used until a window and a margin after its deadline', () => {
    const state = transition(capable, { kind: 'reserve', question: 'a', cost: 1, deadline: t0 + deadline }, t0);
    const freeAt = t0 + deadline + windowMs + marginMs;
    expect(freeSlots(state, t0)).toBe(19);
    expect(freeSlots(state, freeAt - 1)).toBe(19);
    expect(freeSlots(state, freeAt)).toBe(20);
  });

  test('stays used until a window and a margin after the answer', () => {
    const state = ask(capable, 'answered');
    const freeAt = t0 + second + windowMs + marginMs;
    expect([freeSlots(state, freeAt - 1), freeSlots(state, freeAt)]).toEqual([19, 20]);
  });

  test.each<CallOutcome>(['failed', 'timeout', 'aborted', 'limited', 'unauthorized', 'rejected'])(
    'stays used from the deadline if a question that %s may have counted',
    (outcome) => {
      const state = ask(capable, outcome);
      const freeAt = t0 + deadline + windowMs + marginMs;
      expect([freeSlots(state, freeAt - 1), freeSlots(state, freeAt)]).toEqual([19, 20]);
    },
  );

  test.each<CallOutcome>(['failed', 'timeout', 'aborted', 'limited', 'unreached', 'unauthorized', 'rejected'])(
    'is free after a question that %s did not count',
    (outcome) => {
      expect(freeSlots(ask(capable, outcome, { counted: 0 }), t0 + second)).toBe(20);
    },
  );

  test('becomes free if only one of the two requests of a question counted', () => {
    expect(freeSlots(ask(capable, 'limited', { cost: 2, counted: 1 }), t0 + second)).toBe(19);
    expect(freeSlots(ask(capable, 'answered', { cost: 2 }), t0 + second)).toBe(18);
  });

  test('does not change when a question is settled twice, late, or is unknown', () => {
    const settle: AccountEvent = { kind: 'settle', question: 'a', outcome: 'aborted', counted: 0 };
    const open = transition(capable, { kind: 'reserve', question: 'a', cost: 1, deadline: t0 + deadline }, t0);
    const refunded = transition(open, settle, t0 + second);
    const taken = transition(
      refunded,
      { kind: 'reserve', question: 'b', cost: 20, deadline: t0 + deadline },
      t0 + second,
    );
    expect(transition(taken, settle, t0 + 2 * second)).toEqual(taken);
    const late = transition(open, { ...settle, outcome: 'answered', counted: 1 }, t0 + windowMs);
    expect(late.slots).toContainEqual({ freeAt: t0 + deadline + windowMs + marginMs, question: null });
  });

  test('a smaller quota keeps the slots with the latest expiry, a larger one adds free slots', () => {
    let state = withQuota(capable, 5);
    for (const n of [1, 2, 3, 4]) state = ask(state, 'answered', { at: t0 + n * hour });
    const fewer = withQuota(state, 3);
    expect(freeSlots(fewer, t0 + 5 * hour)).toBe(0);
    expect(freeSlots(fewer, t0 + 2 * hour + second + windowMs + marginMs)).toBe(1);
    expect(freeSlots(withQuota(state, 8), t0 + 5 * hour)).toBe(4);
  });

  test('is added if a journal has more questions than the current quota', () => {
    let state = withQuota(capable, 1);
    for (const question of ['a', 'b', 'c'])
      state = transition(state, { kind: 'reserve', question, cost: 1, deadline: t0 + deadline }, t0);
    const refunded = transition(state, { kind: 'settle', question: 'c', outcome: 'aborted', counted: 0 }, t0 + second);
    expect(freeSlots(withQuota(refunded, 2), t0 + second)).toBe(0);
  });

  test('from a clock that was ahead expires by the current clock', () => {
    const ahead = ask(capable, 'limited', { at: t0 + 9_000 * hour });
    const state = clamp(ahead, t0, deadline);
    expect(freeSlots(state, t0 + deadline + windowMs + marginMs)).toBe(20);
    expect(state.restsUntil).toBe(t0 + 72 * hour);
  });
});

describe('an untested account', () => {
  test('is capable after an answer', () => {
    expect(ask(untested, 'answered')).toMatchObject({ capability: 'capable', restsUntil: 0, reason: null });
  });
  test.each<CallOutcome>(['unauthorized', 'rejected'])(
    'is incapable for 6 h, doubling to 3 days, after a check with the result %s',
    (outcome) => {
      expect(ask(untested, outcome)).toMatchObject({ capability: 'incapable', reason: outcome });
      expect(restsAfter(untested, Array<CallOutcome>(6).fill(outcome)).map((ms) => ms / hour)).toEqual([
        6, 12, 24, 48, 72, 72,
      ]);
    },
  );
  test.each<CallOutcome>(['failed', 'timeout', 'unreached'])(
    'stays untested after a check that %s, and waits 30 s, doubling to 1 h',
    (outcome) => {
      expect(ask(untested, outcome)).toMatchObject({ capability: 'untested', reason: outcome });
      expect(restsAfter(untested, Array<CallOutcome>(9).fill(outcome)).map((ms) => ms / second)).toEqual([
        30, 60, 120, 240, 480, 960, 1920, 3600, 3600,
      ]);
    },
  );
  test('stays untested after a rate-limited check, for the requested time', () => {
    const state = ask(untested, 'limited', { retryAfterMs: 7 * minute });
    expect(state).toMatchObject({ capability: 'untested', reason: 'limited' });
    expect(restOf(state)).toBe(7 * minute);
  });
  test('does not change after an interrupted check', () => {
    expect({ ...ask(untested, 'aborted', { counted: 0 }) }).toEqual(untested);
  });
});

describe('a capable account', () => {
  test('stays capable after errors that are not its own', () => {
    for (const outcome of ['aborted', 'rejected'] as const)
      expect(ask(capable, outcome)).toMatchObject({ capability: 'capable', restsUntil: 0, strikes: 0 });
  });

  test('cools down for the time of a 429, at most a day and a minute', () => {
    expect(restOf(ask(capable, 'limited', { retryAfterMs: 90 * second }))).toBe(90 * second);
    expect(restOf(ask(capable, 'limited', { retryAfterMs: 99 * hour }))).toBe(windowMs + marginMs);
    expect(restOf(ask(capable, 'limited', { retryAfterMs: 0 }))).toBe(second);
  });

  test('cools down for 1 min, doubling to 1 h, after a 429 without a time', () => {
    expect(restsAfter(capable, Array<CallOutcome>(8).fill('limited')).map((ms) => ms / minute)).toEqual([
      1, 2, 4, 8, 16, 32, 60, 60,
    ]);
  });

  test.each<[CallOutcome, number[]]>([
    ['failed', [0, 0, 30, 60, 120, 240, 480, 900, 900]],
    ['timeout', [0, 0, 30, 60, 120, 240, 480, 900, 900]],
    ['unreached', [0, 0, 5, 10, 20, 40, 60, 60]],
  ])('cools down after three consecutive questions that %s, and longer after each further one', (outcome, seconds) => {
    expect(restsAfter(capable, Array<CallOutcome>(seconds.length).fill(outcome)).map((ms) => ms / second)).toEqual(
      seconds,
    );
  });

  test('resets the count after an answer', () => {
    expect(
      restsAfter(capable, [
        'failed',
        'failed',
        'answered',
        'failed',
        'failed',
        'failed',
        'answered',
        'failed',
        'failed',
        'failed',
      ]),
    ).toEqual([0, 0, 0, 0, 0, 30, 0, 0, 0, 30].map((s) => s * second));
  });

  test('counts concurrent failures once', () => {
    let state: AccountState = capable;
    for (let n = 0; n < 10; n++)
      state = transition(state, { kind: 'reserve', question: `together${n}`, cost: 1, deadline: t0 + deadline }, t0);
    for (let n = 0; n < 10; n++)
      state = transition(
        state,
        { kind: 'settle', question: `together${n}`, outcome: 'failed', counted: 1 },
        t0 + second,
      );
    expect([state.setbacks, restOf(state)]).toEqual([1, 30 * second]);
  });

  test('cools down for the longest of several 429, also after a later answer', () => {
    const limited = ask(ask(capable, 'limited', { retryAfterMs: 10 * minute }), 'limited', { retryAfterMs: minute });
    expect(restOf(limited)).toBe(10 * minute);
    expect(restOf(ask(limited, 'limited', { retryAfterMs: hour }))).toBe(hour);
    expect(restOf(ask(limited, 'answered'))).toBe(10 * minute);
  });

  test('gets one question at a time after a cooldown, until it answers', () => {
    const limited = ask(capable, 'limited', { retryAfterMs: minute, counted: 0 });
    const after = limited.restsUntil;
    expect([readyAt(limited, 1), readyAt(limited, 2)]).toEqual([after, after]);
    const trial = transition(
      limited,
      { kind: 'reserve', question: 'trial', cost: 1, deadline: after + deadline },
      after,
    );
    expect(readyAt(trial, 1)).toBe(after + deadline);
    const answered = transition(
      trial,
      { kind: 'settle', question: 'trial', outcome: 'answered', counted: 1 },
      after + second,
    );
    expect(readyAt(answered, 1)).toBeLessThanOrEqual(after + second);
    expect(
      readyAt(
        transition(answered, { kind: 'reserve', question: 'x', cost: 1, deadline: after + deadline }, after + second),
        1,
      ),
    ).toBeLessThanOrEqual(after + second);
  });

  test('gets several concurrent questions otherwise', () => {
    const state = transition(capable, { kind: 'reserve', question: 'one', cost: 1, deadline: t0 + deadline }, t0);
    expect(readyAt(state, 1)).toBeLessThanOrEqual(t0);
  });

  test('is incapable after rejected credentials, without a check for 6 h', () => {
    const state = ask(capable, 'unauthorized');
    expect(state).toMatchObject({ capability: 'incapable', reason: 'unauthorized' });
    expect(probeAt(state)).toBe(t0 + second + 6 * hour);
  });

  test('without remaining questions, cools down until the oldest question leaves the window', () => {
    let state: AccountState = capable;
    for (let n = 0; n < 20; n++) state = ask(state, 'answered', { at: t0 + n * minute });
    expect(readyAt(state, 1)).toBe(t0 + second + windowMs + marginMs);
    expect(readyAt(state, 2)).toBe(t0 + minute + second + windowMs + marginMs);
    expect(readyAt(state, 21)).toBe(Infinity);
  });

  test('is never checked automatically', () => {
    expect(probeAt(capable)).toBe(Infinity);
  });
});

describe('an incapable account', () => {
  const incapable = ask(capable, 'unauthorized', { counted: 0 });
  test('is capable after a successful check', () => {
    expect(ask(incapable, 'answered', { at: probeAt(incapable) })).toMatchObject({
      capability: 'capable',
      setbacks: 0,
    });
  });
  test.each<CallOutcome>(['failed', 'timeout', 'unreached'])('stays incapable after a check that %s', (outcome) => {
    expect(ask(incapable, outcome, { at: probeAt(incapable) })).toMatchObject({ capability: 'incapable' });
  });
  test('becomes untested and due at once on request of the operator; used questions still count', () => {
    const used = ask(capable, 'unauthorized');
    const reset = transition(used, { kind: 'reset' }, t0 + second);
    expect(reset).toMatchObject({ capability: 'untested', reason: null, strikes: 0, setbacks: 0 });
    expect([probeAt(reset) <= t0 + second, freeSlots(reset, t0 + second)]).toEqual([true, 19]);
  });
});

describe('a background health check', () => {
  test('waits while another question is open', () => {
    const state = transition(untested, { kind: 'reserve', question: 'p', cost: 1, deadline: t0 + deadline }, t0);
    expect(probeAt(state)).toBe(t0 + deadline);
  });
  test('leaves at least half of the quota for callers', () => {
    let state = untested;
    for (let n = 0; n < 10; n++) state = ask(state, 'failed', { at: t0 });
    expect(probeAt({ ...state, restsUntil: 0 })).toBeLessThanOrEqual(t0 + deadline);
    state = ask(state, 'failed', { at: t0 + minute });
    expect(probeAt({ ...state, restsUntil: 0 })).toBe(t0 + deadline + windowMs + marginMs);
  });
});
