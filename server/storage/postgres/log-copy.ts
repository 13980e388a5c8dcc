/**
 * The copy of a log in the data directory of one instance: a start reads it, and only what is newer from the database. It is
 * a cache without fsync. Where anything is wrong with it, it is removed, and the next start builds it again.
 */
import { appendFile, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import writeFileAtomic from 'write-file-atomic';
import { StoreError } from '../../ports/storage.ts';
import { messageOf } from '../../text/error-text.ts';
import { isObject } from '../../text/object.ts';
import { lockDirectory } from '../lowdb/directory-lock.ts';
import { BlockLines, blocksOf, readLines, type Block } from './copy-block.ts';

/** The end of a copy. */
export interface CopyPosition {
  readonly seq: number;
  /** Hex. */
  readonly chain: string;
}

/** A range of numbers, both included. */
export type SeqRange = readonly [first: number, last: number];

export interface LogCopyOptions {
  /** Identifies the database. A copy of another one is removed. */
  readonly identity: string;
  /** When the copy cannot be written. It is removed, and the service goes on without it. */
  readonly onFailed?: (reason: string) => void;
}

/** Identifies the database, and how many purges of it the copy reflects. */
interface CopyFile {
  readonly format: 1;
  readonly identity: string;
  readonly purges: number;
}

/** The size of a block and of a file, in characters and bytes, and the longest time until a block is written. */
const blockLength = 1024 * 1024;
const fileBytes = 64 * 1024 * 1024;
const flushMs = 5_000;
/** A reader of the database waits above the first size, and above the second the copy is given up. */
const queuedLength = { wait: 16 * 1024 * 1024, most: 256 * 1024 * 1024 } as const;
const fileName = /^\d{16}\.rows$/;

export class LogCopy {
  readonly #folder: string;
  readonly #options: LogCopyOptions;
  readonly #unlock: () => void;
  #purges = 0;
  /** The files in order, without those that are removed. */
  #files: string[] = [];
  #position: CopyPosition | undefined;
  #isFailed = false;
  /** The rows that are not written yet: of whole commits, and of a commit whose end did not come yet. */
  #ended: { readonly lines: BlockLines; readonly chain: string } | undefined;
  #open: { seq: number; record: string | null }[] = [];
  #queued = 0;
  #last = 0;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();
  /** The file that gets the next block; undefined: a new one. */
  #current: { readonly file: string; bytes: number } | undefined;

  private constructor(folder: string, options: LogCopyOptions, unlock: () => void) {
    this.#folder = folder;
    this.#options = options;
    this.#unlock = unlock;
  }

  /** Opens the copy in a folder, which it creates. Rejects with StoreError where another process uses it. */
  static async open(folder: string, options: LogCopyOptions): Promise<LogCopy> {
    const copy = new LogCopy(folder, options, await lockDirectory(folder));
    try {
      await copy.#start();
    } catch (error) {
      copy.#unlock();
      throw new StoreError(`${folder} cannot be used: ${messageOf(error)}`, { cause: error });
    }
    return copy;
  }

  /** The last row of the copy; undefined for an empty one. */
  get position(): CopyPosition | undefined {
    return this.#position;
  }

  get identity(): string {
    return this.#options.identity;
  }

  /** How many purges of the database the copy reflects. */
  get purges(): number {
    return this.#purges;
  }

  /** Whether the copy was given up until the next start. */
  get isFailed(): boolean {
    return this.#isFailed;
  }

  async #start(): Promise<void> {
    const names = await readdir(this.#folder);
    // Left by a crash in the middle of a purge.
    for (const name of names) if (name.endsWith('.new')) await rm(join(this.#folder, name));
    const about = await readAbout(join(this.#folder, 'copy.json'));
    this.#files = names.filter((name) => fileName.test(name)).sort();
    if (about?.identity !== this.#options.identity) return this.reset(0);
    this.#purges = about.purges;
    await this.#findEnd();
  }

  /** Finds the last intact block, and cuts off what is behind it. */
  async #findEnd(): Promise<void> {
    for (let file = this.#files.at(-1); file !== undefined; file = this.#files.at(-1)) {
      const path = join(this.#folder, file);
      const content = await readFile(path);
      const last = [...blocksOf(content)].at(-1);
      if (last !== undefined) {
        if (last.end < content.length) await truncate(path, last.end);
        return this.#setEnd(last);
      }
      await rm(path);
      this.#files.pop();
    }
  }

  #setEnd({ last: seq, chain }: Pick<Block, 'last' | 'chain'>): void {
    this.#position = { seq, chain };
    this.#last = seq;
    this.#current = undefined;
  }

  /** Removes what the copy holds; rows can be added from the beginning of the log. `purges`: of the database so far. */
  async reset(purges: number): Promise<void> {
    await this.#working;
    this.#forget();
    for (const file of this.#files) await rm(join(this.#folder, file), { force: true });
    this.#files = [];
    this.#position = this.#current = undefined;
    this.#last = 0;
    await this.#writeAbout(purges);
  }

  /** Forgets the rows that are not written. */
  #forget(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#ended = undefined;
    this.#open = [];
    this.#queued = 0;
    this.#last = this.#position?.seq ?? 0;
  }

  /**
   * Reads all rows that are written, or those behind the row `after`. Ends before a damaged block, and removes it with all that
   * follows: `position` is then the end of what was read. Forgets rows that are not written. Files with rows up to `after` only are not read.
   * `settle` runs after each block.
   */
  async read(
    apply: (json: Buffer, seq: number) => void,
    after = 0,
    settle: () => Promise<void> = async () => {},
  ): Promise<void> {
    await this.#working;
    this.#forget();
    const firstRead = this.#fileWith(after + 1);
    let reached: Block | undefined;
    for (const [index, file] of this.#files.entries()) {
      if (index < firstRead) continue;
      const path = join(this.#folder, file);
      const content = await readFile(path);
      let end = 0;
      for (const block of blocksOf(content)) {
        const isFirst = reached === undefined && index === firstRead && index > 0;
        if (!isFirst && block.first !== (reached?.last ?? 0) + 1) break;
        if (block.last > after) readLines(block, (json, seq) => void (seq > after && apply(json, seq)));
        reached = block;
        end = block.end;
        await nextTurn();
        await settle();
      }
      if (end === content.length) continue;
      await truncate(path, end);
      for (const later of this.#files.splice(index + 1)) await rm(join(this.#folder, later));
    }
    this.#position = this.#current = undefined;
    if (reached !== undefined) this.#setEnd(reached);
    // The end of what precedes the first file that was read.
    else await this.#findEnd();
    this.#forget();
  }

  /** The index of the last file before which no file has rows from a number on: a file's name is not before its first row. */
  #fileWith(seq: number): number {
    return Math.max(
      0,
      this.#files.findLastIndex((file) => Number.parseInt(file, 10) < seq),
    );
  }

  /** Adds a row behind the last one. `chain`: hex, where the row ends a commit. */
  add(seq: number, record: string | null, chain: string | undefined): void {
    if (this.#isFailed || seq <= this.#last) return;
    this.#last = seq;
    this.#open.push({ seq, record });
    this.#queued += record?.length ?? 0;
    if (chain !== undefined) this.#endCommit(chain);
    if (this.#queued > queuedLength.most) this.#fail('the disk is too slow');
  }

  /** Adds consecutive records. `chain`: where they end a commit. */
  addAll(records: readonly string[], first: number, chain: string | undefined): void {
    for (const [index, record] of records.entries())
      this.add(first + index, record, index === records.length - 1 ? chain : undefined);
  }

  /** Resolves when the copy can take more of the rows that its caller reads. */
  async room(): Promise<void> {
    if (this.#queued <= queuedLength.wait) return;
    this.#flush();
    await this.#working;
  }

  #endCommit(chain: string): void {
    const lines = this.#ended?.lines ?? new BlockLines((this.#position?.seq ?? 0) + 1);
    for (const { seq, record } of this.#open) lines.add(seq, record);
    this.#open = [];
    this.#ended = { lines, chain };
    if (lines.length >= blockLength) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), flushMs).unref();
  }

  /** Writes the rows of whole commits in the background. */
  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ended = this.#ended;
    if (ended === undefined) return;
    this.#ended = undefined;
    const { lines, chain } = ended;
    this.#position = { seq: lines.last, chain };
    this.#enqueue(async () => {
      await this.#append(lines.format(chain), lines.last);
      this.#queued = Math.max(0, this.#queued - lines.length);
    });
  }

  async #append(block: Buffer, last: number): Promise<void> {
    if (this.#current === undefined || this.#current.bytes > fileBytes) {
      // No other file has this name: its last row is behind all others.
      const file = `${String(last).padStart(16, '0')}.rows`;
      this.#current = { file, bytes: 0 };
      this.#files.push(file);
    }
    await appendFile(join(this.#folder, this.#current.file), block, { mode: 0o600 });
    this.#current.bytes += block.length;
  }

  /** Runs tasks one after the other. A failure ends the copy. */
  #enqueue(task: () => Promise<void>): void {
    this.#working = this.#working.then(async () => {
      if (this.#isFailed) return;
      try {
        await task();
      } catch (error) {
        this.#fail(messageOf(error));
      }
    });
  }

  /** Ends the copy: a later start must not find rows that are out of date, or a text that was erased. */
  #fail(reason: string): void {
    if (this.#isFailed) return;
    this.#isFailed = true;
    this.#position = undefined;
    this.#forget();
    this.#options.onFailed?.(reason);
    this.#working = this.#working.then(async () => {
      for (const file of this.#files) await rm(join(this.#folder, file), { force: true }).catch(() => {});
      this.#files = [];
    });
  }

  /** Ends the copy, because the log was replaced. */
  drop(reason: string): void {
    this.#fail(reason);
  }

  /**
   * Removes the records that a purge has removed from the database. `kept` returns the numbers in a range that have a record
   * there; `purges`: how many purges it had before. Rejects with the StoreError of `kept`; the copy then stays as it is.
   */
  async mirror(purges: number, kept: (range: SeqRange) => Promise<readonly SeqRange[]>): Promise<void> {
    this.#flush();
    let failure: StoreError | undefined;
    this.#enqueue(async () => {
      this.#current = undefined;
      try {
        for (const file of this.#files) await this.#mirrorFile(file, kept);
        await this.#writeAbout(purges);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        failure = error;
      }
    });
    await this.#working;
    if (failure !== undefined) throw failure;
  }

  async #mirrorFile(file: string, kept: (range: SeqRange) => Promise<readonly SeqRange[]>): Promise<void> {
    const path = join(this.#folder, file);
    const blocks = [...blocksOf(await readFile(path))];
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) return;
    const ranges = (await kept([first.first, last.last]))[Symbol.iterator]();
    let range = ranges.next();
    const written: Buffer[] = [];
    let lines = new BlockLines(first.first);
    let removed = 0;
    for (const block of blocks) {
      readLines(block, (json, seq) => {
        while (range.done !== true && range.value[1] < seq) range = ranges.next();
        if (range.done !== true && range.value[0] <= seq) lines.add(seq, json.toString());
        else removed++;
      });
      if (lines.last < block.last) lines.add(block.last, null);
      if (lines.length < blockLength && block !== last) continue;
      written.push(lines.format(block.chain));
      lines = new BlockLines(block.last + 1);
      await nextTurn();
    }
    if (removed === 0) return;
    await writeFile(`${path}.new`, Buffer.concat(written), { mode: 0o600, flush: true });
    await rename(`${path}.new`, path);
  }

  async #writeAbout(purges: number): Promise<void> {
    const about: CopyFile = { format: 1, identity: this.#options.identity, purges };
    await writeFileAtomic(join(this.#folder, 'copy.json'), JSON.stringify(about), { mode: 0o600 });
    this.#purges = purges;
  }

  /** The size of the files in bytes. */
  async bytes(): Promise<number> {
    const sizes = await Promise.all(
      this.#files.map(async (file) => (await stat(join(this.#folder, file)).catch(() => undefined))?.size ?? 0),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  /** Writes what waits, and unlocks the folder. */
  async close(): Promise<void> {
    this.#flush();
    clearTimeout(this.#timer);
    await this.#working;
    this.#unlock();
  }
}

async function readAbout(path: string): Promise<CopyFile | undefined> {
  try {
    const about: unknown = JSON.parse(await readFile(path, 'utf8'));
    if (!isObject(about)) return undefined;
    const { format, identity, purges } = about;
    return format === 1 && typeof identity === 'string' && typeof purges === 'number'
      ? { format, identity, purges }
      : undefined;
  } catch {
    return undefined;
  }
}
