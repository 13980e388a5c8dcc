/** The parameters `cursor` and `limit` that list operations share. */
import type { OperationId } from '../contract/operations.ts';
import type { Page, PageRequest } from '../contract/page.ts';
import type { Cursors } from '../contract/cursor.ts';

interface ListQuery {
  readonly cursor?: string;
  readonly limit: number;
}

/** Verifies the cursor, fetches the page, and creates the next cursor. Throws 400 for a cursor of another query. */
export async function paged<Item>(
  cursors: Cursors,
  operation: OperationId,
  query: ListQuery,
  fetchPage: (page: PageRequest) => Promise<Page<Item>>,
): Promise<{ items: Item[]; next_cursor: string | null; has_next_page: boolean }> {
  const parameters = { ...query };
  const after = query.cursor === undefined ? undefined : cursors.open(operation, parameters, query.cursor);
  const { items, next } = await fetchPage({ after, limit: query.limit });
  return {
    items,
    next_cursor: next === null ? null : cursors.seal(operation, parameters, next),
    has_next_page: next !== null,
  };
}
