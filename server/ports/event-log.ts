/**
 * The port to the event log: numbered domain events in order. An event is published when it is durable. An entry holds ids only; the event stream reads the current data
 * from the platform when it sends the event.
 */
import type { Schemas } from '../contract/operations.ts';
import type { DomainEvent } from '../domain/events.ts';

/** What the log stores of a domain event: its name and its ids. */
type Recorded<Event> = Event extends unknown ? Pick<Event, Extract<keyof Event, 'event' | 'id' | 'userId'>> : never;

/** An event to record. `pool.status` does not come from the platform. */
export type NewEvent = Recorded<DomainEvent> | { readonly event: 'pool.status' };

/** Names that the contract gives to events. */
export type EventName = Schemas['WsEventName'];

/** A recorded event. `unknown`: a later version of this program recorded it; nobody receives it. */
export type LogEntry = (NewEvent | { readonly event: 'unknown' }) & {
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

export interface Retention {
  /** Maximum age of a retained event, in milliseconds. */
  readonly ageMs: number;
  /** Maximum number of retained events. */
  readonly events: number;
}

/** The log as readers and recorders see it. Events have the numbers 1, 2, 3 … without gaps. */
export interface EventLog {
  /**
   * Identifies the end of this log: the next events belong to it. Another one begins where a database has lost its last events, behind those
   * that it has kept.
   */
  readonly epoch: string;
  /** The epoch of an event, where the log has had more than one. */
  readonly epochAt?: (seq: number) => string;
  /** The last event that an earlier epoch has in common with this log; undefined for one that this log does not know. */
  readonly lastOf?: (epoch: string) => number | undefined;
  /** The number of the last durable event; 0 for an empty log. */
  readonly head: number;
  /** The oldest position from which a replay is complete: all later events are retained. */
  readonly floor: number;
  readonly retention: Retention;
  /**
   * Records events, oldest first. Resolves with the number of the last event when all are durable; `head` then includes
   * them. The events of one call have consecutive numbers, and the calls of one process are recorded in order. While
   * the log cannot be written, the events wait and are tried again. An empty list records nothing.
   */
  append(events: readonly NewEvent[]): Promise<number>;
  /**
   * The entries after a position, oldest first, at most `limit` (1 or more). Consecutive, and at least one where a
   * retained entry follows. If the first number is not `after + 1`, the events between are no longer retained. Rejects
   * when the log cannot be read now.
   */
  read(after: number, limit: number): Promise<readonly LogEntry[]>;
  /** Calls `listener` each time the head has advanced. Returns the function that ends the calls. */
  onHead(listener: () => void): () => void;
}

/** The epoch of an event. */
export const epochAt = (log: Pick<EventLog, 'epoch' | 'epochAt'>, seq: number): string =>
  log.epochAt?.(seq) ?? log.epoch;

/** Whether a position of an epoch is one of this log. */
export const isIn = ({ epoch, lastOf }: Pick<EventLog, 'epoch' | 'lastOf'>, of: string, seq: number): boolean =>
  of === epoch || seq <= (lastOf?.(of) ?? -1);

/** Resolves with true when the log has a position, and with false after this time in milliseconds. */
export async function headReaches(
  log: Pick<EventLog, 'head' | 'onHead'>,
  position: number,
  ms: number,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const stop = log.onHead(() => {
    if (log.head >= position) resolve(true);
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}
