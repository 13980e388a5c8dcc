/** Pages of search results from PostgreSQL. */
import { badRequest } from '../../contract/service-error.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import { compileQuery } from '../../search/language/compile.ts';
import type { Query } from '../../search/language/syntax-tree.ts';
import type { Run, Statement } from '../../storage/postgres/database.ts';
import { fromDatabaseId, toDatabaseId } from './database-id.ts';
import { LookupCache, Lookups } from './lookup-cache.ts';
import { resolveCondition, type ResolvedCondition } from './resolved-condition.ts';
import { searchSql, type Parameter } from './search-sql.ts';
import { SqlSearchContext } from './sql-search-context.ts';

/** A row of a page; the id is null where the page is empty. */
interface PageRow {
  readonly version: string;
  readonly id: string | null;
  readonly created_at: string;
}

export class SqlSearch {
  readonly #run: Run;
  readonly #cache: LookupCache;

  constructor(run: Run) {
    this.#run = run;
    this.#cache = new LookupCache(run);
  }

  /**
   * A page of ids, newest first by (created_at, id). `now` is in milliseconds since the epoch. Throws ServiceError 400 for a
   * position of another order.
   */
  async latest(query: Query, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const older = after === undefined ? undefined : positionOf(after);
    const condition = compileQuery(query);
    const read = async (): Promise<{ readonly rows: readonly PageRow[]; readonly isValid: boolean }> => {
      const lookups = new Lookups(this.#cache);
      const resolved = await resolveCondition(condition, new SqlSearchContext(lookups.run), now);
      const rows = await this.#run<PageRow>(pageStatement(resolved, limit + 1, older));
      return { rows, isValid: rows[0] === undefined || lookups.areValidFor(rows[0].version) };
    };
    let result = await read();
    // The cache is empty now, so a second read uses no old results.
    if (!result.isValid) result = await read();
    return pageOf(result.rows, limit);
  }
}

/** The creation time and the id of the last tweet of a page. */
type Position = readonly [createdAt: number, id: string];

function positionOf(after: readonly unknown[]): Position {
  const [createdAt, id] = after;
  if (after.length !== 2 || typeof createdAt !== 'number' || typeof id !== 'string' || !/^\d{1,19}$/.test(id))
    throw badRequest("'cursor' belongs to another order");
  return [createdAt, id];
}

/** The first `count` tweets older than a position, with the version of the tables of the look-ups. */
function pageStatement(condition: ResolvedCondition, count: number, older: Position | undefined): Statement {
  const params: Parameter[] = [count];
  const { where, usesCounts } = searchSql(condition, params);
  const counts = usesCounts ? 'JOIN social_data.tweet_count c ON c.id = t.id' : '';
  const isOlder =
    older === undefined
      ? ''
      : `(t.created_at, t.id) < ($${params.push(older[0])}::bigint, $${params.push(toDatabaseId(older[1]))}::bigint) AND`;
  return {
    text: `SELECT v.version, page.id, page.created_at FROM social_data.lookup_version v LEFT JOIN LATERAL (
        SELECT t.id, t.created_at FROM social_data.tweet t ${counts} WHERE ${isOlder} ${where}
        ORDER BY t.created_at DESC, t.id DESC LIMIT $1) page ON true
      ORDER BY page.created_at DESC, page.id DESC`,
    params,
  };
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
