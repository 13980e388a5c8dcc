/** Runs one benchmark of a project in a separate process, within a time limit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readResult, type BenchResult } from './result.ts';

export interface BenchRun {
  /** The project, whose `scripts/bench/main.ts` runs. */
  readonly folder: string;
  readonly bench: string;
  /** Further options of the command. */
  readonly parameters: readonly string[];
  readonly limitMinutes: number;
  readonly signal: AbortSignal;
}

/** Resolves with the reason why the benchmark is not complete; undefined where it is. */
async function failureOf({ folder, bench, parameters, limitMinutes, signal }: BenchRun, file: string) {
  signal.throwIfAborted();
  const args = ['scripts/bench/main.ts', bench, ...parameters, '--json', file];
  const child = spawn(process.execPath, args, { cwd: folder, detached: true, stdio: ['ignore', 'inherit', 'inherit'] });
  // The process is the first one of a group: what a benchmark has started ends with it, and does not slow the next one.
  const endGroup = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All have ended.
    }
  };
  const limit = AbortSignal.timeout(limitMinutes * 60_000);
  const either = AbortSignal.any([limit, signal]);
  either.addEventListener('abort', endGroup);
  process.once('exit', endGroup);
  try {
    const [code, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    signal.throwIfAborted();
    if (limit.aborted) return `it took longer than ${limitMinutes} minutes`;
    return code === 0 ? undefined : code === null ? `it was ended by ${killedBy}` : `it ended with exit code ${code}`;
  } finally {
    endGroup();
    either.removeEventListener('abort', endGroup);
    process.off('exit', endGroup);
  }
}

/** Runs the benchmark. A failure becomes the `problem` of its result. Rejects only when the signal aborts. */
export async function runBench(run: BenchRun): Promise<BenchResult> {
  const directory = await mkdtemp(join(tmpdir(), 'bench-result-'));
  try {
    const file = join(directory, 'result.json');
    const problem = await failureOf(run, file);
    const result = await readResult(file).catch(() => undefined);
    const measured = result?.benches[0] ?? { bench: run.bench, rows: [], seconds: 0 };
    const missing = measured.rows.length === 0 ? 'it wrote no result' : undefined;
    const reason = problem ?? missing;
    return reason === undefined ? measured : { ...measured, problem: reason };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
