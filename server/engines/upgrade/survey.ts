/** What a journal of version 1.2 holds, read before the upgrade, to compare the new file with it. */
import { among, sql } from '../../archive/sql.ts';
import { idsOf } from '../../archive/content/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../../archive/content/tweet-record.ts';
import type { SqliteDatabase } from '../sqlite/sqlite-database.ts';
import { StoreError } from '../../ports/storage.ts';
import type { LostLine, OldJournal } from './old-journal.ts';
import { kindOf } from './old-records.ts';

/** The tweets that are compared, about. */
const sampleTweets = 1_000;
const maxSampleTweets = 4 * sampleTweets;
/** The kinds of records that remove tweets. */
const removals = ['delete', 'restore', 'withdraw', 'reinstate', 'unretweet', 'evict', 'other'];
/** The bytes of a record, about. */
const recordBytes = 450;

export class Survey {
  readonly #kinds: Record<string, number> = {};
  /** The texts and authors that records of a tweet have, by its id. */
  readonly #sample = new Map<string, Set<string>>();
  readonly #step: number;

  /** `bytes`: the size of the journal. */
  constructor(bytes: number) {
    this.#step = Math.max(1, Math.round(bytes / recordBytes / sampleTweets));
  }

  /** Reads the journal. Rejects with StoreError. */
  async read(journal: OldJournal, onLost: (lost: LostLine) => void): Promise<void> {
    for await (const records of journal.read(0, onLost))
      for (const { json } of records) {
        const kind = kindOf(json);
        this.#kinds[kind] = (this.#kinds[kind] ?? 0) + 1;
        if (kind === 'tweet') this.#take(json);
      }
  }

  /** The number of records. */
  get total(): number {
    return Object.values(this.#kinds).reduce((sum, count) => sum + count, 0);
  }

  /** Throws StoreError where not all records were applied, or where a table has not the tweets of another one. */
  compare(database: SqliteDatabase, applied: Readonly<Record<string, number>>): void {
    for (const [kind, count] of Object.entries(this.#kinds))
      if (applied[kind] !== count)
        throw new StoreError(
          `the upgrade has applied ${applied[kind] ?? 0} of ${count} records of the kind ${kind}: ${remedy}`,
        );
    const [tweets, ...others] = ['tweet', 'tweet_count', 'word_docsize'].map(
      (table) => database.first<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)?.n,
    );
    if (others.some((count) => count !== tweets))
      throw new StoreError(`the tables of the upgrade differ: ${[tweets, ...others].join(', ')} tweets: ${remedy}`);
  }

  /**
   * Compares a sample of the tweets. Rejects with StoreError where one has a text that no record of the journal has, or is missing.
   * `deadLetters`: the number of records that could not be applied.
   */
  async compareTweets(database: SqliteDatabase, deadLetters: number): Promise<void> {
    const rows = await database.runSql<TweetRow>(
      sql`SELECT ${tweetColumns} FROM ${tweetTables} WHERE ${among('t.id', idsOf(this.#sample.keys()))}`,
    );
    const missing = new Map(this.#sample);
    for (const tweet of rows.map(tweetOf)) {
      // A tweet can have the author of one record and the text of another one.
      const read = missing.get(tweet.id);
      const isEqual = contentsOf(tweet).every((content) => read?.has(content) === true);
      if (!isEqual) throw new StoreError(`the tweet ${tweet.id} of the upgrade is not that of the journal: ${remedy}`);
      missing.delete(tweet.id);
    }
    // Not each tweet that a removal keeps away has a tombstone, such as a native retweet of a removed tweet.
    const mayBeGone = removals.some((kind) => kind in this.#kinds);
    if (!mayBeGone && missing.size > deadLetters)
      throw new StoreError(`the upgrade has lost the tweets ${[...missing.keys()].slice(0, 5).join(', ')}: ${remedy}`);
  }

  #take(json: string): void {
    const tweet = tweetIn(json);
    if (tweet === undefined || Number(tweet.id.slice(-6)) % this.#step !== 0) return;
    const contents = this.#sample.get(tweet.id);
    if (contents !== undefined) for (const content of contentsOf(tweet)) contents.add(content);
    else if (this.#sample.size < maxSampleTweets) this.#sample.set(tweet.id, new Set(contentsOf(tweet)));
  }
}

type Content = { readonly id: string; readonly author_id: string; readonly text: string };

/** The tweet of a record; undefined where it cannot be applied. */
function tweetIn(json: string): Content | undefined {
  try {
    const { tweet } = JSON.parse(json) as { readonly tweet?: Content };
    return typeof tweet?.id === 'string' ? tweet : undefined;
  } catch {
    return undefined;
  }
}

const remedy = 'archive.db.new is not used, and the journals are unchanged: start version 1.2.0 again and report this';

const contentsOf = ({ author_id, text }: Pick<Content, 'author_id' | 'text'>): readonly string[] => [
  `author ${author_id}`,
  `text ${text}`,
];
