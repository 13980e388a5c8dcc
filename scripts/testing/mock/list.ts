/** Lists that page: the items of the example first, and more like them where there is to be more than one page. */
import type { OperationId } from '../../../server/contract/operations.ts';
import { createCursors, type Cursors } from '../../../server/operations/cursor.ts';

/** The members that every page has beside its items. */
export interface Page {
  readonly next_cursor: string | null;
  readonly has_next_page: boolean;
}

/** A list as it is told to callers, page by page. */
export interface List {
  /** How many items it has. */
  readonly total: number;
  readonly item: (place: number) => unknown;
  /** The first page of an example, which is answered as it stands: how many items it has, and the cursor it gives. */
  readonly first?: { readonly items: number; readonly next: string | null };
}

/** Which part of a list is wanted. */
export interface ListQuery {
  readonly cursor?: string;
  readonly limit?: number;
}

const usualLimit = 20;
const secret = Buffer.from('The cursors of a mock keep no secret: they only say where a page ends.');

/** Cursors of any mock: a page can be gone on with after a restart. */
export const mockCursors = (): Cursors => createCursors(secret);

/** The page that the query asks for. Throws 400 for a cursor that this list did not give. */
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
  const asked = from + (query.limit ?? usualLimit);
  const to = Math.min(total, first !== undefined && from < first.items ? Math.min(asked, first.items) : asked);
  const items = Array.from({ length: Math.max(0, to - from) }, (_, place) => item(from + place));
  if (to >= total) return { items, next_cursor: null, has_next_page: false };
  const next =
    first !== undefined && to === first.items && first.next !== null ? first.next : cursors.seal(id, parameters, [to]);
  return { items, next_cursor: next, has_next_page: true };
}
