/** Runs one benchmark of a project in a separate process, within a time limit. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../../server/text/error-text.ts';
import { parseResult, type BenchResult, type Row } from './result.ts';

export interface BenchRun {
  /** The project, whose `scripts/bench/main.ts` runs. */
  readonly folder: string;
  readonly bench: string;
  /** Further options of the command. */
  readonly parameters: readonly string[];
  readonly limitMinutes: number;
  readonly signal?: AbortSignal | undefined;
}

/** Ends a process and those that it has started: it is the first one of their group. */
function endGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // All have ended.
  }
}

/** Resolves with the exit code, or with the reason why the process was ended. */
async function runToEnd(
  { folder, bench, parameters, limitMinutes, signal }: BenchRun,
  file: string,
): Promise<string | number> {
  signal?.throwIfAborted();
  const args = ['scripts/bench/main.ts', bench, ...parameters, '--json', file];
  const child = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  const limit = AbortSignal.timeout(limitMinutes * 60_000);
  const either = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  const end = (): void => endGroup(child, 'SIGKILL');
  either.addEventListener('abort', end);
  process.once('exit', end);
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    signal?.throwIfAborted();
    if (limit.aborted) return `it took longer than ${limitMinutes} minutes`;
    return code ?? `it was ended by ${killedBy}`;
  } finally {
    // What a benchmark has left behind would slow the next one.
    end();
    either.removeEventListener('abort', end);
    process.off('exit', end);
  }
}

/** Runs the benchmark. A failure becomes the `problem` of its result. Rejects only when the signal aborts. */
export async function runBench(run: BenchRun): Promise<BenchResult> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-result-'));
  const startedAt = performance.now();
  const file = join(folder, 'result.json');
  try {
    const ended = await runToEnd(run, file);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    const failure = typeof ended === 'string' ? ended : ended === 0 ? undefined : `it ended with exit code ${ended}`;
    const nothing: BenchResult = {
      bench: run.bench,
      rows: [],
      seconds: (performance.now() - startedAt) / 1000,
      calibration: [],
    };
    if (text === undefined) return { ...nothing, problem: failure ?? 'it wrote no result' };
    const [result] = parseResult(text, run.bench).benches;
    if (result === undefined) return { ...nothing, problem: failure ?? 'its result is empty' };
    const { details: _, ...measured } = result;
    const problem = result.problem ?? failure;
    return problem === undefined ? measured : { ...measured, problem };
  } catch (error) {
    if (run.signal?.aborted) throw error;
    return { bench: run.bench, rows: [], seconds: 0, calibration: [], problem: messageOf(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Results of one benchmark as one: the values of each row after each other. A row that is missing in one of them is left out. */
export function joined(results: readonly BenchResult[]): BenchResult {
  const [first, ...others] = results;
  if (first === undefined) throw new Error('there is no result to join');
  const complete = results.filter(({ rows }) => rows.length > 0);
  const [model, ...rest] = complete;
  const rowIn = (result: BenchResult, { metric, subject }: Row): Row | undefined =>
    result.rows.find((row) => row.metric === metric && row.subject === subject);
  const rows = (model?.rows ?? []).flatMap((row): Row[] => {
    const same = rest.map((result) => rowIn(result, row));
    const values = [...row.values, ...same.flatMap((other) => other?.values ?? [])];
    return same.includes(undefined) ? [] : [{ ...row, values: row.exact ? row.values : values }];
  });
  const problem = [first, ...others].find((result) => result.problem !== undefined)?.problem;
  return {
    bench: first.bench,
    rows,
    seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
    calibration: results.flatMap(({ calibration }) => calibration),
    ...(problem === undefined ? {} : { problem }),
  };
}
