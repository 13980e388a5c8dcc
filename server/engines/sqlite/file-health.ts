/** Whether a database file can be written, how long that takes, and whether a part of it was found damaged. */
import type { StoreError } from '../../ports/storage.ts';
import { DatabaseFileError } from './sqlite-error.ts';

/** The time between two attempts to write to a file that could not be written, in milliseconds. */
const retryMs = 1_000;

export interface FileHealthObserver {
  failed?(error: StoreError): void;
  recovered?(): void;
  /** A transaction is durable; `ms`: how long its commit took, with the sync of the disk. */
  committed?(ms: number): void;
  /** The write-ahead log was written to the file. */
  checkpointed?(ms: number): void;
}

/** After a failed write, a probe tries each second, although nobody writes. */
export class FileHealth {
  readonly #observer: FileHealthObserver;
  #failed: DatabaseFileError | undefined;
  #isDamaged = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(observer: FileHealthObserver = {}) {
    this.#observer = observer;
  }

  /** Why the file cannot be written now. */
  get failed(): DatabaseFileError | undefined {
    return this.#failed;
  }

  /** Whether SQLite has found damage in the file since the start. */
  get isDamaged(): boolean {
    return this.#isDamaged;
  }

  /** Notes that a transaction has succeeded, and how long its commit took. */
  noteCommit(ms: number): void {
    this.recover();
    this.#observer.committed?.(ms);
  }

  noteCheckpoint(ms: number): void {
    this.#observer.checkpointed?.(ms);
  }

  /** Notes that a row has a wrong checksum. */
  noteDamage(): void {
    this.#isDamaged = true;
  }

  /** Notes what a read or a write has met. */
  note(error: unknown): void {
    if (error instanceof DatabaseFileError && error.fault === 'damaged') this.#isDamaged = true;
  }

  /** Notes that a write has failed. `probe` tries to write, until it succeeds; without it, `recover` ends the fault. */
  fail(error: unknown, probe?: () => Promise<void>): void {
    this.note(error);
    if (!(error instanceof DatabaseFileError) || this.#failed !== undefined) return;
    this.#failed = error;
    this.#observer.failed?.(error);
    if (probe !== undefined) this.#probeLater(probe);
  }

  /** Notes that a write has succeeded. */
  recover(): void {
    if (this.#failed === undefined) return;
    clearTimeout(this.#timer);
    this.#failed = undefined;
    this.#observer.recovered?.();
  }

  /** Ends the attempts. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #probeLater(probe: () => Promise<void>): void {
    this.#timer = setTimeout(() => {
      probe().then(
        () => this.recover(),
        () => {
          if (this.#failed !== undefined) this.#probeLater(probe);
        },
      );
    }, retryMs).unref();
  }
}
