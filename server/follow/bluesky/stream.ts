/** A followed stream: reads events in order, completes them, and gives batches with positions. */
import type { LiveBatch, LiveStream, ResolvedTarget, StreamRequest } from '../../ports/live-source.ts';
import { StoreError } from '../../ports/storage.ts';
import { emitProfile, type Emit } from './accounts.ts';
import { schedule } from '../clock.ts';
import { Delivery, type PendingEvent } from './delivery.ts';
import { ConnectionMemory, EventReader, namedBy, type EventWork } from './events.ts';
import { EventFilter } from './filter.ts';
import { readFrame, type StreamEvent } from './frames.ts';
import { otherPost } from './history.ts';
import { Hydrator, type Hydrated, type HydrationKind } from './hydrator.ts';
import { JetstreamConnection, type ConnectionEnd, type ConnectionOptions } from './jetstream.ts';
import { withKnownRecords, type PartsWithRecords, type SourceParts } from './options.ts';
import { readPostView } from '../../formats/bluesky/views.ts';

/** Events that arrive within this time are one batch. */
const windowMs = 5;
const maxEvents = 1000;
/** A batch waits so long for what its events refer to, unless more events wait. */
const hydrationWaitMs = 300;
/** Above this number of events that wait for something, no more events are read. */
const maxUnfinished = 5_000;
const positionMs = 1000;
/** The server repeats this part of the stream after a reconnect: clocks of servers differ. */
const overlapUs = 5_000_000;
/** Servers keep events for 36 hours, and begin with the oldest without notice where the cursor is older. */
const lookBackMs = 36 * 3_600_000;
/** Without events the position follows the pongs: so far behind them, and so often. */
const idle = { behindMs: 30_000, everyMs: 30_000 } as const;

export interface StreamParts extends SourceParts {
  readonly url: URL;
  readonly resolve: ConnectionOptions['resolve'];
  readonly request: StreamRequest;
  /** Called once when the connection ends by itself. */
  readonly onEnd: (end: ConnectionEnd) => void;
}

/** The microseconds of a position; undefined for a text that is none. */
const microseconds = (position: string | undefined): number | undefined =>
  position !== undefined && /^\d{1,16}$/.test(position) ? Number(position) : undefined;

export class BlueskyStream implements LiveStream {
  readonly #parts: StreamParts;
  readonly #delivery: Delivery;
  readonly #hydrator: Hydrator;
  readonly #work: EventWork;
  readonly #memory: ConnectionMemory;
  readonly #stop = new AbortController();
  /** The archive could not be read: the next connection brings the events again. */
  #fault: StoreError | undefined;
  #connection: JetstreamConnection | undefined;
  #wake: () => void = () => {};
  #hasChanged = false;
  /** Whether an event ended, so that the position can move without a record. */
  #canMove = false;
  /** The time of the last batch in milliseconds. */
  #batchAt = 0;
  #cancelMove: () => void = () => {};

