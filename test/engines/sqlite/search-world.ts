/** Tables in SQLite, and the evaluator on what they have. */
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { itemsOf } from '../../../server/archive/content/content.ts';
import { childRowsOf, profileRow, rowOf } from '../../../server/archive/content/content-rows.ts';
import { toDatabaseId } from '../../../server/archive/content/database-id.ts';
import {
  createTables,
  SqliteSearchRows,
  TopTweets,
  writeWords,
  type WordTime,
} from '../../../server/engines/sqlite/sqlite-search-rows.ts';
import { SqliteDatabase } from '../../../server/engines/sqlite/sqlite-database.ts';
import { SqliteSearch } from '../../../server/engines/sqlite/sqlite-search.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { SnapshotChange } from '../../../server/archive/rules/change.ts';
import { documentOf, type DocumentContext } from '../../../server/search/document.ts';
import { engagementOf } from '../../../server/search/engagement.ts';
import type { Condition } from '../../../server/search/language/condition.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import type { CountSpan } from '../../../server/ports/platform.ts';
import { parseTime } from '../../../server/text/iso-time.ts';
import { ContentContext } from '../../support/content-context.ts';

/** How a tweet comes into the tables. */
export type Arrival =
  | 'with its words'
  | 'before its words'
  | 'changed with its words'
  | 'changed before its words'
  | 'beside a removed one'
  | 'beside one that was removed before its words';
export const arrivals: readonly Arrival[] = [
  ...(['with its words', 'before its words', 'changed with its words', 'changed before its words'] as const),
  ...(['beside a removed one', 'beside one that was removed before its words'] as const),
];

export class SqliteWorld {
  /** What the tables have in the end. */
  readonly #content: readonly SnapshotChange[];
  readonly #context: ContentContext;
  readonly database = new SqliteDatabase(':memory:');
  readonly search = new SqliteSearch(this.database, { windowRows: 3, maxFew: 4 });

  private constructor(records: readonly ArchiveRecord[]) {
    const archive = new Archive();
    for (const record of records) archive.apply(record);
    this.#content = [...archive.changes()];
    this.#context = new ContentContext(this.#content);
    createTables(this.database);
  }

  /** Adds the records, the tweets in their order. */
  static async create(
    records: readonly ArchiveRecord[],
    arrivalOf: (place: number) => Arrival = () => 'with its words',
  ): Promise<SqliteWorld> {
    const world = new SqliteWorld(records);
    const { database } = world;
    const context = world.#context;
    const rowsFor = (words: WordTime): SqliteSearchRows => new SqliteSearchRows(database, { commit: 0, words });
    await database.asyncTransaction(async () => {
      await world.#addOthers();
      for (const [place, tweet] of world.tweets.entries()) {
        const arrival = arrivalOf(place);
        const add = async (added: ArchivedTweet, words: WordTime = 'now'): Promise<void> => {
          // One writer after the other: each knows the positions that it has given.
          const rows = rowsFor(words);
          await rows.insert([added], context);
          await rows.writeCounts([{ before: undefined, after: added }], new Set([added.id]));
        };
        if (arrival.startsWith('beside'))
          await add({ ...tweet, id: removedId(place) }, arrival === 'beside a removed one' ? 'now' : 'later');
        if (arrival.startsWith('changed')) await add(earlier(tweet));
        else await add(tweet, arrival === 'before its words' ? 'later' : 'now');
      }
    });
    await buildTop(database, context);
    await database.asyncTransaction(async () => {
      for (const [place, tweet] of world.tweets.entries()) {
        const arrival = arrivalOf(place);
        const rows = rowsFor(arrival === 'changed before its words' ? 'later' : 'now');
        if (arrival.startsWith('beside')) await rows.remove([removedId(place)]);
        if (!arrival.startsWith('changed')) continue;
        await rows.replace([tweet], context);
        await rows.writeCounts([{ before: earlier(tweet), after: tweet }], new Set([tweet.id]));
      }
    });
    return world;
  }

  async #addOthers(): Promise<void> {
    const { database } = this;
    const users = Array.from(this.#context.profiles.values(), (user) => ({ user, row: profileRow(user) }));
    await new SqliteSearchRows(database, { commit: 0 }).writeUsers(users);
    const items = itemsOf(this.#content.filter(({ kind }) => kind === 'place' || kind === 'list'));
    for (const item of items.values()) {
      database.insert({ table: item.table, rows: [rowOf(item)!] });
      database.insert({ table: 'place_term', rows: childRowsOf(item) });
    }
    const members = this.#content.flatMap((each) =>
      each.kind === 'list_member' ? [`${each.list_id} ${each.user_id}`] : [],
    );
    for (const each of new Set(members)) {
      const [list = '', user = ''] = each.split(' ');
      database.insert({ table: 'list_member', rows: [{ list_id: list, user_id: toDatabaseId(user), at: 0 }] });
    }
  }

  /** Writes the words of the tweets that wait for it. */
  writeWords(): void {
    for (let isDone = false; !isDone;) isDone = this.database.transaction(() => writeWords(this.database, 3));
  }

  get tweets(): readonly ArchivedTweet[] {
    return this.#context.tweets;
  }

  /** The ids that the evaluator finds, in the order of pages. `now` is in milliseconds since the epoch. */
  expected(wanted: Condition, order: 'Latest' | 'Top', now: number): string[] {
    const score = (tweet: ArchivedTweet): number => (order === 'Top' ? engagementOf((name) => tweet[name] ?? 0) : 0);
    return this.tweets
      .filter((tweet) => matches(wanted, documentOf(tweet, this.#context), now))
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

  /** The numbers of tweets in the buckets of a span: those of the evaluator, and those of SQLite. */
  async counted(wanted: Condition, span: CountSpan, now: number): Promise<readonly [unknown, unknown]> {
    const { since, until, bucketMs } = span;
    const expected = new Map<number, number>();
    for (const tweet of this.tweets) {
      const at = parseTime(tweet.created_at);
      if (at < since || at >= until || !matches(wanted, documentOf(tweet, this.#context), now)) continue;
      const bucket = bucketMs === undefined ? 0 : Math.floor(at / bucketMs);
      expected.set(bucket, (expected.get(bucket) ?? 0) + 1);
    }
    const limited: Condition = { is: 'all', parts: [{ is: 'created', since, until }, wanted] };
    const { buckets } = await this.search.countsThat(limited, span, now);
    const sorted = (all: Iterable<readonly [number, number]>): unknown => [...all].toSorted(([a], [b]) => a - b);
    return [sorted(expected), sorted(buckets)];
  }
}

/** Fills the table of the tweets with the most engagement. */
export async function buildTop(database: SqliteDatabase, context: DocumentContext): Promise<void> {
  await database.asyncTransaction(async () => {
    const top = new TopTweets(database);
    top.begin();
    for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined;)
      after = await top.addPage(after, async () => context);
    top.end();
  });
}

/** An id that no tweet of the archive has. */
const removedId = (place: number): string => String(5_000_000 + place);

/** A tweet before a change of its text and its counts. */
const earlier = ({ id, author_id, created_at }: ArchivedTweet): ArchivedTweet => ({
  ...{ id, author_id, created_at, text: 'coffee beans of the past', like_count: 77_777 },
});
