/** The commits of one process to a log in PostgreSQL. The caller runs one commit at a time. */
import { randomUUID } from 'node:crypto';
import { StoreError } from '../../../ports/storage.ts';
import { messageOf } from '../../../text/error-text.ts';
import { DatabaseError, type Database } from './database.ts';
import type { LogReader } from './log-reader.ts';
import { withLock } from './stalled-writer.ts';
import { appendRecords, findBatch, lockLog, trimLog, type AppendedRow, type LockRow } from './statements.ts';

/** The maximum size of one commit, in UTF-16 code units. */
export const maxCommitLength = 8 * 1024 * 1024;
const allRows = 2 ** 31 - 1;
/** For how long a write whose outcome is not known is examined, in milliseconds. */
const resolveMs = 8_000;
const retryMs = 250;

/** The result of a commit. */
interface Committed {
  readonly first: number;
  readonly last: number;
  readonly chain: string;
}

export interface LogWriterParts {
  readonly name: string;
  readonly database: Database;
  /** Passes the committed records to the follower. */
  readonly reader: LogReader;
  /** Called after each lock of the log, with the time of waiting for it in milliseconds. */
  readonly locked: (ms: number) => void;
  /** Gets each error of a read: the database may not have the history that this process has applied. */
  readonly readFailed: (error: unknown) => void;
  readonly isClosed: () => boolean;
}

export class LogWriter {
  readonly #parts: LogWriterParts;

  constructor(parts: LogWriterParts) {
    this.#parts = parts;
  }

  /**
   * Commits the records of appends together. `done` gets the place of an append among these and the number of its last record, when
   * the follower has its records. Rejects with DatabaseError or StoreError.
   */
  async append(appends: readonly (readonly string[])[], done: (place: number, lastSeq: number) => void): Promise<void> {
    const { name, database, reader } = this.#parts;
    const [only] = appends;
    const records = appends.length === 1 && only !== undefined ? only : appends.flat();
    const write = appendRecords(name, { batch: randomUUID(), known: reader.known, records });
    // A repeated statement finds the batch of a commit whose answer was lost.
    const { first, last, chain } = await this.#examined(async () =>
      this.#appended(await withLock(database, [name], () => database.run(write))),
    );
    await this.#readUpTo(first - 1);
    let seq = first;
    for (const [place, own] of appends.entries()) {
      const end = seq + own.length - 1;
      reader.take(own, seq, end === last ? chain : undefined);
      seq = end + 1;
      done(place, end);
    }
  }

  #appended(rows: readonly AppendedRow[]): Committed {
    this.#parts.locked(Number(rows[0]?.lock_wait_ms ?? 0));
    return committedOf(rows);
  }

  /**
   * Reads the records of other processes before own ones. If that is not possible now, it is repeated: the own records are
   * durable, and the follower must get all records in order.
   */
  async #readUpTo(last: number): Promise<void> {
    const { database, reader, readFailed, isClosed } = this.#parts;
    reader.learn(last);
    for (;;) {
      try {
        return await reader.catchUp(database.run, { upTo: last, yields: true });
      } catch (error) {
        readFailed(error);
        if (isClosed() || !(error instanceof DatabaseError)) throw error;
        await sleep(retryMs);
      }
    }
  }

  /** Repeats a write whose outcome is not known, until the database answers or the time is over. */
  async #examined<Result>(write: () => Promise<Result>): Promise<Result> {
    const end = performance.now() + resolveMs;
    let isUnknown = false;
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (!(error instanceof DatabaseError) || !(isUnknown ||= error.isUnknown)) throw error;
        if (performance.now() > end || this.#parts.isClosed()) throw error;
        await sleep(retryMs);
      }
    }
  }

  /**
   * Takes the lock of the log, reads what is new, and commits the records of a decision on that state. Rejects with DatabaseError or
   * StoreError, and with what `decide` throws.
   */
  async decide(decide: () => readonly string[]): Promise<void> {
    const { name, database, reader, locked, readFailed } = this.#parts;
    const batch = randomUUID();
    const result: { records: readonly string[]; committed?: Committed } = { records: [] };
    try {
      // Most of what is new is read before the lock is taken.
      await reader.catchUp(database.run, { yields: true });
      const transaction = (): Promise<void> =>
        database.transaction(async (run) => {
          const [lock] = await run<LockRow>(lockLog(name));
          locked(Number(lock?.lock_wait_ms ?? 0));
          await reader.catchUp(run);
          const records = decide();
          requireLines(records);
          if (records.length === 0) return;
          result.records = records;
          result.committed = committedOf(await run(appendRecords(name, { batch, known: reader.known, records })));
        });
      await withLock(database, [name], transaction);
    } catch (error) {
      readFailed(error);
      if (result.committed === undefined || !(error instanceof DatabaseError && error.isUnknown)) throw error;
      await this.#requireCommitted(batch, error);
    }
    const { records, committed } = result;
    if (committed !== undefined) reader.take(records, committed.first, committed.chain);
  }

  /** Throws `failure` unless the batch is in the log. The lock waits for the end of a transaction that is still open. */
  async #requireCommitted(batch: string, failure: DatabaseError): Promise<void> {
    const { name, database, reader } = this.#parts;
    const find = (): Promise<boolean> =>
      database.transaction(async (run) => {
        await run(lockLog(name));
        return (await run(findBatch(name, reader.known, batch))).length > 0;
      });
    const isFound = await this.#examined(async () => {
      try {
        return await find();
      } catch (error) {
        // Whatever happened to the question, the answer is still not known.
        throw error instanceof DatabaseError ? failure : error;
      }
    });
    if (!isFound) throw failure;
  }

  /**
   * Replaces all records. Returns the number of the last record before them. Rejects with StoreError, and the log stays as it
   * was.
   */
  async rewrite(records: () => Iterable<string> | AsyncIterable<string>): Promise<number> {
    const { name, database, reader } = this.#parts;
    const result: { head: number; committed?: Committed } = { head: 0 };
    try {
      await database.transaction(async (run) => {
        await run(lockLog(name));
        await reader.catchUp(run);
        result.head = reader.known;
        for await (const page of pagesOf(records())) {
          const write = { batch: randomUUID(), known: Number.MAX_SAFE_INTEGER, records: page, asRewrite: true };
          result.committed = committedOf(await run(appendRecords(name, write)));
        }
        await run(trimLog(name, result.head, allRows, true));
      });
    } catch (error) {
      throw error instanceof StoreError
        ? error
        : new StoreError(`the log ${name} stays as it was: ${messageOf(error)}`, { cause: error });
    }
    const { head, committed } = result;
    reader.skipTo(committed?.last ?? head, committed?.chain);
    return head;
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

/** Throws StoreError for a record that could not be read later. */
export function requireLines(records: readonly string[]): void {
  for (const record of records)
    if (record === '' || record.includes('\n') || record.includes('\0'))
      throw new StoreError('a record is one JSON text without a newline');
}

function committedOf([row]: readonly AppendedRow[]): Committed {
  if (row === undefined) throw new StoreError('an append had no result');
  return { first: Number(row.first_seq), last: Number(row.last_seq), chain: row.chain_hex };
}

/** The records of a rewrite in pages that fit into one statement. */
async function* pagesOf(records: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string[], void> {
  let page: string[] = [];
  let length = 0;
  for await (const record of records) {
    requireLines([record]);
    page.push(record);
    length += record.length;
    if (length < maxCommitLength) continue;
    yield page;
    page = [];
    length = 0;
  }
  if (page.length > 0) yield page;
}
