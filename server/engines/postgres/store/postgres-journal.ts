/**
 * A journal in PostgreSQL, which several processes write. One loop does the work of a process, one step at a time:
 *
 *   idle ── wake, append, decide, rewrite ──▶ working ── nothing left ──▶ idle
 *
 * An append is one statement that takes the lock of the log, numbers the records and commits them. A decision takes the lock,
 * reads what is new, runs, and commits its records. So the order of the numbers is the order of the commits, and the follower
 * gets the records of all processes in that order. Appends that wait are committed together.
 */
import { StoreError, type Journal, type JournalFollower, type JournalRecord } from '../../../ports/storage.ts';
import { messageOf } from '../../../text/error-text.ts';
import { DatabaseError, type Database } from './database.ts';
import { LogReader, type Position } from './log-reader.ts';
import { LogWriter, maxCommitLength, requireLines } from './log-writer.ts';
import { findEnd, readChanges, readEnds, trimLog, type ChangeRow } from './statements.ts';

interface Append {
  readonly kind: 'append';
  readonly records: readonly string[];
  readonly done: PromiseWithResolvers<number>;
}
interface Decision {
  readonly kind: 'decide';
  readonly decide: () => readonly string[];
  readonly done: PromiseWithResolvers<number>;
}
interface Rewrite {
  readonly kind: 'rewrite';
  readonly records: () => Iterable<string> | AsyncIterable<string>;
  readonly done: PromiseWithResolvers<number>;
}
type Job = Append | Decision | Rewrite;

export interface PostgresJournalObserver {
  /** After each commit, with its duration in milliseconds. */
  readonly committed?: (ms: number) => void;
  /** After each lock of the log, with the time of waiting for it in milliseconds. */
  readonly locked?: (ms: number) => void;
  /** When the journal cannot be written any more; once for each reason. */
  readonly failed?: (fault: StoreError) => void;
  /** When the journal can be written again. */
  readonly recovered?: () => void;
  /** The database does not hold the history that this process has applied. */
  readonly diverged?: (reason: string) => void;
}

const trimRows = 10_000;

const hasNumber = ({ seq }: { readonly seq?: string | null }): boolean => typeof seq === 'string';

