/** Listeners of an event stream. They count events, and measure the delay of some. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { clock } from '../calls.ts';
import { percentile } from '../table.ts';
import { timeDigits, timeMark } from './workload.ts';

/** At most so many connections are opened at once. */
const atOnce = 50;
/** One in so many listeners measures delays. */
const sampledEvery = 10;
const timeoutMs = 300_000;
const eventStart = Buffer.from('{"type":"event"');
const confirmationStart = Buffer.from('{"type":"subscribed"');

export interface Received {
  readonly messages: number;
  /** When the last expected one arrived, in microseconds of `clock`; NaN where it did not in five minutes. */
  readonly at: number;
  /** Milliseconds from the time of an event to its receipt, at the sampled listeners; NaN without samples. */
  readonly p50: number;
  readonly p99: number;
}

/** A group of connections to one server. */
export class Listeners {
  readonly #sockets: WebSocket[] = [];
  #messages = 0;
  #expected = 0;
  #complete = Promise.withResolvers<number>();
  #delays: number[] = [];
  #newest: Buffer | undefined;

  /**
   * Connects listeners. `commandOf`: what a listener sends first, and the server confirms. `expected`: the number of events that
   * count from now on.
   */
  static async open(
    port: number,
    count: number,
    commandOf?: (listener: number) => string,
    expected = 0,
  ): Promise<Listeners> {
    const listeners = new Listeners();
    listeners.expect(expected);
    for (let first = 0; first < count; first += atOnce)
      await Promise.all(
        Array.from({ length: Math.min(atOnce, count - first) }, (_, index) =>
          listeners.#connect(port, first + index, commandOf?.(first + index)),
        ),
      );
    return listeners;
  }

  async #connect(port: number, listener: number, command: string | undefined): Promise<void> {
    const options = { perMessageDeflate: false, skipUTF8Validation: true };
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws?api_key=bench`, options);
    // In the order of the listeners, so that the position of one determines its topic.
    this.#sockets[listener] = socket;
    const confirmed = Promise.withResolvers<void>();
    socket.on('message', (data: Buffer) => {
      if (data.indexOf(eventStart) === 0) this.#count(listener, data);
      else if (data.indexOf(confirmationStart) === 0) confirmed.resolve();
    });
    await once(socket, 'open');
    if (command === undefined) return;
    socket.send(command);
    await confirmed.promise;
  }

  #count(listener: number, data: Buffer): void {
    this.#newest = data;
    if (listener % sampledEvery === 0) {
      const from = data.indexOf(timeMark) + timeMark.length;
      this.#delays.push((clock() - Number(data.toString('latin1', from, from + timeDigits))) / 1000);
    }
    if (++this.#messages === this.#expected) this.#complete.resolve(clock());
  }

  /** Counts from 0. */
  expect(messages: number): void {
    [this.#messages, this.#expected, this.#delays] = [0, messages, []];
    this.#complete = Promise.withResolvers();
  }

  /** Waits for the expected events. */
  async received(): Promise<Received> {
    const timer = setTimeout(() => this.#complete.resolve(Number.NaN), timeoutMs);
    const at = await this.#complete.promise;
    clearTimeout(timer);
    // Events that are too many count as well.
    await pause(20);
    const [p50, p99] = [percentile(this.#delays, 0.5), percentile(this.#delays, 0.99)];
    return { messages: this.#messages, at, p50, p99 };
  }

  /** The last event. Throws an Error where none has arrived. */
  get newest(): string {
    if (this.#newest === undefined) throw new Error('no event has arrived');
    return this.#newest.toString();
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#sockets.map(async (socket) => {
        const closed = once(socket, 'close');
        socket.terminate();
        await closed;
      }),
    );
  }
}
