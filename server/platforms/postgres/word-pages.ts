/**
 * Pages of searches for words. PostgreSQL takes a phrase for rarer than it is, and a look-up of a row for cheaper than it is, and to
 * plan such a page takes it longer than to read it. So these pages have a few statements, whose plans each connection keeps, and the choice
 * between them is made here.
 *
 * In them, a function keeps a condition from an index (`ts_match_vq` is the function of the operator `@@`), a selected parameter has the same
 * plan for each value, and `OFFSET 0` keeps a part as it is written.
 */
import type { Count } from '../../search/language/condition.ts';
import { wordSearch, type Parameter, type WordSearch } from './search-sql.ts';
import type { ResolvedCondition } from './resolved-condition.ts';
import { dayOf, daysQuery, dayWindows, startOfDay, windowsSince, type DayWindows } from './tweet-days.ts';
import { shareOf, type WordShares } from './word-statistics.ts';

/**
 * What a step costs, in microseconds, measured: to compare the words of a tweet in the order of time, to find a tweet by the index of words,
 * to look up a row by its id, to begin with the index of words or with windows of time, to find a page of the index with the days of tweets, and to
 * compare a tweet in the order of engagement, whose two rows are far from each other.
 */
const costs = { compare: 1.2, find: 4, lookUp: 2.5, begin: 300, beginWindows: 700, days: 30, rank: 8 } as const;
/** The number of tweets in a page of the index with their days. */
const tweetsInIndexPage = 8_000;
/** How many pages the first window is expected to have: more than one, because shares are estimates. */
const pagesInWindow = 3;
/** By how much windows must be better: they cost more than estimated where they do not have the page. */
const marginOfWindows = 3;

type AddParameter = (value: Parameter) => string;
/** Whether a statement reads the tweets in the order of the page, or finds all tweets with the words and sorts them. */
type Way = 'walk' | 'find';

/** Where a page by time begins. */
interface PageStart {
  /** The condition for the tweets behind the page before, with AND at its end, or nothing. */
  readonly isBehind: string;
  /** The time of the last tweet before the page; undefined on the first page. */
  readonly before: number | undefined;
  /** The current time, in milliseconds since the epoch. */
  readonly now: number;
  readonly count: number;
}

/** The tweets of a page by time: a statement that selects `id` and `created_at`; undefined where PostgreSQL chooses the plan better. */
export function newestWords(
  condition: ResolvedCondition,
  shares: WordShares,
  start: PageStart,
  param: AddParameter,
): string | undefined {
  const { count } = start;
  const search = wordSearch(condition);
  if (search === undefined) return undefined;
  const within = shareWithin(search, shares);
  if (within === undefined) return undefined;
  const { tweets } = shares;
  const [words, counts] = sharesOf(search, shares);
  const lookUp = search.counts.length === 0 ? 0 : costs.lookUp;
  const walked = Math.min(tweets * within, count / (words * counts)) * (costs.compare + words * lookUp);
  const found = costs.begin + tweets * words * (costs.find + within * lookUp);
  // By an index of the counts.
  if (tweets * counts * (costs.compare + costs.lookUp) < Math.min(walked, found)) return undefined;
  const inWindow = Math.min(tweets * within, (pagesInWindow * count) / (words * counts));
  const windowed =
    costs.beginWindows +
    inWindow * words * (costs.find + lookUp) +
    Math.min(inWindow * words, inWindow / tweetsInIndexPage) * costs.days;
  if (marginOfWindows * windowed < Math.min(walked, found)) {
    const windows = windowsBefore(search, shares, start, inWindow / tweets);
    if (windows !== undefined) return pageInWindows(search, windows, start, param);
  }
  return `SELECT t.id, t.created_at FROM ${tweetsWith(search, walked < found ? 'walk' : 'find', param)}
    ${lookUp === 0 ? '' : `CROSS JOIN LATERAL (${countsOfTweet(search, param)} OFFSET 0) c`}
    WHERE ${limitsOf(search, start, param)} true ORDER BY t.created_at DESC, t.id DESC LIMIT ${count}`;
}

const hasTimeLimits = ({ created: { since, until } }: WordSearch): boolean =>
  since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY;

/** The share of the tweets in the limits of the time; undefined where it is not known. */
function shareWithin(search: WordSearch, { times }: WordShares): number | undefined {
  if (!hasTimeLimits(search)) return 1;
  const { since, until } = search.created;
  return times && Math.max(times.shareBefore(until) - times.shareBefore(since), 1e-12);
}

/** The limits of the time of `t`, and those of the page. */
const limitsOf = ({ created: { since, until } }: WordSearch, { isBehind }: PageStart, param: AddParameter): string =>
  [
    isBehind,
    since === Number.NEGATIVE_INFINITY ? '' : `t.created_at >= ${param(since)}::bigint AND`,
    until === Number.POSITIVE_INFINITY ? '' : `t.created_at < ${param(until)}::bigint AND`,
  ].join(' ');

/** The windows of a page; undefined without statistics of times, and where windows would have most of the tweets. */
function windowsBefore(
  { created: { since, until } }: WordSearch,
  { times }: WordShares,
  { before, now }: PageStart,
  share: number,
): DayWindows | undefined {
  if (times === undefined) return undefined;
  // The statistics know no tweets since the last ANALYZE, and the clock of a source may be ahead.
  const end = before ?? startOfDay(dayOf(Math.max(times.newest, now)) + 1);
  const windows = dayWindows(times, Math.min(end, until - 1), share);
  return windows && windowsSince(windows, since);
}

