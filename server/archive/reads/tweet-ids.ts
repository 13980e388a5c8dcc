/** The ids of many tweets, page by page. */
import type { PageRequest } from '../../contract/page.ts';
import { sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import type { Query } from '../../domain/query.ts';
import { fromDatabaseId, idOf } from '../content/database-id.ts';
import type { ArchiveSearch } from '../search/archive-search.ts';

const pageIds = 500;

/** The ids of the tweets that fulfil a condition over `tweet`, in their order. */
export async function* tweetIdsWhere(run: RunSql, condition: Fragment): AsyncGenerator<readonly string[]> {
  for (let from = 0n; ;) {
    const rows = await run<{ id: Integer }>(
      sql`SELECT id FROM social_data.tweet WHERE ${condition} AND id >= ${idOf(from)} ORDER BY id LIMIT ${pageIds}`,
    );
    const ids = rows.map(({ id }) => fromDatabaseId(id));
    if (ids.length > 0) yield ids;
    const last = ids.at(-1);
    if (last === undefined || ids.length < pageIds) return;
    from = BigInt(last) + 1n;
  }
}

/** The ids of all tweets that match a query. */
export async function* idsFound(
  search: Pick<ArchiveSearch, 'latest'>,
  query: Query,
): AsyncGenerator<readonly string[]> {
  const now = Date.now();
  let after: PageRequest['after'];
  do {
    const { items, next } = await search.latest(query, { after, limit: pageIds }, now);
    if (items.length > 0) yield items;
    after = next ?? undefined;
  } while (after !== undefined);
}
