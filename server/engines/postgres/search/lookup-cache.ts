/**
 * The results of look-ups in the tables of users, places and lists. The database counts the changes of these tables. A result is used
 * while the count is the one that was known before its look-up; each search verifies that.
 */
import type { Fragment, Insertion } from '../../../archive/sql.ts';
import type { Run, RunAny } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import { statementOf } from '../store/postgres-dialect.ts';

const maxEntries = 10_000;
/** Results with more rows are not cached: this bounds the memory. */
const maxRows = 1_000;

/** The rows that a look-up returned, and the version of the tables that was known before it. */
interface Entry {
  readonly version: string;
  readonly rows: Promise<readonly object[]>;
}

/** The look-ups of one search. */
export class Lookups {
  readonly #cache: LookupCache;
  /** The oldest version of the tables for which a cached result was used. */
  #cachedVersion: string | undefined;

  constructor(cache: LookupCache) {
    this.#cache = cache;
  }

  readonly run: RunAny = async <Row extends object>(
    statement: Statement | Fragment | Insertion,
  ): Promise<readonly Row[]> => {
    const { rows, version } = this.#cache.get<Row>(statementOf(statement));
    if (version !== undefined) this.#cachedVersion = version;
    return rows;
  };

  /** Whether all results hold for a version of the tables. A result that was not cached holds: it was read a moment ago. */
  areValidFor(version: string): boolean {
    this.#cache.seen(version);
    return this.#cachedVersion === undefined || this.#cachedVersion === version;
  }
}

export class LookupCache {
  readonly #run: Run;
  readonly #entries = new Map<string, Entry>();
  /** The last version that a search has seen. */
  #version: string | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Records the version that a search has seen. The results of other versions are forgotten. */
  seen(version: string): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#entries.clear();
  }

  /** The rows of a statement; `version` where they come from the cache. */
  get<Row extends object>(
    statement: Statement,
  ): { readonly rows: Promise<readonly Row[]>; readonly version: string | undefined } {
    const key = JSON.stringify([statement.text, statement.params]);
    const entry = this.#entries.get(key);
    if (entry !== undefined) return { rows: entry.rows as Promise<readonly Row[]>, version: entry.version };
    const rows = this.#run<Row>(statement);
    if (this.#version !== undefined) this.#keep(key, { version: this.#version, rows });
    return { rows, version: undefined };
  }

  #keep(key: string, entry: Entry): void {
    const oldest = this.#entries.size < maxEntries ? undefined : this.#entries.keys().next().value;
    if (oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, entry);
    const forget = (): void => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    };
    entry.rows.then((rows) => {
      if (rows.length > maxRows) forget();
    }, forget);
  }
}
