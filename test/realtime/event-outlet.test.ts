/** What the response of server-sent events gets, and when it ends. `test/operations/streamEvents.test.ts` has the same over HTTP. */
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { EventOutlet } from '../../server/realtime/event-outlet.ts';
import { textFrame } from '../../server/realtime/frame.ts';
import type { ServerMessage } from '../../server/realtime/messages.ts';

const timestamp = '2026-01-01T00:00:00.000Z';
const heartbeat: ServerMessage = { type: 'heartbeat', cursor: 'e.1', timestamp };
/** `retry: 2000` and an empty line: what a response begins with. */
const firstBytes = 13;

let counted: string[];
let faults: unknown[];
let drains: number;
let ends: number[];
beforeEach(() => {
  jest.useFakeTimers({ now: 0 });
  [counted, faults, drains, ends] = [[], [], 0, []];
});
afterEach(() => void jest.useRealTimers());

/** An outlet that is full above so many bytes. */
function outletOf(bufferedBytes = 1_000): EventOutlet {
  const outlet = new EventOutlet({
    bufferedBytes,
    reportFault: (...fault) => void faults.push(fault),
    countMessage: (direction, type) => void counted.push(`${direction} ${type}`),
  });
  outlet.listen({ onDrain: () => void drains++, onEnd: (code) => void ends.push(code) });
  return outlet;
}
const write = (outlet: EventOutlet, text: string, cursor = 'e.1'): void =>
  outlet.write(textFrame(text), 'event', cursor);
async function taken(outlet: EventOutlet): Promise<string | undefined> {
  const { value } = await outlet.next();
  return value ? Buffer.from(value.bytes).toString() : undefined;
}
/** Everything that an outlet sends until its end. */
async function all(outlet: EventOutlet): Promise<string[]> {
  const texts: string[] = [];
  for await (const { bytes } of outlet) texts.push(Buffer.from(bytes).toString());
  return texts;
}

describe('the events of a response', () => {
  test('begin with the delay of a new connection, and have the cursor as their id', async () => {
    const outlet = outletOf();
    write(outlet, '{"a":1}', 'e.7');
    expect([await taken(outlet), await taken(outlet)]).toEqual(['retry: 2000\n\n', 'id: e.7\ndata: {"a":1}\n\n']);
    expect(counted).toEqual(['out event']);
  });

  test.each<[ServerMessage, string]>([
    [heartbeat, ': heartbeat\nid: e.1\n\n'],
    [
      { type: 'gap', sub: 's1', from: 'e.1', to: 'e.5', reason: 'retention', hint: '/x' },
      'event: gap\nid: e.5\ndata: {"type":"gap","sub":"s1","from":"e.1","to":"e.5","reason":"retention","hint":"/x"}\n\n',
    ],
    [
      { type: 'caught_up', sub: 's1', cursor: 'e.3' },
      'event: caught_up\nid: e.3\ndata: {"type":"caught_up","sub":"s1","cursor":"e.3"}\n\n',
    ],
    [
      {
        ...{ type: 'subscribed', id: 'events', sub: 's1', channel: 'assistant:pool', params: {} },
        ...{ cursor: 'e.3', recovered: null },
      },
      'event: subscribed\nid: e.3\ndata: {"type":"subscribed","id":"events","sub":"s1","channel":"assistant:pool","params":{},"cursor":"e.3","recovered":null}\n\n',
    ],
    [
      { type: 'going_away', reconnect_after_ms: 40, reason: 'r' },
      'event: going_away\nretry: 40\ndata: {"type":"going_away","reconnect_after_ms":40,"reason":"r"}\n\n',
    ],
    [
      { type: 'lagging', behind: 3, oldest_cursor: 'e.0' },
      'event: lagging\ndata: {"type":"lagging","behind":3,"oldest_cursor":"e.0"}\n\n',
    ],
  ])('%j', async (message, text) => {
    const outlet = outletOf();
    await outlet.next();
    outlet.send(message);
    expect(await taken(outlet)).toBe(text);
    expect(counted).toEqual([`out ${message.type}`]);
  });

  test('reach a reader that waits at once, and one that comes later in their order', async () => {
    const outlet = outletOf();
    await outlet.next();
    const waiting = taken(outlet);
    write(outlet, '1');
    expect(await waiting).toBe('id: e.1\ndata: 1\n\n');
    for (const text of ['2', '3']) write(outlet, text);
    outlet.close('restart');
    expect(await all(outlet)).toEqual(['id: e.1\ndata: 2\n\n', 'id: e.1\ndata: 3\n\n']);
  });

  test('a message that violates the contract is reported without its texts, and not sent', async () => {
    const outlet = outletOf();
    outlet.send({ type: 'lagging', behind: -1, oldest_cursor: 'a text of a caller' });
    expect(faults).toEqual([['a message violates the contract', { type: 'lagging' }]]);
    outlet.close('restart');
    expect([await all(outlet), counted]).toEqual([['retry: 2000\n\n'], []]);
  });

  test('there is no ping', () => {
    expect(outletOf().ping()).toBe(false);
  });

  test('have the time at which the last one was sent', () => {
    const outlet = outletOf();
    const start = performance.now();
    jest.advanceTimersByTime(30);
    expect(outlet.lastSent).toBe(start);
    write(outlet, '1');
    jest.advanceTimersByTime(5);
    expect(outlet.lastSent).toBe(start + 30);
  });
});

