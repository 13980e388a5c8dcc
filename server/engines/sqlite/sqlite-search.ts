/** Pages of search results from SQLite. */
import { commitLog } from '../../archive/content/commit-log.ts';
import { fromDatabaseId } from '../../archive/content/database-id.ts';
import { conditionOfCount, type ArchiveSearch } from '../../archive/search/archive-search.ts';
import { resolveCondition, type ResolvedCondition } from '../../archive/search/resolved-condition.ts';
import { compareIds, isId } from '../../domain/record-id.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import { badRequest } from '../../contract/service-error.ts';
import type { CountSpan, TweetCounts } from '../../ports/platform.ts';
import { compileQuery } from '../../search/language/compile.ts';
import type { Condition } from '../../search/language/condition.ts';
import type { Query } from '../../domain/query.ts';
import { addSearchFunctions } from './search-functions.ts';
import { sqliteSearchContext } from './search-context.ts';
import { scansOf, type Scan } from './search-plan.ts';
import type { Integer } from '../../archive/sql.ts';
import {
  countStatement,
  newestStatement,
  oldestStatement,
  rankedStatement,
  scoredStatement,
  topStatement,
  type Limits,
  type Selection,
} from './search-statements.ts';
import { SearchWindows } from './search-windows.ts';
import { WaitingTweets, type WaitingTweet } from './search-waiting.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import { endOfLevel, levelOf, levelOfRank, startOfLevel } from './top.ts';
import {
  endOfSecond,
  isWholeSecond,
  positionsWithin,
  secondOf,
  secondOfPosition,
  slots,
  startOfSecond,
} from './tweet-position.ts';

/** The row of the place of a tweet. */
interface PlaceRow {
  readonly pos: number;
  readonly id: Integer;
  readonly createdAt: number;
  readonly score: number;
  readonly arrivedIn: number;
}

interface CountRow {
  readonly bucket: number;
  readonly tweets: number;
}

/** The place of a tweet in the order of a page. */
interface Place {
  /** The engagement; only the order `Top` reads it. */
  readonly score: number;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly id: string;
}

/** The place of a tweet in the order of an index, highest first: by `major`, then by `minor`. */
interface Key {
  readonly major: number;
  readonly minor: number;
}
interface IndexRow extends Key {
  readonly pos: number;
}

/** How the tweets of a scan are read in the order of an index. */
interface IndexOrder {
  /** Where the first page begins, or the page behind a place: tweets of the page before can be behind it. */
  readonly start: (behind: Place | undefined) => Key;
  /** The last key of the group of a key: the index does not decide the order of tweets within a group. */
  readonly endOfGroup: (key: Key) => Key;
  /** The first key behind a group with this last key. */
  readonly after: (end: Key) => Key;
  /** The first `count` tweets up to a key, and all others of the group of the last one; fewer than `count`: these are all. */
  readonly read: (scan: Scan, upTo: Key, count: number) => readonly IndexRow[];
  /** The key of a tweet that waits for its words. */
  readonly keyOf: (pos: number, score: number) => Key;
  /** The statement for the places of tweets in the order of pages, by the JSON of their positions. */
  readonly places: string;
  /** The order of pages. */
  readonly compare: (a: Place, b: Place) => number;
}

/** The tweets that a search finds: those of scans, and those that were found without one, such as those that wait for their words. */
interface Wanted {
  readonly scans: readonly Scan[];
  readonly waiting: readonly WaitingTweet[];
  /** The tweets as of a commit: those that arrived later are left out, and `scores` has the engagement that others had. */
  readonly asOf?: { readonly commit: number; readonly scores: ReadonlyMap<number, number> };
}

const topFrom = "SELECT value FROM meta WHERE name = 'top_from'";
const placesInTime = `SELECT t.pos, t.id, t.created_at AS createdAt, 0 AS score, 0 AS arrivedIn
  FROM json_each(?) p CROSS JOIN tweet t ON t.pos = p.value`;
const placesByEngagement = `SELECT t.pos, t.id, t.created_at AS createdAt, c.engagement AS score, t.arrived_in AS arrivedIn
  FROM json_each(?) p CROSS JOIN tweet t ON t.pos = p.value CROSS JOIN tweet_count c ON c.pos = t.pos`;

/** The tweets whose engagement changed after a commit, with the engagement as of that commit. */
const changedAfter = `SELECT t.pos, b.engagement AS score FROM (
    SELECT id, min("commit") AS first FROM engagement_before WHERE "commit" > ? GROUP BY id) e
  CROSS JOIN engagement_before b ON b.id = e.id AND b."commit" = e.first
  CROSS JOIN tweet t ON t.id = b.id WHERE t.arrived_in <= ?`;