/**
 * A page from windows of time, the newest first. Each part reads nothing if those before it have the page. All parts together have all tweets,
 * whatever the statistics say.
 */
function pageInWindows(
  search: WordSearch,
  { older, from, to }: DayWindows,
  start: PageStart,
  param: AddParameter,
): string {
  const { before, count } = start;
  const { since, until } = search.created;
  const names: string[] = [];
  const add = (tweets: string, bound: string): string => {
    const missing = names.map((name) => `(SELECT count(*) FROM ${name})`).join(' + ');
    const name = `w${names.length}`;
    names.push(name);
    const counts = search.counts.length === 0 ? '' : `CROSS JOIN LATERAL (${countsOfTweet(search, param)} OFFSET 0) c`;
    return `${name} AS MATERIALIZED (SELECT t.id, t.created_at FROM ${tweets} ${counts}
      WHERE ${limitsOf(search, start, param)} ${bound} ${missing === '' ? 'true' : `${missing} < ${count}`}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${count})`;
  };
  const boundOf = (comparison: string, day: number): string =>
    `t.created_at ${comparison} ${param(startOfDay(day))}::bigint AND`;
  const found = (days?: string): string => tweetsWith(search, 'find', param, days);
  const parts = [
    // An index of the time has the few tweets of the future.
    ...(before === undefined && until > startOfDay(to)
      ? [add(tweetsWith(search, 'walk', param), boundOf('>=', to))]
      : []),
    add(found(daysQuery(from, to)), ''),
    ...(older < from ? [add(found(daysQuery(older, from)), '')] : []),
    ...(since < startOfDay(older) ? [add(found(), boundOf('<', older))] : []),
  ];
  return `WITH ${parts.join(', ')} SELECT id, created_at FROM (${names.map((name) => `SELECT * FROM ${name}`).join(' UNION ALL ')}) AS found
    ORDER BY created_at DESC, id DESC LIMIT ${count}`;
}

/** As `newestWords`, for the first page by engagement. The statement also selects `score`. */
export function topWords(
  condition: ResolvedCondition,
  shares: WordShares,
  count: number,
  param: AddParameter,
): string | undefined {
  const search = wordSearch(condition);
  if (search === undefined || hasTimeLimits(search)) return undefined;
  const { tweets } = shares;
  const [words] = sharesOf(search, shares);
  const walked = Math.min(tweets, count / words) * costs.rank;
  const found = costs.begin + tweets * words * (costs.find + costs.lookUp);
  const page = (tables: string): string => `SELECT t.id, t.created_at, c.engagement AS score FROM ${tables}
    ORDER BY score DESC, created_at DESC, id DESC LIMIT ${count}`;
  if (walked < found)
    return page(`social_data.tweet_count c CROSS JOIN LATERAL (SELECT t.id, t.created_at FROM social_data.tweet t
        WHERE t.id = c.id AND ${matches(search, 'walk', param)} OFFSET 0) t
      WHERE true ${atLeast(search, param)}`);
  return page(`${tweetsWith(search, 'find', param)} CROSS JOIN LATERAL (${countsOfTweet(search, param)} OFFSET 0) c`);
}

/** The share of the tweets that have the words, and the share of those that have the counts. */
function sharesOf({ words, counts }: WordSearch, shares: WordShares): readonly [words: number, counts: number] {
  // Not 0: it divides.
  const share = Math.max(shareOf({ is: 'all', parts: words }, shares), 1e-12);
  const counted = counts.map(({ count, min }) => shares.ofCount(count, min));
  return [share, Math.max(Math.min(1, ...counted), 1e-12)];
}

/** The table `t` of the tweets with the words. `days`: a tsquery that narrows it. */
const tweetsWith = (search: WordSearch, way: Way, param: AddParameter, days?: string): string =>
  `(SELECT t.id, t.created_at FROM social_data.tweet t
    WHERE ${days === undefined ? '' : `t.words @@ (SELECT ${param(days)}::tsquery) AND`}
      ${matches(search, way, param)} ${way === 'find' ? 'OFFSET 0' : ''}) t`;

function matches({ tsquery, alsoTrue }: WordSearch, way: Way, param: AddParameter): string {
  const given = `${param(tsquery)}::tsquery`;
  const found = way === 'walk' ? `ts_match_vq(t.words, ${given})` : `t.words @@ (SELECT ${given})`;
  return alsoTrue === undefined ? found : `${found} AND ${alsoTrue(param)}`;
}

/** The engagement of the tweet `t`, if it has the counts. */
const countsOfTweet = (search: WordSearch, param: AddParameter): string =>
  `SELECT c.engagement FROM social_data.tweet_count c WHERE c.id = t.id ${atLeast(search, param)}`;

/** The counts that are at most the engagement: the walk by engagement ends at their limits. */
const engaging: ReadonlySet<Count> = new Set<Count>(['like_count', 'retweet_count', 'reply_count', 'quote_count']);

/** The limits of the counts `c`. */
const atLeast = ({ counts }: WordSearch, param: AddParameter): string =>
  counts
    .map(({ count, min }) => {
      const limit = `${param(min)}::bigint`;
      return `AND c.${count} >= ${limit} ${engaging.has(count) ? `AND c.engagement >= ${limit}` : ''}`;
    })
    .join(' ');
