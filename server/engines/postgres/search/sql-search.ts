/** Pages of search results from PostgreSQL. */
import { badRequest } from '../../../contract/service-error.ts';
import type { Page, PageRequest } from '../../../contract/page.ts';
import { compileQuery } from '../../../search/language/compile.ts';
import type { Condition } from '../../../search/language/condition.ts';
import type { Query } from '../../../domain/query.ts';
import type { CountSpan, TweetCounts } from '../../../ports/platform.ts';
import type { RunAny } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import type { ExplainedSearch } from '../../../archive/archive-engine.ts';
import { conditionOfCount, type ArchiveSearch } from '../../../archive/search/archive-search.ts';
import { commitLog } from '../../../archive/content/commit-log.ts';
import { fromDatabaseId, toDatabaseId } from '../../../archive/content/database-id.ts';
import { rowsOfPage } from '../../../archive/reads/rows-of-page.ts';
import { LookupCache, Lookups } from './lookup-cache.ts';
import { resolveCondition, type ResolvedCondition } from '../../../archive/search/resolved-condition.ts';
import { searchSql, type Parameter } from './search-sql.ts';
import { sqlSearchContext } from './sql-search-context.ts';
import { newestWords, topWords } from './word-pages.ts';
import { WordStatistics, type WordShares } from './word-statistics.ts';

/** A row of a page; the id is null where the page is empty. */
interface PageRow {
  readonly version: string;
  readonly id: string | null;
  readonly created_at: string;
}

export class SqlSearch implements ArchiveSearch {
  readonly #run: RunAny;
  readonly #cache: LookupCache;
  readonly #statistics: Pick<WordStatistics, 'shares'>;

  /** `statistics`: those of the database, by default as PostgreSQL has them. */
  constructor(run: RunAny, statistics: Pick<WordStatistics, 'shares'> = new WordStatistics(run)) {
    this.#run = run;
    this.#cache = new LookupCache(run);
    this.#statistics = statistics;
  }

  /**
   * A page of ids, newest first by (created_at, id). `now` is in milliseconds since the epoch. Throws ServiceError 400 for a
   * position of another order.
   */
  async latest(query: Query, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const older = after === undefined ? undefined : positionOf(after);
    const rows = await this.#read<PageRow>(compileQuery(query), now, (condition) =>
      pageStatement(condition, rowsOfPage(limit), older, 'newest', { shares: this.#statistics.shares, now }),
    );
    return pageOf(rows, limit);
  }

  /** As `latest`, but oldest first: the tweets before a time that do not match a query. */
  async oldest(
    { except, before }: { readonly except: Query | undefined; readonly before: number },
    { after, limit }: PageRequest,
    now: number,
  ): Promise<Page<string>> {
    const newer = after === undefined ? undefined : positionOf(after);
    const excluded: readonly Condition[] = except === undefined ? [] : [{ is: 'not', part: compileQuery(except) }];
    const created: Condition = { is: 'created', since: Number.NEGATIVE_INFINITY, until: before };
    const rows = await this.#read<PageRow>({ is: 'all', parts: [created, ...excluded] }, now, (condition) =>
      pageStatement(condition, rowsOfPage(limit), newer, 'oldest', { now }),
    );
    return pageOf(rows, limit);
  }