const least = -Number.MAX_SAFE_INTEGER;
const most = Number.MAX_SAFE_INTEGER;

export interface SqliteSearchOptions {
  /** Called often during a search; it throws where the search must end. */
  readonly mayGoOn?: () => void;
  /** The tweets between two calls of `mayGoOn`, in the first step. */
  readonly windowRows?: number;
  /** Up to so many tweets of a range of ids are compared one by one. */
  readonly maxFew?: number;
}

/** The windows of the first step, by how many there are more in each step, and the most of a step. */
const [firstWindows, moreWindows, mostWindows] = [1, 4, 64];

export class SqliteSearch implements ArchiveSearch {
  readonly #database: SqliteDatabase;
  readonly #waiting: WaitingTweets;
  readonly #mayGoOn: () => void;
  readonly #maxFew: number;
  readonly #byTime: SearchWindows;
  readonly #byRank: SearchWindows;

  constructor(database: SqliteDatabase, { mayGoOn = () => {}, windowRows, maxFew = 1_000 }: SqliteSearchOptions = {}) {
    this.#database = database;
    this.#waiting = new WaitingTweets(database);
    this.#mayGoOn = mayGoOn;
    this.#maxFew = maxFew;
    this.#byTime = new SearchWindows(database, { table: 'tweet_count', key: 'pos' }, windowRows);
    this.#byRank = new SearchWindows(database, { table: 'top', key: 'rank' }, windowRows);
    addSearchFunctions(database, mayGoOn);
  }

  latest(query: Query, request: PageRequest, now: number): Promise<Page<string>> {
    return this.latestThat(compileQuery(query), request, now);
  }

  /** As `latest`, for a condition. */
  async latestThat(condition: Condition, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const behind = after === undefined ? undefined : placeOf([0, ...after]);
    const resolved = await this.#resolved(condition, now);
    const found = this.#database.snapshot(() => this.#read(this.#wanted(resolved), limit + 1, behind, this.#newest));
    return pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
  }

  top(query: Query, request: PageRequest, now: number): Promise<Page<string>> {
    return this.topThat(compileQuery(query), request, now);
  }

