/** Compares the checksums of the documents while the service runs, a few rows each second, so that damage is known before it spreads to backups. */
import { checkedTables } from './file-check.ts';
import { checksumOf, type SqliteDatabase, type Value } from './sqlite-database.ts';

export interface ChecksumWatchOptions {
  /** Gets the table and the key of a row with a wrong checksum, once in each pass over the file. */
  readonly onDamage: (table: string, key: string) => void;
  readonly rowsOfStep?: number;
}

/** 1,000,000 tweets take about an hour and a half; a step needs less than a millisecond. */
const defaultRows = 200;
const stepMs = 1_000;

export class ChecksumWatch {
  readonly #reader: SqliteDatabase;
  readonly #options: ChecksumWatchOptions;
  readonly #tables = Object.entries(checkedTables);
  #table = 0;
  /** The key of the last row that was compared; undefined at the start of a table. */
  #last: readonly Value[] | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `reader`: a connection that may not be in a transaction of others. */
  constructor(reader: SqliteDatabase, options: ChecksumWatchOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.step(), stepMs).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Compares the next rows. Where the file cannot be read, the step leaves the table: the connection reports the error. */
  step(): void {
    try {
      if (this.#compare()) return;
    } catch {
      // The next table.
    }
    this.#last = undefined;
    this.#table = (this.#table + 1) % this.#tables.length;
  }

  /** Returns whether the table may have more rows. */
  #compare(): boolean {
    const [table, { key, text, primary }] = this.#tables[this.#table]!;
    const { onDamage, rowsOfStep = defaultRows } = this.#options;
    const columns = primary.join(', ');
    const behind = this.#last === undefined ? '' : `WHERE (${columns}) > (${primary.map(() => '?').join(', ')})`;
    const rows = this.#reader.all<Record<string, Value>>(
      `SELECT ${columns}, ${key} AS shown, ${text} AS text, crc FROM ${table} ${behind} ORDER BY ${columns} LIMIT ${rowsOfStep}`,
      ...(this.#last ?? []),
    );
    for (const { shown, text: document, crc } of rows)
      if (document !== null && checksumOf(String(document)) !== crc) onDamage(table, String(shown));
    const end = rows.at(-1);
    this.#last = end && primary.map((name) => end[name] ?? null);
    return rows.length === rowsOfStep;
  }
}
