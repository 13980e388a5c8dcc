/**
 * Pages of searches for words. PostgreSQL takes a phrase for rarer than it is, and a look-up of a row for cheaper than it is, and to
 * plan such a page takes it longer than to read it. So these pages have a few statements, whose plans each connection keeps, and the choice
 * between them is made here.
 *
 * In them, a function keeps a condition from an index (`ts_match_vq` is the function of the operator `@@`), a selected parameter has the same
 * plan for each value, and `OFFSET 0` keeps a part as it is written.
 */
import { minEngagement } from '../../../search/engagement.ts';
import { levelWithShare, shareFromLevel, startOfLevel } from '../../../archive/search/engagement-levels.ts';
import { engagementQuery } from '../rows/engagement-lexemes.ts';
import { topCondition } from '../rows/top-index.ts';
import { wordSearch, type Parameter, type WordSearch } from './search-sql.ts';
import type { ResolvedCondition } from '../../../archive/search/resolved-condition.ts';
import {
  bucketOf,
  bucketsQuery,
  bucketWindows,
  startOfBucket,
  windowsSince,
  type BucketWindows,
} from '../rows/time-buckets.ts';
import { leastShareOf, shareOf, type WordShares } from './word-statistics.ts';

/**
 * What a step costs, in microseconds, measured: to compare the words of a tweet in the order of time, to find a tweet by the index of words,
 * to look up a row by its id, to begin with the index of words or with windows of time, to plan a statement, to read an entry of the index that
 * another condition excludes, to find a page of the index with the times of tweets, to decode an entry of a level of engagement, and to compare a tweet in the order of engagement, whose two rows are far from each other.
 */
const costs = {
  ...{ compare: 1, find: 3, lookUp: 4, begin: 200, beginWindows: 700, plan: 500 },
  ...{ read: 0.2, times: 30, decode: 0.01, rank: 7 },
} as const;
/** The number of tweets in a page of the index with their times. */
const tweetsInIndexPage = 8_000;
/** How many pages the first window is expected to have: more than one, because shares are estimates. */
const pagesInWindow = 1.6;
/** By how much windows must be better: they cost more than estimated where they do not have the page. */
const marginOfWindows = 1.5;
/** The share of the tweets that must have the words, so that a page walks through the tweets of one author. */
const minShareOfAuthor = 0.1;
/** How many times more tweets the second window of `Top` has. */
const growth = 4;

type AddParameter = (value: Parameter) => string;
/**
 * Whether a statement reads all tweets or those of one author in the order of the page, or finds all tweets with the words and
 * sorts them.
 */
type Way = 'walk' | 'author' | 'find';

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
  const search = engagedSearch(condition, shares);
  const within = search && shareWithin(search, shares);
  if (search === undefined || within === undefined) return undefined;
  if (search.author !== undefined)
    return sharesOf(search, shares).words < minShareOfAuthor ? undefined : pageFrom('author', search, start, param);
  const { way, inWindow } = cheapestWay(search, shares, within, start.count);
  if (way === 'plan') return undefined;
  const windows = inWindow === undefined ? undefined : windowsBefore(search, shares, start, inWindow / shares.tweets);
  return windows === undefined ? pageFrom(way, search, start, param) : pageInWindows(search, windows, start, param);
}

/** A search with the level of the engagement that its counts need, so that the counts of few tweets are looked up. */
interface EngagedSearch extends WordSearch {
  /** The share of the tweets that have the level, or a higher one. */
  readonly engaged: number;
  /** The least engagement that the counts need. */
  readonly least: number;
}

function engagedSearch(condition: ResolvedCondition, shares: WordShares): EngagedSearch | undefined {
  const search = wordSearch(condition, shares.ofLexeme);
  if (search === undefined) return undefined;
  const least = minEngagement({ is: 'all', parts: search.counts });
  const level = startOfLevel(least);
  const engaged = Math.max(shareFromLevel(level, shares.ofCommonLexeme), 1e-12);
  const plain = { ...search, least, engaged: 1 };
  const saved = sharesOf(plain, shares).words * (1 - engaged) * (costs.find + costs.lookUp);
  if (level === 0 || saved < engaged * costs.decode) return plain;
  return { ...withTsquery(search, engagementQuery(level)), least, engaged };
}

/** A search whose tweets also match a tsquery. */
const withTsquery = <Search extends WordSearch>(search: Search, tsquery: string): Search => {
  const tsqueries = [...search.tsqueries, tsquery];
  return {
    ...search,
    tsqueries,
    indexed: search.indexed === search.tsqueries ? tsqueries : [...search.indexed, tsquery],
  };
};

