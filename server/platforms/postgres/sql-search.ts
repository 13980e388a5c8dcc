/** Pages of search results from PostgreSQL. */
import { badRequest } from '../../contract/service-error.ts';
import type { Page, PageRequest } from '../../contract/page.ts';
import { compileQuery } from '../../search/language/compile.ts';
import type { Query } from '../../search/language/syntax-tree.ts';
import type { Run } from '../../storage/postgres/database.ts';
import { fromDatabaseId, toDatabaseId } from './database-id.ts';
import { resolveCondition } from './resolved-condition.ts';
import { searchSql, type Parameter } from './search-sql.ts';
import { SqlSearchContext } from './sql-search-context.ts';

export class SqlSearch {
  readonly #run: Run;
  readonly #context: SqlSearchContext;

  constructor(run: Run) {
    this.#run = run;
    this.#context = new SqlSearchContext(run);
  }

  /**
   * A page of ids, newest first by (created_at, id). `now` is in milliseconds since the epoch. Throws ServiceError 400 for a
   * position of another order.
   */
  async latest(query: Query, { after, limit }: PageRequest, now: number): Promise<Page<string>> {
    const condition = await resolveCondition(compileQuery(query), this.#context, now);
    const params: Parameter[] = [limit + 1];
    const { where, usesCounts } = searchSql(condition, params);
    const counts = usesCounts ? 'JOIN social_data.tweet_count c ON c.id = t.id' : '';
    let older = '';
    if (after !== undefined) {
      const [createdAt, id] = after;
      if (after.length !== 2 || typeof createdAt !== 'number' || typeof id !== 'string' || !/^\d{1,19}$/.test(id))
        throw badRequest("'cursor' belongs to another order");
      older = `(t.created_at, t.id) < ($${params.push(createdAt)}::bigint, $${params.push(toDatabaseId(id))}::bigint) AND`;
    }
    const rows = await this.#run<{ id: string; created_at: string }>({
      text: `SELECT t.id, t.created_at FROM social_data.tweet t ${counts} WHERE ${older} ${where}
        ORDER BY t.created_at DESC, t.id DESC LIMIT $1`,
      params,
    });
    const items = rows.slice(0, limit).map(({ id }) => fromDatabaseId(id));
    const last = rows[limit - 1];
    const next = rows.length > limit && last !== undefined ? [Number(last.created_at), fromDatabaseId(last.id)] : null;
    return { items, next };
  }
}
