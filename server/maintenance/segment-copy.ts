/** Copies segments of the content of a database file into tables of PostgreSQL, each in one transaction with the note that it is there. */
import type { Segment } from '../archive/upkeep/contents.ts';
import { contentPages } from '../archive/writes/loaded-rows.ts';
import { loadPages } from '../engines/postgres/maintenance/content-loader.ts';
import { Database } from '../engines/postgres/store/database.ts';
import type { Statement } from '../engines/postgres/store/statement.ts';
import { SqliteDatabase } from '../engines/sqlite/sqlite-database.ts';

export interface SegmentCopySettings {
  /** The database file. */
  readonly path: string;
  /** The URL of the database. */
  readonly url: string;
  /** Names this copy in the notes of what is done. */
  readonly run: string;
}

export interface SegmentCopy {
  /** Resolves with the number of changes when they are durable. Rejects with StoreError; then nothing of the segment is there. */
  copy(segment: Segment): Promise<number>;
  close(): Promise<void>;
}

/** Throws StoreError. */
export function openSegmentCopy({ path, url, run }: SegmentCopySettings): SegmentCopy {
  const from = new SqliteDatabase(path, { readOnly: true });
  const to = new Database({ url });
  return {
    copy(segment) {
      const name = nameOfSegment(run, segment);
      return loadPages(to, contentPages(from.runSql, segment), (changes) => segmentDone(name, changes));
    },
    async close() {
      from.close();
      await to.close();
    },
  };
}

/** The note of a copied segment, a row of `import_progress`. */
export const nameOfSegment = (run: string, { part, after = '', upTo = '' }: Segment): string =>
  `${run} ${part} ${after} ${upTo}`;

const segmentDone = (name: string, changes: number): Statement => ({
  text: 'INSERT INTO social_data.import_progress (fingerprint, applied, done) VALUES ($1, $2, true)',
  params: [name, changes],
});

/** The number of changes of each segment that is copied, by its note. Rejects with StoreError. */
export async function copiedSegments(database: Pick<Database, 'run'>, run: string): Promise<Map<string, number>> {
  const rows = await database.run<{ fingerprint: string; applied: string }>({
    text: 'SELECT fingerprint, applied FROM social_data.import_progress WHERE starts_with(fingerprint, $1)',
    params: [`${run} `],
  });
  return new Map(rows.map(({ fingerprint, applied }) => [fingerprint, Number(applied)]));
}