/** A page of the tweets that one way finds. */
const pageFrom = (way: Way, search: EngagedSearch, start: PageStart, param: AddParameter): string =>
  `SELECT t.id, t.created_at FROM ${tweetsWith(search, way, param)}${withCounts(search, param)}
    WHERE ${limitsOf(search, start, param)} true ORDER BY t.created_at DESC, t.id DESC LIMIT ${start.count}`;

/** The way that costs least without windows, and the number of tweets in the first window if windows cost less. */
function cheapestWay(
  search: EngagedSearch,
  shares: WordShares,
  within: number,
  count: number,
): { readonly way: Way | 'plan'; readonly inWindow: number | undefined } {
  const { tweets } = shares;
  const { words, read, counts } = sharesOf(search, shares);
  const lookUp = search.counted === undefined ? 0 : costs.lookUp;
  const finds = words * search.engaged;
  const found = costs.begin + tweets * (read * costs.read + finds * (costs.find + within * lookUp));
  const walked = Math.min(tweets * within, count / (words * counts)) * (costs.compare + finds * lookUp);
  // By an index of the counts.
  const planned = costs.plan + tweets * counts * (costs.compare + 2 * costs.lookUp);
  const least = Math.min(walked, found, planned);
  const inWindow = Math.min(tweets * within, (pagesInWindow * count) / (words * counts));
  const windowed =
    costs.beginWindows +
    inWindow * (read * costs.read + finds * (costs.find + lookUp)) +
    Math.min(inWindow * finds, inWindow / tweetsInIndexPage) * costs.times;
  return {
    way: least === planned ? 'plan' : least === walked ? 'walk' : 'find',
    inWindow: marginOfWindows * windowed < least ? inWindow : undefined,
  };
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

interface Windows extends BucketWindows {
  /** How the tweets behind the windows are read. */
  readonly rest: 'walk' | 'find';
}

const endOfBucket = (at: number): number => startOfBucket(bucketOf(at) + 1);

/** The windows of a page; undefined without statistics of times, and where windows would have most of the tweets. */
function windowsBefore(
  search: EngagedSearch,
  shares: WordShares,
  { before, now }: PageStart,
  share: number,
): Windows | undefined {
  const { since, until } = search.created;
  const { times } = shares;
  if (times === undefined) return undefined;
  const windowsTo = (end: number): BucketWindows | undefined => bucketWindows(times, Math.min(end, until - 1), share);
  // The statistics know no tweets since the last ANALYZE, and the clock of a source may be ahead. The newest tweet may also be years old.
  const ends = before === undefined ? [Math.max(times.newest, now), times.newest].map(endOfBucket) : [before];
  const windows = ends.reduce<BucketWindows | undefined>((found, end) => found ?? windowsTo(end), undefined);
  if (windows === undefined) return undefined;
  const within = windowsSince(windows, since);
  const behind = times.shareBefore(startOfBucket(within.older));
  const { words } = sharesOf(search, shares);
  return { ...within, rest: behind * costs.compare < words * search.engaged * costs.find ? 'walk' : 'find' };
}

/**
 * A page from windows of time, the newest first. Each part reads nothing if those before it have the page. All parts together have all tweets,
 * whatever the statistics say.
 */
function pageInWindows(
  search: EngagedSearch,
  { older, from, to, rest }: Windows,
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
    return `${name} AS MATERIALIZED (SELECT t.id, t.created_at FROM ${tweets}${withCounts(search, param)}
      WHERE ${limitsOf(search, start, param)} ${bound} ${missing === '' ? 'true' : `${missing} < ${count}`}
      ORDER BY t.created_at DESC, t.id DESC LIMIT ${count})`;
  };
  const boundOf = (comparison: string, bucket: number): string =>
    `t.created_at ${comparison} ${param(startOfBucket(bucket))}::bigint AND`;
  const found = (times: string): string => tweetsWith(search, 'find', param, times);
  const parts = [
    // An index of the time has the few tweets of the future.
    ...(before === undefined && until > startOfBucket(to)
      ? [add(tweetsWith(search, 'walk', param), boundOf('>=', to))]
      : []),
    add(found(bucketsQuery(from, to)), ''),
    ...(older < from ? [add(found(bucketsQuery(older, from)), '')] : []),
    ...(since < startOfBucket(older) ? [add(tweetsWith(search, rest, param), boundOf('<', older))] : []),
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
  const search = engagedSearch(condition, shares);
  if (search === undefined || search.author !== undefined || hasTimeLimits(search)) return undefined;
  const { tweets, topLevel, ofCommonLexeme } = shares;
  const { words, counts } = sharesOf(search, shares);
  /** If few tweets with the lexemes of a phrase have the phrase. */
  const matching = Math.max(
    search.words.reduce((share, part) => share * leastShareOf(part, shares), 1),
    1e-12,
  );
  const found = costOfFinding(search, shares, search.engaged);
  const walked = Math.min(tweets, count / matching) * costs.rank;
  const rest = walked < found ? 'walk' : 'find';
  const ofEngaged = Math.min(1, counts / search.engaged);
  const wanted = (pagesInWindow * count) / (tweets * words * ofEngaged);
  const { level, cost } = topWindow(search, shares, wanted);
  if (level <= search.least || marginOfWindows * cost > Math.min(walked, found))
    return `${topPart(search, rest, {}, param)} ${byScore} LIMIT ${count}`;
  const lower = Math.max(
    levelWithShare(wanted * Math.max(growth, words / matching), ofCommonLexeme),
    startOfLevel(search.least),
  );
  return topInWindows(search, { level, lower, rest, count, topLevel }, param);
}

/** What it costs to find the tweets with the words among a share of the tweets, in an index that has `indexed` of them. */
function costOfFinding(search: EngagedSearch, shares: WordShares, engaged: number, indexed = 1): number {
  const { words, read } = sharesOf(search, shares);
  const perTweet = Math.min(read * indexed, engaged) * costs.read + words * engaged * (costs.find + costs.lookUp);
  return costs.begin + shares.tweets * perTweet;
}

/** The level from which on the first part of a page of `Top` reads, so that it has a share of the tweets, and what that costs. */
function topWindow(search: EngagedSearch, shares: WordShares, wanted: number): { level: number; cost: number } {
  const { tweets, topLevel, ofCommonLexeme } = shares;
  const level = levelWithShare(wanted, ofCommonLexeme);
  const engaged = shareFromLevel(level, ofCommonLexeme);
  const inTop = topLevel === undefined ? 0 : shareFromLevel(topLevel, ofCommonLexeme);
  const isInTop = topLevel !== undefined && level >= topLevel;
  const ofLevels = costOfFinding(search, shares, engaged, isInTop ? inTop : 1) + tweets * engaged * costs.decode;
  // The whole index of the top tweets needs no levels.
  const ofAll = costOfFinding(search, shares, inTop, inTop);
  const cost = costs.beginWindows + Math.min(ofLevels, isInTop ? ofAll : Infinity);
  return { level: isInTop && ofAll <= ofLevels ? topLevel : level, cost };
}

const byScore = 'ORDER BY score DESC, created_at DESC, id DESC';

/** Tweets with an engagement within [from, below). */
interface EngagementRange {
  readonly from?: number;
  readonly below?: number;
  /** The lowest level in the index of the top tweets. */
  readonly topLevel?: number | undefined;
}

/** A SELECT of the tweets within a range of the engagement, in the order of the engagement or by the index of words. */
function topPart(search: EngagedSearch, way: Way, bounds: EngagementRange, param: AddParameter): string {
  const { from, below } = bounds;
  const range = [
    from === undefined ? '' : `AND c.engagement >= ${param(from)}::bigint`,
    below === undefined ? '' : `AND c.engagement < ${param(below)}::bigint`,
  ].join(' ');
  if (way === 'walk')
    return `SELECT t.id, t.created_at, c.engagement AS score FROM social_data.tweet_count c
      CROSS JOIN LATERAL (SELECT t.id, t.created_at FROM social_data.tweet t
        WHERE t.id = c.id AND ${matches(search, 'walk', param)} OFFSET 0) t
      WHERE ${counted(search, param)} ${range}`;
  const found = searchWithin(search, bounds);
  return `SELECT t.id, t.created_at, c.engagement AS score FROM ${tweetsWith(found, 'find', param)}
    CROSS JOIN LATERAL (${countsOfTweet(search, param)} ${range} OFFSET 0) c WHERE true`;
}

/** A search for tweets of the levels of a range, by the index of the top tweets where it has them all. */
function searchWithin(search: EngagedSearch, { from, below, topLevel }: EngagementRange): EngagedSearch {
  if (from === undefined) return search;
  const isWhole = from === topLevel && below === undefined;
  const found = isWhole ? search : withTsquery(search, engagementQuery(from, below));
  if (topLevel === undefined || from < topLevel) return found;
  const { alsoTrue } = found;
  const isTop = topCondition('t.words', topLevel);
  return { ...found, alsoTrue: (param) => (alsoTrue === undefined ? isTop : `${isTop} AND ${alsoTrue(param)}`) };
}

/** A page from the tweets of the highest levels. Each part reads nothing if those before it have the page. */
function topInWindows(
  search: EngagedSearch,
  window: {
    readonly level: number;
    readonly lower: number;
    readonly rest: Way;
    readonly count: number;
    readonly topLevel: number | undefined;
  },
  param: AddParameter,
): string {
  const { level, lower, rest, count, topLevel } = window;
  const parts: string[] = [];
  const add = (select: string): void => {
    const missing = parts.map((_, index) => `(SELECT count(*) FROM w${index})`).join(' + ');
    const isMissing = missing === '' ? '' : `AND ${missing} < ${count}`;
    parts.push(`w${parts.length} AS MATERIALIZED (${select} ${isMissing} ${byScore} LIMIT ${count})`);
  };
  add(topPart(search, 'find', { from: level, topLevel }, param));
  if (0 < lower && lower < level) add(topPart(search, 'find', { from: lower, below: level, topLevel }, param));
  const below = 0 < lower ? lower : level;
  if (below > search.least) add(topPart(search, rest, { below }, param));
  const all = parts.map((_, index) => `SELECT * FROM w${index}`).join(' UNION ALL ');
  return `WITH ${parts.join(', ')} SELECT id, created_at, score FROM (${all}) AS found ${byScore} LIMIT ${count}`;
}

interface Shares {
  /** The share of the tweets that have the words. */
  readonly words: number;
  /** The share of those whose entries in the index a search for the words reads. */
  readonly read: number;
  /** The share of the tweets that have the counts. */
  readonly counts: number;
}

function sharesOf({ words, counts, engaged }: EngagedSearch, shares: WordShares): Shares {
  const found = words.map((part) => shareOf(part, shares));
  const counted = counts.map((part) => shareOf(part, shares)).toSorted((a, b) => a - b);
  // Not 0: it divides.
  return {
    words: Math.max(
      found.reduce((all, each) => all * each, 1),
      1e-12,
    ),
    read: Math.min(engaged, ...found),
    // Large counts come together, so each further condition selects fewer than its share, by a root of it.
    counts: Math.max(
      counted.reduce((all, each, index) => all * each ** (1 / 2 ** index), 1),
      1e-12,
    ),
  };
}

/** The table `t` of the tweets with the words. `times`: a tsquery that narrows it. */
const tweetsWith = (search: WordSearch, way: Way, param: AddParameter, times?: string): string =>
  `(SELECT t.id, t.created_at FROM social_data.tweet t
    WHERE ${search.author === undefined ? '' : `t.author_id = ${param(search.author)}::bigint AND`}
      ${times === undefined ? '' : `t.words @@ (SELECT ${param(times)}::tsquery) AND`}
      ${matches(search, way, param)} ${way === 'find' ? 'OFFSET 0' : ''}) t`;

function matches({ tsqueries, indexed, alsoTrue }: WordSearch, way: Way, param: AddParameter): string {
  const conditions = way === 'find' ? indexed.map((tsquery) => `t.words @@ (SELECT ${param(tsquery)}::tsquery)`) : [];
  if (way !== 'find' || indexed !== tsqueries)
    conditions.push(...tsqueries.map((tsquery) => `ts_match_vq(t.words, ${param(tsquery)}::tsquery)`));
  if (alsoTrue !== undefined) conditions.push(alsoTrue(param));
  return conditions.join(' AND ');
}

/** A join of the tweets `t` with their counts `c`, if there is a condition of counts. */
const withCounts = (search: EngagedSearch, param: AddParameter): string =>
  search.counted === undefined ? '' : ` CROSS JOIN LATERAL (${countsOfTweet(search, param)} OFFSET 0) c`;

/** The engagement of the tweet `t`, if it has the counts. */
const countsOfTweet = (search: EngagedSearch, param: AddParameter): string =>
  `SELECT c.engagement FROM social_data.tweet_count c WHERE c.id = t.id AND ${counted(search, param)}`;

/** The condition of the counts `c`, and the least engagement that it needs: the walk by engagement ends there. */
function counted({ counted, least }: EngagedSearch, param: AddParameter): string {
  if (counted === undefined) return 'true';
  return `${counted(param)}${least > 0 ? ` AND c.engagement >= ${param(least)}::bigint` : ''}`;
}
