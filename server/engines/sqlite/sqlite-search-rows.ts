/** The rows by which SQLite finds tweets and users. */
import { readFileSync } from 'node:fs';
import { countColumns, tweetRow } from '../../archive/content/content-rows.ts';
import { toDatabaseId } from '../../archive/content/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../../archive/content/tweet-record.ts';
import { lowestLevel, startOfLevel as startOfEngagementLevel } from '../../archive/search/engagement-levels.ts';
import type { CountedTweet, SearchRows } from '../../archive/writes/archive-database.ts';
import type { ArchivedTweet, ArchivedUser } from '../../domain/records.ts';
import { nameTexts, type DocumentContext } from '../../search/document.ts';
import { engagementOfTweet } from '../../search/engagement.ts';
import { parseTime } from '../../text/iso-time.ts';
import { sql, type Row } from '../../archive/sql.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { schemaMarks } from './file-version.ts';
import { endOfLevel, levelOf, startOfLevel } from './top.ts';
import { endOfSecond, secondOf, secondOfPosition, slots, startOfSecond } from './tweet-position.ts';
import { views } from './views.ts';
import { columnOf, tokenizer, wordsOf, type Words } from './words.ts';

const tables = readFileSync(new URL('tables.sql', import.meta.url), 'utf8');
/** Bytes of words that a transaction collects before it sorts and writes them: more make larger segments, which need fewer merges. */
const hashSize = 16 * 2 ** 20;
/** The word tables have no content: FTS5 stores the words only, and deletes a row without knowing them. */
const wordTable = (name: string, columns: string): string =>
  `CREATE VIRTUAL TABLE ${name} USING fts5(${columns}, content='', contentless_delete=1, tokenize="${tokenizer}");
   INSERT INTO ${name} (${name}, rank) VALUES ('hashsize', ${hashSize});`;
/** The tweets of one transaction whose words wait, at most. */
const maxWaiting = 500;
/** The tweets that are added to the table `top` at once: some milliseconds. */
const topPage = 50;

/** The share of the tweets that the table `top` has. */
const topShare = 1 / 8;

/** Creates the tables of an archive in an empty database. */
export function createTables(database: SqliteDatabase): void {
  const words = [
    wordTable('word', 'text, link, term'),
    wordTable('top_word', 'text, link, term'),
    wordTable('name_word', 'text'),
  ];
  database.script(`${tables}${words.join('\n')}${views}${schemaMarks}`);
}

/** When the words of tweets are written: with their rows, or by the next call of `writeWords`. */
export type WordTime = 'now' | 'later';

export interface SearchRowsOptions {
  /** The number of the transaction. */
  readonly commit: number;
  readonly words?: WordTime;
  /** The commits in which new tweets have arrived, by their ids, where that was an earlier one. */
  readonly arrivals?: ReadonlyMap<string, number>;
}

/**
 * Writes the rows that searches read. The caller opens transactions. Words of a tweet that changes can wait: a search then decides about
 * the tweet by itself (sqlite-search.ts), so that its results are exact at each moment.
 */
export class SqliteSearchRows implements SearchRows {
  readonly #database: SqliteDatabase;
  readonly #commit: number;
  readonly #words: WordTime;
  readonly #arrivals: ReadonlyMap<string, number>;
  readonly #top: TopTweets;
  #isRemovalMarked = false;
  #waiting = 0;
  /** The next position of each second that has got one, and the last position of all tweets before the first call. */
  readonly #next = new Map<number, number>();
  #lastOfAll: number | undefined;
  /** The positions of the tweets that were written, by their ids in the stored form. */
  readonly #positions = new Map<string, number>();

  constructor(database: SqliteDatabase, { commit, words = 'now', arrivals = new Map() }: SearchRowsOptions) {
    this.#database = database;
    this.#commit = commit;
    this.#arrivals = arrivals;
    this.#words = words;
    this.#top = new TopTweets(database);
  }

