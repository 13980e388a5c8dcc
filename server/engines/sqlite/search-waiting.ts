/**
 * The tweets whose words `word` does not have yet, in a word table of the connection that searches. It has only words that `word_pending` has,
 * so a search finds these tweets by the same statements, and its results are exact at each commit.
 */
import { commitLog } from '../../archive/content/commit-log.ts';
import type { Scan } from './search-plan.ts';
import { scoredStatement } from './search-statements.ts';
import type { SqliteDatabase } from './sqlite-database.ts';
import { tokenizer } from './words.ts';

/** The rows of the word table from which it is made anew: those that have been written since then stay in it. */
const maxRows = 8_000;

export interface WaitingTweet {
  readonly pos: number;
  /** The engagement. */
  readonly score: number;
}

export class WaitingTweets {
  readonly #database: SqliteDatabase;
  /** What the connection has seen: the changes of others, and its own. */
  #version = '';
  /** The last commit whose words the word table has. */
  #last = -1;
  #rows = 0;
  #count = 0;

  constructor(database: SqliteDatabase) {
    this.#database = database;
    database.script(`CREATE VIRTUAL TABLE IF NOT EXISTS temp.waiting_word
      USING fts5(text, link, term, content='', contentless_delete=1, tokenize="${tokenizer}")`);
    this.#clear();
  }

  /** Takes over what has changed since the last call, within a snapshot. Returns the number of the tweets that wait. */
  refresh(): number {
    if (this.#currentVersion() === this.#version) return this.#count;
    if (this.#rows > maxRows || this.#database.lastSeqOf(commitLog) < this.#last) this.#clear();
    // The words of the last commit again: others of the same transaction can have come.
    const added = this.#database.first<{ n: number }>(
      'SELECT count(*) AS n FROM word_pending WHERE changed_in >= ?',
      this.#last,
    )?.n;
    if (added !== undefined && added > 0)
      this.#database.run(
        `INSERT OR REPLACE INTO temp.waiting_word (rowid, text, link, term)
          SELECT pos, text, link, term FROM word_pending WHERE changed_in >= ?`,
        this.#last,
      );
    const row = this.#database.first<{ n: number; last: number | null }>(
      'SELECT count(*) AS n, max(changed_in) AS last FROM word_pending',
    );
    this.#rows += added ?? 0;
    this.#count = row?.n ?? 0;
    this.#last = Math.max(this.#last, row?.last ?? this.#last);
    this.#version = this.#currentVersion();
    return this.#count;
  }

  /** The tweets of a scan that wait, after `refresh`. */
  matching(scan: Scan): readonly WaitingTweet[] {
    const { text, params } = scoredStatement({ ...scan, isOnlyWaiting: true });
    // The texts of callers are parameters.
    const statement = text.replaceAll(/\bword\b/g, 'waiting_word');
    return this.#database.all<{ pos: number; score: number }>(statement, ...params);
  }

  #clear(): void {
    this.#database.run("INSERT INTO temp.waiting_word (waiting_word) VALUES ('delete-all')");
    this.#last = -1;
    this.#rows = 0;
  }

  #currentVersion(): string {
    const { data_version: others } = this.#database.first<{ data_version: number }>('PRAGMA data_version') ?? {};
    return `${others} ${this.#database.writes}`;
  }
}
