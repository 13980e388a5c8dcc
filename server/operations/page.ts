/** What every list operation does with its `cursor` and `limit`. */
import type { OperationId } from '../contract/operations.ts';
import type { Page, PageRequest, UserRef } from '../ports/platform.ts';
import type { Cursors } from './cursor.ts';

interface ListQuery {
  readonly cursor?: string;
  readonly limit: number;
}

/** Opens the cursor, asks for the page, and seals where it ended. Throws 400 for a cursor that is not this query's. */
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

/** The user that the query names: validation saw to it that exactly one of the two is there. */
export const userRef = (query: { username?: string; user_id?: string }): UserRef =>
  query.username === undefined ? { user_id: query.user_id! } : { username: query.username };