  async insert(tweets: readonly ArchivedTweet[], context: DocumentContext): Promise<void> {
    this.#readNext(tweets);
    this.#insert(
      tweets.map((tweet) => ({ tweet, arrivedIn: this.#arrivals.get(tweet.id) ?? this.#commit })),
      context,
    );
  }

  async replace(tweets: readonly ArchivedTweet[], context: DocumentContext): Promise<void> {
    for (const tweet of tweets) this.#replace(tweet, context);
  }

  async writeCounts(tweets: readonly CountedTweet[], content: ReadonlySet<string>): Promise<readonly string[]> {
    this.#writeCountRows(tweets.map(({ after }) => after));
    return tweets.flatMap((each) => (content.has(each.after.id) || !this.#hasOtherWords(each) ? [] : [each.after.id]));
  }

  async remove(tweetIds: readonly string[]): Promise<void> {
    for (const id of tweetIds) {
      const pos = this.#positionOf(id);
      this.#positions.delete(toDatabaseId(id));
      if (pos !== undefined) this.#removeAt(pos);
    }
  }

  async writeUsers(users: readonly { readonly user: ArchivedUser; readonly row: Row }[]): Promise<void> {
    const rows = users.map(({ row }) => row);
    this.#database.insert({ table: 'person', rows, conflict: { keys: ['id'], action: 'replace' } });
    for (const { user } of users)
      this.#database.run(
        'INSERT OR REPLACE INTO name_word (rowid, text) VALUES (?, ?)',
        BigInt(toDatabaseId(user.id)),
        columnOf(nameTexts(user)),
      );
  }

  async removeUsers(storedIds: readonly string[]): Promise<void> {
    this.#markRemoval();
    for (const id of storedIds) {
      this.#database.run('DELETE FROM person WHERE id = ?', BigInt(id));
      this.#database.run('DELETE FROM name_word WHERE rowid = ?', BigInt(id));
    }
  }

  #insert(arrived: readonly ArrivedTweet[], context: DocumentContext): void {
    // FTS5 collects words only as long as the rowid grows: each smaller one ends a segment, so that a file with the newest tweets first
    // would have a segment for each tweet. Tweets of one second stay in the order of their arrival.
    const tweets = inOrderOfTime(arrived);
    const rows = tweets.map(({ tweet, arrivedIn }) => {
      const pos = this.#position(secondOf(parseTime(tweet.created_at)));
      const row = tweetRow(tweet);
      this.#positions.set(String(row['id']), pos);
      return { pos, ...row, arrived_in: arrivedIn };
    });
    this.#database.insert({ table: 'tweet', rows });
    for (const [index, { tweet }] of tweets.entries()) {
      const pos = rows[index]?.pos ?? 0;
      if (this.#mayWait()) this.#waitForWords({ pos, isKnown: false }, tweet, context);
      else this.#insertWords({ pos, isKnown: false }, tweet, context);
    }
  }

  #replace(tweet: ArchivedTweet, context: DocumentContext): void {
    const known = this.#database.first<{ pos: number; arrived_in: number }>(
      'SELECT pos, arrived_in FROM tweet WHERE id = ?',
      BigInt(toDatabaseId(tweet.id)),
    );
    if (known === undefined) throw new Error(`no tweet has the id ${tweet.id}`);
    const { pos, arrived_in: arrivedIn } = known;
    if (secondOfPosition(pos) !== secondOf(parseTime(tweet.created_at)))
      return this.#move(pos, tweet, context, arrivedIn);
    this.#database.insert({
      ...{ table: 'tweet', rows: [{ pos, ...tweetRow(tweet), arrived_in: arrivedIn }] },
      conflict: { keys: ['pos'], action: 'replace' },
    });
    if (this.#mayWait()) return this.#waitForWords({ pos, isKnown: true }, tweet, context);
    this.#database.run('DELETE FROM word_pending WHERE pos = ?', pos);
    this.#markRemoval();
    this.#top.remove(pos);
    this.#insertWords({ pos, isKnown: true }, tweet, context);
  }

