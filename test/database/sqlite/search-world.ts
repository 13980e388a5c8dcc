/** An archive in memory whose tables SQLite has too. */
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { createSearchTables, SearchTables } from '../../../server/database/sqlite/search-tables.ts';
import { SqliteDatabase } from '../../../server/database/sqlite/sqlite-database.ts';
import { SqliteSearch } from '../../../server/database/sqlite/sqlite-search.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { contextFrom, documentOf, type TweetDocument } from '../../../server/search/document.ts';
import { engagementOf } from '../../../server/search/engagement.ts';
import type { Condition } from '../../../server/search/language/condition.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { parseTime } from '../../../server/text/iso-time.ts';

/** How a tweet comes into the tables. */
export type Arrival =
  | 'with its words'
  | 'before its words'
  | 'changed with its words'
  | 'changed before its words'
  | 'beside a removed one';
export const arrivals: readonly Arrival[] = [
  ...(['with its words', 'before its words', 'changed with its words', 'changed before its words'] as const),
  'beside a removed one',
];

export class SqliteWorld {
  readonly archive = new Archive();
  readonly database = new SqliteDatabase(':memory:');
  readonly search = new SqliteSearch(this.database, () => this.#waiting());
  readonly #tables: SearchTables;

  /** Adds the records, the tweets in their order. */
  constructor(records: readonly ArchiveRecord[], arrivalOf: (place: number) => Arrival = () => 'with its words') {
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
      for (const [place, tweet] of this.tweets.entries()) {
        const arrival = arrivalOf(place);
        if (arrival === 'beside a removed one') tables.addTweet({ ...tweet, id: removedId(place) });
        if (arrival.startsWith('changed')) tables.addTweet(earlier(tweet));
        else tables.addTweet(tweet, arrival === 'before its words' ? 'later' : 'now');
      }
    });
    tables.finish();
    this.database.transaction(() => {
      for (const [place, tweet] of this.tweets.entries()) {
        const arrival = arrivalOf(place);
        if (arrival === 'beside a removed one') tables.removeTweet(removedId(place));
        if (arrival.startsWith('changed'))
          tables.updateTweet(tweet, arrival === 'changed before its words' ? 'later' : 'now');
      }
    });
    this.#tables = tables;
  }

  /** Writes the words of the tweets that wait for it. */
  writeWords(): void {
    while (!this.database.transaction(() => this.#tables.writeWords(3)));
  }

  #waiting(): ReadonlyMap<number, TweetDocument> {
    const context = contextFrom(this.archive);
    const rows = this.database.all<{ pos: number; id: string }>(
      'SELECT w.pos, t.id FROM word_pending w JOIN tweet t ON t.pos = w.pos',
    );
    return new Map(
      rows.map(({ pos, id }) => [pos, documentOf(this.archive.tweet(this.archive.ordinal(id)!), context)]),
    );
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

/** An id that no tweet of the archive has. */
const removedId = (place: number): string => String(5_000_000 + place);

/** A tweet before a change of its text and its counts. */
const earlier = ({ id, author_id, created_at }: ArchivedTweet): ArchivedTweet => ({
  ...{ id, author_id, created_at, text: 'coffee beans of the past', like_count: 77_777 },
});
