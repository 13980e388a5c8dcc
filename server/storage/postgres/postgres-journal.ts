/**
 * A journal in PostgreSQL, which several processes write. One loop does the work of a process, one step at a time:
 *
 *   idle ── wake, append, decide, rewrite, hold ──▶ working ── nothing left ──▶ idle
 *
 * An append is one statement that takes the lock of the log, numbers the records and commits them. A decision takes the lock,
 * reads what is new, runs, and commits its records. So the order of the numbers is the order of the commits, and the follower
 * gets the records of all processes in that order. Appends that wait are committed together.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  StoreError,
  type Journal,
  type JournalFollower,
  type JournalPosition,
  type JournalPositions,
  type PurgeResult,
} from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';
import { DatabaseError, type Database } from './database.ts';
import type { CopyPosition, LogCopy, SeqRange } from './log-copy.ts';
import { markOf, positionOf, proofOf } from './log-position.ts';
import { LogReader, type Position } from './log-reader.ts';
import { LogWriter, maxCommitLength, requireLines } from './log-writer.ts';
import {
  countPurges,
  keptRanges,
  purgeRecords,
  readChanges,
  scanChanges,
  trimLog,
  vacuumPurged,
  type ChangeRow,
  type RangeRow,
} from './statements.ts';

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
/** Work that the follower waits for. It does not reject. */
interface Hold {
  readonly kind: 'hold';
  readonly run: () => Promise<void>;
  readonly done: PromiseWithResolvers<number>;
}
type Job = Append | Decision | Rewrite | Hold;

export interface PostgresJournalObserver {
  /** After each commit, with its duration in milliseconds. */
  readonly committed?: (ms: number) => void;
  /** After each lock of the log, with the time of waiting for it in milliseconds. */
  readonly locked?: (ms: number) => void;
  /** When the journal cannot be written any more; once for each reason. */
  readonly failed?: (fault: StoreError) => void;
  /** When the journal can be written again. */
  readonly recovered?: () => void;
  /** The copy in the data directory does not belong to the log: it is built again. */
  readonly copyDropped?: () => void;
  /** The database does not hold the history that this process has applied. */
  readonly diverged?: (reason: string) => void;
}

/** The rows of one page of a scan or a purge, and of one step of a trim. */
const pageRows = 5_000;
const trimRows = 10_000;
/** The copy follows a purge when the last step of it was so long ago. */
const purgeEndMs = 2_000;

export class PostgresJournal implements Journal {
  readonly recovered = undefined;
  failed: StoreError | undefined;
  /** Only with a local copy: without one, nothing of the log is kept between starts. */
  readonly positions: JournalPositions | undefined;
  readonly #name: string;
  readonly #database: Database;
  readonly #observer: PostgresJournalObserver;
  readonly #reader: LogReader;
  readonly #writer: LogWriter;
  readonly #copy: LogCopy | undefined;
  #state: 'unread' | 'open' | 'closed' = 'unread';
  #firstSeq = 1;
  #bytes = 0;
  #pendingBytes = 0;
  #pendingRecords = 0;
  readonly #queue: Job[] = [];
  #working: Promise<void> | undefined;
  #purging: Promise<unknown> | undefined;
  #mirroring: Promise<void> | undefined;
  /** The number of steps of purges, and when it was seen first. */
  #purges = { steps: 0, at: 0 };
  /** The number of steps of purges that the follower knows. */
  #knownSteps: number | undefined;