  /** Writes a tweet at another time. */
  #move(pos: number, tweet: ArchivedTweet, context: DocumentContext, arrivedIn: number): void {
    this.#removeAt(pos);
    this.#readNext([tweet]);
    this.#insert([{ tweet, arrivedIn }], context);
    this.#writeCountRows([tweet]);
  }

  #writeCountRows(tweets: readonly ArchivedTweet[]): void {
    this.#database.insert({
      table: 'tweet_count',
      rows: tweets.map((tweet) => ({ pos: this.#positionOf(tweet.id)!, ...countColumns(tweet) })),
      conflict: { keys: ['pos'], action: 'replace' },
    });
  }

  /** Whether the words of a tweet whose counts changed, or its place among the tweets with the most engagement, are others. */
  #hasOtherWords({ before, after }: CountedTweet): boolean {
    const [old, current] = [before, after].map((tweet) => (tweet === undefined ? 0 : engagementOfTweet(tweet)));
    if (old === undefined || current === undefined || old === current) return false;
    if (startOfEngagementLevel(old) !== startOfEngagementLevel(current)) return true;
    return Math.max(old, current) >= this.#top.from && levelOf(old) !== levelOf(current);
  }

  /** Removes a tweet. Its words stay in the file until the purge. */
  #removeAt(pos: number): void {
    this.#markRemoval();
    this.#top.remove(pos);
    for (const table of ['tweet', 'tweet_count', 'word_pending'])
      this.#database.run(`DELETE FROM ${table} WHERE pos = ?`, pos);
    this.#database.run('DELETE FROM word WHERE rowid = ?', pos);
  }

  #markRemoval(): void {
    if (!this.#isRemovalMarked) markRemoval(this.#database);
    this.#isRemovalMarked = true;
  }

  #positionOf(id: string): number | undefined {
    const stored = toDatabaseId(id);
    return (
      this.#positions.get(stored) ??
      this.#database.first<{ pos: number }>('SELECT pos FROM tweet WHERE id = ?', BigInt(stored))?.pos
    );
  }

  /** The next free position of a second that `#readNext` has read. Throws an Error where the second has none left. */
  #position(second: number): number {
    const free = this.#next.get(second) ?? startOfSecond(second);
    if (free > endOfSecond(second)) throw new Error(`a second has at most ${slots} tweets`);
    this.#next.set(second, free + 1);
    return free;
  }

  /** Reads the next free positions of the seconds of tweets. */
  #readNext(tweets: readonly ArchivedTweet[]): void {
    this.#lastOfAll ??=
      this.#database.first<{ last: number | null }>('SELECT max(pos) AS last FROM tweet')?.last ??
      Number.NEGATIVE_INFINITY;
    const seconds = new Set<number>();
    for (const tweet of tweets) {
      const second = secondOf(parseTime(tweet.created_at));
      // Behind the last tweet, all positions are free.
      if (startOfSecond(second) <= this.#lastOfAll && !this.#next.has(second)) seconds.add(second);
    }
    if (seconds.size === 0) return;
    const found = this.#database.all<{ last: number | null }>(
      `SELECT (SELECT max(pos) FROM tweet WHERE pos BETWEEN value * ${slots} AND value * ${slots} + ${slots - 1}) AS last
        FROM json_each(?)`,
      JSON.stringify([...seconds]),
    );
    for (const { last } of found) if (last !== null) this.#next.set(secondOfPosition(last), last + 1);
  }

  /** The tweets of a transaction beyond a number do not wait: writing them at once costs less. */
  #mayWait(): boolean {
    return this.#words === 'later' && this.#waiting++ < maxWaiting;
  }

  #waitForWords({ pos, isKnown }: WordPlace, tweet: ArchivedTweet, context: DocumentContext): void {
    const words = wordsOf(tweet, engagementOfTweet(tweet), context);
    this.#database.insert({
      table: 'word_pending',
      rows: [{ pos, changed_in: this.#commit, is_known: isKnown, ...words }],
      conflict: { keys: ['pos'], action: 'replace' },
    });
  }

  #insertWords({ pos, isKnown }: WordPlace, tweet: ArchivedTweet, context: DocumentContext): void {
    const words = wordsOf(tweet, engagementOfTweet(tweet), context);
    insertWords(this.#database, 'word', pos, words, isKnown);
    this.#top.add(pos, engagementOfTweet(tweet), words);
  }
}