  /** As `top`, for a condition. */
  async topThat(condition: Condition, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const [position, ...place] = after ?? [];
    if (after !== undefined && (!Number.isSafeInteger(position) || after.length !== 4)) throw otherOrder();
    const behind = after === undefined ? undefined : placeOf(place);
    const resolved = await this.#resolved(condition, now);
    return this.#database.snapshot(() => {
      const wanted = this.#wanted(resolved);
      const commit = after === undefined ? this.#database.lastSeqOf(commitLog) : Number(position);
      const found = this.#topOf(after === undefined ? wanted : this.#asOf(commit, wanted), limit + 1, behind);
      return pageOf(found, limit, ({ score, createdAt, id }) => [commit, score, createdAt, id]);
    });
  }

  async oldest(
    { except, before }: { readonly except: Query | undefined; readonly before: number },
    { after, limit }: PageRequest,
    now: number,
  ): Promise<Page<string>> {
    const excluded: readonly Condition[] = except === undefined ? [] : [{ is: 'not', part: compileQuery(except) }];
    const created: Condition = { is: 'created', since: Number.NEGATIVE_INFINITY, until: before };
    const condition: Condition = { is: 'all', parts: [created, ...excluded] };
    const behind = after === undefined ? undefined : placeOf([0, ...after]);
    const resolved = await this.#resolved(condition, now);
    const found = this.#database.snapshot(() => this.#read(this.#wanted(resolved), limit + 1, behind, this.#oldest));
    return pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
  }

  counts(query: Query, span: CountSpan, now: number): Promise<TweetCounts> {
    return this.countsThat(conditionOfCount(query, span), span, now);
  }

  /** As `counts`, for the condition of a count. */
  async countsThat(condition: Condition, span: CountSpan, now: number): Promise<TweetCounts> {
    const resolved = await this.#resolved(condition, now);
    return this.#database.snapshot(() => this.#count(this.#wanted(resolved), span));
  }

  #count(
    { scans, waiting }: Wanted,
    { since, until, bucketMs, most = Number.POSITIVE_INFINITY }: CountSpan,
  ): TweetCounts {
    const buckets = new Map<number, number>();
    let total = 0;
    const add = (bucket: number, tweets: number): void => {
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + tweets);
      total += tweets;
    };
    const places = this.#database.all<PlaceRow>(placesInTime, JSON.stringify(waiting.map(({ pos }) => pos)));
    for (const { createdAt } of places) add(bucketMs === undefined ? 0 : Math.floor(createdAt / bucketMs), 1);
    const isByTime = bucketMs !== undefined && !(isWholeSecond(since) && isWholeSecond(until));
    const limits = scans.map(limitsOf);
    const whole = { from: Math.min(...limits.map(({ from }) => from)), to: Math.max(...limits.map(({ to }) => to)) };
    this.#walk(this.#byTime, whole, (part) => {
      const { text, params } = countStatement(scans, part, { ms: bucketMs, isByTime });
      for (const row of this.#database.all<CountRow>(text, ...params)) add(row.bucket, row.tweets);
      return total <= most;
    });
    return { buckets: [...buckets], isWhole: total <= most };
  }

  #topOf(wanted: Wanted, count: number, behind: Place | undefined): readonly Place[] {
    const filled = this.#database.first<{ value: string }>(topFrom);
    if (filled !== undefined) {
      // The table `top` has the tweets from one engagement on.
      const from = Number(filled.value);
      const waiting = wanted.waiting.filter(({ score }) => score >= from);
      const top = this.#read({ ...wanted, waiting }, count, behind, this.#top);
      if (top.length >= count) return top;
    }
    return this.#read(wanted, count, behind, this.#ranked);
  }

  /** The same tweets as of a commit: those whose engagement changed since then are found by themselves. */
  #asOf(commit: number, { scans, waiting }: Wanted): Wanted {
    const changed = this.#database.all<WaitingTweet & Row>(changedAfter, commit, commit);
    const scores = new Map(changed.map(({ pos, score }) => [pos, score]));
    const positions = [...scores.keys()];
    const matching = positions.length === 0 ? [] : scans.flatMap((scan) => this.#positionsOf(scan, positions));
    const others = waiting.filter(({ pos }) => !scores.has(pos));
    const found = [...new Set([...matching, ...waiting.flatMap(({ pos }) => (scores.has(pos) ? [pos] : []))])];
    return {
      scans: scans.map((scan) => ({ ...scan, without: positions })),
      waiting: [...others, ...found.map((pos) => ({ pos, score: scores.get(pos) ?? 0 }))],
      asOf: { commit, scores },
    };
  }

  /** The positions of a scan among some. */
  #positionsOf(scan: Scan, only: readonly number[]): number[] {
    return this.#rows(newestStatement({ ...scan, only }, { from: least, to: most })).map(({ pos }) => pos);
  }

  #resolved(condition: Condition, now: number): Promise<ResolvedCondition> {
    return resolveCondition(condition, sqliteSearchContext(this.#database), now);
  }

  /** Within a snapshot. */
  #wanted(resolved: ResolvedCondition): Wanted {
    let scans = scansOf(resolved);
    const found: WaitingTweet[] = [];
    if (this.#waiting.refresh() > 0) {
      found.push(...scans.flatMap((scan) => this.#waiting.matching(scan)));
      scans = scans.map((scan) => ({ ...scan, isWithoutWaiting: true }));
    }
    const few = scans.map((scan) => this.#fewOf(scan));
    found.push(...few.flatMap((tweets) => tweets ?? []));
    const without = few.flatMap((tweets) => tweets?.map(({ pos }) => pos) ?? []);
    return {
      scans: scans.filter((_scan, place) => few[place] === undefined).map((scan) => ({ ...scan, without })),
      waiting: [...new Map(found.map((tweet) => [tweet.pos, tweet])).values()],
    };
  }

  /**
   * The tweets of a scan whose ids are within a range with few tweets, such as those since the last one that a caller has; undefined for any other scan. A scan would read
   * all tweets with its words, because ids and times can have different orders.
   */
  #fewOf(scan: Scan): readonly WaitingTweet[] | undefined {
    if (scan.ids.length === 0) return undefined;
    const within = this.#database.all<{ pos: number }>(
      `SELECT t.pos FROM tweet t WHERE ${scan.ids.map(({ sql }) => sql).join(' AND ')} LIMIT ${this.#maxFew + 1}`,
      ...scan.ids.flatMap(({ params }) => params),
    );
    if (within.length > this.#maxFew) return undefined;
    const { text, params } = scoredStatement({ ...scan, only: within.map(({ pos }) => pos) });
    return this.#database.all<WaitingTweet & Row>(text, ...params);
  }

  /** The first `count` tweets behind a place. */
  #read(
    { scans, waiting, asOf }: Wanted,
    count: number,
    behind: Place | undefined,
    order: IndexOrder,
  ): readonly Place[] {
    // A few tweets of the page before can be read again.
    const wanted = behind === undefined ? count : count + 4;
    const found: Place[] = [];
    const others = waiting.map(({ pos, score }) => ({ pos, ...order.keyOf(pos, score) }));
    let upTo: Key | undefined = order.start(behind);
    while (upTo !== undefined && found.length < count) {
      const start: Key = upTo;
      const pages = scans.map((scan) => order.read(scan, start, wanted));
      // A scan that has more tweets has returned all of its tweets down to the end of its last group.
      const end = pages
        .flatMap((page) => (page.length < wanted ? [] : page.slice(-1)))
        .map(order.endOfGroup)
        .reduce<Key | undefined>((a, b) => (a === undefined || compareKeys(a, b) > 0 ? b : a), undefined);
      const rows = [...pages.flat(), ...others.filter((row) => compareKeys(row, start) >= 0)].filter(
        (row) => end === undefined || compareKeys(row, end) <= 0,
      );
      found.push(...this.#tweets(new Set(rows.map(({ pos }) => pos)), behind, order, asOf));
      upTo = end && order.after(end);
    }
    return found.slice(0, count);
  }

  /** The tweets at positions that are behind a place in an order, in that order. */
  #tweets(
    positions: ReadonlySet<number>,
    behind: Place | undefined,
    { compare, places }: IndexOrder,
    asOf: Wanted['asOf'],
  ): readonly Place[] {
    const rows = this.#database.all<PlaceRow>(places, JSON.stringify([...positions]));
    const found = rows
      .filter(({ arrivedIn }) => asOf === undefined || arrivedIn <= asOf.commit)
      .map(({ pos, id, createdAt, score }): Place => ({
        id: fromDatabaseId(id),
        createdAt,
        score: asOf?.scores.get(pos) ?? score,
      }));
    return found.filter((place) => behind === undefined || compare(behind, place) < 0).toSorted(compare);
  }

  /** The tweets of a scan with the highest positions up to one. */
  #first(scan: Scan, upTo: number, count: number): IndexRow[] {
    const { from, to } = limitsOf(scan);
    const limits = { from, to: Math.min(upTo, to) };
    // The index of authors has only their tweets.
    if (scan.match === undefined && scan.authors !== undefined) return this.#rows(newestStatement(scan, limits, count));
    const rows: IndexRow[] = [];
    this.#walk(this.#byTime, limits, (window) => {
      rows.push(...this.#rows(newestStatement(scan, window, count - rows.length)));
      return rows.length < count;
    });
    return rows;
  }

  /** Calls `read` for one part of the limits after the other, down from the highest, until it returns false. */
  #walk(windows: SearchWindows, { from, to }: Limits, read: (part: Limits) => boolean): void {
    let count = firstWindows;
    for (let upTo = to; upTo >= from; count = Math.min(moreWindows * count, mostWindows)) {
      const start = Math.max(from, windows.startBelow(upTo, count) ?? from);
      if (!read({ from: start, to: upTo })) return;
      upTo = start - 1;
      this.#mayGoOn();
    }
  }

  #rows({ text, params }: Selection): IndexRow[] {
    return this.#database.all<IndexRow>(text, ...params);
  }

  /** By second; within a second, the order of the arrival. */
  readonly #newest: IndexOrder = {
    start: (behind) => ({ major: 0, minor: behind === undefined ? most : endOfSecond(secondOf(behind.createdAt)) }),
    endOfGroup: endOfSecondOf,
    after: nextBelow,
    keyOf: (pos) => ({ major: 0, minor: pos }),
    read: (scan, { minor: to }, count) => {
      const rows = this.#first(scan, to, count);
      const last = rows[count - 1]?.pos;
      if (last === undefined || last % slots === 0) return rows;
      return [...rows, ...this.#rows(newestStatement(scan, restOfSecond(last)))];
    },
    places: placesInTime,
    compare: newestFirst,
  };

  /** By second, oldest first: keys are negative positions. */
  readonly #oldest: IndexOrder = {
    start: (behind) => ({ major: 0, minor: behind === undefined ? most : -startOfSecond(secondOf(behind.createdAt)) }),
    endOfGroup: ({ major, minor }) => ({ major, minor: -endOfSecond(secondOfPosition(-minor)) }),
    after: nextBelow,
    keyOf: (pos) => ({ major: 0, minor: -pos }),
    read: (scan, { minor: to }, count) => {
      const rows = this.#rows(oldestStatement(scan, { from: -to, to: most }, count));
      const last = rows[count - 1]?.pos;
      const end = last === undefined ? undefined : endOfSecond(secondOfPosition(last));
      if (last === undefined || last === end) return rows;
      return [...rows, ...this.#rows(oldestStatement(scan, { from: last + 1, to: end ?? last }))];
    },
    places: placesInTime,
    compare: (a, b) => newestFirst(b, a),
  };

  /** By level of the engagement, of the tweets in the table `top`; within a level, without order. */
  readonly #top: IndexOrder = {
    start: (behind) => ({ major: 0, minor: behind === undefined ? most : endOfLevel(levelOf(behind.score)) }),
    endOfGroup: ({ major, minor }) => ({ major, minor: startOfLevel(levelOfRank(minor)) }),
    after: nextBelow,
    keyOf: (_pos, score) => ({ major: 0, minor: startOfLevel(levelOf(score)) }),
    read: (scan, { minor: to }, count) => {
      const rows: IndexRow[] = [];
      this.#walk(this.#byRank, { from: 0, to }, (limits) => {
        rows.push(...this.#rows(topStatement(scan, limits, count - rows.length)));
        return rows.length < count;
      });
      const last = rows[count - 1]?.minor;
      if (last === undefined) return rows;
      const rest = { from: startOfLevel(levelOfRank(last)), to: last - 1 };
      return [...rows, ...this.#rows(topStatement(scan, rest))];
    },
    places: placesByEngagement,
    compare: mostEngagedFirst,
  };

  /** By engagement and second: reads all tweets that match. */
  readonly #ranked: IndexOrder = {
    start: (behind) => ({
      major: behind?.score ?? most,
      minor: behind === undefined ? most : endOfSecond(secondOf(behind.createdAt)),
    }),
    endOfGroup: endOfSecondOf,
    after: nextBelow,
    keyOf: (pos, score) => ({ major: score, minor: pos }),
    read: (scan, { major, minor }, count) => {
      const upTo = { sql: '(c.engagement < ? OR c.engagement = ? AND c.pos <= ?)', params: [major, major, minor] };
      let rows: IndexRow[] = [];
      this.#walk(this.#byTime, limitsOf(scan), (limits) => {
        rows = firstOf([...rows, ...this.#rows(rankedStatement(scan, upTo, limits, count))], count);
        return true;
      });
      const last = rows[count - 1];
      if (last === undefined || last.pos % slots === 0) return rows;
      const equal = { sql: 'c.engagement = ?', params: [last.major] };
      return [...rows, ...this.#rows(rankedStatement(scan, equal, restOfSecond(last.pos)))];
    },
    places: placesByEngagement,
    compare: mostEngagedFirst,
  };
}

