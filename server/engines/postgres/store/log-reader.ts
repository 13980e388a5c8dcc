/**
 * The position of a process in a log, and the reading of what follows. `position` is what the follower has applied; `known` is
 * the last number that this process knows to be in the log.
 *
 * The chain of the last commit before the position is compared with the database each time. If it is another one, or the row
 * is missing although nothing was trimmed, the database has lost commits that this process has applied.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreError, type JournalFollower } from '../../../ports/storage.ts';
import type { Run } from './database.ts';
import { readChanges, type ChangeRow } from './statements.ts';

/** The rows of one page, and of one call of the follower. */
const pageRows = 5_000;
const sliceRows = 500;

/** The ends of commits that are remembered: more than a standby can lack that is promoted. */
const rememberedEnds = 5_000;

/** What the follower has applied. */
export interface Position {
  readonly seq: number;
  /** Hex; undefined where the position is not the end of a commit. */
  readonly chain: string | undefined;
}

export class LogReader {
  follower: JournalFollower | undefined;
  readonly #log: string;
  #position: Position = { seq: 0, chain: undefined };
  #known = 0;
  /** The chains of the last commits, by their last numbers. */
  readonly #ends = new Map<number, string>();
  /** Whether the rows of the rewrite at the position replace the state of the follower. */
  #isReset = false;

  constructor(log: string) {
    this.#log = log;
  }

  get position(): Position {
    return this.#position;
  }

  /** The last numbers and the chains of the last commits, newest first. */
  get ends(): readonly (readonly [seq: number, chain: string])[] {
    return [...this.#ends].toReversed();
  }

  #moveTo(position: Position): void {
    this.#position = position;
    const { seq, chain } = position;
    if (chain === undefined) return;
    this.#ends.set(seq, chain);
    for (const oldest of this.#ends.keys()) {
      if (this.#ends.size <= rememberedEnds) break;
      this.#ends.delete(oldest);
    }
  }

  get known(): number {
    return this.#known;
  }

  get isBehind(): boolean {
    return this.follower !== undefined && this.#position.seq < this.#known;
  }

  /** Notes that a number is in the log. */
  learn(seq: number): void {
    this.#known = Math.max(this.#known, seq);
  }

  /** Waits for the next wake-up. */
  giveUp(): void {
    this.#known = this.#position.seq;
  }

  /** Reads the log after a number. Returns the number of the first record. */
  async replay(run: Run, after: number, apply: (record: string, seq: number) => void): Promise<number | undefined> {
    let first: number | undefined;
    this.#position = { seq: after, chain: undefined };
    for (let rows: readonly ChangeRow[] = [], isLast = false; !isLast;) {
      rows = await run<ChangeRow>(readChanges(this.#log, this.#position.seq + 1, pageRows));
      for (const { seq: number, record, chain, rewritten } of rows) {
        const seq = Number(number);
        if (rewritten && first !== undefined && seq > this.#position.seq + 1)
          throw new StoreError(`the log ${this.#log} was rewritten while it was read: start again`);
        this.#moveTo({ seq, chain: chain ?? undefined });
        if (record === null) continue;
        first ??= seq;
        apply(record, seq);
      }
      isLast = rows.length < pageRows;
    }
    this.#known = this.#position.seq;
    return first;
  }

  /**
   * Passes new records to the follower, up to a number or to the end of the log. `yields`: lets other work run in between.
   * Rejects with DatabaseError, and with another StoreError if the database has lost what the follower has.
   */
  async catchUp(run: Run, { upTo = Infinity, yields = false } = {}): Promise<void> {
    if (this.follower === undefined) return;
    while (this.#position.seq < upTo) {
      // The first row is the one of the position, whose chain is compared.
      const limit = Math.min(pageRows, upTo - this.#position.seq + 1);
      const from = Math.max(1, this.#position.seq);
      const rows = await run<ChangeRow>(readChanges(this.#log, from, limit));
      this.#check(rows);
      const last = Number(rows.at(-1)?.seq ?? 0);
      const after = this.#position.seq;
      await this.#passOn(
        rows.filter(({ seq }) => Number(seq) > after && Number(seq) <= upTo),
        yields,
      );
      this.learn(last);
      if (rows.length < limit || last >= upTo) break;
    }
  }

  /** Applies own records, which follow the position. `chain`: where they end a commit. */
  take(records: readonly string[], first: number, chain: string | undefined): void {
    const last = first + records.length - 1;
    this.learn(last);
    if (this.follower === undefined) return;
    this.follower.apply(records, first);
    this.#moveTo({ seq: last, chain });
  }

  /** Moves behind a rewrite of this process, which is the state that the follower has. */
  skipTo(seq: number, chain: string | undefined): void {
    this.#known = Math.max(this.#known, seq);
    if (this.follower !== undefined) this.#position = { seq, chain: chain ?? this.#position.chain };
  }

  #check(rows: readonly ChangeRow[]): void {
    const { seq, chain } = this.#position;
    if (seq === 0) return;
    const [first] = rows;
    const isOther = Number(first?.seq) === seq && chain !== undefined && (first?.chain ?? undefined) !== chain;
    if (first === undefined || isOther)
      throw new StoreError(`the database has lost record ${seq} of the log ${this.#log}, or has another one`);
  }

  /** Passes rows to the follower: runs of consecutive numbers, and the marks of rewrites. */
  async #passOn(rows: readonly ChangeRow[], yields: boolean): Promise<void> {
    let pending: string[] = [];
    const flush = (): void => {
      if (pending.length > 0) this.follower?.apply(pending, this.#position.seq - pending.length + 1);
      pending = [];
    };
    for (const { seq: number, record, chain, rewritten } of rows) {
      const seq = Number(number);
      const isNext = seq === this.#position.seq + 1;
      if (!isNext) flush();
      // A gap before a rewrite, or its mark without records: what it replaced was not read.
      if (rewritten && (!isNext || record === null)) this.#reset();
      const isKnown = rewritten && !this.#isReset;
      if (!rewritten) this.#isReset = false;
      if (record === null || isKnown) flush();
      this.#moveTo({ seq, chain: chain ?? undefined });
      if (record === null || isKnown) continue;
      pending.push(record);
      if (pending.length < sliceRows) continue;
      flush();
      if (yields) await nextTurn();
    }
    flush();
  }

  #reset(): void {
    this.#isReset = true;
    this.follower?.reset?.();
  }
}
