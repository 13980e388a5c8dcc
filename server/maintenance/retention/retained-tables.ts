/** The tables of PostgreSQL as the housekeeping reads them. Candidates come from indexes, page by page. */
import type { ArchivedUser } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import type { PageRequest } from '../../contract/page.ts';
import { fromDatabaseId, toDatabaseId } from '../../platforms/postgres/rows/database-id.ts';
import type { SqlArchive } from '../../platforms/postgres/writes/sql-archive.ts';
import { SqlSearch } from '../../platforms/postgres/search/sql-search.ts';
import { parse } from '../../search/language/parse.ts';
import type { Run } from '../../storage/postgres/database.ts';
import { isOldDeletion, type Evicted, type RetainedArchive, type Retention } from './retained-archive.ts';

/** The rows of one statement, and the removals of one transaction. */
const pageRows = 1_000;
const maxRemovals = 200;

/** A row with the document of a record. */
interface DocumentRow {
  readonly id: string;
  readonly document: string;
}

export class RetainedTables implements RetainedArchive {
  readonly #run: Run;
  readonly #archive: Pick<SqlArchive, 'apply'>;
  readonly #search: SqlSearch;

  constructor(run: Run, archive: Pick<SqlArchive, 'apply'>) {
    this.#run = run;
    this.#archive = archive;
    this.#search = new SqlSearch(run);
  }

  /** An estimate: a count would read an index of all tweets. */
  async size(): Promise<number> {
    const [row] = await this.#run<{ tweets: string | null }>({
      text: `SELECT CASE WHEN relpages > 0
          THEN reltuples::float8 / relpages * (pg_relation_size(oid) / current_setting('block_size')::int) END AS tweets
        FROM pg_class WHERE oid = 'social_data.tweet'::regclass`,
    });
    return row?.tweets == null ? this.#count() : Math.max(0, Number(row.tweets));
  }

  async #count(): Promise<number> {
    const [row] = await this.#run<{ tweets: string }>({ text: 'SELECT count(*) AS tweets FROM social_data.tweet' });
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
    yield* this.#documents<ArchivedUser>(`SELECT p.id, p.document FROM social_data.person p
      WHERE p.id >= $1 AND p.described_at IS NULL
        AND NOT EXISTS (SELECT FROM social_data.tweet t WHERE t.author_id = p.id)
        AND NOT EXISTS (SELECT FROM social_data.follow f WHERE f.follower_id = p.id)
        AND NOT EXISTS (SELECT FROM social_data.follow f WHERE f.following_id = p.id AND f.at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM social_data.retweet r WHERE r.user_id = p.id AND r.at IS NOT NULL)
        AND NOT EXISTS (SELECT FROM social_data.membership m WHERE m.user_id = p.id)
        AND NOT EXISTS (SELECT FROM social_data.highlight h WHERE h.user_id = p.id)
      ORDER BY p.id LIMIT $2`);
  }

  async *oldTombstones(): AsyncGenerator<readonly string[], void> {
    const [row] = await this.#run<{ at: string }>({
      text: `SELECT t.created_at AS at FROM social_data.tweet t WHERE EXISTS (
          SELECT FROM social_data.person p WHERE p.id = t.author_id AND p.did IS NOT NULL)
        ORDER BY t.created_at LIMIT 1`,
    });
    const oldest = row === undefined ? Number.POSITIVE_INFINITY : Number(row.at);
    const deletions = this.#documents<Tombstone>(`SELECT id, document FROM social_data.tombstone
      WHERE id >= $1 AND reason = 'deleted' ORDER BY id LIMIT $2`);
    for await (const page of deletions)
      yield page.filter((tombstone) => isOldDeletion(tombstone, oldest)).map(({ id }) => id);
  }

  /** The records of a statement whose parameters are the least stored id of the page, and the size of the page. */
  async *#documents<Value>(text: string): AsyncGenerator<readonly Value[], void> {
    for (let from = toDatabaseId('0'); ;) {
      const rows = await this.#run<DocumentRow>({ text, params: [from, pageRows] });
      if (rows.length > 0) yield rows.map(({ document }) => JSON.parse(document) as Value);
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      from = String(BigInt(last.id) + 1n);
    }
  }

  async missing(tweetIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (tweetIds.length === 0) return new Set();
    const rows = await this.#run<{ id: string }>({
      text: 'SELECT id FROM social_data.tweet WHERE id = ANY ($1::bigint[])',
      params: [tweetIds.map(toDatabaseId)],
    });
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
