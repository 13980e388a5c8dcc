/** An event as the journal stores it, and as readers get it. */
import type { EventName, LogEntry, NewEvent } from '../../ports/event-log.ts';

/** `change`: the number of the commit of the archive that the event belongs to. `at`: milliseconds since the epoch. */
export interface EventRecord {
  readonly event: EventName;
  readonly at: number;
  readonly id?: string;
  readonly user_id?: string;
  readonly change?: number;
}

/** The events that this version records. A later version may have recorded others. */
const names: Readonly<Record<NewEvent['event'], true>> = {
  'tweet.created': true,
  'tweet.updated': true,
  'tweet.engagement': true,
  'tweet.unliked': true,
  'community.joined': true,
  'pool.status': true,
  'tweet.deleted': true,
};
const isRecorded = (event: string): event is NewEvent['event'] => Object.hasOwn(names, event);

export function eventRecord(event: NewEvent, at: number): EventRecord {
  return {
    event: event.event,
    ...('id' in event ? { id: event.id } : {}),
    ...('userId' in event ? { user_id: event.userId } : {}),
    at,
  };
}

export function entryOf({ event, at, id, user_id: userId }: EventRecord, seq: number): LogEntry {
  if (!isRecorded(event)) return { event: 'unknown', seq, at };
  if (event === 'pool.status') return { event, seq, at };
  return event === 'community.joined'
    ? { event, seq, at, id: idOf(id), userId: idOf(userId) }
    : { event, seq, at, id: idOf(id) };
}

/** 0, which no object has, for what is no id. */
const idOf = (id: string | undefined): string => (id !== undefined && /^\d{1,19}$/.test(id) ? id : '0');
