/** The port to a database engine with the tables of an archive. */
import type { RunSql } from '../database/sql.ts';
import type { ErasedTablesParts } from '../maintenance/erase/erased-tables.ts';
import type { Export, ExportRequest } from '../maintenance/export/export.ts';
import type { OperateParts } from '../operate/action.ts';
import type { ObjectCounts } from '../archive/upkeep/archive-metrics.ts';
import type { ArchiveSearch } from './search/archive-search.ts';
import type { ArchiveWriter } from './writes/sql-archive.ts';

export interface ArchiveEngine {
  /** Reads outside of transactions. */
  readonly run: RunSql;
  readonly archive: ArchiveWriter;
  readonly search: ArchiveSearch;
  /** See ImportSink. */
  readonly batchValues?: number;
  /** How the engine runs a search; undefined where it cannot tell. */
  readonly explain?: OperateParts['explain'];
  /** What erasures need of the engine. */
  readonly erased: Pick<ErasedTablesParts, 'inSnapshot' | 'purge' | 'remains'>;
  /** How much the tables hold. Rejects with StoreError. */
  counts(): Promise<ObjectCounts>;
  /** About how many tweets there are, where the engine knows it without a count. */
  readonly estimatedTweets?: () => Promise<number | undefined>;
  /** Opens an export. Rejects with StoreError, with ServiceError for a query that cannot be parsed, and with an Error for an unknown user. */
  openExport(request: ExportRequest): Promise<Export>;
  /** Begins the work that the engine does from time to time. */
  start(): void;
  stop(): void;
  close(): Promise<void>;
}