  constructor(name: string, database: Database, observer: PostgresJournalObserver = {}, copy?: LogCopy) {
    this.#name = name;
    this.#database = database;
    this.#observer = observer;
    this.#reader = new LogReader(name, (bytes) => void (this.#bytes += bytes), copy);
    this.#writer = new LogWriter({
      ...{ name, database, reader: this.#reader },
      locked: (ms) => observer.locked?.(ms),
      readFailed: (error) => this.#reportDivergence(error),
      isClosed: () => this.#state === 'closed',
    });
    this.#copy = copy;
    if (copy === undefined) return;
    this.positions = {
      hold: (task) => this.#hold(task, copy.identity),
      contains: (position) => this.#contains(position, copy.identity),
    };
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
  get bytes(): number {
    return this.#bytes;
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

  async scan(start: string, read: Parameters<Journal['scan']>[1], after?: JournalPosition): Promise<void> {
    for (let from = (after?.seq ?? 0) + 1; ;) {
      const rows = await this.#database.run<ChangeRow>(scanChanges(this.#name, from, start, pageRows));
      for (const { seq, record } of rows)
        if (record !== null) read(Buffer.from(record), Number(seq), placeOf(Number(seq)));
      if (rows.length < pageRows) return;
      from = Number(rows.at(-1)?.seq) + 1;
    }
  }

  async replay(
    apply: Parameters<Journal['replay']>[0],
    after?: JournalPosition,
    settle: (isLast: boolean) => Promise<void> = async () => {},
  ): Promise<void> {
    if (this.#state !== 'unread')
      throw new StoreError(`the log ${this.#name} was read before: a journal is replayed once`);
    const proof = after && proofOf(after);
    const begin: Position = { seq: after?.seq ?? 0, chain: proof?.chain };
    this.#bytes = proof?.bytes ?? 0;
    let first: number | undefined;
    const read = (json: Buffer, seq: number): void => {
      first ??= seq;
      this.#bytes += json.length;
      apply(json, seq, placeOf(seq));
    };
    // A copy that ends before the position also gets the rows between, which are applied already.
    await this.#reader.replay(
      this.#database.run,
      (record, seq) => void (seq > begin.seq && read(Buffer.from(record), seq)),
      await this.#readCopy(read, begin, () => settle(false)),
      () => settle(false),
    );
    await settle(true);
    if (after !== undefined) ({ first } = await markOf(this.#database.run, this.#name, begin.seq));
    this.#firstSeq = first ?? this.durableSeq + 1;
    this.#state = 'open';
  }

  /**
   * Reads the local copy behind a position, after what purges have removed from the database was removed from it. Returns where the
   * database goes on: at the end of the copy, or without one at the position.
   */
  async #readCopy(
    apply: (json: Buffer, seq: number) => void,
    begin: Position,
    settle: () => Promise<void>,
  ): Promise<Position | undefined> {
    const copy = this.#copy;
    if (copy === undefined || copy.isFailed) return begin;
    const [row] = await this.#database.run<{ steps: string }>(countPurges(this.#name));
    const purges = Number(row?.steps ?? 0);
    this.#knownSteps ??= purges;
    const end = copy.position;
    const isCurrent = end !== undefined && (await this.#holds(end));
    if (end !== undefined && !isCurrent) this.#observer.copyDropped?.();
    if (!isCurrent) await copy.reset(purges);
    else if (copy.purges !== purges) await copy.mirror(purges, this.#keptRanges);
    await copy.read(apply, begin.seq, settle);
    return copy.position;
  }

  /** Whether the database has the history up to the end of a copy. */
  async #holds({ seq, chain }: CopyPosition): Promise<boolean> {
    const [row] = await this.#database.run<ChangeRow>(readChanges(this.#name, seq, 1));
    return Number(row?.seq) === seq && row?.chain === chain;
  }

  readonly #keptRanges = async ([first, last]: SeqRange): Promise<readonly SeqRange[]> =>
    (await this.#database.run<RangeRow>(keptRanges(this.#name, first, last))).map((row) => [
      Number(row.first),
      Number(row.last),
    ]);

  /** Runs a task as a step of the loop, which passes nothing to the follower meanwhile. */
  async #hold<Result>(
    task: (position: JournalPosition | undefined) => Promise<Result>,
    identity: string,
  ): Promise<Result> {
    this.#requireOpen();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const run = async (): Promise<void> => resolve(await task(await this.#reach(identity)));
    await this.#enqueue({ kind: 'hold', run: () => run().catch(reject), done: Promise.withResolvers() });
    return promise;
  }

  /** Reads what is new, and returns the position. */
  async #reach(identity: string): Promise<JournalPosition | undefined> {
    try {
      // Before the reading: the follower then has no record that the purges until now have removed.
      const mark = await markOf(this.#database.run, this.#name, 0);
      await this.#reader.catchUp(this.#database.run, { upTo: mark.head, yields: true });
      return positionOf(this.#reader.position, mark, { identity, bytes: this.#bytes });
    } catch (error) {
      this.#reportDivergence(error);
      throw error;
    }
  }

  async #contains(position: JournalPosition, identity: string): Promise<boolean> {
    const proof = proofOf(position);
    if (proof === undefined || proof.identity !== identity) return false;
    const { chain, stamp, steps } = await markOf(this.#database.run, this.#name, position.seq);
    // A later purge is one that the follower must be informed of.
    this.#knownSteps = steps;
    return chain === proof.chain && stamp === proof.stamp;
  }

  /** Notes how many steps of purges the log had. The copy follows after the end of a purge. */
  learnPurges(steps: number): void {
    if (this.#state === 'open' && this.#knownSteps !== steps && this.#reader.follower !== undefined) {
      this.#knownSteps = steps;
      this.#reader.follower.purged?.();
    }
    const copy = this.#copy;
    if (copy === undefined || copy.isFailed || this.#state !== 'open' || steps === copy.purges) return;
    const now = performance.now();
    if (steps !== this.#purges.steps) this.#purges = { steps, at: now };
    if (now - this.#purges.at < purgeEndMs) return;
    this.#mirroring ??= copy
      .mirror(steps, this.#keptRanges)
      // The next poll tries again.
      .catch(() => {})
      .finally(() => (this.#mirroring = undefined));
  }

  /** The size of the local copy in bytes; undefined without one. */
  async copyBytes(): Promise<number | undefined> {
    return this.#copy?.bytes();
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

  async purge(
    keep: (json: Buffer, seq: number) => boolean,
    settle: () => Promise<void> = async () => {},
  ): Promise<PurgeResult> {
    while (this.#purging !== undefined) await this.#purging.catch(() => {});
    this.#requireOpen();
    const purging = this.#purge(keep, settle).finally(() => (this.#purging = undefined));
    this.#purging = purging;
    return purging;
  }

  async trim(upTo: number): Promise<void> {
    this.#requireOpen();
    for (let isLeft = true; isLeft;) {
      const [row] = await this.#database.run<{ is_left: boolean }>(trimLog(this.#name, upTo, trimRows, false));
      isLeft = row?.is_left === true;
    }
    this.#firstSeq = Math.max(this.#firstSeq, Math.min(upTo, this.durableSeq) + 1);
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
    await this.#purging?.catch(() => {});
    await this.#working;
    await this.#mirroring;
    await this.#copy?.close();
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
    if (job.kind === 'hold') {
      await job.run();
      return job.done.resolve(this.durableSeq);
    }
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

  async #purge(keep: (json: Buffer, seq: number) => boolean, settle: () => Promise<void>): Promise<PurgeResult> {
    const last = this.durableSeq;
    const total = { records: 0, files: 0, bytes: 0 };
    for (let from = 1; from <= last && this.#state === 'open';) {
      const rows = await this.#database.run<ChangeRow>(scanChanges(this.#name, from, '', pageRows));
      const removed: number[] = [];
      for (const { seq, record } of rows) {
        if (record === null || Number(seq) > last) continue;
        const json = Buffer.from(record);
        if (keep(json, Number(seq))) continue;
        removed.push(Number(seq));
        total.bytes += json.length;
      }
      if (removed.length > 0) {
        await settle();
        await this.#database.run(purgeRecords(this.#name, removed));
        total.records += removed.length;
      }
      if (rows.length < pageRows) break;
      from = Number(rows.at(-1)?.seq) + 1;
      await nextTurn();
    }
    this.#bytes -= total.bytes;
    if (total.records > 0) await this.#database.run(vacuumPurged).catch(() => {});
    return { ...total, files: total.records > 0 ? 1 : 0 };
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

const placeOf = (seq: number) => ({ segment: 'change', line: seq, offset: 0 });
