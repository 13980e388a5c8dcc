/** Writes the tables that searches read. */
import { readFileSync } from 'node:fs';
import { lowestLevel, startOfLevel as startOfEngagementLevel } from '../../archive/search/engagement-levels.ts';
import {
  counts,
  type ArchivedList,
  type ArchivedPlace,
  type ArchivedTweet,
  type ArchivedUser,
} from '../../domain/records.ts';
import { nameTexts, tweetPoint, type DocumentContext } from '../../search/document.ts';
import { engagementOfTweet } from '../../search/engagement.ts';
import { boxOf } from '../../search/geo.ts';
import { placeTerms } from '../../search/place-terms.ts';
import { parseTime } from '../../text/iso-time.ts';
import type { SqliteDatabase, Value } from './sqlite-database.ts';
import { endOfLevel, levelOf, startOfLevel } from './top.ts';
import { endOfSecond, secondOf, slots, startOfSecond } from './tweet-position.ts';
import { columnOf, tokenizer, tokenOf, wordsOf, type Words } from './words.ts';

const tables = readFileSync(new URL('tables.sql', import.meta.url), 'utf8');
/** Bytes of words that a transaction collects before it sorts and writes them: more make larger segments, which need fewer merges. */
const hashSize = 16 * 2 ** 20;
/** The word tables have no content: FTS5 stores the words only, and deletes a row without knowing them. */
const wordTable = (name: string, columns: string): string =>
  `CREATE VIRTUAL TABLE ${name} USING fts5(${columns}, content='', contentless_delete=1, tokenize="${tokenizer}");
   INSERT INTO ${name} (${name}, rank) VALUES ('hashsize', ${hashSize});`;
/** An import of an empty archive creates them afterwards: one order of all entries is faster than many insertions. */
const tweetIndexes = `
  CREATE INDEX tweet_author ON tweet (author_id, pos);
  CREATE INDEX tweet_replies ON tweet (in_reply_to_id, pos) WHERE in_reply_to_id IS NOT NULL;
  CREATE INDEX tweet_quotes ON tweet (quoted_id) WHERE quoted_id IS NOT NULL;
  CREATE INDEX tweet_retweets ON tweet (retweeted_id) WHERE retweeted_id IS NOT NULL;
  CREATE INDEX tweet_community ON tweet (community_id, pos) WHERE community_id IS NOT NULL;`;

/** The share of the tweets that the table `top` has. */
const topShare = 1 / 8;

/** Creates the tables of searches in an empty database. */
export function createSearchTables(database: SqliteDatabase): void {
  const words = [
    wordTable('word', 'text, link, term'),
    wordTable('top_word', 'text, link, term'),
    wordTable('name_word', 'text'),
  ];
  database.script(`${tables}${words.join('\n')}`);
}

/** When the words of a tweet are written: with its rows, or by the next call of `writeWords`. */
export type WordTime = 'now' | 'later';

/**
 * Writes the tables that searches read. The caller opens transactions. Words of a tweet that changes can wait: a search then decides about
 * the tweet by itself (sqlite-search.ts), so that its results are exact at each moment.
 */
export class SearchTables {
  readonly #database: SqliteDatabase;
  readonly #context: DocumentContext;
  /** The next position of each second that has got one. */
  readonly #next = new Map<number, number>();
  /** The least engagement of the table `top`; infinite before `finish`. */
  #topFrom: number | undefined;

  constructor(database: SqliteDatabase, context: DocumentContext) {
    this.#database = database;
    this.#context = context;
  }

  /** Adds a tweet that the tables do not have. Throws an Error where its second has no position left. */
  addTweet(tweet: ArchivedTweet, words: WordTime = 'now'): void {
    const pos = this.#position(secondOf(parseTime(tweet.created_at)));
    this.#insertRows(pos, tweet, 'ABORT');
    if (words === 'now') this.#insertAllWords(pos, tweet);
    else this.#waitForWords(pos);
  }

  /** Writes a tweet that the tables have, with another content or other counts. Its second does not change. */
  updateTweet(tweet: ArchivedTweet, words: WordTime = 'now'): void {
    const pos = this.#positionOf(tweet.id);
    if (pos === undefined) throw new Error(`no tweet has the id ${tweet.id}`);
    this.#insertRows(pos, tweet, 'REPLACE');
    if (words === 'now') this.#replaceAllWords(pos, tweet);
    else this.#waitForWords(pos);
  }

