/**
 * The day of a tweet as lexemes, so that the index of words finds the tweets of some days without reading the others. A tweet has the
 * lexeme of its day, and that of 16 days, which keeps the query of a year short.
 */
import { quoteLexeme } from './lexemes.ts';

const dayMs = 86_400_000;
const blockDays = 16;
/** The days of a window at most. A window has some 250 lexemes then, and each tweet is compared with all of them. */
const maxDays = 4096;

/** The number of the day of a time in milliseconds since the epoch. */
export const dayOf = (at: number): number => Math.floor(at / dayMs);
/** The first moment of a day, in milliseconds since the epoch. */
export const startOfDay = (day: number): number => day * dayMs;
/** The first day of the block of a day. */
const startOfBlock = (day: number): number => Math.floor(day / blockDays) * blockDays;

/** As those of pairs, they begin with a capital letter, as no token and no term does; ASCII follows, as in no pair. */
const dayLexeme = (day: number): string => `D${day.toString(36)}`;
const blockLexeme = (day: number): string => `B${(day / blockDays).toString(36)}`;

/** The lexemes of a tweet that was created at a time in milliseconds since the epoch. */
export function lexemesOfDay(at: number): readonly [day: string, block: string] {
  const day = dayOf(at);
  return [dayLexeme(day), blockLexeme(startOfBlock(day))];
}

/** A tsquery for the tweets of the days from `from` to the one before `to`. */
export function daysQuery(from: number, to: number): string {
  const lexemes: string[] = [];
  for (let day = from; day < to;) {
    const isBlock = startOfBlock(day) === day && day + blockDays <= to;
    lexemes.push(quoteLexeme(isBlock ? blockLexeme(day) : dayLexeme(day)));
    day += isBlock ? blockDays : 1;
  }
  return lexemes.join(' | ');
}

/** How the tweets of an archive are distributed over the time, as PostgreSQL estimates it. */
export interface TweetTimes {
  /** The time of the newest tweet, in milliseconds since the epoch. */
  readonly newest: number;
  /** The share of the tweets before a time, from 0 to 1. */
  shareBefore(at: number): number;
  /** The time before which a share of the tweets was created. */
  timeAt(share: number): number;
}

/** The times from the limits of ranges that have equally many tweets; undefined without a range. */
export function timesOf(bounds: readonly number[]): TweetTimes | undefined {
  const [oldest, newest] = [bounds[0], bounds.at(-1)];
  if (oldest === undefined || newest === undefined || oldest === newest) return undefined;
  const ranges = bounds.length - 1;
  return {
    newest,
    shareBefore(at) {
      if (at >= newest) return 1;
      const index = bounds.findLastIndex((bound) => bound <= at);
      const [from, to] = [bounds[index], bounds[index + 1]];
      return from === undefined || to === undefined ? 0 : (index + (at - from) / (to - from)) / ranges;
    },
    timeAt(share) {
      const place = Math.min(Math.max(share, 0), 1) * ranges;
      const index = Math.min(Math.floor(place), ranges - 1);
      const [from = oldest, to = newest] = [bounds[index], bounds[index + 1]];
      return from + (place - index) * (to - from);
    },
  };
}

/**
 * Windows of time, `[from, to)`, which a page reads first, and `[older, from)`, as numbers of days. Before and behind them are the other tweets.
 */
export interface DayWindows {
  readonly older: number;
  readonly from: number;
  readonly to: number;
}

/** How many times more tweets the window behind the first one has. */
const growth = 8;
/** From this number of days on, a window begins with a block. */
const manyDays = 48;

/**
 * Windows that end after the day of `end`, a time in milliseconds since the epoch. The first has about a share of all tweets, the other eight times as
 * many. Undefined where the first would have most of the tweets before `end`, or too many days; the other one is empty where both would have most.
 */
export function dayWindows(times: TweetTimes, end: number, share: number): DayWindows | undefined {
  const before = times.shareBefore(end);
  if (before < 2 * share) return undefined;
  const to = dayOf(end) + 1;
  const from = startOfWindow(times.timeAt(before - share), Math.min(end, times.newest));
  if (to - from > maxDays) return undefined;
  const both = (1 + growth) * share;
  if (before < 2 * both) return { older: from, from, to };
  const older = startOfWindow(times.timeAt(before - both), startOfDay(from));
  return { older: Math.max(older, from - maxDays), from, to };
}

/**
 * Windows without the days before a time in milliseconds since the epoch, which can be minus infinity. The second one reaches to that time where it
 * would be empty.
 */
export function windowsSince(windows: DayWindows, since: number): DayWindows {
  if (since === Number.NEGATIVE_INFINITY) return windows;
  const { to } = windows;
  const first = dayOf(since);
  const from = Math.min(Math.max(windows.from, first), to - 1);
  const older = windows.older < windows.from ? Math.max(windows.older, first) : first;
  return { older: Math.min(Math.max(older, from - maxDays), from), from, to };
}

/** The first day of a window from about a time to another one. */
function startOfWindow(at: number, end: number): number {
  const [first, last] = [dayOf(at), dayOf(end)];
  return last - first > manyDays ? startOfBlock(first) : first;
}
