import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { ConnectionMonitor } from '../../server/realtime/connection-monitor.ts';
import { defaultLimits } from '../../server/realtime/limits.ts';

const limits = {
  ...defaultLimits,
  ...{ firstCommandMs: 5_000, heartbeatMs: 1_000, stalledMs: 4_000 },
  ...{ farBehind: 100, progressMs: 10_000, minPerSecond: 5 },
};
/** A limit that no test reaches, in milliseconds. */
const never = 1e9;

/** What the monitor has sent and done, in order. */
let calls: string[];
/** When each connection opens, in milliseconds. */
const start = 1_000;
beforeEach(() => {
  calls = [];
  jest.spyOn(performance, 'now').mockReturnValue(start);
});
afterEach(() => void jest.restoreAllMocks());

/** A connection whose state a test sets. Messages and pings are sent at the time of the last `tick`. */
function watched(more: Partial<typeof limits> = {}, { hasPings = true, events = 1_000_000 } = {}) {
  const state = { buffered: 0, acceptedBytes: 0, isFull: false, isClosing: false, served: 0, lastSent: start };
  const log = { head: 0, floor: 7, retention: { ageMs: 0, events } };
  let now = start;
  const outlet = Object.assign(state, {
    closeCode: undefined,
    write() {},
    markClosed() {},
    send(message: { readonly type: string; readonly cursor?: string; behind?: number; oldest_cursor?: string }) {
      state.lastSent = now;
      const { type, cursor, behind, oldest_cursor: oldest } = message;
      calls.push([type, cursor, behind, oldest].filter((each) => each !== undefined).join(' '));
    },
    ping() {
      calls.push('ping');
      return hasPings;
    },
    close(reason: string) {
      state.isClosing = true;
      calls.push(`close ${reason}`);
    },
  });
  const connection = {
    get served() {
      return state.served;
    },
    cursor: (seq: number) => `e.${seq}`,
  };
  const monitor = new ConnectionMonitor(outlet, connection, { log, limits: { ...limits, ...more } });
  return {
    ...{ state, log, monitor },
    /** So many milliseconds after the start. */
    tick(after: number): string[] {
      now = start + after;
      monitor.tick(now);
      return calls.splice(0);
    },
  };
}

describe('the first command', () => {
  const quiet = { heartbeatMs: never };
  test('is awaited for its time limit, and not longer', () => {
    const { tick } = watched(quiet);
    expect([tick(5_000), tick(5_001)]).toEqual([[], ['close idle']]);
  });
  test('ends the wait', () => {
    const { tick, monitor } = watched(quiet);
    monitor.onCommand();
    expect(tick(6_000)).toEqual([]);
  });
});

describe('a heartbeat', () => {
  test('is sent after silence, with the position that all subscriptions have', () => {
    const { tick, state } = watched({}, { hasPings: false });
    state.served = 12;
    expect([tick(999), tick(1_000), tick(1_999), tick(2_000)]).toEqual([
      ...[[], ['ping', 'heartbeat e.12']],
      ...[[], ['ping', 'heartbeat e.12']],
    ]);
  });
  test('is not sent where another message was, or where something still waits', () => {
    const { tick, state } = watched();
    state.lastSent = start + 500;
    expect(tick(1_000)).toEqual(['ping']);
    state.buffered = 1;
    expect(tick(1_900)).toEqual([]);
    state.buffered = 0;
    expect(tick(1_950)).toEqual(['heartbeat e.0']);
  });
});

describe('pings', () => {
  const quiet = { firstCommandMs: never };
  const pings = ({ tick, state }: ReturnType<typeof watched>, after: number): string[] => {
    state.lastSent = start + after;
    return tick(after);
  };
  test('close the connection where two have no answer', () => {
    const each = watched(quiet);
    expect([1_000, 2_000, 3_000].map((after) => pings(each, after))).toEqual([['ping'], ['ping'], ['close pong']]);
  });
  test('continue while answers come', () => {
    const each = watched(quiet);
    for (let after = 1_000; after < 8_000; after += 2_000) {
      expect([pings(each, after), pings(each, after + 1_000)]).toEqual([['ping'], ['ping']]);
      each.monitor.onPong();
    }
  });
  test('have the same interval when the clock of the ticks is late', () => {
    const each = watched(quiet);
    expect([1_700, 2_000, 2_699, 2_700].map((after) => pings(each, after))).toEqual([['ping'], [], [], ['ping']]);
  });
  test('of a transport without pings have no answer to wait for', () => {
    const each = watched(quiet, { hasPings: false });
    for (let after = 1_000; after < 8_000; after += 1_000) expect(pings(each, after)).toEqual(['ping']);
  });
});