describe('what waits for the reader', () => {
  test('is counted in bytes until it is taken, and is full above the limit', async () => {
    const outlet = outletOf(firstBytes);
    expect([outlet.buffered, outlet.acceptedBytes, outlet.isFull]).toEqual([firstBytes, 0, false]);
    write(outlet, 'é');
    const bytes = Buffer.byteLength('id: e.1\ndata: é\n\n');
    expect([outlet.buffered, outlet.isFull]).toEqual([firstBytes + bytes, true]);
    await outlet.next();
    expect([outlet.buffered, outlet.acceptedBytes, outlet.isFull]).toEqual([bytes, firstBytes, true]);
    await outlet.next();
    expect([outlet.buffered, outlet.acceptedBytes, outlet.isFull]).toEqual([0, firstBytes + bytes, false]);
  });

  test('is reported once when it is no longer full, and never when it was not full', async () => {
    const outlet = outletOf(30);
    await outlet.next();
    expect(drains).toBe(0);
    for (const text of ['1', '2', '3']) write(outlet, text);
    await outlet.next();
    expect([outlet.isFull, drains]).toEqual([true, 0]);
    await outlet.next();
    expect([outlet.isFull, drains]).toEqual([false, 1]);
    await outlet.next();
    expect(drains).toBe(1);
  });

  test('ends the stream as too slow when messages exceed four times the limit', () => {
    const outlet = outletOf(firstBytes);
    const text = 'x'.repeat(3 * firstBytes - 'id: e.1\ndata: \n\n'.length);
    write(outlet, text);
    expect(outlet.buffered).toBe(4 * firstBytes);
    outlet.send(heartbeat);
    expect([outlet.isClosing, counted.at(-1)]).toEqual([false, 'out heartbeat']);
    outlet.send(heartbeat);
    expect([outlet.closeCode, outlet.cut.aborted, counted]).toEqual([4108, true, ['out event', 'out heartbeat']]);
  });
});

describe('the end of a response', () => {
  test('follows what waits, and is reported once with the code of a WebSocket', async () => {
    const outlet = outletOf();
    write(outlet, '1');
    expect([outlet.isClosing, outlet.closeCode]).toEqual([false, undefined]);
    outlet.close('restart');
    expect([outlet.isClosing, outlet.closeCode, ends]).toEqual([true, 4200, []]);
    expect(await all(outlet)).toEqual(['retry: 2000\n\n', 'id: e.1\ndata: 1\n\n']);
    expect(ends).toEqual([4200]);
    expect(await outlet.next()).toEqual({ done: true, value: undefined });
    await outlet.return();
    expect(ends).toEqual([4200]);
  });

  test('reaches a reader that waits', async () => {
    const outlet = outletOf();
    await outlet.next();
    const waiting = outlet.next();
    outlet.close('revoked');
    expect([await waiting, ends]).toEqual([{ done: true, value: undefined }, [4005]]);
  });

  test('is final: nothing is sent after it, and the first reason stays', async () => {
    const outlet = outletOf();
    outlet.close('restart');
    write(outlet, '1');
    outlet.send(heartbeat);
    outlet.close('internal');
    expect([outlet.closeCode, outlet.cut.aborted, counted]).toEqual([4200, false, []]);
    expect(await all(outlet)).toEqual(['retry: 2000\n\n']);
  });

  test.each([
    ['slow', true],
    ['internal', true],
    ['restart', false],
    ['revoked', false],
    ['token', false],
  ] as const)('for the reason %s cuts the connection off at once: %s', (reason, isCut) => {
    const outlet = outletOf();
    outlet.close(reason);
    expect(outlet.cut.aborted).toBe(isCut);
  });

  test('cuts off a reader that does not take it within a second', () => {
    const outlet = outletOf();
    outlet.close('restart');
    jest.advanceTimersByTime(999);
    expect(outlet.cut.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(outlet.cut.aborted).toBe(true);
  });

  test('does not cut off a reader that has taken it', async () => {
    const outlet = outletOf();
    outlet.close('restart');
    await all(outlet);
    jest.advanceTimersByTime(10_000);
    expect(outlet.cut.aborted).toBe(false);
  });

  test('follows the end of the only subscription', async () => {
    const outlet = outletOf();
    outlet.send({ type: 'unsubscribed', sub: 's1', reason: 'the tweet was deleted' });
    expect([outlet.isClosing, outlet.closeCode]).toEqual([true, 1000]);
    expect((await all(outlet)).at(-1)).toContain('"reason":"the tweet was deleted"');
    expect(ends).toEqual([1000]);
  });

  test('by a reader that leaves drops what waits, and is a normal closure', async () => {
    const outlet = outletOf();
    write(outlet, '1');
    expect(await outlet.return()).toEqual({ done: true, value: undefined });
    expect([await outlet.next(), outlet.isClosing, outlet.closeCode, ends]).toEqual([
      { done: true, value: undefined },
      ...[true, undefined, [1000]],
    ]);
  });

  test('of a connection that has closed is not reported before the reader sees it', async () => {
    const outlet = outletOf();
    outlet.markClosed();
    write(outlet, '1');
    outlet.send(heartbeat);
    expect([outlet.isClosing, ends]).toEqual([true, []]);
    expect(await all(outlet)).toEqual(['retry: 2000\n\n']);
    expect(ends).toEqual([1000]);
  });
});
