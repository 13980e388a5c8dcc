/** The ids of many tweets, page by page. */
import type { PageRequest } from '../../../contract/page.ts';
import type { Query } from '../../../search/language/syntax-tree.ts';
import type { Run, Statement } from '../../../storage/postgres/database.ts';
import { fromDatabaseId, toDatabaseId } from '../rows/database-id.ts';
import { SqlSearch } from '../search/sql-search.ts';

const pageIds = 500;
/** The stored form of the id 0. */
const first = toDatabaseId('0');

/**
 * Pages of a statement that selects stored ids in their order. Its last two parameters are the least id of a page, and the size of
 * the page.
 */
export async function* pagesOf(run: Run, { text, params = [] }: Statement): AsyncGenerator<readonly string[]> {
  for (let from = first; ;) {
    const rows = await run<{ id: string }>({ text, params: [...params, from, pageIds] });
    if (rows.length > 0) yield rows.map(({ id }) => fromDatabaseId(id));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageIds) return;
    from = String(BigInt(last.id) + 1n);
  }
}

/** The ids of all tweets that match a query. */
export async function* idsFound(run: Run, query: Query): AsyncGenerator<readonly string[]> {
  const search = new SqlSearch(run);
  const now = Date.now();
  let after: PageRequest['after'];
  do {
    const { items, next } = await search.latest(query, { after, limit: pageIds }, now);
    if (items.length > 0) yield items;
    after = next ?? undefined;
  } while (after !== undefined);
}
