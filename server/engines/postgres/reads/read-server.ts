/** A server that answers reads of the archive: a standby, or the primary. */
import type { ArchiveSearch } from '../../../archive/search/archive-search.ts';
import { commitLog } from '../../../archive/content/commit-log.ts';
import { SqlSearch } from '../search/sql-search.ts';
import type { Database } from '../store/database.ts';
import type { Position } from '../store/log-reader.ts';
import { readShown, type ShownRow } from '../store/statements.ts';

/** Why a standby gets no reads. */
export type LeftOut = 'behind' | 'unreachable' | 'no standby' | 'of another history';

export interface ReadServerOptions {
  readonly database: Database;
  /** What this process has applied of the commit log. */
  readonly position: () => Position | undefined;
  /** Whether only a standby counts. */
  readonly mustBeStandby?: boolean;
}

/** What a server shows grows only, and so does what its look-ups have cached. */
export class ReadServer {
  readonly database: Database;
  readonly search: ArchiveSearch;
  /** The reads in progress. */
  active = 0;
  /** Undefined for one that gets reads. */
  leftOut: LeftOut | undefined;
  /** Since when it lacks a commit that this process knows, by `performance.now`; undefined if it has all. */
  #behindSince: number | undefined;
  readonly #options: ReadServerOptions;
  #shown = 0;
  #asking: Promise<number> | undefined;

  constructor(options: ReadServerOptions) {
    this.#options = options;
    this.database = options.database;
    this.search = new SqlSearch(options.database.run);
  }

  /** The last commit that it is known to show. */
  get shown(): number {
    return this.#shown;
  }

  /** For how long it lacks a commit that this process knows, in milliseconds. */
  get lagMs(): number {
    return this.#behindSince === undefined ? 0 : performance.now() - this.#behindSince;
  }

  /** Notes whether it has shown a commit that this process knew before it was asked. */
  compare(required: number): boolean {
    const isBehind = this.#shown < required;
    if (!isBehind) this.#behindSince = undefined;
    else this.#behindSince ??= performance.now();
    return !isBehind;
  }

  /**
   * Asks which commit it shows: what it has answered before is not newer. Calls of one step share the question. Rejects with StoreError, also
   * where its history is not that of this process.
   */
  ask(): Promise<number> {
    this.#asking ??= Promise.resolve().then(() => {
      this.#asking = undefined;
      return this.#ask();
    });
    return this.#asking;
  }

  async #ask(): Promise<number> {
    const { position, mustBeStandby = false } = this.#options;
    const applied = position();
    const [row] = await this.database.run<ShownRow>(readShown(commitLog, applied?.seq ?? 0));
    const isOther = applied?.chain !== undefined && typeof row?.chain === 'string' && row.chain !== applied.chain;
    if (isOther) throw new OtherServer('of another history');
    if (mustBeStandby && row?.standby !== true) throw new OtherServer('no standby');
    this.#shown = Math.max(this.#shown, Number(row?.seq ?? 0));
    return this.#shown;
  }
}

/** The server is not one that may answer. */
export class OtherServer extends Error {
  readonly reason: LeftOut;

  constructor(reason: LeftOut) {
    super(reason);
    this.reason = reason;
  }
}
