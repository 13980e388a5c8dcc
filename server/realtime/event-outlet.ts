/**
 * The sending side of one connection with server-sent events: a queue with a limit, which the response takes from as fast as its
 * reader reads. The messages are those of `/ws`. An event has no name, so that `onmessage` of an EventSource receives it; every
 * other message has that of its type.
 */
import { ServerSentEvent, type ServerSentEvents } from '../contract/server-sent-event.ts';
import { textOf } from './frame.ts';
import { closeCodes, type CloseReason } from './limits.ts';
import { frameOf, type ServerMessage } from './messages.ts';
import type { Outlet } from './outlet.ts';

export interface EventOutletParts {
  /** Bytes in the queue above which no event is written. */
  readonly bufferedBytes: number;
  /** Reports an internal error. */
  readonly reportFault: (what: string, detail: unknown) => void;
  /** Counts a message in the metrics. */
  readonly countMessage: (direction: 'in' | 'out', type: string) => void;
}

/** What the connection does when the state of its queue changes. */
export interface OutletEvents {
  /** The queue is no longer full. */
  readonly onDrain: () => void;
  /** The response has ended, with the code that a WebSocket would have. Called once. */
  readonly onEnd: (code: number) => void;
}

/** Milliseconds after which a client connects again. */
const retryMs = 2_000;
/** Milliseconds for which a reader may delay the end of a response that this server ends. */
const endTimeoutMs = 1_000;
/** The reasons for which the response is cut off: its reader takes nothing, or what follows is not known. */
const cutsOff: ReadonlySet<CloseReason> = new Set(['slow', 'internal']);
const normalClosure = 1000;

type Result = IteratorResult<ServerSentEvent, void>;
const done: Result = { done: true, value: undefined };

export class EventOutlet implements Outlet, ServerSentEvents {
  readonly #parts: EventOutletParts;
  readonly #cut = new AbortController();
  readonly #queue: ServerSentEvent[] = [];
  #events: OutletEvents | undefined;
  #buffered = 0;
  #acceptedBytes = 0;
  #isClosing = false;
  #hasEnded = false;
  #closeCode: number | undefined;
  #lastSent = performance.now();
  /** The reader waits for the next event. */
  #waiting: ((result: Result) => void) | undefined;

  constructor(parts: EventOutletParts) {
    this.#parts = parts;
    this.#push(new ServerSentEvent({ retry: retryMs }));
  }

  /** Must be called before the response takes from the queue. */
  listen(events: OutletEvents): void {
    this.#events = events;
  }

  get cut(): AbortSignal {
    return this.#cut.signal;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  get closeCode(): number | undefined {
    return this.#closeCode;
  }

  get buffered(): number {
    return this.#buffered;
  }

  get acceptedBytes(): number {
    return this.#acceptedBytes;
  }

  get isFull(): boolean {
    return this.#buffered > this.#parts.bufferedBytes;
  }

  get lastSent(): number {
    return this.#lastSent;
  }

  write(frame: Buffer, type: ServerMessage['type'], cursor: string): void {
    if (this.#isClosing) return;
    this.#parts.countMessage('out', type);
    this.#push(new ServerSentEvent({ id: cursor, json: textOf(frame) }));
  }

  send(message: ServerMessage): void {
    if (this.#isClosing) return;
    const { countMessage, reportFault, bufferedBytes } = this.#parts;
    if (this.#buffered > 4 * bufferedBytes) return this.close('slow');
    const json = frameOf(message);
    if (json === undefined) return reportFault('a message violates the contract', { type: message.type });
    countMessage('out', message.type);
    this.#push(eventOf(message, json));
    // Nothing follows: the connection has one subscription.
    if (message.type === 'unsubscribed') this.#close(normalClosure);
  }

  ping(): boolean {
    return false;
  }

  close(reason: CloseReason): void {
    if (this.#isClosing) return;
    this.#close(closeCodes[reason][0]);
    if (cutsOff.has(reason)) this.#cut.abort();
  }

  markClosed(): void {
    this.#isClosing = true;
  }

  async next(): Promise<Result> {
    const event = this.#queue.shift();
    if (event !== undefined) return { done: false, value: this.#taken(event) };
    if (this.#isClosing) return this.#end();
    return new Promise((resolve) => (this.#waiting = resolve));
  }

  /** The reader has left, or the response has ended. */
  async return(): Promise<Result> {
    this.#queue.length = 0;
    return this.#end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #push(event: ServerSentEvent): void {
    this.#lastSent = performance.now();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#buffered += event.bytes.length;
    if (waiting === undefined) return void this.#queue.push(event);
    waiting({ done: false, value: this.#taken(event) });
  }

  #taken(event: ServerSentEvent): ServerSentEvent {
    const wasFull = this.isFull;
    this.#buffered -= event.bytes.length;
    this.#acceptedBytes += event.bytes.length;
    if (wasFull && !this.isFull) this.#events?.onDrain();
    return event;
  }

  /** Ends the response when its reader has taken what waits. */
  #close(code: number): void {
    this.#isClosing = true;
    this.#closeCode = code;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting !== undefined) waiting(this.#end());
    setTimeout(() => this.#hasEnded || this.#cut.abort(), endTimeoutMs).unref();
  }

  #end(): Result {
    this.#isClosing = true;
    if (!this.#hasEnded) {
      this.#hasEnded = true;
      this.#events?.onEnd(this.#closeCode ?? normalClosure);
    }
    return done;
  }
}

/** A message that is no event of a channel, as a server-sent event. */
function eventOf(message: ServerMessage, json: string): ServerSentEvent {
  switch (message.type) {
    case 'heartbeat':
      // An id without data moves the position of the client, and nothing else.
      return new ServerSentEvent({ comment: 'heartbeat', id: message.cursor });
    case 'gap':
      return new ServerSentEvent({ event: message.type, id: message.to, json });
    case 'subscribed':
    case 'caught_up':
      return new ServerSentEvent({ event: message.type, id: message.cursor, json });
    case 'going_away':
      return new ServerSentEvent({ event: message.type, retry: message.reconnect_after_ms, json });
    default:
      return new ServerSentEvent({ event: message.type, json });
  }
}
