/**
 * Fills what a step has added to the tables, in the background: one instance at a time, in batches, each a short transaction. Between two of them it
 * rests as long as a batch took, so that it needs half of a connection at most.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackfillProgress } from '../../../archive/archive-engine.ts';
import type { Document } from '../../../ports/storage.ts';
import { RepeatedTask } from '../../../process/repeated-task.ts';
import { commitLog } from '../../../archive/content/commit-log.ts';
import { sql, type RunSql } from '../../../archive/sql.ts';
import type { Database } from '../store/database.ts';
import type { Statement } from '../store/statement.ts';
import { lockLog } from '../store/statements.ts';
import { estimatedRows } from './row-counts.ts';
import { countOlder } from './run-steps.ts';
import { firstPlace, tableSteps, type BackfillTask, type TableStep } from './table-steps.ts';

/** The rows of a batch, and the batches between two notes of the progress. */
const defaultRows = 1_000;
const notedBatches = 20;
/** The time between two looks for work, and between two lines of the log, in milliseconds. */
const [checkMs, reportMs] = [10_000, 60_000];

/** How far the backfill of a version is. */
export interface BackfillState {
  version: number;
  /** The place of the last row that is filled. */
  after: string;
  rows: number;
  isDone: boolean;
}

/** The state of tables of which nothing is noted. Rejects with StoreError. */
export async function newBackfill({ run }: Pick<Database, 'run'>): Promise<BackfillState> {
  const [row] = await run<{ filled: number }>({
    text: 'SELECT coalesce(filled, 0) AS filled FROM social_data.tables_version',
  });
  return { version: row?.filled ?? 0, after: firstPlace, rows: 0, isDone: true };
}

/** Whether a server shows all that the backfill of a version has filled. Rejects with StoreError. */
export const isFilled = async (run: RunSql, version: number): Promise<boolean> =>
  (await run(sql`SELECT 1 FROM social_data.tables_version WHERE filled >= ${version}`.short())).length > 0;

export interface BackfillParts {
  readonly database: Pick<Database, 'run' | 'transaction'>;
  /** All instances see it. */
  readonly state: Document<BackfillState>;
  /** Whether this instance does it; others may share the tables. */
  readonly mayRun: () => boolean;
  readonly onProgress: (progress: BackfillProgress) => void;
  readonly onFailed: (error: unknown) => void;
  readonly steps?: readonly TableStep[];
  /** The rows of a batch. */
  readonly batchRows?: number;
}

export class Backfill {
  readonly #parts: BackfillParts;
  readonly #steps: readonly TableStep[];
  readonly #checks = new RepeatedTask(checkMs, () => this.check());
  #isStopped = false;
  #total: number | undefined;

  constructor(parts: BackfillParts) {
    this.#parts = parts;
    this.#steps = (parts.steps ?? tableSteps).filter(({ backfill }) => backfill !== undefined);
  }

  /** The progress; undefined where nothing is left to fill. */
  get progress(): BackfillProgress | undefined {
    const { version, rows, isDone } = this.#parts.state.data;
    const step = this.#next();
    if (step === undefined) return undefined;
    return { version: step.version, rows: version === step.version && !isDone ? rows : 0, total: this.#total };
  }

  start(): void {
    if (this.#steps.length > 0) this.#checks.start();
  }

  /** Ends the work after the batch in progress. */
  stop(): void {
    this.#isStopped = true;
    void this.#checks.stop();
  }

  /** Fills all that is left. Never rejects: the next check goes on. */
  async check(): Promise<void> {
    try {
      for (let step = this.#next(); step?.backfill !== undefined && this.#mayRun; step = this.#next()) {
        if (!(await this.#isWithoutOlder(step.backfill.lowest))) return;
        await this.#fill(step.version, step.backfill);
      }
    } catch (error) {
      if (!this.#isStopped) this.#parts.onFailed(error);
    }
  }

  get #mayRun(): boolean {
    return !this.#isStopped && this.#parts.mayRun();
  }

  /** The first step that is not filled. */
  #next(): TableStep | undefined {
    const { version, isDone } = this.#parts.state.data;
    return this.#steps.find((step) => step.version > version || (step.version === version && !isDone));
  }

  /**
   * Whether no instance runs that writes rows without the values, and none can start. The check that finds none for the first time only closes the tables to them:
   * one may have read the version just before.
   */
  async #isWithoutOlder(lowest: number): Promise<boolean> {
    const { database } = this.#parts;
    if ((await countOlder(database, lowest)) > 0) return false;
    const closed = await database.run({
      text: 'UPDATE social_data.tables_version SET version = $1 WHERE version < $1 RETURNING version',
      params: [lowest],
    });
    return closed.length === 0;
  }

  async #fill(version: number, backfill: BackfillTask): Promise<void> {
    const { database, state, onProgress, batchRows = defaultRows } = this.#parts;
    this.#total = await estimatedRows(database.run, backfill.relation);
    let { after, rows } = state.data.version === version ? state.data : { after: firstPlace, rows: 0 };
    let [isDone, reportAt] = [false, 0];
    while (!isDone && this.#mayRun) {
      for (let batch = 0; batch < notedBatches && !isDone && this.#mayRun; batch++) {
        const began = performance.now();
        const [filled] = await this.#write(backfill.batch(after, batchRows));
        after = filled?.last ?? after;
        rows += filled?.rows ?? 0;
        isDone = (filled?.rows ?? 0) < batchRows;
        if (!isDone) await sleep(performance.now() - began);
      }
      if (isDone) await database.run({ text: `UPDATE social_data.tables_version SET filled = ${version}` });
      const noted = { version, after, rows, isDone };
      await state.update((data) => void Object.assign(data, noted));
      if (!isDone && performance.now() < reportAt) continue;
      reportAt = performance.now() + reportMs;
      onProgress({ version, rows, total: isDone ? rows : this.#total });
    }
  }

  /** With the lock of the writers: they and a batch could each wait for rows of the other. */
  #write(batch: Statement): Promise<readonly { readonly last: string | null; readonly rows: number }[]> {
    return this.#parts.database.transaction(async (run) => {
      await run(lockLog(commitLog));
      return run(batch);
    });
  }
}