/** The position of a tweet, and whether the table of the words can have it. */
interface WordPlace {
  readonly pos: number;
  readonly isKnown: boolean;
}

/** A new tweet, and the commit in which it arrived. */
interface ArrivedTweet {
  readonly tweet: ArchivedTweet;
  readonly arrivedIn: number;
}

function inOrderOfTime(tweets: readonly ArrivedTweet[]): readonly ArrivedTweet[] {
  const second = ({ tweet }: ArrivedTweet): number => secondOf(parseTime(tweet.created_at));
  const seconds = new Map(tweets.map((each) => [each, second(each)]));
  const isSorted = tweets.every((each, index) => index === 0 || seconds.get(tweets[index - 1]!)! <= seconds.get(each)!);
  return isSorted ? tweets : tweets.toSorted((a, b) => seconds.get(a)! - seconds.get(b)!);
}

/** The tables `top` and `top_word`: the tweets with the most engagement. */
export class TopTweets {
  readonly #database: SqliteDatabase;
  #from: number | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** The least engagement of the table; infinite before `begin`. */
  get from(): number {
    return (this.#from ??= Number(
      this.#database.first<{ value: string }>(
        "SELECT value FROM meta WHERE name IN ('top_from', 'top_begun') ORDER BY name LIMIT 1",
      )?.value ?? Number.POSITIVE_INFINITY,
    ));
  }

  /** Adds a tweet that the table does not have, if its engagement is high enough. */
  add(pos: number, engagement: number, words: Words): void {
    if (engagement < this.from) return;
    const level = levelOf(engagement);
    const last = this.#database.first<{ rank: number | null }>(
      'SELECT max(rank) AS rank FROM top WHERE rank BETWEEN ? AND ?',
      startOfLevel(level),
      endOfLevel(level),
    );
    const rank = last?.rank == null ? startOfLevel(level) : last.rank + 1;
    this.#database.run('INSERT INTO top VALUES (?, ?)', rank, pos);
    insertWords(this.#database, 'top_word', rank, words);
  }

  remove(pos: number): void {
    const row = this.#database.first<{ rank: number }>('DELETE FROM top WHERE pos = ? RETURNING rank', pos);
    if (row !== undefined) this.#database.run('DELETE FROM top_word WHERE rowid = ?', row.rank);
  }

  /** Begins to fill the table anew, with an eighth of the tweets: `addPage` adds them, and searches read the table after `end`. */
  begin(): void {
    this.#database.run('DELETE FROM top');
    this.#database.run("INSERT INTO top_word (top_word) VALUES ('delete-all')");
    this.#database.run("DELETE FROM meta WHERE name = 'top_from'");
    this.#from = this.#lowest();
    this.#database.run("INSERT OR REPLACE INTO meta VALUES ('top_begun', ?)", String(this.#from));
  }

  /**
   * Adds the next tweets behind a position that the table does not have. `contextOf`: reads what their words need of other records. Returns
   * the position of the last one, undefined where no tweet is left.
   */
  async addPage(
    after: number,
    contextOf: (tweets: readonly ArchivedTweet[]) => Promise<DocumentContext>,
  ): Promise<number | undefined> {
    const rows = await this.#database.runSql<TweetRow & { readonly pos: number }>(
      sql`SELECT t.pos, ${tweetColumns} FROM ${tweetTables} WHERE c.engagement >= ${this.from} AND t.pos > ${after}
        AND NOT EXISTS (SELECT 1 FROM top WHERE top.pos = t.pos) ORDER BY t.pos LIMIT ${topPage}`,
    );
    const tweets = rows.map(tweetOf);
    const context = await contextOf(tweets);
    for (const [index, tweet] of tweets.entries())
      this.add(rows[index]?.pos ?? 0, engagementOfTweet(tweet), wordsOf(tweet, engagementOfTweet(tweet), context));
    return rows.at(-1)?.pos;
  }

  /** Ends the filling. */
  end(): void {
    this.#database.run("INSERT OR REPLACE INTO meta VALUES ('top_from', ?)", String(this.from));
    this.#database.run("DELETE FROM meta WHERE name = 'top_begun'");
  }

  /** The least engagement of an eighth of the tweets: the start of a level. */
  #lowest(): number {
    const size = this.#database.first<{ tweets: number }>('SELECT count(*) AS tweets FROM tweet_count');
    const row = this.#database.first<{ engagement: number }>(
      'SELECT engagement FROM tweet_count ORDER BY engagement DESC LIMIT 1 OFFSET ?',
      Math.floor((size?.tweets ?? 0) * topShare),
    );
    return row === undefined || row.engagement < lowestLevel ? 0 : startOfEngagementLevel(row.engagement);
  }
}

