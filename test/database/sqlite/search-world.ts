/** An archive in memory whose tables SQLite has too. */
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { createSearchTables, SearchTables } from '../../../server/database/sqlite/search-tables.ts';
import { SqliteDatabase } from '../../../server/database/sqlite/sqlite-database.ts';
import { SqliteSearch } from '../../../server/database/sqlite/sqlite-search.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { contextFrom, documentOf } from '../../../server/search/document.ts';
import { engagementOf } from '../../../server/search/engagement.ts';
import type { Condition } from '../../../server/search/language/condition.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { parseTime } from '../../../server/text/iso-time.ts';

export class SqliteWorld {
  readonly archive = new Archive();
  readonly database = new SqliteDatabase(':memory:');
  readonly search = new SqliteSearch(this.database);

  /** Adds the records, the tweets in their order. */
  constructor(records: readonly ArchiveRecord[]) {
    for (const record of records) this.archive.apply(record);
    createSearchTables(this.database);
    const tables = new SearchTables(this.database, contextFrom(this.archive));
    this.database.transaction(() => {
      for (const user of this.archive.users.values()) tables.addUser(user);
      for (const place of this.archive.places.values()) tables.addPlace(place);
      for (const list of this.archive.lists.values()) tables.addList(list);
      const members = records.flatMap((each) =>
        each.kind === 'list_member' ? [`${each.list_id} ${each.user_id}`] : [],
      );
      for (const each of new Set(members)) tables.addMember(...(each.split(' ') as [string, string]));
      for (const tweet of this.tweets) tables.addTweet(tweet);
    });
    tables.finish();
  }

  get tweets(): ArchivedTweet[] {
    return Array.from({ length: this.archive.ordinalCount }, (_, ordinal) => this.archive.tweet(ordinal));
  }

  /** The ids that the evaluator finds, in the order of pages. `now` is in milliseconds since the epoch. */
  expected(wanted: Condition, order: 'Latest' | 'Top', now: number): string[] {
    const context = contextFrom(this.archive);
    const score = (tweet: ArchivedTweet): number => (order === 'Top' ? engagementOf((name) => tweet[name] ?? 0) : 0);
    return this.tweets
      .filter((tweet) => matches(wanted, documentOf(tweet, context), now))
      .toSorted(
        (a, b) =>
          score(b) - score(a) ||
          parseTime(b.created_at) - parseTime(a.created_at) ||
          Number(BigInt(b.id) - BigInt(a.id) > 0n) - Number(BigInt(b.id) - BigInt(a.id) < 0n),
      )
      .map(({ id }) => id);
  }

  /** The ids of all pages that SQLite returns. */
  async found(wanted: Condition, order: 'Latest' | 'Top', now: number, limit: number): Promise<string[]> {
    const ids: string[] = [];
    for (let after: readonly (string | number)[] | null | undefined; after !== null;) {
      const request = { after, limit };
      const page =
        order === 'Top'
          ? await this.search.topThat(wanted, request, now)
          : await this.search.latestThat(wanted, request, now);
      ids.push(...page.items);
      after = page.next;
    }
    return ids;
  }
}
