/** `npm run bench -- --all`: all benchmarks, one after the other, as one file of results. */
import { commitOf, machine, versionOf } from './machine.ts';
import { ResultError, type BenchResult, type ResultFile } from './result.ts';
import { joined, runBench, type BenchRun } from './run-bench.ts';

export interface AllRun {
  readonly folder: string;
  /** `runs`: how often; the values of all runs are joined. */
  readonly benches: readonly (Omit<BenchRun, 'folder' | 'signal'> & { readonly runs: number })[];
  readonly isQuick: boolean;
  /** Results of an interrupted run: their complete benchmarks do not run again. */
  readonly earlier?: ResultFile | undefined;
  readonly progress: (text: string) => void;
  /** Called after each benchmark with the results so far: what a long run has measured stays if it is interrupted. */
  readonly onResult: (results: ResultFile) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Throws ResultError if the results of an interrupted run and those of this run would not belong to one measurement. */
function requireSame(earlier: ResultFile, now: Omit<ResultFile, 'benches'>): void {
  const same = ({ version, commit, isQuick, machine: where }: Omit<ResultFile, 'benches'>): string =>
    JSON.stringify([version, commit, isQuick, where.cpu, where.cores, where.memory, where.platform, where.node]);
  if (earlier.commit === undefined || earlier.isChanged === true || now.isChanged === true)
    throw new ResultError('--resume: needs results of a commit, and a work tree without changes');
  if (same(earlier) !== same(now))
    throw new ResultError('--resume: the results are of another commit or machine; run without --resume');
}

/**
 * Runs the benchmarks. One that fails has a `problem` in the results; the others run. Rejects when the signal aborts, and with
 * ResultError when the earlier results are of another commit or machine.
 */
export async function runAll(run: AllRun): Promise<ResultFile> {
  const { folder, benches, isQuick, earlier, progress, onResult, signal } = run;
  const head = {
    ...{ format: 1 as const, version: await versionOf(folder), ...(await commitOf(folder)) },
    ...{ at: earlier?.at ?? new Date().toISOString(), isQuick, machine: machine() },
  };
  if (earlier !== undefined) requireSame(earlier, head);
  const results = (earlier?.benches ?? []).filter(({ problem }) => problem === undefined);
  for (const { runs, ...bench } of benches) {
    if (results.some((result) => result.bench === bench.bench)) {
      progress(`${bench.bench}: already measured`);
      continue;
    }
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
