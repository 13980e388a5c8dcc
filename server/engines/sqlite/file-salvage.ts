/** Copies what can be read of a damaged database file into a new one, and derives the words anew. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { contextOf } from '../../archive/writes/tweet-writer.ts';
import type { ArchivedUser } from '../../domain/records.ts';
import { communityRankSql } from '../../search/community-rank.ts';
import { nameTexts } from '../../search/document.ts';
import { copyMark } from './copy-mark.ts';
import { checkedTables } from './file-check.ts';
import { checksumOf, SqliteDatabase, type Row, type Value } from './sqlite-database.ts';
import { createTables, rebuildWords } from './sqlite-search-rows.ts';
import { isAtPositionSql } from './tweet-position.ts';
import { columnOf } from './words.ts';

/** A row that is not copied. */
export interface LostRow {
  readonly table: string;
  readonly reason: string;
  readonly text: string;
}

export interface Salvage {
  /** The number of copied rows of each table. */
  readonly rows: Readonly<Record<string, number>>;
  /** The tables that were not read whole. */
  readonly damaged: readonly string[];
}

/** Tables that are derived from others. */
const derived: ReadonlySet<string> = new Set(['word_pending', 'top']);
/** What `meta` says of derived tables. */
const derivedFacts = "('top_from', 'top_begun', 'top_tweets')";
const rowsOfTransaction = 10_000;
/** The first and the last key of a row. Ids of users and lists begin near the first one. */
const [firstKey, lastKey] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * Copies the rows of a file into a new one. `onLost` gets each row with a wrong checksum. `onProgress` gets the number of copied rows.
 * Rejects with StoreError where the new file cannot be written.
 */
export async function salvageFile(
  from: string,
  to: string,
  onLost: (row: LostRow) => void,
  onProgress: (rows: number) => void = () => {},
): Promise<Salvage> {
  for (const end of ['', '-wal', '-shm']) rmSync(`${to}${end}`, { force: true });
  const target = new SqliteDatabase(to, { cacheMb: 64 });
  target.transaction(() => createTables(target));
  const opened = openDamaged(from, to);
  const rows: Record<string, number> = {};
  const damaged: string[] = [];
  let total = 0;
  try {
    for (const table of tablesOf(target)) {
      const copy = new TableCopy(opened.database, target, table, onLost);
      if (!copy.run((count) => onProgress(total + count))) damaged.push(table);
      rows[table] = target.first<{ n: number }>(`SELECT count(*) AS n FROM "${table}"`)?.n ?? 0;
      total += rows[table];
    }
  } finally {
    opened.close();
  }
  rows['tweet'] = (rows['tweet'] ?? 0) - target.transaction(() => removeMisplaced(target, onLost));
  target.transaction(() => mend(target));
  await rebuildAllWords(target);
  target.script('PRAGMA wal_checkpoint(TRUNCATE)');
  target.close();
  return { rows, damaged };
}

const tablesOf = (database: SqliteDatabase): string[] =>
  database
    .all<{ name: string }>(
      `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name = 'change', name`,
    )
    .map(({ name }) => name)
    .filter((name) => !derived.has(name));

/** Copies the rows of one table. */
class TableCopy {
  readonly #source: SqliteDatabase;
  readonly #target: SqliteDatabase;
  readonly #table: string;
  readonly #onLost: (row: LostRow) => void;
  readonly #keys: readonly string[];
  readonly #hasIntegerKey: boolean;
  #copied = 0;

  constructor(source: SqliteDatabase, target: SqliteDatabase, table: string, onLost: (row: LostRow) => void) {
    this.#source = source;
    this.#target = target;
    this.#table = table;
    this.#onLost = onLost;
    const columns = target.all<{ name: string; type: string; pk: number }>(
      `SELECT name, type, pk FROM pragma_table_info('${table}') WHERE pk > 0 ORDER BY pk`,
    );
    this.#keys = columns.map(({ name }) => `"${name}"`);
    this.#hasIntegerKey = columns[0]?.type === 'INTEGER';
  }

  /** Returns whether all rows could be read. */
  run(onProgress: (rows: number) => void): boolean {
    const first = this.#keys[0] ?? 'rowid';
    let isWhole = true;
    for (let from: bigint | undefined = firstKey; from !== undefined;) {
      const last = this.#copy(this.#hasIntegerKey ? `WHERE ${first} >= ?` : '', 'ASC', from, onProgress);
      if (last === 'all') return isWhole;
      isWhole = false;
      from = this.#hasIntegerKey ? this.#nextReadable(first, last ?? from) : undefined;
    }
    // From the other end up to the damage.
    this.#copy('', 'DESC', undefined, onProgress);
    return false;
  }

