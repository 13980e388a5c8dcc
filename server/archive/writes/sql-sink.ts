/** Imports, and records of live sources, into the tables. */
import type { ArchiveRecord, ChangeOutcome } from '../../domain/records.ts';
import type { CallContext, ImportProgress, ImportSink } from '../../ports/import-sink.ts';
import type { LiveSink, SourcePosition } from '../../ports/live-sink.ts';
import { sql, type Integer, type RunSql } from '../sql.ts';
import { withTime, type Change } from '../rules/change.ts';
import type { ArchiveWriter, Progress, UnusableChange, Written } from './sql-archive.ts';

export interface SqlSinkOptions {
  /** Called with each record that cannot be applied; nothing of it is stored. */
  readonly onUnusable: (unusable: UnusableChange) => void;
  /** Whether responses depend on the position of a source. No position without it. */
  readonly isShown?: (source: string) => boolean;
  /** See ImportSink. */
  readonly batchValues?: number | undefined;
}

export class SqlSink implements LiveSink {
  readonly #run: RunSql;
  readonly #archive: ArchiveWriter;
  readonly #options: SqlSinkOptions;
  readonly #listeners: ((source: string) => void)[] = [];
  /** Undefined where no other thread writes. */
  readonly applyJson: ImportSink['applyJson'];

  constructor(run: RunSql, archive: ArchiveWriter, options: SqlSinkOptions) {
    this.#run = run;
    this.#archive = archive;
    this.#options = options;
    const applyJson = archive.applyJson?.bind(archive);
    if (applyJson !== undefined)
      this.applyJson = async (fingerprint, progress, json, context) => {
        await context?.after;
        return this.#outcomes(await applyJson(json, new Date().toISOString(), { fingerprint, progress }));
      };
  }

  get batchValues(): number | undefined {
    return this.#options.batchValues;
  }

  async resume(fingerprint: string): Promise<ImportProgress | undefined> {
    const [row] = await this.#run<{ applied: Integer; done: boolean | number }>(
      sql`SELECT applied, done FROM social_data.import_progress WHERE fingerprint = ${fingerprint}`,
    );
    return row && { values: Number(row.applied), done: Boolean(row.done) };
  }

  async apply(
    fingerprint: string,
    progress: ImportProgress,
    records: ArchiveRecord[],
    context?: CallContext,
  ): Promise<ChangeOutcome[]> {
    await context?.after;
    return this.#apply(records, { fingerprint, progress });
  }

  async position(source: string): Promise<SourcePosition | undefined> {
    const [row] = await this.#run<{ position: string; at: Integer }>(
      sql`SELECT position, at FROM social_data.source_position WHERE source = ${source}`,
    );
    return row && { position: row.position, at: Number(row.at) };
  }

  async follow(
    source: string,
    position: SourcePosition | undefined,
    records: readonly ArchiveRecord[],
  ): Promise<ChangeOutcome[]> {
    if (position === undefined && records.length === 0) return [];
    const isShown = this.#options.isShown?.(source) === true;
    const order = deletionsLast(records);
    const applied = await this.#apply(
      order.map(({ record }) => record),
      position && { source, position, isShown },
    );
    if (position !== undefined) for (const listener of this.#listeners) listener(source);
    const outcomes: ChangeOutcome[] = [];
    for (const [place, { index }] of order.entries()) outcomes[index] = applied[place] ?? 'unchanged';
    return outcomes;
  }

  /** Calls `listener` for the positions of this process. Those of others change the revision, where responses depend on them. */
  onPosition(listener: (source: string) => void): void {
    this.#listeners.push(listener);
  }

  async fingerprints(prefix: string): Promise<string[]> {
    const rows = await this.#run<{ fingerprint: string }>(
      sql`SELECT fingerprint FROM social_data.import_progress
        WHERE substr(fingerprint, 1, length(${prefix})) = ${prefix} ORDER BY fingerprint`,
    );
    return rows.map(({ fingerprint }) => fingerprint);
  }

  async #apply(records: readonly ArchiveRecord[], progress?: Progress): Promise<ChangeOutcome[]> {
    const now = new Date().toISOString();
    const changes = records.map((record) => withTime(record, now));
    return this.#outcomes(await this.#archive.apply(changes, progress));
  }

  #outcomes({ outcomes, unusable }: Written): ChangeOutcome[] {
    for (const each of unusable) this.#options.onUnusable(each);
    return [...outcomes];
  }
}

/** A record and its place among those of a call. */
interface Placed<Record> {
  readonly index: number;
  readonly record: Record;
}

/**
 * The order in which records of a stream are applied: a deletion comes behind the records after it that have nothing to do with
 * it. A transaction applies deletions in sequence together, and each change between them would divide it.
 */
export function deletionsLast<Record extends Change>(records: readonly Record[]): Placed<Record>[] {
  const order: Placed<Record>[] = [];
  let deletions: Placed<Record>[] = [];
  const deleted = new Set<string>();
  for (const [index, record] of records.entries()) {
    if (record.kind === 'delete') {
      deletions.push({ index, record });
      deleted.add(record.tweet_id);
      continue;
    }
    if (!isIndependent(record, deleted)) {
      order.push(...deletions);
      deletions = [];
      deleted.clear();
    }
    order.push({ index, record });
  }
  return [...order, ...deletions];
}

/** Whether a record and the deletions of tweets have the same effect in any order. A deletion removes native retweets too. */
const isIndependent = (record: Change, deleted: ReadonlySet<string>): boolean =>
  record.kind === 'user' ||
  record.kind === 'follow' ||
  record.kind === 'unfollow' ||
  (record.kind === 'tweet' && record.tweet.retweeted_tweet_id === undefined && !deleted.has(record.tweet.id));