  constructor(parts: StreamParts) {
    this.#parts = parts;
    const { recent, api, clock, request } = parts;
    this.#memory = new ConnectionMemory(new EventFilter(request.targets));
    this.#delivery = new Delivery(recent, microseconds(request.position) ?? 0);
    this.#hydrator = new Hydrator({
      api,
      clock,
      signal: this.#stop.signal,
      know: (views) => withKnownRecords(parts, views),
      onResult: (kind, key, result, known) => this.#fetched(kind, key, result, known),
      onFault: (error) => this.#fail(error),
      onChange: () => this.#changed(),
    });
    this.#work = {
      need: (kind, key, event, then) => this.#need(kind, key, event, then),
      run: (event, reason, task) => this.#run(event, reason, task),
    };
  }

  update(targets: readonly ResolvedTarget[]): void {
    this.#memory.filter = new EventFilter(targets);
    this.#connection?.update(this.#memory.filter.stream);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<LiveBatch, void> {
    const { signal } = this.#parts.request;
    const onAbort = (): void => this.#changed();
    signal.addEventListener('abort', onAbort);
    try {
      if (!signal.aborted) yield* this.#batches(this.#connect(), signal);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#stop.abort();
      this.#delivery.discard();
      this.#cancelMove();
      this.#connection?.close();
    }
  }

  #connect(): JetstreamConnection {
    const { request, observer, clock, url, resolve } = this.#parts;
    const position = microseconds(request.position);
    if (position !== undefined && clock.now() - position / 1000 > lookBackMs)
      observer.gap('the stream does not go back to the last position');
    this.#connection = new JetstreamConnection({
      url,
      cursor: position === undefined ? undefined : Math.max(0, position - overlapUs),
      filter: this.#memory.filter.stream,
      observer,
      clock,
      resolve,
      onChange: () => this.#changed(),
    });
    return this.#connection;
  }

  async *#batches(connection: JetstreamConnection, signal: AbortSignal): AsyncGenerator<LiveBatch, void> {
    const { clock, onEnd } = this.#parts;
    for (;;) {
      await this.#until(() => this.#isReady(connection) || signal.aborted);
      if (signal.aborted) return;
      if (this.#fault !== undefined) throw this.#fault;
      if (connection.size > 0 && connection.size < maxEvents && connection.end === undefined)
        await clock.sleep(windowMs, signal);
      await this.#readSome(connection);
      await this.#waitForHydration(connection, signal);
      if (connection.size === 0) this.#followIdle(connection);
      for (let batch = this.#nextBatch(connection); batch !== undefined; batch = this.#nextBatch(connection))
        yield batch;
      if (connection.end === undefined || connection.size > 0) continue;
      onEnd(connection.end);
      throw connection.end.error;
    }
  }

  /** The next batch. A position alone, which costs a durable write, comes at most once a second. */
  #nextBatch(connection: JetstreamConnection): LiveBatch | undefined {
    const { clock } = this.#parts;
    const wait = this.#batchAt + positionMs - clock.now();
    if (this.#delivery.size === 0 && wait > 0 && connection.end === undefined) {
      this.#cancelMove();
      this.#cancelMove = schedule(clock, wait, () => this.#moved());
      return undefined;
    }
    const batch = this.#delivery.drain();
    if (batch !== undefined) this.#batchAt = clock.now();
    return batch;
  }

  #isReady(connection: JetstreamConnection): boolean {
    const canRead = connection.size > 0 && this.#delivery.unfinished < maxUnfinished;
    const isIdle = connection.size === 0 && this.#idlePosition(connection) !== undefined;
    const hasEnded = connection.end !== undefined && connection.size === 0;
    return canRead || isIdle || hasEnded || this.#delivery.size > 0 || this.#canMove || this.#fault !== undefined;
  }

  async #readSome(connection: JetstreamConnection): Promise<void> {
    this.#canMove = false;
    if (this.#delivery.unfinished >= maxUnfinished) return;
    const events: StreamEvent[] = [];
    for (const frame of connection.take(maxEvents)) {
      const event = readFrame(frame);
      if (typeof event === 'string') this.#parts.observer.rejected(event);
      else events.push(event);
    }
    if (events.length === 0) return;
    const parts = await withKnownRecords(this.#parts, namedBy(events));
    const reader = new EventReader(parts, this.#delivery, this.#work, this.#memory);
    for (const event of events) this.#guard(() => reader.read(event));
    this.#hydrator.flush();
  }

  /** Waits for what the events refer to, for a short time, so that it is in the same batch. */
  async #waitForHydration(connection: JetstreamConnection, signal: AbortSignal): Promise<void> {
    if (this.#hydrator.size === 0 || connection.size >= maxEvents || connection.end !== undefined) return;
    let isOver = false;
    const cancel = schedule(this.#parts.clock, hydrationWaitMs, () => {
      isOver = true;
      this.#changed();
    });
    await this.#until(
      () =>
        isOver ||
        signal.aborted ||
        this.#fault !== undefined ||
        this.#hydrator.size === 0 ||
        connection.size >= maxEvents,
    ).finally(cancel);
  }

  /** The position that the pongs prove, where it is worth a separate batch. */
  #idlePosition({ idleSince }: JetstreamConnection): number | undefined {
    if (idleSince === undefined || this.#delivery.unfinished > 0) return undefined;
    const position = (idleSince - idle.behindMs) * 1000;
    return position - this.#delivery.position >= idle.everyMs * 1000 ? position : undefined;
  }

  #followIdle(connection: JetstreamConnection): void {
    const position = this.#idlePosition(connection);
    if (position !== undefined) this.#delivery.reached(position);
  }

  /** Waits until a condition is true. It is tested again after each change. */
  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      if (!this.#hasChanged) await promise;
      this.#hasChanged = false;
    }
  }

  #changed(): void {
    this.#hasChanged = true;
    this.#wake();
  }

  /** Fetches a profile or a post for an event. */
  #need(kind: HydrationKind, key: string, event: PendingEvent, then?: (result: Hydrated) => void): void {
    const isAsked = this.#hydrator.want(kind, key, (result) => {
      this.#guard(() => then?.(result));
      this.#delivery.release(event);
      this.#moved();
      this.#hydrator.flush();
    });
    if (isAsked) this.#delivery.hold(event);
  }

  /** Runs a task that an event waits for. */
  #run(event: PendingEvent, reason: string, task: (emit: Emit, signal: AbortSignal) => Promise<void>): void {
    const { observer } = this.#parts;
    const { signal } = this.#stop;
    this.#delivery.hold(event);
    task((record) => this.#delivery.emit(record), signal)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        if (error instanceof StoreError) this.#fail(error);
        else observer.rejected(reason);
      })
      .finally(() => {
        this.#delivery.release(event);
        this.#moved();
      });
  }

  /** Adds a fetched profile or post to the next batch. */
  #fetched(kind: HydrationKind, key: string, result: Hydrated, parts: PartsWithRecords | undefined): void {
    const { observer, clock, recent } = this.#parts;
    if (result === 'failed') return observer.rejected(`${kind} not fetched`);
    if (result === 'absent' || parts === undefined) return;
    const emit: Emit = (record) => this.#delivery.emit(record);
    this.#guard(() => {
      if (kind === 'profile') return emitProfile(parts, result, emit);
      const post = readPostView(result, clock.now(), parts.context);
      if (post === undefined || post.uri !== key || recent.isDeleted(key)) return;
      for (const record of otherPost(parts, post)) emit(record);
    });
  }

  /** Reads untrusted input. An input that the code does not expect is skipped and does not end the stream. */
  #guard(read: () => void): void {
    try {
      read();
    } catch {
      this.#parts.observer.rejected('invalid record');
    }
  }

  #fail(fault: StoreError): void {
    this.#fault = fault;
    this.#changed();
  }

  /** The position may move, with or without a record. */
  #moved(): void {
    this.#canMove = true;
    this.#changed();
  }
}