/** `isKnown`: whether the table can have words of this row. Otherwise it is not asked for them. */
function insertWords(
  database: SqliteDatabase,
  table: string,
  rowid: number,
  { text, link, term }: Words,
  isKnown = true,
): void {
  const insert = isKnown ? 'INSERT OR REPLACE' : 'INSERT';
  database.run(`${insert} INTO ${table} (rowid, text, link, term) VALUES (?, ?, ?, ?)`, rowid, text, link, term);
}

/** Notes that the file has texts of before, which the next purge removes: see upkeep.ts. */
export function markRemoval(database: SqliteDatabase): void {
  const now = String(Date.now());
  database.run("INSERT OR IGNORE INTO meta VALUES ('removed_at', ?)", now);
  database.run("INSERT OR REPLACE INTO meta VALUES ('removed_last', ?)", now);
}

interface WaitingRow extends Words {
  readonly pos: number;
  readonly is_known: number;
  readonly engagement: number;
}

/** Writes the words of tweets that wait for them, at most `most`, within a transaction. Returns whether no tweet waits any more. */
export function writeWords(database: SqliteDatabase, most: number): boolean {
  const rows = database.all<WaitingRow & Row>(
    `SELECT w.pos, w.is_known, w.text, w.link, w.term, c.engagement
      FROM word_pending w JOIN tweet_count c ON c.pos = w.pos ORDER BY w.pos LIMIT ?`,
    most,
  );
  const top = new TopTweets(database);
  for (const { pos, engagement, ...words } of rows) {
    top.remove(pos);
    insertWords(database, 'word', pos, words);
    top.add(pos, engagement, words);
    database.run('DELETE FROM word_pending WHERE pos = ?', pos);
  }
  if (rows.some((row) => row.is_known === 1)) markRemoval(database);
  return rows.length < most;
}

/** The tweets of one step of `rebuildWords`. */
const rebuiltTweets = 2_000;

/**
 * Writes the words of the next tweets behind a position, in a file that has none of them. `contextOf`: reads what the words need of other
 * records. Returns the position of the last one, undefined where no tweet is left.
 */
export async function rebuildWords(
  database: SqliteDatabase,
  contextOf: (tweets: readonly ArchivedTweet[]) => Promise<DocumentContext>,
  after: number,
): Promise<number | undefined> {
  const rows = await database.runSql<TweetRow & { readonly pos: number }>(
    sql`SELECT t.pos, ${tweetColumns} FROM ${tweetTables} WHERE t.pos > ${after} ORDER BY t.pos LIMIT ${rebuiltTweets}`,
  );
  const tweets = rows.map(tweetOf);
  const context = await contextOf(tweets);
  for (const [index, tweet] of tweets.entries())
    insertWords(database, 'word', rows[index]?.pos ?? 0, wordsOf(tweet, engagementOfTweet(tweet), context));
  return rows.at(-1)?.pos;
}
