/** Bounded walks through lists, and what they show. */
import { piecesOf } from '../../server/http/docs/pages/browser/text.ts';
import { clockOf, dayMs, dayOf, hourMs, minuteMs } from './format.ts';
import { send } from './list.tsx';
import type { AnyTweet } from './live.tsx';
import type { Point } from './plot.tsx';
import type { ApiRequest } from './request.tsx';

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

/** The most bars that a plot shows; the oldest are left out. */
const maxBars = 60;

const hourOf = (at: number): string => `${dayOf(at)}, ${String(new Date(at).getHours()).padStart(2, '0')}:00`;

/** Tweets in equal steps of time, from the oldest to the newest one, steps without any included. */
function perStep(tweets: readonly AnyTweet[], stepMs: number, labelOf: (at: number) => string): Point[] {
  const steps = tweets.map(({ created_at: at }) => Math.floor(Date.parse(at) / stepMs));
  const last = Math.max(...steps);
  const first = Math.max(Math.min(...steps), last - maxBars + 1);
  const counts = new Map<number, number>();
  for (const step of steps) counts.set(step, (counts.get(step) ?? 0) + 1);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    label: labelOf((first + index) * stepMs),
    value: counts.get(first + index) ?? 0,
  }));
}

export interface Series {
  readonly title: string;
  readonly points: readonly Point[];
}

/** How many tweets there are by time: for each day, or for each hour or minute where they are close together. */
export function perTime(tweets: readonly AnyTweet[]): Series {
  const times = tweets.map(({ created_at: at }) => Date.parse(at));
  const spanMs = Math.max(...times) - Math.min(...times);
  if (spanMs > 3 * dayMs) return { title: 'Tweets a day', points: perStep(tweets, dayMs, dayOf) };
  if (spanMs > 3 * hourMs) return { title: 'Tweets an hour', points: perStep(tweets, hourMs, hourOf) };
  return { title: 'Tweets a minute', points: perStep(tweets, minuteMs, clockOf) };
}

/** The most frequent names, at most eight. */
export function ranked(names: readonly string[]): Point[] {
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
