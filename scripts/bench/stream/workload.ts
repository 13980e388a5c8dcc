/** The workload: events of about 1 kB and the queries that match them. */
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { clock } from '../calls.ts';

const firstId = 1_900_000_000_000_000_000n;

/** The mark before the time in an event, and the number of digits of the time. */
export const timeMark = 'sent ';
export const timeDigits = 16;
export const timeText = (time: number): string => String(time).padStart(timeDigits, '0');

/** The scenarios with their numbers of topics: a listener receives the events of its topic. */
export const topicsOf = { 'each event to all listeners': 1, 'each event to one listener in a hundred': 100 } as const;
export type Scenario = keyof typeof topicsOf;

/** The query of a listener: the same for all, or that of its topic. */
export const queryOf = (topics: number, listener: number): string =>
  topics === 1 ? 'measured' : `topic${listener % topics}`;

export const subscribe = (query: string, cursor?: string): string =>
  JSON.stringify({
    type: 'subscribe',
    id: '1',
    channel: 'search:tweets',
    params: { query },
    ...(cursor === undefined ? {} : { cursor }),
  });

/** The same for all tweets, so that their creation costs the measured process little. */
const ending = 'padding up to the length of a usual event, '.repeat(10);

/** A tweet whose text contains its time in microseconds of `clock`. */
export function tweet(number: number, time = clock()): ArchiveRecord {
  const text = `${timeMark}${timeText(time)} measured topic${number % 100} ${ending}`;
  const id = String(firstId + BigInt(number) * 4_194_304n);
  return {
    kind: 'tweet',
    tweet: { id, text, created_at: '2025-06-01T12:00:00.000Z', author_id: '1', like_count: 12, view_count: 3456 },
  };
}

export const author: ArchiveRecord = {
  kind: 'user',
  user: { id: '1', username: 'measured', name: 'Measured', followers_count: 100 },
};

export interface Publication {
  readonly events: number;
  /** The maximum number of events per batch. */
  readonly batch: number;
  /** Events per second at a constant rate; default: as fast as possible. */
  readonly perSecond?: number;
  /** Event n belongs to topic `n % topics`. */
  readonly topics: number;
  /** Whether the peer sends a batch in one write per socket. */
  readonly corked?: boolean;
  /** Whether the peer appends a batch to a file, and sends it when the file is synchronised. */
  readonly durable?: boolean;
}

/**
 * Calls `send` with the ranges of due events and their times; resolves with the start time in microseconds. The time of an
 * event is its due time, so the delay includes the wait for a busy process.
 */
export async function pace(
  { events, batch, perSecond }: Publication,
  send: (from: number, upTo: number, timeOf: (number: number) => number) => Promise<unknown>,
): Promise<number> {
  const startedAt = clock();
  for (let from = 0, upTo; from < events; from = upTo) {
    if (perSecond === undefined) {
      upTo = Math.min(from + batch, events);
      await send(from, upTo, clock);
      continue;
    }
    const timeOf = (number: number): number => startedAt + Math.ceil((number / perSecond) * 1e6);
    const wait = (timeOf(from) - clock()) / 1000;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)));
    for (upTo = from + 1; upTo < Math.min(from + batch, events) && timeOf(upTo) <= clock();) upTo++;
    await send(from, upTo, timeOf);
  }
  return startedAt;
}
