/** The records of an archive in tables, for programs that derive new ones from them. */
import type { ArchivedTweet, ArchiveRecord } from '../../domain/records.ts';
import { sql, type Integer, type RunSql } from '../sql.ts';
import type { EntityCounts, RecordSource } from '../../ports/record-source.ts';
import { idOf } from '../content/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../content/tweet-record.ts';
import { contentOf } from '../upkeep/contents.ts';

/** All calls reject with StoreError where the tables cannot be read. */
export class SqlRecords implements RecordSource {
  readonly #run: RunSql;

  constructor(run: RunSql) {
    this.#run = run;
  }

  /** Exact counts, which read an index of each table. */
  async entityCounts(): Promise<EntityCounts> {
    const [row] = await this.#run<Record<keyof EntityCounts, Integer>>(
      sql`SELECT (SELECT count(*) FROM social_data.tweet_count) AS tweet,
        (SELECT count(*) FROM social_data.person WHERE described_at IS NULL) AS "user",
        (SELECT count(*) FROM social_data.community) AS community, (SELECT count(*) FROM social_data.space) AS space`,
    );
    const count = (name: keyof NonNullable<typeof row>): number => Number(row?.[name] ?? 0);
    return { tweet: count('tweet'), user: count('user'), community: count('community'), space: count('space') };
  }

  async *records(): AsyncGenerator<ArchiveRecord, void> {
    for await (const page of contentOf(this.#run))
      for (const change of page) if (change.kind !== 'unlike' && change.kind !== 'delete') yield change;
  }

  async tweetRecord(id: string): Promise<ArchivedTweet | undefined> {
    const [row] = await this.#run<TweetRow>(
      sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE t.id = ${idOf(id)}`.short(),
    );
    return row && tweetOf(row);
  }
}