export class PostgresJournal implements Journal {
  failed: StoreError | undefined;
  readonly #name: string;
  readonly #database: Database;
  readonly #observer: PostgresJournalObserver;
  readonly #reader: LogReader;
  readonly #writer: LogWriter;
  #state: 'unread' | 'open' | 'closed' = 'unread';
  #firstSeq = 1;
  #pendingBytes = 0;
  #pendingRecords = 0;
  readonly #queue: Job[] = [];
  #working: Promise<void> | undefined;
  constructor(name: string, database: Database, observer: PostgresJournalObserver = {}) {
    this.#name = name;
    this.#database = database;
    this.#observer = observer;
    this.#reader = new LogReader(name);
    this.#writer = new LogWriter({
      ...{ name, database, reader: this.#reader },
      locked: (ms) => observer.locked?.(ms),
      readFailed: (error) => this.#reportDivergence(error),
      isClosed: () => this.#state === 'closed',
    });
  }

  get firstSeq(): number {
    return this.#firstSeq;
  }
  /** An estimate while appends are in progress: other processes can be first. */
  get lastSeq(): number {
    return this.durableSeq + this.#pendingRecords;
  }
  get durableSeq(): number {
    return this.#reader.known;
  }
  get pendingBytes(): number {
    return this.#pendingBytes;
  }
  /** The number of the last record that the follower has applied, and the chain there, where it is known. */
  get position(): Position {
    return this.#reader.position;
  }
  /** Records that are in the log and that the follower has not applied. */
  get lag(): number {
    return Math.max(0, this.#reader.known - this.#reader.position.seq);
  }

  async replay(apply: Parameters<Journal['replay']>[0], { last = Infinity } = {}): Promise<void> {
    if (this.#state !== 'unread')
      throw new StoreError(`the log ${this.#name} was read before: a journal is replayed once`);
    const [ends] = await this.#database.run<{ first: string | null; last: string | null }>(readEnds(this.#name));
    const from = Math.max(0, Number(ends?.last ?? 0) - last);
    const first = await this.#reader.replay(this.#database.run, from, (record, seq) => apply(Buffer.from(record), seq));
    this.#firstSeq = from > 0 && ends?.first ? Number(ends.first) : (first ?? this.durableSeq + 1);
    this.#state = 'open';
  }

  async read(after: number, limit: number): Promise<readonly JournalRecord[]> {
    const rows = await this.#database.run<ChangeRow>(readChanges(this.#name, after + 1, limit));
    return rows.flatMap(({ seq, record }) => (record === null ? [] : [{ seq: Number(seq), record }]));
  }

  follow(follower: JournalFollower): void {
    this.#reader.follower = follower;
    this.wake();
  }

  async append(records: readonly string[]): Promise<number> {
    this.#requireOpen();
    if (records.length === 0) return this.durableSeq;
    requireLines(records);
    const length = records.reduce((sum, record) => sum + record.length, 0);
    this.#pendingBytes += length;
    this.#pendingRecords += records.length;
    return this.#enqueue({ kind: 'append', records, done: Promise.withResolvers() }).finally(() => {
      this.#pendingBytes -= length;
      this.#pendingRecords -= records.length;
    });
  }

  async decide(decide: () => readonly string[]): Promise<number> {
    this.#requireOpen();
    return this.#enqueue({ kind: 'decide', decide, done: Promise.withResolvers() });
  }

  async rewrite(records: () => Iterable<string> | AsyncIterable<string>): Promise<void> {
    this.#requireOpen();
    await this.#enqueue({ kind: 'rewrite', records, done: Promise.withResolvers() });
  }

  async trim(upTo: number): Promise<void> {
    this.#requireOpen();
    for (let isLeft = true; isLeft;) {
      const [row] = await this.#database.run<{ is_left: boolean }>(trimLog(this.#name, upTo, trimRows, false));
      isLeft = row?.is_left === true;
    }
    this.#firstSeq = Math.max(this.#firstSeq, Math.min(upTo, this.durableSeq) + 1);
  }

  /** The last number that the database has in common with what this process has read; undefined where this is unknown. Rejects with StoreError. */
  async lastKept(): Promise<number | undefined> {
    const { ends } = this.#reader;
    const [row] = await this.#database.run<{ seq: string | null }>(findEnd(this.#name, ends));
    return row?.seq == null ? undefined : Number(row.seq);
  }

  /** Whether the database has all that this process has read. Rejects with StoreError. */
  async isKept(): Promise<boolean> {
    const { seq, chain } = this.#reader.position;
    if (seq === 0) return true;
    return chain !== undefined && (await this.#database.run(findEnd(this.#name, [[seq, chain]]))).some(hasNumber);
  }

  /** Reads what other processes have appended. `known`: a number that is in the log. */
  wake(known = 0): void {
    this.#reader.learn(known);
    if (this.#state === 'open' && this.#reader.isBehind) this.#start();
  }

  /** The database answers again, so writes may succeed. */
  tryAgain(): void {
    if (this.failed === undefined || this.#state !== 'open') return;
    this.failed = undefined;
    this.#observer.recovered?.();
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#working;
  }

  #requireOpen(): void {
    if (this.#state !== 'open')
      throw new StoreError(
        `the log ${this.#name} is ${this.#state === 'unread' ? 'not replayed yet' : 'closed'}: nothing can be written`,
      );
  }

  #enqueue(job: Job): Promise<number> {
    this.#queue.push(job);
    this.#start();
    return job.done.promise;
  }

  #start(): void {
    this.#working ??= this.#work();
  }

  /** Works until nothing is left. Never rejects: failures reject the jobs. */
  async #work(): Promise<void> {
    // Waits one microtask, so that appends of the same step form one commit.
    await Promise.resolve();
    for (let isAble = true; this.#queue.length > 0 || (isAble && this.#state === 'open' && this.#reader.isBehind);) {
      const job = this.#queue.shift();
      if (job !== undefined) await this.#run(job);
      else isAble = await this.#catchUp();
    }
    // In the same step as the last check of the queue: the next job starts the work again.
    this.#working = undefined;
  }

  /** Reads what is new. Returns false if that is not possible now: the next wake-up tries again. */
  async #catchUp(): Promise<boolean> {
    try {
      await this.#reader.catchUp(this.#database.run, { yields: true });
      return true;
    } catch (error) {
      this.#reader.giveUp();
      this.#reportDivergence(error);
      return false;
    }
  }

  async #run(job: Job): Promise<void> {
    const started = performance.now();
    if (job.kind === 'append') {
      const jobs = [job, ...this.#takeAppends(job)];
      try {
        await this.#writer.append(
          jobs.map(({ records }) => records),
          (place, lastSeq) => jobs[place]?.done.resolve(lastSeq),
        );
      } catch (error) {
        const failure = this.#fail(error);
        for (const { done } of jobs) done.reject(failure);
        return;
      }
    } else {
      try {
        if (job.kind === 'decide') await this.#writer.decide(job.decide);
        else this.#firstSeq = (await this.#writer.rewrite(job.records)) + 1;
        job.done.resolve(this.durableSeq);
      } catch (error) {
        return job.done.reject(error instanceof DatabaseError ? this.#fail(error) : error);
      }
    }
    this.tryAgain();
    this.#observer.committed?.(performance.now() - started);
  }

  /** Takes the appends that wait behind this one, up to the maximum size of a commit. */
  #takeAppends(first: Append): Append[] {
    const taken: Append[] = [];
    const lengthOf = ({ records }: Append): number => records.reduce((sum, { length }) => sum + length, 0);
    let length = lengthOf(first);
    for (let next = this.#queue[0]; next?.kind === 'append'; next = this.#queue[0]) {
      length += lengthOf(next);
      if (length > maxCommitLength) break;
      this.#queue.shift();
      taken.push(next);
    }
    return taken;
  }

  #fail(error: unknown): StoreError {
    const before = this.failed;
    this.failed =
      error instanceof StoreError
        ? error
        : new StoreError(`the log ${this.#name} cannot be written: ${messageOf(error)}`);
    if (before?.message !== this.failed.message) this.#observer.failed?.(this.failed);
    return this.failed;
  }

  #reportDivergence(error: unknown): void {
    if (error instanceof StoreError && !(error instanceof DatabaseError)) this.#observer.diverged?.(error.message);
  }
}