/** The limits of the positions that the times of a scan permit. */
function limitsOf({ since, until }: Scan): Limits {
  const { from, to } = positionsWithin(since, until);
  return { from: Math.max(least, from), to: Math.min(most, to) };
}

/** The first rows by the order of an index. */
const firstOf = (rows: readonly IndexRow[], count: number): IndexRow[] => rows.toSorted(compareKeys).slice(0, count);

const nextBelow = ({ major, minor }: Key): Key => ({ major, minor: minor - 1 });

const endOfSecondOf = ({ major, minor }: Key): Key => ({ major, minor: startOfSecond(secondOfPosition(minor)) });

/** The positions below one in its second. */
const restOfSecond = (position: number): Limits => ({
  from: startOfSecond(secondOfPosition(position)),
  to: position - 1,
});

/** Negative where the first key is higher. */
const compareKeys = (a: Key, b: Key): number => b.major - a.major || b.minor - a.minor;
const newestFirst = (a: Place, b: Place): number => b.createdAt - a.createdAt || compareIds(b.id, a.id);
const mostEngagedFirst = (a: Place, b: Place): number => b.score - a.score || newestFirst(a, b);

const otherOrder = (): Error => badRequest("'cursor' belongs to another order");

function placeOf(after: readonly unknown[]): Place {
  const [score, createdAt, id] = after;
  const isValid = after.length === 3 && Number.isSafeInteger(score) && Number.isSafeInteger(createdAt);
  if (!isValid || typeof id !== 'string' || !isId(id)) throw otherOrder();
  return { score: Number(score), createdAt: Number(createdAt), id };
}

function pageOf(found: readonly Place[], limit: number, position: (last: Place) => (string | number)[]): Page<string> {
  const last = found[limit - 1];
  return {
    items: found.slice(0, limit).map(({ id }) => id),
    next: found.length > limit && last !== undefined ? position(last) : null,
  };
}
