/**
 * Reads of the archive from standbys. What this process has shown, or knows, no later read lacks:
 *
 *   required = the last commit that this process knows, or has shown, or has written itself
 *
 * A read takes one standby. Before each of its statements, that standby has to show the required commit, which it is asked for where that is
 * not known; where it does not do so in time, or fails, the rest of the read goes to the primary, which shows more than any standby. At the
 * end of a read, its server says which commit it shows: later reads require that one, on whatever server.
 *
 * The number of a commit in the commit log is exact where the position of the write-ahead log would be too strict: it also grows by what
 * concerns no reader.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ArchiveSearch } from '../../../archive/search/archive-search.ts';
import type { RunSql } from '../../../archive/sql.ts';
import { StoreError } from '../../../ports/storage.ts';
import type { StandbyState } from '../../../storage/database-state.ts';
import { RepeatedTask } from '../../../process/repeated-task.ts';
import { DatabaseError } from '../store/database.ts';
import { OtherServer, type ReadServer } from './read-server.ts';

/** How long a statement waits for a standby, and the time between two questions, in milliseconds. */
const waitMs = 50;
const askMs = 5;
/** The time between two looks at all standbys, in milliseconds. */
const lookMs = 500;

/** query_canceled: the statement took too long. On another server it would take as long. */
const tooSlow = '57014';

/** A read in progress. */
interface Read {
  server: ReadServer;
  hasRead: boolean;
  /** A commit that an earlier page has shown, perhaps by another process. */
  readonly shownBefore: number;
}

export interface StandbyReadsParts {
  readonly primary: ReadServer;
  readonly standbys: readonly ReadServer[];
  /** The last commit that this process knows. */
  readonly known: () => number;
}

export class StandbyReads {
  readonly #parts: StandbyReadsParts;
  readonly #reads = new AsyncLocalStorage<Read>();
  #required = 0;
  readonly #looks = new RepeatedTask(lookMs, () => this.#look());
  #next = 0;
  readonly #counts = { standby: 0, primary: 0 };

  constructor(parts: StandbyReadsParts) {
    this.#parts = parts;
    // Until it was looked at.
    for (const standby of parts.standbys) standby.leftOut = 'unreachable';
  }

  /** Looks at the standbys from now on. The first look is over when it resolves. */
  async start(): Promise<void> {
    await this.#look();
    this.#looks.start();
  }