  /** Copies rows in the order of the key until one cannot be read. Returns its predecessor's key, or `all`. */
  #copy(
    where: string,
    order: 'ASC' | 'DESC',
    from: bigint | undefined,
    onProgress: (rows: number) => void,
  ): bigint | 'all' | undefined {
    let last = order === 'ASC' ? from : undefined;
    const by = this.#keys.map((key) => `${key} ${order}`).join(', ');
    const params = where === '' || from === undefined ? [] : [from];
    const rows = this.#source.rows<Record<string, Value>>(
      `SELECT * FROM "${this.#table}" ${where} ORDER BY ${by}`,
      ...params,
    );
    for (;;) {
      const batch: Row[] = [];
      const state = this.#fill(rows, batch, order, last);
      this.#target.transaction(() => batch.forEach((row) => this.#insert(row)));
      this.#copied += batch.length;
      onProgress(this.#copied);
      last = this.#keyOf(batch.at(-1)) ?? last;
      if (state === 'end') return 'all';
      if (state === 'damage') return last;
    }
  }

  /** Reads rows until the batch is full. A row that is out of order is damage: its page is not the one that it was. */
  #fill(
    rows: Generator<Record<string, Value>, void>,
    batch: Row[],
    order: 'ASC' | 'DESC',
    last: bigint | undefined,
  ): 'more' | 'end' | 'damage' {
    let before = last;
    try {
      while (batch.length < rowsOfTransaction) {
        const { done, value } = rows.next();
        if (done === true) return 'end';
        const key = this.#keyOf(value as Row);
        if (before !== undefined && key !== undefined && (order === 'ASC' ? key < before : key > before))
          return 'damage';
        before = key;
        batch.push(value as Row);
      }
      return 'more';
    } catch {
      return 'damage';
    }
  }

  /** The first column of the key of a row, where it is an integer. Throws where the row has another value in it. */
  #keyOf(row: Row | undefined): bigint | undefined {
    return this.#hasIntegerKey && row !== undefined
      ? BigInt(row[this.#keys[0]?.slice(1, -1) ?? ''] as number | string)
      : undefined;
  }

  #insert(row: Row): void {
    const column = checkedTables[this.#table]?.text;
    const text = column === undefined ? null : (row[column] ?? null);
    if (column !== undefined && text !== null && checksumOf(text) !== row['crc'])
      return this.#lose(row, 'its checksum is wrong');
    const names = Object.keys(row);
    try {
      this.#target.run(
        `INSERT OR IGNORE INTO "${this.#table}" (${names.map((name) => `"${name}"`).join(', ')})
          VALUES (${names.map(() => '?').join(', ')})`,
        // A text of an integer beyond the safe ones becomes that integer in its column.
        ...Object.values(row),
      );
    } catch (error) {
      // A value of another type than the column: a byte of the row is another one.
      this.#lose(row, error instanceof Error ? error.message : 'it does not fit its table');
    }
  }

  #lose(row: Row, reason: string): void {
    this.#onLost({ table: this.#table, reason, text: JSON.stringify(row) });
  }

  /** The smallest key behind a damaged place from which rows can be read; undefined where there is none. */
  #nextReadable(key: string, last: bigint): bigint | undefined {
    const canRead = (from: bigint): boolean => {
      try {
        const row = this.#source.first<Record<string, Value>>(
          `SELECT * FROM "${this.#table}" WHERE ${key} >= ? ORDER BY ${key} LIMIT 1`,
          from,
        );
        return (this.#keyOf(row as Row | undefined) ?? from) >= from;
      } catch {
        return false;
      }
    };
    let [low, step] = [last, 1n];
    while (last + step <= lastKey && !canRead(last + step)) {
      low = last + step;
      step *= 2n;
    }
    if (last + step > lastKey) return undefined;
    let high = last + step;
    while (high - low > 1n) {
      const middle = low + (high - low) / 2n;
      if (canRead(middle)) high = middle;
      else low = middle;
    }
    return high;
  }
}

/** Removes tweets whose position and time contradict each other: one of them was changed. Returns their number. */
function removeMisplaced(database: SqliteDatabase, onLost: (row: LostRow) => void): number {
  const misplaced = database.all(`SELECT * FROM tweet WHERE NOT (${isAtPositionSql})`);
  for (const row of misplaced)
    onLost({ table: 'tweet', reason: 'its position is not that of its time', text: JSON.stringify(row) });
  database.run(`DELETE FROM tweet WHERE NOT (${isAtPositionSql})`);
  return misplaced.length;
}

