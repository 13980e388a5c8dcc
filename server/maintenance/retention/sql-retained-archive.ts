/** The tables as the housekeeping reads them. Candidates come from indexes, page by page. */
import type { ArchivedUser } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import type { PageRequest } from '../../contract/page.ts';
import { fromDatabaseId, idOf, idsOf } from '../../archive/content/database-id.ts';
import type { ArchiveWriter } from '../../archive/writes/sql-archive.ts';
import type { ArchiveSearch } from '../../archive/search/archive-search.ts';
import { among, sql, type Fragment, type Integer, type RunSql } from '../../archive/sql.ts';
import { parse } from '../../search/language/parse.ts';
import { isOldDeletion, type Evicted, type RetainedArchive, type Retention } from './retained-archive.ts';

/** The rows of one statement, and the removals of one transaction. */
const pageRows = 1_000;
const maxRemovals = 200;

/** A row with the document of a record. */
interface DocumentRow {
  readonly id: Integer;
  readonly document: string;
}

export interface SqlRetainedArchiveParts {
  readonly run: RunSql;
  readonly archive: ArchiveWriter;
  readonly search: ArchiveSearch;
  readonly estimate?: (() => Promise<number | undefined>) | undefined;
}

export class SqlRetainedArchive implements RetainedArchive {
  readonly #run: RunSql;
  readonly #archive: ArchiveWriter;
  readonly #search: ArchiveSearch;
  readonly #estimate: () => Promise<number | undefined>;

  /** `estimate`: about how many tweets the tables have, where the engine knows it without a count. */
  constructor({ run, archive, search, estimate = async () => undefined }: SqlRetainedArchiveParts) {
    this.#run = run;
    this.#archive = archive;
    this.#search = search;
    this.#estimate = estimate;
  }

  /** An estimate, where there is one: a count reads an index of all tweets. */
  async size(): Promise<number> {
    return (await this.#estimate()) ?? this.#count();
  }

  async #count(): Promise<number> {
    const [row] = await this.#run<{ tweets: Integer }>(sql`SELECT count(*) AS tweets FROM social_data.tweet`);
    return Number(row?.tweets ?? 0);
  }

  async *evictable({ retain, keep, now }: Retention): AsyncGenerator<readonly string[], void> {
    let left = 'tweets' in retain ? (await this.#count()) - retain.tweets : Number.POSITIVE_INFINITY;
    const before = 'tweets' in retain ? Number.POSITIVE_INFINITY : now - retain.ageMs;
    const except = keep === '' ? undefined : parse(keep);
    let after: PageRequest['after'];
    while (left > 0) {
      const { items, next } = await this.#search.oldest(
        { except, before },
        { after, limit: Math.min(pageRows, left) },
        now,
      );
      if (items.length > 0) yield items;
      left -= items.length;
      if (next === null) return;
      after = next;
    }
  }

  async *idleUsers(): AsyncGenerator<readonly ArchivedUser[], void> {
    yield* this.#documents<ArchivedUser>(sql`SELECT p.id, p.document FROM social_data.person p
      WHERE p.described_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM social_data.tweet t WHERE t.author_id = p.id)
        AND NOT EXISTS (SELECT 1 FROM social_data.follow f WHERE f.follower_id = p.id)
        AND NOT EXISTS (SELECT 1 FROM social_data.follow f WHERE f.following_id = p.id AND f.at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM social_data.retweet r WHERE r.user_id = p.id AND r.at IS NOT NULL)
        AND NOT EXISTS (SELECT 1 FROM social_data.membership m WHERE m.user_id = p.id)
        AND NOT EXISTS (SELECT 1 FROM social_data.highlight h WHERE h.user_id = p.id)`);
  }

  async *oldTombstones(): AsyncGenerator<readonly string[], void> {
    const [row] = await this.#run<{ at: Integer }>(
      sql`SELECT t.created_at AS at FROM social_data.tweet t WHERE EXISTS (
          SELECT 1 FROM social_data.person p WHERE p.id = t.author_id AND p.did IS NOT NULL)
        ORDER BY t.created_at LIMIT 1`,
    );
    const oldest = row === undefined ? Number.POSITIVE_INFINITY : Number(row.at);
    const deletions = this.#documents<Tombstone>(
      sql`SELECT id, document FROM social_data.tombstone WHERE reason = 'deleted'`,
    );
    for await (const page of deletions)
      yield page.filter((tombstone) => isOldDeletion(tombstone, oldest)).map(({ id }) => id);
  }

  /** The records of a statement that selects the columns `id` and `document`, page by page. The statement ends with its condition. */
  async *#documents<Value>(statement: Fragment): AsyncGenerator<readonly Value[], void> {
    for (let from = 0n; ;) {
      const rows = await this.#run<DocumentRow>(
        sql`${statement} AND id >= ${idOf(from)} ORDER BY id LIMIT ${pageRows}`,
      );
      if (rows.length > 0) yield rows.map(({ document }) => JSON.parse(document) as Value);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      from = BigInt(fromDatabaseId(last.id)) + 1n;
    }
  }

  async missing(tweetIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (tweetIds.length === 0) return new Set();
    const rows = await this.#run<{ id: Integer }>(
      sql`SELECT id FROM social_data.tweet WHERE ${among('id', idsOf(tweetIds))}`,
    );
    const there = new Set(rows.map(({ id }) => fromDatabaseId(id)));
    return new Set(tweetIds.filter((id) => !there.has(id)));
  }

  async evict({ tweet_ids = [], user_ids = [], tombstone_ids = [] }: Evicted): Promise<void> {
    const at = new Date().toISOString();
    const most = Math.max(tweet_ids.length, user_ids.length, tombstone_ids.length);
    for (let from = 0; from < most; from += maxRemovals) {
      const part = (ids: readonly string[]): readonly string[] => ids.slice(from, from + maxRemovals);
      const evicted = { tweet_ids: part(tweet_ids), user_ids: part(user_ids), tombstone_ids: part(tombstone_ids) };
      await this.#archive.apply([{ kind: 'evict', ...evicted, at }]);
    }
  }
}
