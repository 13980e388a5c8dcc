/** Readiness of the server: the checks and texts of `/readyz`. */
import type { Journal, StorageFault } from '../ports/storage.ts';

/**
 * Warnings for the operator that do not make the server unready. They name no file, because callers without a key can
 * read them.
 */
export function readinessWarnings({
  deadLetters: { length },
  isDamaged = false,
  backfill,
}: {
  readonly deadLetters: { readonly length: number };
  /** Whether a part of the database file was found damaged. */
  readonly isDamaged?: boolean | undefined;
  /** The rows that the background work after an upgrade of the tables has filled. */
  readonly backfill?: { readonly rows: number; readonly total: number | undefined } | undefined;
}): string[] {
  const found = isDamaged ? ['a part of the database file is damaged: stop the service and run `npm run doctor`'] : [];
  if (backfill !== undefined) {
    const of = backfill.total === undefined ? '' : ` of about ${Math.round(backfill.total)}`;
    found.push(`an upgrade fills rows of the tables in the background: ${backfill.rows}${of}`);
  }
  if (length === 0) return found;
  return [
    ...found,
    `${length} ${length === 1 ? 'record' : 'records'} of the archive could not be applied: see set-aside.json`,
  ];
}

/** Warnings about standbys that answer no reads. They name no host, only the place in the address. */
export const standbyWarnings = (standbys: readonly { readonly leftOut: string | undefined }[] = []): string[] =>
  standbys.flatMap(({ leftOut }, index) =>
    leftOut === undefined ? [] : [`standby ${index + 1} of DATABASE_READ_URL answers no reads: it is ${leftOut}`],
  );

/**
 * Returns true, or the reason why the server cannot answer reads. Callers without a key can read the reason, so it names no file; the log
 * does. While nothing can be written, the server still serves durable data: see `writability`.
 */
export function readiness({
  stopping,
  database,
}: {
  readonly stopping: boolean;
  /** A shared database. */
  readonly database?: { readonly stale: unknown } | undefined;
}): true | string {
  if (stopping) return 'it is shutting down';
  if (database?.stale !== undefined)
    return 'there has been no contact with the database for 10 s: it continues when the database answers';
  return true;
}

const faults: Readonly<Record<StorageFault, string>> = {
  connection: 'the database cannot be reached',
  disk: 'the disk does not take it',
  full: 'the disk of the database is full',
  lock: 'it waits too long for other writers',
  other: 'see the log',
  read_only: 'the database is read-only, as a standby is',
  timeout: 'the database takes too long',
};

/** Returns true, or the reason why the server rejects changes. Callers without a key can read it. */
export function writability({
  journals,
  database,
  file,
  writes,
}: {
  readonly journals: ReadonlyMap<string, Pick<Journal, 'failed'>>;
  /** A shared database. */
  readonly database?: { readonly writeFault?: StorageFault | undefined } | undefined;
  /** The database file of the archive. */
  readonly file?: { readonly failed: unknown } | undefined;
  /** The changes of the archive. A database file probes itself after a failure, so its own state is newer than that of the last change. */
  readonly writes?: { readonly current: StorageFault | undefined } | undefined;
}): true | string {
  if (file?.failed !== undefined)
    return 'the database file cannot be written: see the log; it continues when the cause is fixed';
  const failed = [...journals].filter(([, journal]) => journal.failed !== undefined).map(([name]) => `'${name}'`);
  if (failed.length > 0)
    return `it cannot write ${failed.join(' and ')}: see the log; writes resume when the cause is fixed`;
  const fault = database?.writeFault ?? (file === undefined ? writes?.current : undefined);
  return fault === undefined ? true : `a change could not be stored: ${faults[fault]}`;
}
