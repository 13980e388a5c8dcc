/** Many listeners on raw sockets, which count what comes and read only what they must: the load, the same for whatever is measured. */
import { connect, type Socket } from 'node:net';
import { answerCalls, clock, cpuTime } from './calls.ts';
import { timeDigits, timeMark } from './workload.ts';

interface Listener {
  readonly socket: Socket;
  /** Bytes of a frame that is counted already. */
  skip: number;
  /** The beginning of a frame of which too little has come. */
  carry: Buffer | undefined;
  /** What is done with whole frames; without it events are only counted. */
  read: ((payload: Buffer) => void) | undefined;
}

interface Group {
  readonly listeners: Listener[];
  events: number;
  bytes: number;
  /** How many are waited for, and when the last of them came, by `clock`. */
  wanted: number;
  reached: PromiseWithResolvers<number>;
  /** Of the listeners that are sampled, in microseconds. */
  delays: number[];
}

const groups = new Map<number, Group>();
/** The number of bytes that identify an event: `{"type":"ev`. */
const peeked = 11;
const textFrame = 0x81;
/** One read buffer for all sockets: what is in it is done with before the next read. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

function take(group: Group, listener: Listener, given: Buffer): void {
  const chunk = listener.carry === undefined ? given : Buffer.concat([listener.carry, given]);
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
    if (left < (listener.read === undefined ? Math.min(whole, head + peeked) : whole)) break;
    listener.read?.(chunk.subarray(at + head, at + whole));
    const isEvent =
      chunk[at] === textFrame && length > peeked && chunk[at + head + 9] === 0x65 && chunk[at + head + 10] === 0x76;
    if (isEvent) {
      group.bytes += whole;
      if (++group.events === group.wanted) group.reached.resolve(clock());
    }
    listener.skip = Math.max(0, whole - left);
    at += Math.min(whole, left);
  }
  if (at < chunk.length) listener.carry = Buffer.from(chunk.subarray(at));
}

const isAnswer = (payload: Buffer): boolean => payload.subarray(0, 20).toString().startsWith('{"type":"subscribed"');

/** A client's frame, whose mask of zeros leaves the text as it is. */
function clientFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  const head = Buffer.from([textFrame, 0x80 | 126, payload.length >> 8, payload.length & 255, 0, 0, 0, 0]);
  return Buffer.concat([head, payload]);
}

const upgrade =
  'GET /ws?api_key=bench HTTP/1.1\r\nHost: bench\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n';

/** Resolves when the socket is open and, where a command was given, answered. */
function open(group: Group, port: number, command: string | undefined): Promise<Listener> {
  return new Promise((resolve, reject) => {
    let head = '';
    const done = (): void => {
      listener.read = undefined;
      resolve(listener);
    };
    const read = (given: Buffer): void => {
      if (head.endsWith('\r\n\r\n')) return take(group, listener, given);
      const text = head + given.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return void (head = text);
      if (!text.startsWith('HTTP/1.1 101')) return reject(new Error(text));
      const rest = given.subarray(end + 4 - head.length);
      head = text.slice(0, end + 4);
      if (command === undefined) done();
      else socket.write(clientFrame(command));
      if (rest.length > 0) take(group, listener, rest);
    };
    const onread = { buffer, callback: (count: number): boolean => (read(buffer.subarray(0, count)), true) };
    const socket = connect({ host: '127.0.0.1', port, onread }, () => socket.write(upgrade));
    const listener: Listener = { socket, skip: 0, carry: undefined, read: (payload) => isAnswer(payload) && done() };
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('closed')));
  });
}

const quantile = (sorted: Float64Array, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
let made = 0;

const handlers = {
  cpuTime,

  /** Opens so many listeners; `commands` go to them in turn. Resolves with the number of the group, which waits for `events` from now on. */
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
      wanted: events,
      reached: Promise.withResolvers(),
      delays: [],
    };
    groups.set(++made, group);
    const number = made;
    // In order, so that all know which listener is of which topic; 50 at a time.
    for (let first = 0; first < listeners; first += 50) {
      const count = Math.min(50, listeners - first);
      group.listeners.push(
        ...(await Promise.all(
          Array.from({ length: count }, (_, place) => open(group, port, commands[(first + place) % commands.length])),
        )),
      );
    }
    return number;
  },

  /** The next event that the first listener gets, as it came. */
  async nextEvent(number: number): Promise<string> {
    const listener = groups.get(number)!.listeners[0]!;
    const text = await new Promise<string>((resolve) => (listener.read = (payload) => resolve(payload.toString())));
    listener.read = undefined;
    return text;
  },

  /** Counts from nothing, up to so many events; delays are taken at `sampled` of the listeners, evenly spread. */
  count({ group: number, events, sampled }: { group: number; events: number; sampled: number }): void {
    const group = groups.get(number)!;
    Object.assign(group, { events: 0, bytes: 0, delays: [], wanted: events, reached: Promise.withResolvers() });
    const every = Math.max(1, Math.floor(group.listeners.length / Math.max(1, sampled)));
    group.listeners.forEach((listener, place) => {
      listener.read = undefined;
      if (sampled === 0 || place % every !== 0) return;
      listener.read = (payload) => {
        const at = payload.indexOf(timeMark);
        if (at >= 0)
          group.delays.push(
            clock() - Number(payload.toString('latin1', at + timeMark.length, at + timeMark.length + timeDigits)),
          );
      };
    });
  },

  /** What came, and when the last event that was waited for did, in microseconds of `clock`; waits for it no longer than `timeoutMs`. */
  async reached({ group: number, timeoutMs }: { group: number; timeoutMs: number }) {
    const group = groups.get(number)!;
    const timer = setTimeout(() => group.reached.resolve(Number.NaN), timeoutMs);
    const at = await group.reached.promise;
    clearTimeout(timer);
    // What comes that should not is counted too.
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
        most: quantile(delays, 1),
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