  /** Removes a tweet. Its words stay in the file until `purge`. */
  removeTweet(id: string): void {
    const pos = this.#positionOf(id);
    if (pos === undefined) return;
    this.#removeFromTop(pos);
    for (const table of ['tweet', 'tweet_count', 'word_pending'])
      this.#database.run(`DELETE FROM ${table} WHERE pos = ?`, pos);
    this.#database.run('DELETE FROM word WHERE rowid = ?', pos);
  }

  /** Writes the words of the tweets that wait for it, at most `most`. Returns whether none waits any more. */
  writeWords(most = 2000): boolean {
    const rows = this.#database.all<{ pos: number }>('SELECT pos FROM word_pending ORDER BY pos LIMIT ?', most);
    for (const { pos } of rows) {
      this.#replaceAllWords(pos, this.#tweetAt(pos));
      this.#database.run('DELETE FROM word_pending WHERE pos = ?', pos);
    }
    return rows.length < most;
  }

  addUser(user: ArchivedUser): void {
    const { id, username, verified, is_blue_verified: blueVerified } = user;
    const { number } = this.#database.first<{ number: number }>(
      `INSERT INTO person (id, username, verified, blue_verified, document) VALUES (?, ?, ?, ?, ?) RETURNING number`,
      ...[id, tokenOf(username.toLowerCase()), Number(verified === true), Number(blueVerified === true)],
      JSON.stringify(user),
    )!;
    this.#database.run('INSERT INTO name_word (rowid, text) VALUES (?, ?)', number, columnOf(nameTexts(user)));
  }

  addPlace(place: ArchivedPlace): void {
    const [west = null, south = null, east = null, north = null] =
      (place.bounding_box && boxOf(place.bounding_box)) ?? [];
    this.#insert('place', [place.id, west, south, east, north]);
    for (const term of new Set(placeTerms(place))) this.#insert('place_term', [tokenOf(term), place.id]);
  }

  addList({ id, owner_id: ownerId, slug }: ArchivedList): void {
    this.#insert('list', [id, ownerId, slug === undefined ? null : tokenOf(slug.toLowerCase())]);
  }

  addMember(listId: string, userId: string): void {
    this.#insert('list_member', [listId, userId]);
  }

  /** Creates the indexes of the tweets and the table of the tweets with the most engagement. Runs once, after the first records. */
  finish(): void {
    this.#database.script(tweetIndexes);
    this.#database.transaction(() => this.#buildTop());
  }

  #buildTop(): void {
    const lowest = this.#lowestOfTop();
    this.#database.run("INSERT OR REPLACE INTO meta VALUES ('top_from', ?)", String(lowest));
    this.#topFrom = lowest;
    const rows = this.#database.all<{ pos: number }>(
      'SELECT pos FROM tweet_count WHERE engagement >= ? ORDER BY pos',
      lowest,
    );
    for (const { pos } of rows) {
      const tweet = this.#tweetAt(pos);
      this.#insertIntoTop(pos, tweet, this.#wordsOf(tweet));
    }
  }

  /** The least engagement of the tweets of `top`: the start of a level. */
  #lowestOfTop(): number {
    const size = this.#database.first<{ tweets: number }>('SELECT count(*) AS tweets FROM tweet_count');
    const row = this.#database.first<{ engagement: number }>(
      'SELECT engagement FROM tweet_count ORDER BY engagement DESC LIMIT 1 OFFSET ?',
      Math.floor((size?.tweets ?? 0) * topShare),
    );
    return row === undefined || row.engagement < lowestLevel ? 0 : startOfEngagementLevel(row.engagement);
  }

  #tweetAt(pos: number): ArchivedTweet {
    const { id, document, ...known } = this.#database.first<TweetRow>(
      `SELECT t.id, t.document, ${counts.join(', ')} FROM tweet t CROSS JOIN tweet_count c ON c.pos = t.pos WHERE t.pos = ?`,
      pos,
    )!;
    return { id, ...(JSON.parse(document) as Omit<ArchivedTweet, 'id'>), ...known };
  }

  /** The next free position of a second. */
  #position(second: number): number {
    const known = this.#next.get(second) ?? this.#firstFree(second);
    if (known > endOfSecond(second)) throw new Error(`a second has at most ${slots} tweets`);
    this.#next.set(second, known + 1);
    return known;
  }

  #firstFree(second: number): number {
    const row = this.#database.first<{ last: number | null }>(
      'SELECT max(pos) AS last FROM tweet WHERE pos BETWEEN ? AND ?',
      startOfSecond(second),
      endOfSecond(second),
    );
    return row?.last == null ? startOfSecond(second) : row.last + 1;
  }

  #insertRows(pos: number, tweet: ArchivedTweet, conflict: 'ABORT' | 'REPLACE'): void {
    this.#insert('tweet', [pos, ...tweetColumns(tweet)], conflict);
    this.#insert('tweet_count', [pos, ...counts.map((name) => tweet[name] ?? 0), engagementOfTweet(tweet)], conflict);
  }

  #waitForWords(pos: number): void {
    this.#database.run('INSERT OR IGNORE INTO word_pending VALUES (?)', pos);
  }

  #replaceAllWords(pos: number, tweet: ArchivedTweet): void {
    this.#removeFromTop(pos);
    this.#insertAllWords(pos, tweet);
  }

  /** Writes the words of a tweet that the table `top` does not have. */
  #insertAllWords(pos: number, tweet: ArchivedTweet): void {
    const words = this.#wordsOf(tweet);
    this.#insertWords('word', pos, words);
    this.#insertIntoTop(pos, tweet, words);
  }

  #insertIntoTop(pos: number, tweet: ArchivedTweet, words: Words): void {
    const engagement = engagementOfTweet(tweet);
    this.#topFrom ??= this.#readTopFrom();
    if (engagement < this.#topFrom) return;
    const level = levelOf(engagement);
    const last = this.#database.first<{ rank: number | null }>(
      'SELECT max(rank) AS rank FROM top WHERE rank BETWEEN ? AND ?',
      startOfLevel(level),
      endOfLevel(level),
    );
    const rank = last?.rank == null ? startOfLevel(level) : last.rank + 1;
    this.#insert('top', [rank, pos]);
    this.#insertWords('top_word', rank, words);
  }

  #wordsOf(tweet: ArchivedTweet): Words {
    return wordsOf(tweet, engagementOfTweet(tweet), this.#context);
  }

  #removeFromTop(pos: number): void {
    const row = this.#database.first<{ rank: number }>('DELETE FROM top WHERE pos = ? RETURNING rank', pos);
    if (row !== undefined) this.#database.run('DELETE FROM top_word WHERE rowid = ?', row.rank);
  }

  #readTopFrom(): number {
    const row = this.#database.first<{ value: string }>("SELECT value FROM meta WHERE name = 'top_from'");
    return row === undefined ? Number.POSITIVE_INFINITY : Number(row.value);
  }

  #positionOf(id: string): number | undefined {
    return this.#database.first<{ pos: number }>('SELECT pos FROM tweet WHERE id = ?', id)?.pos;
  }

  #insert(table: string, row: readonly Value[], conflict: 'ABORT' | 'REPLACE' = 'ABORT'): void {
    this.#database.run(`INSERT OR ${conflict} INTO ${table} VALUES (${row.map(() => '?').join(', ')})`, ...row);
  }

  #insertWords(table: string, rowid: number, { text, link, term }: Words): void {
    const sql = `INSERT OR REPLACE INTO ${table} (rowid, text, link, term) VALUES (?, ?, ?, ?)`;
    this.#database.run(sql, rowid, text, link, term);
  }
}

type TweetRow = Readonly<Record<(typeof counts)[number], number>> & { readonly id: string; readonly document: string };

/** The columns of a tweet behind its position. */
function tweetColumns(tweet: ArchivedTweet): Value[] {
  const point = tweetPoint(tweet);
  const { id, ...rest } = tweet;
  const document = Object.fromEntries(Object.entries(rest).filter(([name]) => !isCount(name)));
  return [
    ...[id, parseTime(tweet.created_at), tweet.author_id, tweet.in_reply_to_id ?? null, tweet.quoted_tweet_id ?? null],
    ...[
      tweet.retweeted_tweet_id ?? null,
      tweet.community_id ?? null,
      point?.longitude ?? null,
      point?.latitude ?? null,
    ],
    JSON.stringify(document),
  ];
}

const countNames: ReadonlySet<string> = new Set(counts);
const isCount = (name: string): boolean => countNames.has(name);
