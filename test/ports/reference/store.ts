/**
 * A store in memory. A test can hold back its writes, make them fail, and kill it: records that are not durable are
 * then lost, except the first ones, which reached the disk unacknowledged.
 */
import {
  StoreError,
  type Document,
  type Journal,
  type JournalFollower,
  type JournalRecord,
  type Store,
} from '../../../server/ports/storage.ts';

interface DiskJournal {
  /** The number of the first record. */
  firstSeq: number;
  records: string[];
}

/** What survives a kill. */
export interface Disk {
  readonly journals: Map<string, DiskJournal>;
  readonly documents: Map<string, string>;
}
export const emptyDisk = (): Disk => ({ journals: new Map(), documents: new Map() });

/** `held`: writes become durable only by `flush`. */
export const memoryStore = (disk: Disk, { held = false } = {}): MemoryStore => new MemoryStore(disk, held);

export class MemoryStore implements Store {
  readonly shared = false;
  readonly now = (): number => Math.round(performance.timeOrigin + performance.now());
  /** The number of rewrites of all journals. */
  rewrites = 0;
  /** The reason why nothing can be written. */
  fault: StoreError | undefined;
  readonly #disk: Disk;
  readonly #held: boolean;
  readonly #names = new Set<string>();
  readonly #journals: MemoryJournal[] = [];

  constructor(disk: Disk, held: boolean) {
    this.#disk = disk;
    this.#held = held;
  }

  async document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
    this.#reserve(`document ${name}`);
    const text = this.#disk.documents.get(name) ?? JSON.stringify(initial);
    return new MemoryDocument<Data>(text, (written) => {
      if (this.fault !== undefined) throw this.fault;
      this.#disk.documents.set(name, written);
    });
  }

  async journal(name: string): Promise<Journal> {
    this.#reserve(`journal ${name}`);
    const stored = this.#disk.journals.get(name) ?? { firstSeq: 1, records: [] };
    this.#disk.journals.set(name, stored);
    const journal = new MemoryJournal(this, stored, this.#held);
    this.#journals.push(journal);
    return journal;
  }

  /** Makes everything durable that was appended. */
  flush(): void {
    for (const journal of this.#journals) journal.flush();
  }

  /** Every write fails from now on, until `repair`. */
  fail(fault = new StoreError('the disk is full')): void {
    this.fault = fault;
    for (const journal of this.#journals) journal.rejectPending(fault);
  }

  repair(): void {
    this.fault = undefined;
  }

  /** Ends the store as a kill does. The first `survivors` appends of each journal that are not durable reach the disk. */
  kill(survivors: number): void {
    for (const journal of this.#journals) journal.kill(survivors);
    this.fault = new StoreError('the process was killed');
  }

  async close(): Promise<void> {
    if (this.fault === undefined) this.flush();
    this.fault = new StoreError('the store is closed: nothing can be written');
  }

  #reserve(name: string): void {
    if (this.#names.has(name)) throw new StoreError(`${name} is open already`);
    this.#names.add(name);
  }
}

class MemoryDocument<Data extends object> implements Document<Data> {
  readonly stale = undefined;
  data: Data;
  readonly #write: (text: string) => void;
  /** The end of the queue of updates. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(text: string, write: (text: string) => void) {
    this.data = JSON.parse(text) as Data;
    this.#write = write;
  }

  onChange(): () => void {
    return () => {};
  }

  update(mutate: (data: Data) => void): Promise<void> {
    const done = this.#last.then(() => {
      const next = structuredClone(this.data);
      mutate(next);
      this.#write(JSON.stringify(next));
      this.data = next;
    });
    this.#last = done.catch(() => {});
    return done;
  }
}

interface PendingAppend {
  readonly records: readonly string[];
  readonly done: PromiseWithResolvers<number>;
}

class MemoryJournal implements Journal {
  readonly #store: MemoryStore;
  readonly #stored: DiskJournal;
  readonly #held: boolean;
  #pending: PendingAppend[] = [];
  #isReplayed = false;
  #follower: JournalFollower | undefined;
  #isRewriting = false;

  constructor(store: MemoryStore, stored: DiskJournal, held: boolean) {
    this.#store = store;
    this.#stored = stored;
    this.#held = held;
  }

  get firstSeq(): number {
    return this.#stored.firstSeq;
  }
  get durableSeq(): number {
    return this.#stored.firstSeq + this.#stored.records.length - 1;
  }
  get lastSeq(): number {
    return this.durableSeq + this.#pending.reduce((sum, { records }) => sum + records.length, 0);
  }
  get pendingBytes(): number {
    return Buffer.byteLength(this.#pending.flatMap(({ records }) => records).join(''));
  }
  get failed(): StoreError | undefined {
    return this.#store.fault;
  }

  async replay(apply: Parameters<Journal['replay']>[0], { last = Infinity } = {}): Promise<void> {
    if (this.#isReplayed) throw new StoreError('the journal is replayed once');
    for (const { seq, record } of await this.read(this.durableSeq - last, last)) apply(Buffer.from(record), seq);
    this.#isReplayed = true;
  }

  async read(after: number, limit: number): Promise<readonly JournalRecord[]> {
    const records = this.#stored.records.map((record, index) => ({ seq: this.firstSeq + index, record }));
    return records.filter(({ seq }) => seq > after).slice(0, limit);
  }

  follow(follower: JournalFollower): void {
    this.#follower = follower;
  }

  async decide(decide: () => readonly string[]): Promise<number> {
    return this.append(decide());
  }

  async append(records: readonly string[]): Promise<number> {
    this.#checkWritable();
    if (records.length === 0) return this.durableSeq;
    if (records.some((record) => record === '' || record.includes('\n')))
      throw new StoreError('a record is one JSON text without a newline');
    const done = Promise.withResolvers<number>();
    this.#pending.push({ records, done });
    if (!this.#held) queueMicrotask(() => this.flush());
    return done.promise;
  }

  async rewrite(records: () => Iterable<string> | AsyncIterable<string>): Promise<void> {
    this.#checkWritable();
    this.flush();
    this.#store.rewrites++;
    this.#isRewriting = true;
    try {
      const written: string[] = [];
      for await (const record of records()) written.push(record);
      this.#checkWritable();
      this.#stored.firstSeq = this.durableSeq + 1;
      this.#stored.records = written;
    } catch (error) {
      throw error instanceof StoreError ? error : new StoreError(`the journal stays as it was: ${String(error)}`);
    } finally {
      this.#isRewriting = false;
      if (!this.#held) this.flush();
    }
  }

  async trim(upTo: number): Promise<void> {
    this.#checkWritable();
    const removed = this.#stored.records.splice(0, Math.max(0, upTo - this.firstSeq + 1));
    this.#stored.firstSeq += removed.length;
  }

  /** Makes everything durable that was appended, after the end of a rewrite. */
  flush(): void {
    if (this.#isRewriting) return;
    for (const { records, done } of this.#pending.splice(0)) {
      const first = this.durableSeq + 1;
      this.#stored.records.push(...records);
      this.#follower?.apply(records, first);
      done.resolve(this.durableSeq);
    }
  }

  rejectPending(fault: StoreError): void {
    for (const { done } of this.#pending.splice(0)) done.reject(fault);
  }

  kill(survivors: number): void {
    for (const { records } of this.#pending.splice(0).slice(0, survivors)) this.#stored.records.push(...records);
  }

  #checkWritable(): void {
    if (!this.#isReplayed) throw new StoreError('the journal is not replayed yet: nothing can be written');
    if (this.#store.fault !== undefined) throw this.#store.fault;
  }
}
