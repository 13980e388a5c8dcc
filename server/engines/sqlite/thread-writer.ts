/** Writes to a SQLite file in a thread of its own, so that requests do not wait for transactions. */
import type { Progress, Written } from '../../archive/writes/sql-archive.ts';
import type { Change } from '../../archive/rules/change.ts';
import type { StoreError } from '../../ports/storage.ts';
import type { FileHealth } from './file-health.ts';
import { DatabaseFileError } from './sqlite-error.ts';
import type { Batch, FileWriter, UpkeepOptions } from './file-writer.ts';
import type { Appended } from './sqlite-writer.ts';
import { CalledThread, errorOf, type SentError } from './thread-calls.ts';

/** What the thread gets. */
export interface WriterSettings {
  readonly path: string;
  /** How long a transaction waits for a lock of another program, in milliseconds. */
  readonly busyMs?: number | undefined;
}
/** What the thread tells beside its answers. */
export type WriterNotice =
  | { readonly appended: Appended }
  | { readonly upkeepFailed: string }
  | { readonly failed: SentError }
  | { readonly isRecovered: true }
  | { readonly committedMs: number }
  | { readonly checkpointMs: number };

export class ThreadWriter implements FileWriter {
  readonly #thread: CalledThread;
  readonly #health: FileHealth;
  readonly #followers = new Map<string, (appended: Appended) => void>();
  #onFailed: (error: unknown) => void = () => {};

  /** `onEnded`: the thread has ended by a fault. All calls then reject with StoreError. */
  constructor(settings: WriterSettings, health: FileHealth, onEnded: (reason: string) => void) {
    this.#health = health;
    this.#thread = new CalledThread({
      ...{ module: new URL('writer-thread.ts', import.meta.url), data: settings, task: 'writes to the database' },
      onNotice: (notice) => this.#take(notice as WriterNotice),
      onEnded: (reason) => {
        health.fail(new DatabaseFileError(reason, 'other', undefined));
        onEnded(reason);
      },
    });
  }

  get failed(): StoreError | undefined {
    return this.#health.failed;
  }

  apply(changes: readonly Change[], progress?: Progress): Promise<Written> {
    return this.#thread.call('apply', changes, progress);
  }

  applyJson(json: string, now: string, progress: Progress): Promise<Written> {
    return this.#thread.call('applyJson', json, now, progress);
  }

  append(log: string, batches: readonly Batch[]): Promise<void> {
    return this.#thread.call('append', log, batches);
  }

  rewrite(log: string, records: readonly string[]): Promise<void> {
    return this.#thread.call('rewrite', log, records);
  }

  trim(log: string, upTo: number): Promise<void> {
    return this.#thread.call('trim', log, upTo);
  }

  forget(name: string): Promise<void> {
    return this.#thread.call('forget', name);
  }

  purge(): Promise<void> {
    return this.#thread.call('purge');
  }

  follow(log: string, follower: (appended: Appended) => void): void {
    this.#followers.set(log, follower);
  }

  startUpkeep(options: UpkeepOptions, onFailed: (error: unknown) => void): void {
    this.#onFailed = onFailed;
    // A thread that has ended reports that itself.
    this.#thread.call('startUpkeep', options).catch(() => {});
  }

  stopUpkeep(): void {
    if (this.#thread.isStarted) this.#thread.call('stopUpkeep').catch(() => {});
  }

  async close(): Promise<void> {
    // A thread that has ended has nothing to close.
    if (this.#thread.isStarted) await this.#thread.call('close').catch(() => {});
    await this.#thread.close();
  }

  #take(notice: WriterNotice): void {
    if ('failed' in notice) this.#health.fail(errorOf(notice.failed));
    else if ('isRecovered' in notice) this.#health.recover();
    else if ('committedMs' in notice) this.#health.noteCommit(notice.committedMs);
    else if ('checkpointMs' in notice) this.#health.noteCheckpoint(notice.checkpointMs);
    else if ('upkeepFailed' in notice) this.#onFailed(new Error(notice.upkeepFailed));
    else this.#followers.get(notice.appended.log)?.(notice.appended);
  }
}
