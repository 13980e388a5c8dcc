/** Readiness of the server: the checks and texts of `/readyz`. */
import type { Journal } from '../ports/storage.ts';

/** Whether a change of the archive was applied only in part. */
interface ArchiveState {
  readonly broken: unknown;
}

/**
 * Warnings for the operator that do not make the server unready. They name no file, because callers without a key can
 * read them.
 */
export function readinessWarnings({
  deadLetters: { length },
  isDamaged = false,
}: {
  readonly deadLetters: { readonly length: number };
  /** Whether a part of the database file was found damaged. */
  readonly isDamaged?: boolean | undefined;
}): string[] {
  const damage = isDamaged ? ['a part of the database file is damaged: stop the service and run `npm run doctor`'] : [];
  if (length === 0) return damage;
  return [
    ...damage,
    `${length} ${length === 1 ? 'record' : 'records'} of the archive could not be applied: see set-aside.json`,
  ];
}

/**
 * Returns true, or the reason why the server is not ready. Callers without a key can read the reason, so it names no
 * file; the log does. While a journal cannot be written, the server still serves durable data and rejects every
 * change.
 */
export function readiness({
  stopping,
  journals,
  archive,
  database,
  file,
}: {
  readonly stopping: boolean;
  readonly journals: ReadonlyMap<string, Pick<Journal, 'failed'>>;
  readonly archive?: ArchiveState;
  /** A shared database. */
  readonly database?: { readonly stale: unknown } | undefined;
  /** The database file of the archive. */
  readonly file?: { readonly failed: unknown } | undefined;
}): true | string {
  if (stopping) return 'it is shutting down';
  if (archive?.broken !== undefined)
    return 'a change of the archive could not be applied completely: changes are rejected until a restart';
  if (database?.stale !== undefined)
    return 'there has been no contact with the database for 10 s: it continues when the database answers';
  if (file?.failed !== undefined)
    return 'the database file cannot be written: see the log; it continues when the cause is fixed';
  const failed = [...journals].filter(([, journal]) => journal.failed !== undefined).map(([name]) => `'${name}'`);
  if (failed.length === 0) return true;
  return `it cannot write ${failed.join(' and ')}: see the log; writes resume when the cause is fixed`;
}