/** Removes what refers to lost rows and the events before a lost one, and adds the counts of tweets that have lost them. */
function mend(database: SqliteDatabase): void {
  database.script(`
    DELETE FROM tweet_count WHERE pos NOT IN (SELECT pos FROM tweet);
    DELETE FROM mention WHERE tweet_id NOT IN (SELECT id FROM tweet);
    INSERT INTO tweet_count SELECT pos, 0, 0, 0, 0, 0, 0, 0, 0, 0, NULL, NULL FROM tweet
      WHERE pos NOT IN (SELECT pos FROM tweet_count);
    UPDATE tweet_count SET engagement = like_count + 2 * retweet_count + 2 * quote_count + reply_count;
    UPDATE tweet_count SET community_id = t.community_id,
      rank = iif(t.community_id IS NULL, NULL, ${communityRankSql('engagement', 't.created_at')}) FROM tweet t WHERE t.pos = tweet_count.pos;
    DELETE FROM change WHERE log = 'events' AND seq < (SELECT max(c.seq) FROM change c WHERE c.log = 'events'
      AND NOT EXISTS (SELECT 1 FROM change b WHERE b.log = 'events' AND b.seq = c.seq - 1));
    DELETE FROM meta WHERE name IN ${derivedFacts};
    INSERT OR REPLACE INTO meta VALUES ('${copyMark}', 'salvaged');`);
}

/** Writes the words of all tweets and users of a file without words. Rejects with StoreError. */
async function rebuildAllWords(database: SqliteDatabase): Promise<void> {
  database.transaction(() => {
    for (const { id, document } of database.rows<{ id: number | string; document: string }>(
      'SELECT id, document FROM person',
    )) {
      const text = columnOf(nameTexts(JSON.parse(document) as ArchivedUser));
      database.run('INSERT INTO name_word (rowid, text) VALUES (?, ?)', BigInt(id), text);
    }
  });
  for (let after: number | undefined = Number.MIN_SAFE_INTEGER; after !== undefined;) {
    const from: number = after;
    after = await database.asyncTransaction(() =>
      rebuildWords(database, (page) => contextOf(database.runSql, page), from),
    );
  }
}

interface Opened {
  readonly database: SqliteDatabase;
  close(): void;
}

/** Opens a damaged file for reading: as it is, or a copy with the list of the tables of a new file, and the size that it has. */
function openDamaged(from: string, fresh: string): Opened {
  try {
    const database = new SqliteDatabase(from, { readOnly: true });
    try {
      database.first('SELECT count(*) AS n FROM tweet, sqlite_schema LIMIT 0');
      return { database, close: () => database.close() };
    } catch (error) {
      database.close();
      throw error;
    }
  } catch {
    return openMended(from, fresh);
  }
}

/** The version of the format and the numbers of the page size are in the first 100 bytes; all files of a schema have their tables at the same pages. */
function openMended(from: string, fresh: string): Opened {
  const copy = `${fresh}.mended`;
  const remove = (): void => ['', '-wal', '-shm'].forEach((end) => rmSync(`${copy}${end}`, { force: true }));
  remove();
  copyFileSync(from, copy);
  const wal = `${from}-wal`;
  if (existsSync(wal)) copyFileSync(wal, `${copy}-wal`);
  const pattern = new SqliteDatabase(fresh);
  pattern.script('PRAGMA wal_checkpoint(TRUNCATE)');
  const pages = pattern
    .all<{ pageno: number }>("SELECT pageno FROM dbstat WHERE name = 'sqlite_schema'")
    .map(({ pageno }) => pageno);
  pattern.close();
  copyPages(fresh, copy, pages);
  const database = new SqliteDatabase(copy);
  return {
    database,
    close() {
      database.close();
      remove();
    },
  };
}

const pageSize = 4096;

function copyPages(from: string, to: string, pages: readonly number[]): void {
  const [source, target] = [openSync(from, 'r'), openSync(to, 'r+')];
  // The file may be cut off before the first pages of some tables: SQLite opens none whose tables are behind its end.
  ftruncateSync(target, Math.max(fstatSync(target).size, fstatSync(source).size));
  const page = Buffer.alloc(pageSize);
  for (const number of pages) {
    readSync(source, page, 0, pageSize, (number - 1) * pageSize);
    if (number === 1) {
      page.writeUInt32BE(Math.ceil(fstatSync(target).size / pageSize), 28);
      // No list of free pages: that of the new file is not that of this one.
      page.writeUInt32BE(0, 32);
      page.writeUInt32BE(0, 36);
    }
    writeSync(target, page, 0, pageSize, (number - 1) * pageSize);
  }
  closeSync(source);
  closeSync(target);
}
