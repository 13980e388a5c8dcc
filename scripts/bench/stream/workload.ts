/** What is told and who listens to it: events of about 1 kB, and the queries that they answer. */
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { clock } from './calls.ts';

/** Any two of these words are a query of their own: enough for 1,035 of them. */
const words = Array.from(
  { length: 46 },
  (_, n) => `${'bcdfghjklm'[n % 10]}a${'nprst'[Math.floor(n / 10)]}o${'aeiou'[n % 5]}`,
);
const firstId = 1_900_000_000_000_000_000n;

/** Ahead of the time in an event, which has this many digits. */
export const timeMark = 'sent ';
export const timeDigits = 16;
export const timeText = (time: number): string => String(time).padStart(timeDigits, '0');

/** What each event is told to: everyone, or only those of its topic, of which there are so many. */
export const topicsOf = { same: 1, different: 1, selective: 100 } as const;
export type Scenario = keyof typeof topicsOf;

/** The query of one of the listeners: the same for all, or one of its own that every event answers, or that of a topic. */
export function queryOf(scenario: Scenario, listener: number): string {
  if (scenario === 'same') return 'measured';
  if (scenario === 'selective') return `topic${listener % topicsOf.selective}`;
  let [first, pair] = [0, listener % ((words.length * (words.length - 1)) / 2)];
  for (let left = words.length - 1; pair >= left; left--) [first, pair] = [first + 1, pair - left];
  return `${words[first]!} ${words[first + 1 + pair]!}`;
}

export const subscribe = (query: string, cursor?: string): string =>
  JSON.stringify({
    type: 'subscribe',
    id: '1',
    channel: 'search:tweets',
    params: { query },
    ...(cursor === undefined ? {} : { cursor }),
  });

const padding = 'and so it goes on until it is long enough: '.repeat(5);

/** A tweet that carries the time it was made at, in microseconds of `clock`. */
export function tweet(number: number, time = clock()): ArchiveRecord {
  const text = `${timeMark}${timeText(time)} measured topic${number % topicsOf.selective} ${words.join(' ')} ${padding}`;
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

export interface Telling {
  readonly events: number;
  /** Events that are handed over at once, at most. */
  readonly batch: number;
  /** Evenly; otherwise as fast as they are taken. */
  readonly perSecond?: number;
  /** Event n is only for topic `n % topics`. */
  readonly topics: number;
  /** Whether the peer sends what is handed over at once in one write to each socket. */
  readonly corked?: boolean;
}

/**
 * Hands over the numbers of the events that are due, with the time of each; resolves with when it began, in microseconds. The time is
 * when an event was due, not when this process came round to it: what waits for a busy process counts as delay.
 */
export async function pace(
  { events, batch, perSecond }: Telling,
  give: (from: number, upTo: number, timeOf: (number: number) => number) => Promise<unknown>,
): Promise<number> {
  const began = clock();
  for (let from = 0, upTo; from < events; from = upTo) {
    if (perSecond === undefined) {
      upTo = Math.min(from + batch, events);
      await give(from, upTo, clock);
      continue;
    }
    const timeOf = (number: number): number => began + Math.ceil((number / perSecond) * 1e6);
    const wait = (timeOf(from) - clock()) / 1000;
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)));
    for (upTo = from + 1; upTo < Math.min(from + batch, events) && timeOf(upTo) <= clock();) upTo++;
    await give(from, upTo, timeOf);
  }
  return began;
}
