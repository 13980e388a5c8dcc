/**
 * Fills what a step has added to the tables, in the background: one instance at a time, in batches, each a short transaction. Between two of them it
 * rests as long as a batch took, so that it needs half of a connection at most.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackfillProgress } from '../../../archive/archive-engine.ts';
import type { Document } from '../../../ports/storage.ts';
import { RepeatedTask } from '../../../process/repeated-task.ts';
import type { Database } from '../store/database.ts';
import { estimatedTweets } from './row-counts.ts';
import { tableSteps, type TableStep } from './table-steps.ts';

/** The rows of a batch, and the batches between two notes of the progress. */
const defaultRows = 1_000;
const notedBatches = 20;
/** The time between two looks for work, and between two lines of the log, in milliseconds. */
const [checkMs, reportMs] = [10_000, 60_000];
/** The lowest id in its stored form, which no tweet has. */
const first = '-9223372036854775808';

/** How far the backfill of a version is. */
export interface BackfillState {
  version: number;
  /** The last id that is filled, in its stored form. */
  after: string;
  rows: number;
  isDone: boolean;
}

export const newBackfill: BackfillState = { version: 0, after: first, rows: 0, isDone: true };

export interface BackfillParts {
  readonly database: Pick<Database, 'run'>;
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
      for (let step = this.#next(); step !== undefined && this.#mayRun; step = this.#next()) await this.#fill(step);
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

  async #fill({ version, backfill }: TableStep): Promise<void> {
    if (backfill === undefined) return;
    const { database, state, onProgress, batchRows = defaultRows } = this.#parts;
    this.#total = await estimatedTweets(database.run);
    const known = state.data.version === version ? state.data : newBackfill;
    let { after, rows } = known;
    let [isDone, reportAt] = [false, 0];
    while (!isDone && this.#mayRun) {
      for (let batch = 0; batch < notedBatches && !isDone && this.#mayRun; batch++) {
        const began = performance.now();
        const [filled] = await database.run<{ last: string | null; rows: number }>(backfill.batch(after, batchRows));
        after = filled?.last ?? after;
        rows += filled?.rows ?? 0;
        isDone = (filled?.rows ?? 0) < batchRows;
        if (!isDone) await sleep(performance.now() - began);
      }
      const noted = { version, after, rows, isDone };
      await state.update((data) => void Object.assign(data, noted));
      if (!isDone && performance.now() < reportAt) continue;
      reportAt = performance.now() + reportMs;
      onProgress({ version, rows, total: isDone ? rows : this.#total });
    }
  }
}
