/** The load process: many listeners on raw sockets. It counts frames without reading all of their payload, to use little CPU. */
import { connect, type Socket } from 'node:net';
import { answerCalls, clock, cpuTime } from './calls.ts';
import { timeDigits, timeMark } from './workload.ts';

interface Listener {
  readonly socket: Socket;
  /** Remaining bytes of a frame that is already counted. */
  skip: number;
  /** The first part of an incomplete frame. */
  carry: Buffer | undefined;
  /** Receives complete payloads; without it, events are only counted. */
  read: ((payload: Buffer) => void) | undefined;
}

interface Group {
  readonly listeners: Listener[];
  events: number;
  bytes: number;
  /** The number of expected events. */
  expected: number;
  /** Resolves with the arrival time of the last expected event, by `clock`. */
  completed: PromiseWithResolvers<number>;
  /** The delays of the sampled listeners, in microseconds. */
  delays: number[];
}

const groups = new Map<number, Group>();
/** The number of bytes that identify an event: `{"type":"ev`. */
const eventPrefixLength = 11;
const textFrame = 0x81;
/** One read buffer for all sockets. Each read is processed before the next one. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** Counts the frames in the received bytes. */
function countFrames(group: Group, listener: Listener, received: Buffer): void {
  const chunk = listener.carry === undefined ? received : Buffer.concat([listener.carry, received]);
  listener.carry = undefined;
  let at = Math.min(listener.skip, chunk.length);
  listener.skip -= at;
  while (at < chunk.length) {
    const left = chunk.length - at;
    const short = left < 2 ? 0 : chunk[at + 1]! & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (left < head) break;
    const length =
      short < 126 ? short : short === 126 ? chunk.readUInt16BE(at + 2) : Number(chunk.readBigUInt64BE(at + 2));
    const whole = head + length;
    if (left < (listener.read === undefined ? Math.min(whole, head + eventPrefixLength) : whole)) break;
    listener.read?.(chunk.subarray(at + head, at + whole));
    const isEvent =
      chunk[at] === textFrame &&
      length > eventPrefixLength &&
      chunk[at + head + 9] === 0x65 &&
      chunk[at + head + 10] === 0x76;
    if (isEvent) {
      group.bytes += whole;
      if (++group.events === group.expected) group.completed.resolve(clock());
    }
    listener.skip = Math.max(0, whole - left);
    at += Math.min(whole, left);
  }
  if (at < chunk.length) listener.carry = Buffer.from(chunk.subarray(at));
}

const isConfirmation = (payload: Buffer): boolean =>
  payload.subarray(0, 20).toString().startsWith('{"type":"subscribed"');

/** A client frame. Its mask has only zeros, so the text stays unchanged. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([textFrame, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, payload]);
}

const upgrade =
  'GET /ws?api_key=bench HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

/** Resolves when the socket is open and the service has confirmed the command, if there is one. */
function open(group: Group, port: number, command: string | undefined): Promise<Listener> {
  return new Promise((resolve, reject) => {
    let head = '';
    const done = (): void => {
      listener.read = undefined;
      resolve(listener);
    };
    const read = (received: Buffer): void => {
      if (head.endsWith('\r\n\r\n')) return countFrames(group, listener, received);
      const text = head + received.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return void (head = text);
      if (!text.startsWith('HTTP/1.1 101')) return reject(new Error(text));
      const rest = received.subarray(end + 4 - head.length);
      head = text.slice(0, end + 4);
      if (command === undefined) done();
      else socket.write(clientFrame(command));
      if (rest.length > 0) countFrames(group, listener, rest);
    };
    const onread = { buffer, callback: (count: number): boolean => (read(buffer.subarray(0, count)), true) };
    const socket = connect({ host: '127.0.0.1', port, onread }, () => socket.write(upgrade));
    const listener: Listener = {
      socket,
      skip: 0,
      carry: undefined,
      read: (payload) => isConfirmation(payload) && done(),
    };
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
  });
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
let groupCount = 0;

const handlers = {
  cpuTime,

  /**
   * Opens a group of listeners and sends them the commands in rotation. Resolves with the number of the group, which expects
   * `events` from now on.
   */
  async open({
    port,
    listeners,
    commands,
    events = 0,
  }: {
    port: number;
    listeners: number;
    commands: readonly string[];
    events?: number;
  }): Promise<number> {
    const group: Group = {
      listeners: [],
      events: 0,
      bytes: 0,
      expected: events,
      completed: Promise.withResolvers(),
      delays: [],
    };
    const number = ++groupCount;
    groups.set(number, group);
    // In order, so that the position of a listener determines its command; 50 at a time.
    for (let first = 0; first < listeners; first += 50) {
      const count = Math.min(50, listeners - first);
      group.listeners.push(
        ...(await Promise.all(
          Array.from({ length: count }, (_, index) => open(group, port, commands[(first + index) % commands.length])),
        )),
      );
    }
    return number;
  },

  /** The payload of the next event of the first listener. */
  async nextEvent(number: number): Promise<string> {
    const listener = groups.get(number)!.listeners[0]!;
    const text = await new Promise<string>((resolve) => (listener.read = (payload) => resolve(payload.toString())));
    listener.read = undefined;
    return text;
  },

  /** Resets the counters and expects `events`. Measures delays at `sampled` evenly distributed listeners. */
  count({ group: number, events, sampled }: { group: number; events: number; sampled: number }): void {
    const group = groups.get(number)!;
    Object.assign(group, { events: 0, bytes: 0, delays: [], expected: events, completed: Promise.withResolvers() });
    const every = Math.max(1, Math.floor(group.listeners.length / Math.max(1, sampled)));
    group.listeners.forEach((listener, index) => {
      listener.read = undefined;
      if (sampled === 0 || index % every !== 0) return;
      listener.read = (payload) => {
        const index = payload.indexOf(timeMark);
        if (index >= 0)
          group.delays.push(
            clock() - Number(payload.toString('latin1', index + timeMark.length, index + timeMark.length + timeDigits)),
          );
      };
    });
  },

  /**
   * Waits for the expected events, at most `timeoutMs`. `at`: the arrival time of the last one in microseconds of `clock`;
   * NaN after the timeout.
   */
  async results({ group: number, timeoutMs }: { group: number; timeoutMs: number }) {
    const group = groups.get(number)!;
    const timer = setTimeout(() => group.completed.resolve(Number.NaN), timeoutMs);
    const at = await group.completed.promise;
    clearTimeout(timer);
    // Unexpected additional events are counted too.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const delays = Float64Array.from(group.delays).sort();
    return {
      at,
      events: group.events,
      bytes: group.bytes,
      delays: {
        samples: delays.length,
        p50: quantile(delays, 0.5),
        p99: quantile(delays, 0.99),
        max: quantile(delays, 1),
      },
    };
  },

  async close(number: number): Promise<void> {
    const { listeners } = groups.get(number)!;
    groups.delete(number);
    await Promise.all(listeners.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve).destroy())));
  },
};
export type Load = typeof handlers;
answerCalls(handlers);
