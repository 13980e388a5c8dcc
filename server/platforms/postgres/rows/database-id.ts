/**
 * Ids as PostgreSQL stores them. An id of 19 digits can be larger than the largest bigint, so the column holds the id minus 2^63,
 * which keeps the order.
 */
const offset = 2n ** 63n;

/** The stored form of an id of at most 19 digits. */
export const toDatabaseId = (id: string | bigint): string => String(BigInt(id) - offset);
/** The id of a stored form. */
export const fromDatabaseId = (stored: string): string => String(BigInt(stored) + offset);
