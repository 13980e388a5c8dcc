/** The port to a database engine with the tables of an archive. */
import type { Query } from '../domain/query.ts';
import type { RunSql } from './sql.ts';
import type { ArchiveSearch } from './search/archive-search.ts';
import type { ServerReads } from './reads/consistent-platform.ts';
import type { ObjectCounts } from './upkeep/archive-metrics.ts';
import type { ArchiveWriter } from './writes/sql-archive.ts';

/** Reads of the state of one moment. */
export interface Snapshot {
  readonly run: RunSql;
  readonly search: Pick<ArchiveSearch, 'latest'>;
}

/** A connection of its own to the tables of an archive, which the export may change by temporary tables. */
export interface ExportSource extends Snapshot {
  /** About how many records there are, where the engine knows it without a count. */
  readonly total: () => Promise<number | undefined>;
  /** Can be called more than once. */
  readonly close: () => Promise<void>;
}

/** What erasures need of an engine. */
export interface ErasableTables {
  readonly inSnapshot: <Result>(read: (snapshot: Snapshot) => Promise<Result>) => Promise<Result>;
  /** Removes what deletions have left in the files. Rejects with StoreError. */
  readonly purge: () => Promise<void>;
  /** What keeps deleted texts although no program but the database reads it. */
  readonly remains: readonly string[];
}

/** The statement of the first page of a search, and how the database would run it. */
export interface ExplainedSearch {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Lines of EXPLAIN, with estimates: the statement is not run. */
  readonly plan: readonly string[];
}

/** Reads that one of several servers answers. */
export interface ServedReads extends ServerReads {
  readonly run: RunSql;
  readonly search: ArchiveSearch;
  /** A caller knows a commit, so all later reads have to show it. */
  require(commit: number): void;
}

/** How far the filling of rows for a new version of the tables is. */
export interface BackfillProgress {
  readonly version: number;
  readonly rows: number;
  /** About how many rows there are; undefined where it is not known. */
  readonly total: number | undefined;
}

export interface ArchiveEngine {
  /** Reads outside of transactions. */
  readonly run: RunSql;
  readonly archive: ArchiveWriter;
  readonly search: ArchiveSearch;
  /** The reads of requests, which other servers than the one of `run` may answer; undefined: it is the only one. */
  readonly reads?: ServedReads;
  /** See ImportSink. */
  readonly batchValues?: number;
  /** How the engine runs a search; undefined where it cannot tell. */
  readonly explain?: (query: Query, order: 'Latest' | 'Top') => Promise<ExplainedSearch>;
  /** Whether a server has the ranks of all tweets of communities: an upgrade may still fill them. Undefined: it has. */
  readonly hasCommunityRanks?: (run: RunSql) => Promise<boolean>;
  readonly erased: ErasableTables;
  /** How much the tables hold. Rejects with StoreError. */
  counts(): Promise<ObjectCounts>;
  /** About how many tweets there are, where the engine knows it without a count. */
  readonly estimatedTweets?: () => Promise<number | undefined>;
  /** The background work on the tables after an upgrade; undefined where nothing is left, and where the engine has none. */
  readonly backfill?: () => BackfillProgress | undefined;
  /** Opens the state of one moment for an export. Rejects with StoreError. */
  openExportSource(): Promise<ExportSource>;
  /** Begins the work that the engine does from time to time. */
  start(): void;
  stop(): void;
  close(): Promise<void>;
}
