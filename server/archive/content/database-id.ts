/**
 * Ids as the tables store them. An id of 19 digits can be larger than the largest integer of 64 bits, so the column holds the id minus
 * 2^63, which keeps the order.
 */
import type { Integer, List, Value } from '../sql.ts';

const offset = 2n ** 63n;

/** The offset in two parts, the second of which has nine digits: subtraction by parts costs a third of one of BigInt. */
const [highOffset, lowOffset, base] = [9_223_372_036, 854_775_808, 1_000_000_000];
const usualId = /^\d{10,19}$/;

/** The stored form of an id of at most 19 digits. */
export function toDatabaseId(id: string | bigint): string {
  if (typeof id !== 'string' || !usualId.test(id)) return String(BigInt(id) - offset);
  // 2^63 minus the id.
  let high = highOffset - Number(id.slice(0, -9));
  let low = lowOffset - Number(id.slice(-9));
  if (low < 0) [high, low] = [high - 1, low + base];
  // Ids from 2^63 on are rare.
  if (high < 0 || high + low === 0) return String(BigInt(id) - offset);
  return high === 0 ? `-${low}` : `-${high}${String(low).padStart(9, '0')}`;
}
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