  async counts(query: Query, span: CountSpan, now: number): Promise<TweetCounts> {
    const rows = await this.#read<CountRow>(conditionOfCount(query, span), now, (condition) =>
      countStatement(condition, span),
    );
    const buckets = rows.flatMap(({ bucket, tweets }) =>
      bucket === null ? [] : [[Number(bucket), Number(tweets)] as const],
    );
    const total = buckets.reduce((sum, [, tweets]) => sum + tweets, 0);
    return {
      buckets: buckets.filter(([, tweets]) => tweets > 0),
      isWhole: total <= (span.most ?? Number.POSITIVE_INFINITY),
    };
  }

  /** Explains the first page of 20 tweets. `now` is in milliseconds since the epoch. */
  async explain(query: Query, order: 'Latest' | 'Top', now: number): Promise<ExplainedSearch> {
    const condition = await resolvedQuery(this.#run, query, now);
    const { shares } = this.#statistics;
    const { text: sql, params: parameters = [] } =
      order === 'Top'
        ? firstTopStatement(condition, 21, shares)
        : pageStatement(condition, 21, undefined, 'newest', { shares, now });
    const rows = await this.#run<{ 'QUERY PLAN': string }>({ text: `EXPLAIN ${sql}`, params: parameters });
    return { sql, parameters, plan: rows.map((row) => row['QUERY PLAN']) };
  }

  /** The rows of a statement for a query, with valid results of its look-ups. */
  async #read<Row extends { readonly version: string }>(
    condition: Condition,
    now: number,
    statementFor: (condition: ResolvedCondition) => Statement,
  ): Promise<readonly Row[]> {
    const read = async (): Promise<{ readonly rows: readonly Row[]; readonly isValid: boolean }> => {
      const lookups = new Lookups(this.#cache);
      const resolved = await resolveCondition(condition, sqlSearchContext(lookups.run), now);
      const rows = await this.#run<Row>({ ...statementFor(resolved), isLong: true });
      return { rows, isValid: rows[0] === undefined || lookups.areValidFor(rows[0].version) };
    };
    const { rows, isValid } = await read();
    // The cache is empty now, so a second read uses no old results.
    return isValid ? rows : (await read()).rows;
  }

  /**
   * A page of ids by engagement, highest first; the newer tweet wins a tie. All pages read the engagement as of the commit of
   * the first page and leave out tweets that arrived later. Throws ServiceError 400 for a position of another order.
   */
  async top(query: Query, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const position = after === undefined ? undefined : topPosition(after);
    const rows = await this.#read<TopRow>(compileQuery(query), now, (condition) =>
      position === undefined
        ? firstTopStatement(condition, rowsOfPage(limit), this.#statistics.shares)
        : topStatement(condition, rowsOfPage(limit), position),
    );
    const commit = position?.commit ?? Number(rows[0]?.commit ?? 0);
    const { items, next } = pageOf(rows, limit);
    return { items, next: next && [commit, Number(rows[limit - 1]?.score), ...next] };
  }
}

/** The condition of a query with the users, places and lists that it names. */
export const resolvedQuery = (run: RunAny, query: Query, now: number): Promise<ResolvedCondition> =>
  resolveCondition(compileQuery(query), sqlSearchContext(run), now);

/** The end of a page of `Top`. */
interface TopPosition {
  readonly commit: number;
  readonly score: number;
  readonly at: number;
  readonly id: string;
}

function topPosition(after: readonly unknown[]): TopPosition {
  const [commit, score, at, id] = after;
  const isValid = after.length === 4 && [commit, score, at].every((part) => Number.isSafeInteger(part));
  if (!isValid || typeof id !== 'string' || !/^\d{1,19}$/.test(id))
    throw badRequest("'cursor' belongs to another order");
  return { commit: Number(commit), score: Number(score), at: Number(at), id };
}

/** A row of a page of `Top`; `commit`: the last one, only on the first page. */
interface TopRow extends PageRow {
  readonly score: string;
  readonly commit?: string;
}

const byScore = 'ORDER BY score DESC, created_at DESC, id DESC';
const countedTweets = 'social_data.tweet t JOIN social_data.tweet_count c ON c.id = t.id';

/** The first `count` tweets by engagement, and the number of the last commit at the moment of the statement. */
function firstTopStatement(condition: ResolvedCondition, count: number, shares: WordShares | undefined): Statement {
  const params: Parameter[] = [];
  const words = shares && topWords(condition, shares, count, (value) => `$${params.push(value)}`);
  const page =
    words ??
    `SELECT t.id, t.created_at, c.engagement AS score FROM ${countedTweets}
      WHERE ${searchSql(condition, params).where} ${byScore} LIMIT ${count}`;
  return {
    text: `SELECT v.version, page.id, page.created_at, page.score,
        (SELECT seq FROM social_data.change WHERE log = '${commitLog}' ORDER BY seq DESC LIMIT 1) AS commit
      FROM social_data.lookup_version v LEFT JOIN LATERAL (${page}) page ON true ${byScore}`,
    params,
    isPrepared: words !== undefined,
  };
}

/**
 * The first `count` tweets by engagement behind a position, all as of its commit: those whose engagement is still the same, in the
 * order of an index, and the others by what it was.
 */
