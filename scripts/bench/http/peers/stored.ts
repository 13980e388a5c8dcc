/**
 * A store of a peer's own: the JSON of each item as the responses have it (a search has less of a tweet than a list), in a SQLite file with an index for each list and FTS5 for the texts. It
 * knows no changes, authors or rules, so it has less to do than this service. `node:sqlite` has the interface of better-sqlite3, and needs no compiler.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { OperationId } from '../../../../server/contract/operations.ts';
import { records } from '../shapes.ts';
import { answer, type Parts } from './parts.ts';

type Answer = (id: OperationId, query: unknown) => Promise<unknown>;

interface PageQuery {
  readonly username?: string;
  readonly query?: string;
  readonly limit: number;
  readonly cursor?: string;
}
interface TweetPage {
  readonly tweets: readonly { readonly text: string }[];
}
interface ItemRow {
  readonly position: number;
  readonly json: string;
}

const tables = `PRAGMA journal_mode = WAL;
  CREATE TABLE tweet (position INTEGER PRIMARY KEY, username TEXT NOT NULL COLLATE NOCASE, json TEXT NOT NULL) STRICT;
  CREATE TABLE found_tweet (position INTEGER PRIMARY KEY, username TEXT NOT NULL, json TEXT NOT NULL) STRICT;
  CREATE INDEX tweet_of_user ON tweet (username, position);
  CREATE VIRTUAL TABLE word USING fts5(text, content = '', columnsize = 0);
  CREATE TABLE community (position INTEGER PRIMARY KEY, username TEXT NOT NULL COLLATE NOCASE, json TEXT NOT NULL) STRICT;
  CREATE INDEX community_of_user ON community (username, position);`;

const pageOf = (table: 'tweet' | 'community'): string =>
  `SELECT position, json FROM ${table} WHERE username = ? AND position < ? ORDER BY position DESC LIMIT ?`;
const found = `SELECT t.position, t.json FROM word JOIN found_tweet t ON t.position = word.rowid
  WHERE word MATCH ? AND word.rowid < ? ORDER BY word.rowid DESC LIMIT ?`;

/** The user names of the data. */
const usernames = (): string[] =>
  Array.from(records() as Iterable<{ readonly user?: { readonly username: string } }>).flatMap(({ user }) =>
    user === undefined ? [] : [user.username],
  );

/** Copies what the operations answer for all users. */
async function copyAnswers(parts: Parts, database: DatabaseSync): Promise<void> {
  const add = (table: string): StatementSync => database.prepare(`INSERT INTO ${table} VALUES (?, ?, ?)`);
  const [tweet, foundTweet, community] = [add('tweet'), add('found_tweet'), add('community')];
  const word = database.prepare('INSERT INTO word (rowid, text) VALUES (?, ?)');
  let position = 0;
  database.exec('BEGIN');
  for (const username of usernames()) {
    const first = { username, include_replies: '0', limit: 100 };
    const full = (await answer(parts, 'getUserLastTweets', first)) as TweetPage;
    const query = { query: `from:${username}`, query_type: 'Latest', limit: 100 };
    const short = (await answer(parts, 'searchTweets', query)) as TweetPage;
    for (const [index, each] of full.tweets.toReversed().entries()) {
      tweet.run(++position, username, JSON.stringify(each));
      foundTweet.run(position, username, JSON.stringify(short.tweets.at(-1 - index)));
      word.run(position, each.text);
    }
    const { communities } = (await answer(parts, 'getUserCommunities', first)) as { communities: object[] };
    for (const each of communities) community.run(++position, username, JSON.stringify(each));
  }
  database.exec('COMMIT');
}

/** Opens the store with the data of `parts`. The end of the process deletes it. */
export async function openStored(parts: Parts): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-stored-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const database = new DatabaseSync(join(folder, 'peer.db'));
  database.exec(tables);
  await copyAnswers(parts, database);
  const statements = { tweets: pageOf('tweet'), communities: pageOf('community'), found };
  const prepared = Object.fromEntries(Object.entries(statements).map(([name, text]) => [name, database.prepare(text)]));
  const page = (
    items: 'tweets' | 'communities',
    name: keyof typeof statements,
    key: string,
    query: PageQuery,
  ): object => {
    const { limit, cursor = Number.MAX_SAFE_INTEGER } = query;
    const rows = prepared[name]?.all(key, Number(cursor), limit + 1) as unknown as ItemRow[];
    const shown = rows.slice(0, limit);
    const hasNext = rows.length > limit;
    return {
      [items]: shown.map(({ json }) => JSON.parse(json) as object),
      next_cursor: hasNext ? String(shown.at(-1)?.position) : null,
      has_next_page: hasNext,
    };
  };
  return async (id, asked) => {
    const query = asked as PageQuery;
    if (id === 'searchTweets') return page('tweets', 'found', `"${(query.query ?? '').split(' ').join('" "')}"`, query);
    if (id === 'getUserCommunities') return page('communities', 'communities', query.username ?? '', query);
    if (id === 'getUserLastTweets') return page('tweets', 'tweets', query.username ?? '', query);
    throw new Error(`the peer has no operation ${id}`);
  };
}
