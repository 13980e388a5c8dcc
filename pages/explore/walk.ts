/** Bounded walks through lists, and what they show. */
import {
  dayMs,
  hourMs,
  minuteMs,
  monthOf,
  piecesOf,
  plural,
  send,
  utcDate,
  utcDay,
  type AnyTweet,
  type ApiRequest,
} from '../kit/index.ts';
import type { Point } from '../plot/scale.ts';

export interface Walked<Item> {
  readonly items: readonly Item[];
  /** Whether the list ended before the bound. */
  readonly isComplete: boolean;
}

/** The first `max` items of a list, or all of them. */
export async function walk<Item>(
  request: ApiRequest,
  member: string,
  max: number,
  signal: AbortSignal,
): Promise<Walked<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page: Readonly<Record<string, unknown>> & { readonly next_cursor: string | null } = await send(
      request,
      signal,
      cursor,
    );
    items.push(...(page[member] as Item[]));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && items.length < max);
  return { items: items.slice(0, max), isComplete: cursor === undefined };
}

/** The most bars that a plot shows; of more months, the oldest are left out. */
const maxBars = 60;

const hourOf = (at: number): string => `${utcDay(at)}, ${new Date(at).toISOString().slice(11, 13)}:00`;

/** A step of time: its number counts from 1970. */
interface Step {
  readonly name: string;
  /** Spans up to this one are shown in this step. */
  readonly maxSpanMs: number;
  readonly numberOf: (at: number) => number;
  readonly labelOf: (step: number) => string;
}

const equal = (name: string, stepMs: number, maxSpanMs: number, label: (at: number) => string): Step => ({
  name,
  maxSpanMs,
  numberOf: (at) => Math.floor(at / stepMs),
  labelOf: (step) => label(step * stepMs),
});

const steps: readonly Step[] = [
  equal('minute', minuteMs, 3 * hourMs, (at) => new Date(at).toISOString().slice(11, 16)),
  equal('hour', hourMs, 3 * dayMs, hourOf),
  equal('day', dayMs, (maxBars - 1) * dayMs, utcDay),
  equal('week', 7 * dayMs, (maxBars - 1) * 7 * dayMs, (at) => `week of ${utcDay(at)}`),
];
const months: Step = {
  name: 'month',
  maxSpanMs: Number.POSITIVE_INFINITY,
  numberOf: (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth(),
  labelOf: (step) => monthOf(new Date(Date.UTC(Math.floor(step / 12), step % 12, 15)).toISOString()),
};

export interface Series {
  readonly title: string;
  readonly points: readonly Point[];
  /** What the points are about: how many tweets, from when to when, in which time zone. */
  readonly covers: string;
}

const utcMinute = (at: number): string => `${utcDate(at)}, ${new Date(at).toISOString().slice(11, 16)}`;

/** What figures about tweets cover. */
export function covering(times: readonly number[]): string {
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const range = first === last ? utcMinute(first) : `${utcMinute(first)} to ${utcMinute(last)}`;
  return `${plural(times.length, 'tweet')}, ${range} UTC`;
}

/**
 * Sums by time, in equal steps from the oldest to the newest tweet, steps without any included: minutes where the tweets are
 * close together, otherwise hours, days, weeks or months. `valueOf`: what each tweet counts; 1 for the number of tweets.
 */
export function perTime(tweets: readonly AnyTweet[], what = 'Tweets', valueOf = (_: AnyTweet): number => 1): Series {
  const times = tweets.map(({ created_at: at }) => Date.parse(at));
  const spanMs = Math.max(...times) - Math.min(...times);
  const { name, numberOf, labelOf } = steps.find(({ maxSpanMs }) => spanMs <= maxSpanMs) ?? months;
  const numbers = times.map(numberOf);
  const last = Math.max(...numbers);
  const first = Math.max(Math.min(...numbers), last - maxBars + 1);
  const sums = new Map<number, number>();
  tweets.forEach((tweet, index) => {
    const step = numbers[index] ?? 0;
    sums.set(step, (sums.get(step) ?? 0) + valueOf(tweet));
  });
  const points = Array.from({ length: last - first + 1 }, (_, index) => ({
    label: labelOf(first + index),
    value: sums.get(first + index) ?? 0,
  }));
  // Of more months than the plot has bars, the oldest are left out.
  const covered = times.filter((_, index) => (numbers[index] ?? 0) >= first);
  return { title: `${what} ${name === 'hour' ? 'an' : 'a'} ${name}`, points, covers: covering(covered) };
}

/** What people did with a tweet: likes, retweets, quotes and replies. */
export const engagementOf = (tweet: AnyTweet): number =>
  tweet.like_count + tweet.retweet_count + tweet.quote_count + tweet.reply_count;

/** The most frequent names, at most eight. */
export function ranked(names: readonly string[]): { label: string; value: number }[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .map(([label, value]) => ({ label, value }))
    .sort((a, b) => b.value - a.value || a.label.localeCompare(b.label))
    .slice(0, 8);
}

/** The hashtags and cashtags of a text. */
export const tagsOf = (text: string): string[] =>
  piecesOf(text).flatMap((piece) =>
    piece.is === 'hashtag' || piece.is === 'cashtag' ? [piece.text.toLowerCase()] : [],
  );