function topStatement(condition: ResolvedCondition, count: number, { commit, score, at, id }: TopPosition): Statement {
  const params: Parameter[] = [count, commit, score, at, toDatabaseId(id)];
  const { where } = searchSql(condition, params);
  const behind = (engagement: string): string =>
    `${engagement} <= $3::bigint AND (${engagement}, t.created_at, t.id) < ($3::bigint, $4::bigint, $5::bigint)`;
  const there = `t.arrived_in <= $2::bigint AND (${where})`;
  return {
    text: `SELECT v.version, page.id, page.created_at, page.score
      FROM social_data.lookup_version v LEFT JOIN LATERAL (
        (SELECT t.id, t.created_at, c.engagement AS score FROM ${countedTweets}
          WHERE ${behind('c.engagement')} AND ${there} AND (SELECT true FROM social_data.engagement_before b
            WHERE b.id = t.id AND b.commit + 0 > $2::bigint LIMIT 1) IS NOT TRUE
          ${byScore} LIMIT $1)
        UNION ALL
        (SELECT t.id, t.created_at, b.engagement AS score FROM (
            SELECT DISTINCT ON (e.id) e.id, e.engagement FROM social_data.engagement_before e
            WHERE e.commit > $2::bigint ORDER BY e.id, e.commit) b
          JOIN (${countedTweets}) ON t.id = b.id WHERE ${behind('b.engagement')} AND ${there}
          ${byScore} LIMIT $1)
        ${byScore} LIMIT $1) page ON true ${byScore}`,
    params,
  };
}

/** The creation time and the id of the last tweet of a page. */
type Position = readonly [createdAt: number, id: string];

function positionOf(after: readonly unknown[]): Position {
  const [createdAt, id] = after;
  if (after.length !== 2 || typeof createdAt !== 'number' || typeof id !== 'string' || !/^\d{1,19}$/.test(id))
    throw badRequest("'cursor' belongs to another order");
  return [createdAt, id];
}

/** The first `count` tweets behind a position, with the version of the tables of the look-ups. */
function pageStatement(
  condition: ResolvedCondition,
  count: number,
  end: Position | undefined,
  first: 'newest' | 'oldest',
  { shares, now }: { readonly shares?: WordShares | undefined; readonly now: number },
): Statement {
  const params: Parameter[] = [];
  const [comparison, order] = first === 'newest' ? ['<', 'DESC'] : ['>', 'ASC'];
  const isBehind =
    end === undefined
      ? ''
      : `(t.created_at, t.id) ${comparison} ($${params.push(end[0])}::bigint, $${params.push(toDatabaseId(end[1]))}::bigint) AND`;
  const words =
    shares && first === 'newest'
      ? newestWords(condition, shares, { isBehind, before: end?.[0], now, count }, (value) => `$${params.push(value)}`)
      : undefined;
  const page =
    words ??
    plannedPage(condition, params, `WHERE ${isBehind}`, `ORDER BY t.created_at ${order}, t.id ${order} LIMIT ${count}`);
  return {
    text: `SELECT v.version, page.id, page.created_at FROM social_data.lookup_version v LEFT JOIN LATERAL (${page}) page ON true
      ORDER BY page.created_at ${order}, page.id ${order}`,
    params,
    isPrepared: words !== undefined,
  };
}

/** A row of a count; the bucket is null where no tweet was found. */
interface CountRow {
  readonly version: string;
  readonly bucket: string | null;
  readonly tweets: string;
}

/** How many tweets are in each bucket, with the version of the tables of the look-ups. */
function countStatement(condition: ResolvedCondition, { bucketMs, most }: CountSpan): Statement {
  const params: Parameter[] = [];
  const { where, usesCounts } = searchSql(condition, params);
  const bucket = bucketMs === undefined ? '0::bigint' : `t.created_at / ${bucketMs}::bigint`;
  const limit = most === undefined ? '' : `LIMIT ${most + 1}`;
  const found = `SELECT ${bucket} AS bucket FROM social_data.tweet t
    ${usesCounts ? 'JOIN social_data.tweet_count c ON c.id = t.id' : ''} WHERE ${where} ${limit}`;
  return {
    text: `SELECT v.version, counted.bucket, counted.tweets FROM social_data.lookup_version v
      LEFT JOIN LATERAL (SELECT found.bucket, count(*) AS tweets FROM (${found}) found GROUP BY 1) counted ON true`,
    params,
  };
}

/** The tweets of a page, by the plan that PostgreSQL chooses. */
function plannedPage(condition: ResolvedCondition, params: Parameter[], start: string, end: string): string {
  const { where, usesCounts } = searchSql(condition, params);
  const counts = usesCounts ? 'JOIN social_data.tweet_count c ON c.id = t.id' : '';
  return `SELECT t.id, t.created_at FROM social_data.tweet t ${counts} ${start} ${where} ${end}`;
}

function pageOf(rows: readonly PageRow[], limit: number): Page<string> {
  const found = rows.flatMap(({ id, created_at }) =>
    id === null ? [] : [{ id: fromDatabaseId(id), createdAt: Number(created_at) }],
  );
  const items = found.slice(0, limit).map(({ id }) => id);
  const last = found[limit - 1];
  const next = found.length > limit && last !== undefined ? [last.createdAt, last.id] : null;
  return { items, next };
}
