/**
 * Ids as the tables store them. An id of 19 digits can be larger than the largest integer of 64 bits, so the column holds the id minus
 * 2^63, which keeps the order.
 */
import type { Integer, List, Value } from '../../database/sql.ts';

const offset = 2n ** 63n;

/** The stored form of an id of at most 19 digits. */
export const toDatabaseId = (id: string | bigint): string => String(BigInt(id) - offset);
/** The id of a stored form. */
export const fromDatabaseId = (stored: Integer): string => String(BigInt(stored) + offset);

/** An id as a parameter of a statement. */
export const idOf = (id: string | bigint): Value => ({ id: toDatabaseId(id) });
/** Ids as parameters. */
export const idsOf = (ids: Iterable<string>): { readonly ids: readonly string[] } => ({
  ids: Array.from(ids, toDatabaseId),
});
/** Texts as parameters. */
export const textsOf = (texts: Iterable<string>): List => ({ texts: [...texts] });