  async close(): Promise<void> {
    await this.#looks.stop();
    await Promise.all(this.#parts.standbys.map(({ database }) => database.close()));
  }

  /** Whether a standby answers: the data is there to read although the primary may be away. */
  get isReachable(): boolean {
    return this.#parts.standbys.some(({ leftOut }) => leftOut === undefined);
  }

  /** The reads so far by their servers. One that a standby could not end counts for the primary. */
  get counts(): Readonly<Record<'standby' | 'primary', number>> {
    return this.#counts;
  }

  get states(): readonly StandbyState[] {
    return this.#parts.standbys.map(({ leftOut, shown, lagMs }) => ({
      leftOut,
      lagMs,
      lagCommits: Math.max(0, this.#parts.known() - shown),
    }));
  }

  /** A caller of this process knows a commit: all later reads have it. */
  require(commit: number): void {
    this.#required = Math.max(this.#required, commit);
  }

  /** The commit that the reads of this process have shown so far. */
  get shown(): number {
    return this.#required;
  }

  /**
   * Does a read from one server, which shows the commit `shownBefore` at least. A read that fails on a standby because it cannot say what it
   * has shown is done again on the primary. Rejects as the read does.
   */
  async within<Result>(read: () => Promise<Result>, shownBefore = 0): Promise<Result> {
    if (this.#reads.getStore() !== undefined) return read();
    const { primary } = this.#parts;
    const standby = this.#choose();
    if (standby === undefined) return this.#readFrom(primary, read, shownBefore);
    try {
      return await this.#readFrom(standby, read, shownBefore);
    } catch (error) {
      if (!(error instanceof NotShown)) throw error;
      return this.#readFrom(primary, read, shownBefore);
    }
  }

  async #readFrom<Result>(server: ReadServer, read: () => Promise<Result>, shownBefore: number): Promise<Result> {
    const own: Read = { server, hasRead: false, shownBefore };
    server.active++;
    try {
      return await this.#reads.run(own, read);
    } finally {
      server.active--;
      if (own.hasRead) await this.#noteShown(own);
    }
  }

  /** Also where nothing was found: that is an answer. */
  async #noteShown({ server }: Read): Promise<void> {
    const { primary } = this.#parts;
    this.#counts[server === primary ? 'primary' : 'standby']++;
    try {
      this.require(await server.ask());
    } catch (error) {
      if (server === primary) throw error;
      this.#leaveOut(server, error);
      throw new NotShown();
    }
  }

  readonly run: RunSql = (statement) => this.#onServer(({ database }) => database.run(statement));

  readonly search: ArchiveSearch = {
    latest: (...call) => this.#onServer(({ search }) => search.latest(...call)),
    top: (...call) => this.#onServer(({ search }) => search.top(...call)),
    counts: (...call) => this.#onServer(({ search }) => search.counts(...call)),
    oldest: (...call) => this.#onServer(({ search }) => search.oldest(...call)),
  };

  async #onServer<Result>(use: (server: ReadServer) => Promise<Result>): Promise<Result> {
    const { primary, known } = this.#parts;
    const read = this.#reads.getStore();
    if (read === undefined) return use(primary);
    const { server } = read;
    if (server !== primary) {
      const required = Math.max(this.#required, known(), read.shownBefore);
      try {
        if (server.shown >= required || (await this.#shows(server, required))) {
          read.hasRead = true;
          return await use(server);
        }
      } catch (error) {
        if (!(error instanceof StoreError || error instanceof OtherServer)) throw error;
        if (error instanceof DatabaseError && error.code === tooSlow) throw error;
        this.#leaveOut(server, error);
      }
      read.server = primary;
    }
    read.hasRead = true;
    return use(primary);
  }

  /** Whether a standby shows a commit, now or soon. Otherwise it is left out until it has caught up. Rejects with StoreError. */
  async #shows(server: ReadServer, required: number): Promise<boolean> {
    const end = performance.now() + waitMs;
    for (;;) {
      await server.ask();
      if (server.compare(required)) return true;
      if (server.leftOut !== undefined || performance.now() > end) break;
      await sleep(askMs);
    }
    server.leftOut ??= 'behind';
    return false;
  }

  /** Where the standby is gone, others need not find out. A statement that only conflicted with the replay leaves it in. */
  #leaveOut(server: ReadServer, error: unknown): void {
    if (error instanceof OtherServer) server.leftOut = error.reason;
    else if (error instanceof DatabaseError && error.isDisconnected) server.leftOut = 'unreachable';
  }

  /** The standby with the fewest reads; of equal ones each in turn. */
  #choose(): ReadServer | undefined {
    const { standbys } = this.#parts;
    let best: ReadServer | undefined;
    for (let n = 0; n < standbys.length; n++) {
      const each = standbys[(this.#next + n) % standbys.length];
      if (each?.leftOut === undefined && each !== undefined && each.active < (best?.active ?? Infinity)) best = each;
    }
    this.#next = (this.#next + 1) % standbys.length;
    return best;
  }

  /** Asks each standby, and takes it in or leaves it out. Never rejects. */
  async #look(): Promise<void> {
    await Promise.all(
      this.#parts.standbys.map(async (standby) => {
        const required = Math.max(this.#required, this.#parts.known());
        try {
          await standby.ask();
          standby.leftOut = standby.compare(required) ? undefined : 'behind';
        } catch (error) {
          standby.compare(required);
          standby.leftOut = error instanceof OtherServer ? error.reason : 'unreachable';
        }
      }),
    );
  }
}

/** A standby could not say what it has shown. */
class NotShown extends Error {}
