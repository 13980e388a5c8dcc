/** A journal as rows of the table `change`. The last record stays without its text when it is removed: its number is never given again. */
import { randomUUID } from 'node:crypto';
import { StoreError, type Journal, type JournalFollower, type JournalRecord } from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';
import type { FileWriter } from './file-writer.ts';
import type { Row, SqliteDatabase } from './sqlite-database.ts';
import type { Appended } from './sqlite-writer.ts';

interface PendingAppend {
  readonly batch: string;
  readonly records: readonly string[];
  readonly done: PromiseWithResolvers<number>;
}
/** The rows that one statement reads. */
const pageRows = 1000;

export class SqliteJournal implements Journal {
  readonly #log: string;
  readonly #reader: SqliteDatabase;
  readonly #writer: FileWriter;
  #first: number;
  #durable: number;
  #pending: PendingAppend[] = [];
  #isReplayed = false;
  #isRewriting = false;
  #isClosed = false;
  #flushing: Promise<void> | undefined;
  #follower: JournalFollower | undefined;

  /** `reader`: a connection outside of transactions. */
  constructor(log: string, reader: SqliteDatabase, writer: FileWriter) {
    this.#log = log;
    this.#reader = reader;
    this.#writer = writer;
    this.#durable = this.#lastSeq();
    this.#first = this.#firstSeq();
    writer.follow(log, (appended) => this.#show(appended));
  }

  get firstSeq(): number {
    return this.#first;
  }
  get lastSeq(): number {
    return this.#durable + this.#pending.reduce((sum, { records }) => sum + records.length, 0);
  }
  get durableSeq(): number {
    return this.#durable;
  }
  get pendingBytes(): number {
    return this.#pending.reduce((sum, { records }) => sum + records.join('').length, 0);
  }
  get failed(): StoreError | undefined {
    return this.#writer.failed;
  }

  async replay(apply: (json: Buffer, seq: number) => void, { last = Infinity } = {}): Promise<void> {
    if (this.#isReplayed) throw new StoreError(`the journal ${this.#log} is replayed once`);
    const rows = this.#rows(Math.max(0, this.#durable - last));
    for (const { seq, record } of rows) apply(Buffer.from(record), seq);
    this.#isReplayed = true;
  }

  async read(after: number, limit: number): Promise<readonly JournalRecord[]> {
    return this.#page(after, limit);
  }

  follow(follower: JournalFollower): void {
    this.#follower = follower;
  }

  async append(records: readonly string[]): Promise<number> {
    this.#requireWritable();
    if (records.length === 0) return this.#durable;
    if (records.some((record) => record === '' || record.includes('\n')))
      throw new StoreError('a record is one JSON text without a newline');
    const done = Promise.withResolvers<number>();
    this.#pending.push({ batch: randomUUID(), records, done });
    this.#flushSoon();
    return done.promise;
  }

  async decide(decide: () => readonly string[]): Promise<number> {
    return this.append(decide());
  }

  async rewrite(records: () => Iterable<string> | AsyncIterable<string>): Promise<void> {
    this.#requireWritable();
    await this.#flushing;
    this.#isRewriting = true;
    try {
      // Read before the transaction: other writers do not wait for the source.
      const written: string[] = [];
      for await (const record of records()) written.push(record);
      await this.#writer.rewrite(this.#log, written);
      this.#durable = this.#lastSeq();
      this.#first = this.#firstSeq();
    } catch (error) {
      throw error instanceof StoreError
        ? error
        : new StoreError(`the journal ${this.#log} stays as it was: ${messageOf(error)}`);
    } finally {
      this.#isRewriting = false;
      this.#flushSoon();
    }
  }

  async trim(upTo: number): Promise<void> {
    this.#requireWritable();
    await this.#writer.trim(this.#log, upTo);
    this.#first = this.#firstSeq();
  }

  /** Waits for the appends. Nothing can be written afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#flushing;
  }

  #requireWritable(): void {
    if (this.#isClosed) throw new StoreError('the store is closed: nothing can be written');
    if (!this.#isReplayed) throw new StoreError(`the journal ${this.#log} is not replayed yet: nothing can be written`);
  }

  #flushSoon(): void {
    if (this.#isRewriting || this.#pending.length === 0) return;
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined;
      this.#flushSoon();
    });
  }

  /** Writes all pending records in one transaction. Never rejects: a failure rejects the calls. */
  async #flush(): Promise<void> {
    // Calls of the same turn share the transaction.
    await Promise.resolve();
    const written = [...this.#pending];
    try {
      await this.#writer.append(
        this.#log,
        written.map(({ batch, records }) => ({ batch, records })),
      );
    } catch (error) {
      const failure = error instanceof StoreError ? error : new StoreError(String(error));
      for (const { done } of this.#pending.splice(0)) done.reject(failure);
    }
  }

  /** Passes on records that are durable, of this journal or of another transaction. */
  #show({ batch, records, first }: Appended): void {
    const place = this.#pending.findIndex((each) => each.batch === batch);
    const [own] = place < 0 ? [] : this.#pending.splice(place, 1);
    this.#durable = first + records.length - 1;
    own?.done.resolve(this.#durable);
    // The follower knows the array that was appended.
    this.#follower?.apply(own?.records ?? records, first);
  }

  #page(after: number, limit: number): JournalRecord[] {
    return this.#reader.all<JournalRecord & Row>(
      'SELECT seq, record FROM change WHERE log = ? AND seq > ? AND record IS NOT NULL ORDER BY seq LIMIT ?',
      this.#log,
      after,
      limit,
    );
  }

  /** The records behind a number, page by page. */
  *#rows(after: number): Generator<JournalRecord, void> {
    for (let last = after; ;) {
      const rows = this.#page(last, pageRows);
      yield* rows;
      const end = rows.at(-1);
      if (end === undefined) return;
      last = end.seq;
    }
  }

  #lastSeq(): number {
    return this.#reader.lastSeqOf(this.#log);
  }

  #firstSeq(): number {
    const row = this.#reader.first<{ seq: number }>(
      'SELECT seq FROM change WHERE log = ? AND record IS NOT NULL ORDER BY seq LIMIT 1',
      this.#log,
    );
    return row?.seq ?? this.#lastSeq() + 1;
  }
}
