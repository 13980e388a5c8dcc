/** Imports into the tables of PostgreSQL. */
import type { ArchiveRecord, ChangeOutcome } from '../../domain/records.ts';
import type { ImportProgress, ImportSink, PreparedRecords } from '../../ports/import-sink.ts';
import type { Run } from '../../storage/postgres/database.ts';
import { withTime } from '../archive/change.ts';
import type { SqlArchive, UnusableChange } from './sql-archive.ts';

export class TablesSink implements ImportSink {
  readonly #run: Run;
  readonly #archive: Pick<SqlArchive, 'apply'>;
  readonly #onUnusable: (unusable: UnusableChange) => void;

  /** `onUnusable`: called with each record that cannot be applied; nothing of it is stored. */
  constructor(run: Run, archive: Pick<SqlArchive, 'apply'>, onUnusable: (unusable: UnusableChange) => void) {
    this.#run = run;
    this.#archive = archive;
    this.#onUnusable = onUnusable;
  }

  async resume(fingerprint: string): Promise<ImportProgress | undefined> {
    const [row] = await this.#run<{ applied: string; done: boolean }>({
      text: 'SELECT applied, done FROM social_data.import_progress WHERE fingerprint = $1',
      params: [fingerprint],
    });
    return row && { values: Number(row.applied), done: row.done };
  }

  async apply(
    fingerprint: string,
    progress: ImportProgress,
    records: ArchiveRecord[],
    prepared?: PreparedRecords,
  ): Promise<ChangeOutcome[]> {
    await prepared?.after;
    const now = new Date().toISOString();
    const changes = records.map((record) => withTime(record, now));
    const { outcomes, unusable } = await this.#archive.apply(changes, { fingerprint, progress });
    for (const each of unusable) this.#onUnusable(each);
    return [...outcomes];
  }
}