describe('a client that takes nothing', () => {
  const quiet = { firstCommandMs: never, heartbeatMs: never };
  test('is warned once after half of the time limit, and closed after it', () => {
    const { tick, state, log } = watched(quiet);
    [state.buffered, log.head] = [10, 3];
    expect([tick(2_000), tick(2_001), tick(4_000), tick(4_001)]).toEqual([
      ...[[], ['lagging 3 e.7'], []],
      ['close slow'],
    ]);
  });
  test('has the whole time again after it took a byte, or everything', () => {
    const { tick, state } = watched(quiet);
    state.buffered = 10;
    expect(tick(1_500)).toEqual([]);
    state.acceptedBytes = 1;
    expect([tick(1_900), tick(3_900), tick(3_901)]).toEqual([[], [], ['lagging 0 e.7']]);
    state.buffered = 0;
    expect(tick(5_800)).toEqual([]);
    state.buffered = 10;
    expect([tick(9_800), tick(9_801)]).toEqual([[], ['close slow']]);
  });
  test('is warned again only after it was at the head', () => {
    const { tick, state, monitor } = watched(quiet);
    state.buffered = 10;
    expect(tick(2_001)).toEqual(['lagging 0 e.7']);
    state.acceptedBytes = 5;
    expect([tick(2_100), tick(4_101)]).toEqual([[], []]);
    monitor.onCaughtUp();
    expect(tick(4_102)).toEqual(['lagging 0 e.7']);
  });
  test('is not looked at after its connection was closed', () => {
    const { tick, state } = watched({ ...quiet, firstCommandMs: 1 });
    state.buffered = 10;
    expect(tick(9_000)).toEqual(['close idle']);
  });
});

describe('a client that is behind', () => {
  const quiet = { firstCommandMs: never, heartbeatMs: never };
  test.each([
    ['more than half of the limit, while its socket is full', 51, true, 1_000_000, ['lagging 51 e.7']],
    ['half of the limit', 50, true, 1_000_000, []],
    ['more than half of the limit, while its socket has room', 51, false, 1_000_000, []],
    ['more than half of what the log retains', 11, true, 20, ['lagging 11 e.7']],
    ['half of what the log retains', 10, true, 20, []],
  ])('by %s: the warnings are those', (_how, head, isFull, events, warnings) => {
    const { tick, state, log } = watched(quiet, { events });
    [log.head, state.isFull] = [head, isFull];
    expect(tick(1_000)).toEqual(warnings);
    expect(tick(2_000)).toEqual([]);
  });
  test('by more than the limit must read at the minimum rate', () => {
    const { tick, state, log } = watched(quiet);
    log.head = 1_000;
    expect([tick(1_000), tick(10_999)]).toEqual([[], []]);
    state.served = 49;
    expect(tick(11_000)).toEqual(['close slow']);
  });
  test('by more than the limit stays where it reads at the minimum rate, and is measured anew', () => {
    const { tick, state, log } = watched(quiet);
    log.head = 1_000;
    expect(tick(1_000)).toEqual([]);
    state.served = 50;
    expect([tick(11_000), tick(11_001)]).toEqual([[], []]);
    state.served = 90;
    expect([tick(21_000), tick(21_001)]).toEqual([[], ['close slow']]);
  });
  test('by the limit, or at the head for a moment, is measured anew', () => {
    const { tick, state, log, monitor } = watched(quiet);
    log.head = 101;
    expect(tick(1_000)).toEqual([]);
    state.served = 1;
    expect(tick(2_000)).toEqual([]);
    log.head = 1_000;
    expect([tick(3_000), tick(12_000)]).toEqual([[], []]);
    monitor.onCaughtUp();
    expect([tick(13_000), tick(22_999), tick(23_000)]).toEqual([[], [], ['close slow']]);
  });
});
