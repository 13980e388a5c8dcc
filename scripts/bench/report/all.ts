/** `npm run bench -- --all`: all benchmarks, one after the other, as one file of results. */
import { commitOf, machine, versionOf } from './machine.ts';
import type { BenchResult, ResultFile } from './result.ts';
import { joined, runBench, type BenchRun } from './run-bench.ts';

export interface AllRun {
  readonly folder: string;
  /** `runs`: how often; the values of all runs are joined. */
  readonly benches: readonly (Omit<BenchRun, 'folder' | 'signal'> & { readonly runs: number })[];
  readonly isQuick: boolean;
  readonly progress: (text: string) => void;
  /** Called after each benchmark with the results so far: what a long run has measured stays if it is interrupted. */
  readonly onResult: (results: ResultFile) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Runs the benchmarks. One that fails has a `problem` in the results; the others run. Rejects when the signal aborts. */
export async function runAll({ folder, benches, isQuick, progress, onResult, signal }: AllRun): Promise<ResultFile> {
  const head = {
    ...{ format: 1 as const, version: await versionOf(folder), ...(await commitOf(folder)) },
    ...{ at: new Date().toISOString(), isQuick, machine: machine() },
  };
  const results: BenchResult[] = [];
  for (const { runs, ...bench } of benches) {
    const some: BenchResult[] = [];
    for (let run = 1; run <= runs; run++) {
      progress(`${bench.bench}: run ${run} of ${runs}`);
      const result = await runBench({ ...bench, folder, signal });
      some.push(result);
      // What cannot run does not run a second time.
      if (result.rows.length === 0) break;
    }
    const result = joined(some);
    progress(
      `${bench.bench}: ${Math.round(result.seconds)} s${result.problem === undefined ? '' : `; ${result.problem}`}`,
    );
    results.push(result);
    await onResult({ ...head, benches: results });
  }
  return { ...head, benches: results };
}
