/** Errors of SQLite. */
import { StoreError } from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';

/** The primary result codes that do not come from a statement: the file, its disk, or another program. */
const ofTheFile = new Set([5, 6, 8, 10, 11, 13, 14, 15, 23, 26]);

/** A StoreError where the file cannot be used; otherwise the error itself, which is a fault of a statement. */
export function storeErrorOf(error: unknown): unknown {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0;
  return ofTheFile.has(code) ? new StoreError(`the database file cannot be used: ${messageOf(error)}`) : error;
}
