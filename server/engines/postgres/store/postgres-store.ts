/**
 * The store in PostgreSQL. A poll finds what other processes have written; notices only make it faster, because they are
 * lost with their connection.
 */
import { StoreError, type Document, type Journal, type Store } from '../../../ports/storage.ts';
import { Database, type DatabaseOptions } from './database.ts';
import { PostgresDocument } from './postgres-document.ts';
import { PostgresJournal, type PostgresJournalObserver } from './postgres-journal.ts';
import type { Position } from './log-reader.ts';
import { migrate } from './schema.ts';
import { pollHeads, type HeadRow } from './statements.ts';

export interface PostgresStoreOptions extends DatabaseOptions {
  /** Returns the observer of a journal. */
  readonly observe?: (journal: string) => PostgresJournalObserver;
  /** Called once when the database does not hold the history that this process has applied. */
  readonly onDiverged?: (reason: string) => void;
  /** Whether to listen for notices. Without them, the poll finds changes of other processes within half a second. */
  readonly listens?: boolean;
}

const pollMs = 500;
/** After this time without contact, documents may be outdated. With a standby that answers, it is the longest failover. */
const [staleMs, staleWithStandbyMs] = [10_000, 120_000];

/** Opens the store, and creates or updates its schema. Throws StoreError. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const database = new Database(options);
  try {
    await migrate(database);
    const store = new PostgresStore(database, options);
    await store.start();
    return store;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export class PostgresStore implements Store {
  readonly shared = true;
  readonly database: Database;
  /** Whether a standby answers reads. */
  hasStandby: () => boolean = () => false;
  readonly #options: PostgresStoreOptions;
  readonly #journals = new Map<string, PostgresJournal>();
  readonly #documents = new Map<string, PostgresDocument<object>>();
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #polledAt = Number.NEGATIVE_INFINITY;
  #isListening = false;
  #isDiverged = false;
  #isClosed = false;
  /** The clock of the database minus `performance.now`, in milliseconds. */
  #clockOffset = performance.timeOrigin;
  #latest = 0;

  /** Use `openPostgresStore`. */
  constructor(database: Database, options: PostgresStoreOptions) {
    this.database = database;
    this.#options = options;
  }

  readonly now = (): number => {
    this.#latest = Math.max(this.#latest, Math.round(performance.now() + this.#clockOffset));
    return this.#latest;
  };

  /** The open journals by name. */
  get journals(): ReadonlyMap<string, PostgresJournal> {
    return this.#journals;
  }

  /** Milliseconds since the last complete contact with the database. */
  get silentMs(): number {
    return performance.now() - this.#polledAt;
  }

  /** Whether notices arrive, so that changes of other processes are seen at once. */
  get isListening(): boolean {
    return this.#isListening;
  }

  /** Why the stored documents may be outdated. */
  get stale(): StoreError | undefined {
    const limitMs = this.hasStandby() ? staleWithStandbyMs : staleMs;
    return this.silentMs <= limitMs
      ? undefined
      : new StoreError(
          `there has been no contact with the database for ${limitMs / 1000} s: the stored keys may be outdated`,
        );
  }

  async start(): Promise<void> {
    await this.poll();
    if (this.#options.listens !== false) this.#listen();
    this.#timer = setInterval(() => void this.poll().catch(() => {}), pollMs).unref();
  }

  async document<Data extends object>(name: string, initial: Data): Promise<Document<Data>> {
    this.#requireNew(`document ${name}`, this.#documents.has(name));
    const document = await PostgresDocument.open(name, initial, {
      database: this.database,
      stale: () => this.stale,
    });
    this.#documents.set(name, document as unknown as PostgresDocument<object>);
    return document;
  }

  async journal(name: string): Promise<Journal> {
    this.#requireNew(`journal ${name}`, this.#journals.has(name));
    const observer = { ...this.#options.observe?.(name), diverged: (reason: string) => this.#diverge(reason) };
    const journal = new PostgresJournal(name, this.database, observer);
    this.#journals.set(name, journal);
    return journal;
  }

  /** Whether the database has all that this process has read of its logs. Rejects with StoreError. */
  async isKept(): Promise<boolean> {
    for (const journal of this.#journals.values()) if (!(await journal.isKept())) return false;
    return true;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    await Promise.allSettled([...this.#journals.values()].map((journal) => journal.close()));
    await Promise.allSettled([...this.#documents.values()].map((document) => document.close()));
    await this.#polling?.catch(() => {});
    await this.database.close();
  }

  /** Asks for the last numbers and versions, and reads what is new. Rejects with StoreError. */
  poll(): Promise<void> {
    this.#polling ??= this.#poll().finally(() => (this.#polling = undefined));
    return this.#polling;
  }

  async #poll(): Promise<void> {
    const startedAt = performance.now();
    const journals = [...this.#journals.keys(), ''];
    const applied = new Map([...this.#journals].map(([name, { position }]) => [name, position]));
    const heads = await this.database.run<HeadRow>(pollHeads(journals, [...this.#documents.keys()]));
    this.#setClock(Number(heads[0]?.now), startedAt);
    for (const head of heads) if (head.kind === 'log') this.#takeHead(head, applied.get(head.name));
    const documents = heads.filter(({ kind }) => kind === 'document');
    await Promise.all(
      documents.map(async ({ name, version }) => this.#documents.get(name)?.refresh(Number(version ?? 0))),
    );
    this.#polledAt = startedAt;
    for (const journal of this.#journals.values()) journal.tryAgain();
  }

  /** `applied`: the position before the query. The database had at least that, or it has lost it. */
  #takeHead({ name, version, chain }: HeadRow, applied: Position | undefined): void {
    const seq = Number(version ?? 0);
    const isLost =
      applied !== undefined &&
      (seq < applied.seq || (seq === applied.seq && applied.chain !== undefined && chain !== applied.chain));
    if (isLost) this.#diverge(`the database has lost record ${applied.seq} of the log ${name}, or has another one`);
    else this.#journals.get(name)?.wake(seq);
  }

  /** The database made its time between the start of the query and now. */
  #setClock(now: number, startedAt: number): void {
    if (Number.isFinite(now)) this.#clockOffset = now - (startedAt + performance.now()) / 2;
  }

  #listen(): void {
    const onNotice = (payload: string): void => {
      const [kind, name = '', seq] = payload.split(' ');
      if (kind === 'log') this.#journals.get(name)?.wake(Number(seq));
      else if (kind === 'document')
        this.#documents
          .get(name)
          ?.refresh()
          .catch(() => {});
    };
    const onConnect = (isConnected: boolean): void => {
      this.#isListening = isConnected;
      if (isConnected) void this.poll().catch(() => {});
    };
    // The library connects again by itself; the poll works meanwhile.
    this.database.listen(onNotice, onConnect).catch(() => {});
  }

  #diverge(reason: string): void {
    if (this.#isDiverged || this.#isClosed) return;
    this.#isDiverged = true;
    this.#options.onDiverged?.(reason);
  }

  #requireNew(what: string, isOpen: boolean): void {
    if (isOpen) throw new StoreError(`the ${what} is already open: open it once`);
    if (this.#isClosed) throw new StoreError('the store is closed: nothing can be written');
  }
}
