/** Pages of search results from SQLite. */
import { resolveCondition } from '../../archive/search/resolved-condition.ts';
import { compareIds } from '../../domain/record-id.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import { badRequest } from '../../contract/service-error.ts';
import type { TweetDocument } from '../../search/document.ts';
import { engagementOf } from '../../search/engagement.ts';
import { compileQuery } from '../../search/language/compile.ts';
import type { Condition } from '../../search/language/condition.ts';
import { matches } from '../../search/language/evaluate.ts';
import type { Query } from '../../search/language/syntax-tree.ts';
import { addSearchFunctions } from './search-functions.ts';
import { SqliteSearchContext } from './search-context.ts';
import { scansOf, type Scan } from './search-plan.ts';
import { newestStatement, rankedStatement, topStatement, type Limits, type Selection } from './search-statements.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { endOfLevel, levelOf, levelOfRank, startOfLevel } from './top.ts';
import { endOfSecond, secondOf, secondOfPosition, slots, startOfSecond } from './tweet-position.ts';

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

/**
 * The tweets whose words the tables do not have yet, by position, as the tables have them otherwise (`word_pending`). A search decides about
 * them by the evaluator, so its results are exact before the words are written.
 */
export type WaitingTweets = () => ReadonlyMap<number, TweetDocument>;

/** How the tweets of a scan are read in the order of an index. */
interface IndexOrder {
  /** Where the first page begins, or the page behind a place: tweets of the page before can be behind it. */
  readonly start: (behind: Place | undefined) => Key;
  /** The lowest key of the group of a key: the index does not decide the order of tweets within a group. */
  readonly endOfGroup: (key: Key) => Key;
  /** The first `count` tweets up to a key, and all others of the group of the last one; fewer than `count`: these are all. */
  readonly read: (scan: Scan, upTo: Key, count: number) => readonly IndexRow[];
  /** The key of a tweet that waits for its words. */
  readonly keyOf: (pos: number, score: number) => Key;
  /** The statement for the places of tweets in the order of pages, by the JSON of their positions. */
  readonly places: string;
  /** The order of pages. */
  readonly compare: (a: Place, b: Place) => number;
}

/** The tweets that a search finds: those of scans, and those that wait for their words. */
interface Wanted {
  readonly scans: readonly Scan[];
  readonly waiting: readonly { readonly pos: number; readonly score: number }[];
}

const topFrom = "SELECT value FROM meta WHERE name = 'top_from'";
const placesInTime = `SELECT t.id, t.created_at AS createdAt, 0 AS score FROM json_each(?) p CROSS JOIN tweet t ON t.pos = p.value`;
const placesByEngagement = `SELECT t.id, t.created_at AS createdAt, c.engagement AS score
  FROM json_each(?) p CROSS JOIN tweet t ON t.pos = p.value CROSS JOIN tweet_count c ON c.pos = t.pos`;

const least = -Number.MAX_SAFE_INTEGER;
const most = Number.MAX_SAFE_INTEGER;

export class SqliteSearch {
  readonly #database: SqliteDatabase;
  readonly #waiting: WaitingTweets;

  constructor(database: SqliteDatabase, waiting: WaitingTweets = () => new Map()) {
    this.#database = database;
    this.#waiting = waiting;
    addSearchFunctions(database);
  }

  /**
   * A page of ids, newest first by (created_at, id). `now` is in milliseconds since the epoch. Throws ServiceError 400 for a
   * position of another order.
   */
  latest(query: Query, request: PageRequest, now: number): Promise<Page<string>> {
    return this.latestThat(compileQuery(query), request, now);
  }

  /** As `latest`, for a condition. */
  async latestThat(condition: Condition, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const behind = after === undefined ? undefined : placeOf([0, ...after]);
    const found = this.#read(await this.#wanted(condition, now), limit + 1, behind, this.#newest);
    return pageOf(found, limit, ({ createdAt, id }) => [createdAt, id]);
  }

  /**
   * A page of ids by engagement, highest first; the newer tweet wins a tie. `now` is in milliseconds since the epoch. Throws
   * ServiceError 400 for a position of another order.
   */
  top(query: Query, request: PageRequest, now: number): Promise<Page<string>> {
    return this.topThat(compileQuery(query), request, now);
  }

