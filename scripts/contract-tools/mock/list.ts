/** Paginated lists: the items of the example first, then additional items for further pages. */
import type { OperationId } from '../../../server/contract/operations.ts';
import { createCursors, type Cursors } from '../../../server/contract/cursor.ts';

/** The members of every page, besides its items. */
export interface Page {
  readonly next_cursor: string | null;
  readonly has_next_page: boolean;
}

/** A list that callers read page by page. */
export interface List {
  /** The number of items. */
  readonly total: number;
  readonly item: (index: number) => unknown;
  /** The first page of an example, which is returned unchanged: its number of items and its cursor. */
  readonly first?: { readonly items: number; readonly next: string | null };
}

/** The requested part of a list. */
export interface ListQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

const defaultLimit = 20;
const secret = Buffer.from('The cursors of a mock keep no secret: they only say where a page ends.');

/** Cursors with a constant secret, so that a cursor stays valid after a restart. */
export const mockCursors = (): Cursors => createCursors(secret);

/** The requested page. Throws 400 for a cursor that this list did not issue. */
export function pageOf(
  cursors: Cursors,
  id: OperationId,
  query: ListQuery,
  { total, item, first }: List,
): { items: unknown[] } & Page {
  const parameters = { ...query };
  const position = (cursor: string): number =>
    first !== undefined && cursor === first.next ? first.items : Number(cursors.open(id, parameters, cursor)[0]);
  const from = query.cursor === undefined ? 0 : position(query.cursor);
  const requestedEnd = from + (query.limit ?? defaultLimit);
  const to = Math.min(
    total,
    first !== undefined && from < first.items ? Math.min(requestedEnd, first.items) : requestedEnd,
  );
  const items = Array.from({ length: Math.max(0, to - from) }, (_, index) => item(from + index));
  if (to >= total) return { items, next_cursor: null, has_next_page: false };
  const next =
    first !== undefined && to === first.items && first.next !== null ? first.next : cursors.seal(id, parameters, [to]);
  return { items, next_cursor: next, has_next_page: true };
}
