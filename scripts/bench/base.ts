/**
 * Compares this project with another revision: their rounds alternate (A B, B A, …), so that a change of the machine's speed
 * affects both. Both are measured by the benchmarks of this project, with its packages.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, outputOf } from '../contract-tools/git.ts';
import { compareBenches, type Comparison } from './compare.ts';
import { CallError } from './options.ts';
import type { BenchResult } from './result.ts';
import { runBench, type BenchRun } from './run-bench.ts';
import { median } from './table.ts';

export interface BaseRun {
  /** The project whose changes are measured, as its files are now. */
  readonly folder: string;
  readonly revision: string;
  readonly benches: readonly Omit<BenchRun, 'folder' | 'signal'>[];
  readonly rounds: number;
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The benchmarks, and what they use beside the service. */
const used = ['scripts/bench', 'scripts/sample', 'test/support', 'test/postgres'];

/** A work tree of the revision with the packages and the benchmarks of the project. */
async function checkOut(folder: string, revision: string): Promise<{ path: string; remove(): Promise<void> }> {
  const git = gitIn(folder);
  const commit = (await outputOf(git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`)))?.trim();
  if (commit === undefined) throw new CallError(`--base ${revision}: git knows no such revision`);
  const parent = await mkdtemp(join(tmpdir(), 'bench-base-'));
  const path = join(parent, 'project');
  const remove = async (): Promise<void> => {
    await git('worktree', 'remove', '--force', path).catch(() => {});
    await rm(parent, { recursive: true, force: true });
    await git('worktree', 'prune');
  };
  try {
    await git('worktree', 'add', '--detach', path, commit);
    for (const name of used.filter((each) => existsSync(join(folder, each)))) {
      await rm(join(path, name), { recursive: true, force: true });
      const filter = (from: string): boolean => !from.endsWith('/node_modules');
      await cp(join(folder, name), join(path, name), { recursive: true, filter });
      const packages = join(folder, name, 'node_modules');
      if (existsSync(packages)) await symlink(packages, join(path, name, 'node_modules'));
    }
    await symlink(join(folder, 'node_modules'), join(path, 'node_modules'));
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** The rounds of one benchmark as one result: each round counts as one value of each row. */
function joined([first, ...others]: readonly BenchResult[]): BenchResult {
  if (first === undefined) throw new Error('there is no round');
  const problem = [first, ...others].find((round) => round.problem !== undefined)?.problem;
  const rows = first.rows.map((row) => {
    const { metric, subject } = row;
    const same = others.flatMap((other) =>
      other.rows.filter((each) => each.metric === metric && each.subject === subject),
    );
    return { ...row, values: [row, ...same].map(({ values }) => median(values)) };
  });
  return { ...first, rows, ...(problem === undefined ? {} : { problem }) };
}

async function measurePair(base: string, run: BaseRun, bench: BaseRun['benches'][number]) {
  const { folder, rounds, progress, signal } = run;
  const sides = [
    { folder: base, results: [] as BenchResult[] },
    { folder, results: [] as BenchResult[] },
  ] as const;
  for (let round = 1; round <= rounds; round++) {
    progress(`${bench.bench}: round ${round} of ${rounds}`);
    for (const side of round % 2 === 1 ? sides : sides.toReversed())
      side.results.push(await runBench({ ...bench, folder: side.folder, signal }));
    // A benchmark that a revision cannot run is not tried again.
    if (sides.some(({ results }) => results.at(-1)?.rows.length === 0)) break;
  }
  return sides.map(({ results }) => joined(results)) as [before: BenchResult, after: BenchResult];
}

/** Measures both, and removes the work tree. Rejects for an unknown revision, and when the signal aborts. */
export async function compareWithBase(run: BaseRun): Promise<Comparison> {
  const { path, remove } = await checkOut(run.folder, run.revision);
  try {
    const pairs: [BenchResult, BenchResult][] = [];
    for (const bench of run.benches) pairs.push(await measurePair(path, run, bench));
    const [before, after] = [pairs.map(([first]) => first), pairs.map(([, second]) => second)];
    return compareBenches(before, after, true);
  } finally {
    await remove();
  }
}
