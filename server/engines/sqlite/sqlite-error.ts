/** Errors of SQLite. */
import { StoreError } from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';

/** What the operator can do, by the primary result codes that do not come from a statement: the file, its disk, or another program. */
const remedies: ReadonlyMap<number, string> = new Map([
  [5, 'another program holds a lock on it: end that program'],
  [6, 'another program holds a lock on it: end that program'],
  [8, 'it may not be written: correct the permissions of the file and its folder'],
  [10, 'its disk has failed: look at the log of the system'],
  [11, 'it is damaged: stop the service, and restore a backup or run `npm run doctor -- --repair`'],
  [13, 'its disk is full: make space'],
  [14, 'correct the permissions of the file and its folder'],
  [15, 'another program uses it with an older SQLite: end that program'],
  [23, 'correct the permissions of the file and its folder'],
  [26, 'it is not a database: restore a backup, or move it away to begin with an empty archive'],
]);

/** Why a file cannot be used, where that matters for what comes next. */
export type FileFault = 'damaged' | 'locked' | 'other';

const faultOf = (code: number): FileFault =>
  code === 11 || code === 26 ? 'damaged' : code === 5 || code === 6 ? 'locked' : 'other';

/** The database file cannot be used: its content, its disk, or another program. */
export class DatabaseFileError extends StoreError {
  readonly fault: FileFault;

  constructor(message: string, fault: FileFault, cause: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}

/** A DatabaseFileError where the file cannot be used; otherwise the error itself, which is a fault of a statement. */
export function storeErrorOf(error: unknown, path = 'the database file'): unknown {
  const code = codeOf(error);
  const remedy = remedies.get(code);
  if (remedy === undefined) return error;
  return new DatabaseFileError(`${path} cannot be used (${messageOf(error)}): ${remedy}`, faultOf(code), error);
}

/** The primary result code; 0 for an error of another kind. FTS5 reports damage of its tables also as a fault of the statement. */
function codeOf(error: unknown): number {
  if (!(error instanceof Error && 'errcode' in error)) return 0;
  const code = Number(error.errcode) & 0xff;
  return code === 1 && /^invalid fts5 file format|vtable constructor failed/.test(error.message) ? 11 : code;
}