  /** As `top`, for a condition. */
  async topThat(condition: Condition, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const behind = after === undefined ? undefined : placeOf(after);
    const wanted = await this.#wanted(condition, now);
    const least = Number(this.#database.first<{ value: string }>(topFrom)?.value ?? Number.POSITIVE_INFINITY);
    const waiting = wanted.waiting.filter(({ score }) => score >= least);
    const top = this.#read({ ...wanted, waiting }, limit + 1, behind, this.#top);
    // The table `top` has the tweets from one engagement on.
    const found = top.length > limit ? top : this.#read(wanted, limit + 1, behind, this.#ranked);
    return pageOf(found, limit, ({ score, createdAt, id }) => [score, createdAt, id]);
  }

  async #wanted(condition: Condition, now: number): Promise<Wanted> {
    const resolved = await resolveCondition(condition, new SqliteSearchContext(this.#database), now);
    const documents = this.#waiting();
    const isWithoutWaiting = documents.size > 0;
    const waiting = Array.from(documents).flatMap(([pos, document]) =>
      matches(condition, document, now) ? { pos, score: engagementOf((name) => document.counts[name]) } : [],
    );
    return { scans: scansOf(resolved).map((scan) => ({ ...scan, isWithoutWaiting })), waiting };
  }

  /** The first `count` tweets behind a place. */
  #read({ scans, waiting }: Wanted, count: number, behind: Place | undefined, order: IndexOrder): readonly Place[] {
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
      found.push(...this.#tweets(new Set(rows.map(({ pos }) => pos)), behind, order));
      upTo = end && { major: end.major, minor: end.minor - 1 };
    }
    return found.slice(0, count);
  }

  /** The tweets at positions that are behind a place in an order, in that order. */
  #tweets(
    positions: ReadonlySet<number>,
    behind: Place | undefined,
    { compare, places }: IndexOrder,
  ): readonly Place[] {
    const rows = this.#database.all<Place>(places, JSON.stringify([...positions]));
    return rows.filter((row) => behind === undefined || compare(behind, row) < 0).toSorted(compare);
  }

  #rows({ text, params }: Selection): IndexRow[] {
    return this.#database.all<IndexRow>(text, ...params);
  }

  /** By second; within a second, the order of the arrival. */
  readonly #newest: IndexOrder = {
    start: (behind) => ({ major: 0, minor: behind === undefined ? most : endOfSecond(secondOf(behind.createdAt)) }),
    endOfGroup: endOfSecondOf,
    keyOf: (pos) => ({ major: 0, minor: pos }),
    read: (scan, { minor: to }, count) => {
      const rows = this.#rows(newestStatement(scan, { from: least, to }, count));
      const last = rows[count - 1]?.pos;
      if (last === undefined || last % slots === 0) return rows;
      return [...rows, ...this.#rows(newestStatement(scan, restOfSecond(last)))];
    },
    places: placesInTime,
    compare: newestFirst,
  };

  /** By level of the engagement, of the tweets in the table `top`; within a level, without order. */
  readonly #top: IndexOrder = {
    start: (behind) => ({ major: 0, minor: behind === undefined ? most : endOfLevel(levelOf(behind.score)) }),
    endOfGroup: ({ major, minor }) => ({ major, minor: startOfLevel(levelOfRank(minor)) }),
    keyOf: (_pos, score) => ({ major: 0, minor: startOfLevel(levelOf(score)) }),
    read: (scan, { minor: to }, count) => {
      const rows = this.#rows(topStatement(scan, { from: 0, to }, count));
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
    keyOf: (pos, score) => ({ major: score, minor: pos }),
    read: (scan, { major, minor }, count) => {
      const upTo = { sql: '(c.engagement < ? OR c.engagement = ? AND c.pos <= ?)', params: [major, major, minor] };
      const rows = this.#rows(rankedStatement(scan, upTo, { from: least, to: most }, count));
      const last = rows[count - 1];
      if (last === undefined || last.pos % slots === 0) return rows;
      const equal = { sql: 'c.engagement = ?', params: [last.major] };
      return [...rows, ...this.#rows(rankedStatement(scan, equal, restOfSecond(last.pos)))];
    },
    places: placesByEngagement,
    compare: mostEngagedFirst,
  };
}

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

function placeOf(after: readonly unknown[]): Place {
  const [score, createdAt, id] = after;
  const isValid = after.length === 3 && Number.isSafeInteger(score) && Number.isSafeInteger(createdAt);
  if (!isValid || typeof id !== 'string' || !/^\d{1,20}$/.test(id))
    throw badRequest("'cursor' belongs to another order");
  return { score: Number(score), createdAt: Number(createdAt), id };
}

function pageOf(found: readonly Place[], limit: number, position: (last: Place) => (string | number)[]): Page<string> {
  const last = found[limit - 1];
  return {
    items: found.slice(0, limit).map(({ id }) => id),
    next: found.length > limit && last !== undefined ? position(last) : null,
  };
}
