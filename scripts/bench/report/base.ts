/**
 * Compares this project with another revision: their rounds alternate (A B, B A, …), so that a change of the machine's speed
 * affects both. Both are measured by the benchmarks of this project.
 */
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gitIn, outputOf } from '../../spec/git.ts';
import { CallError } from '../cli-options.ts';
import { median } from '../table.ts';
import { comparePairs, type Comparison } from './compare.ts';
import type { BenchResult } from './result.ts';
import { joined, runBench, type BenchRun } from './run-bench.ts';

export interface BaseRun {
  /** The project whose changes are measured, as its files are now. */
  readonly folder: string;
  readonly revision: string;
  readonly benches: readonly Omit<BenchRun, 'folder' | 'signal'>[];
  readonly rounds: number;
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

interface Checkout {
  readonly path: string;
  readonly commit: string;
  remove(): Promise<void>;
}

/** The revision in a work tree of its own, with the packages and the benchmarks of the project. */
async function checkOut(folder: string, revision: string): Promise<Checkout> {
  const git = gitIn(folder);
  const found = await outputOf(git('rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`));
  if (found === undefined) throw new CallError(`--base ${revision}: git knows no such revision`);
  const commit = found.trim();
  const path = join(await mkdtemp(join(tmpdir(), 'bench-base-')), 'project');
  const remove = async (): Promise<void> => {
    await git('worktree', 'remove', '--force', path).catch(() => {});
    await rm(join(path, '..'), { recursive: true, force: true });
    await git('worktree', 'prune');
  };
  try {
    await git('worktree', 'add', '--detach', path, commit);
    await symlink(join(folder, 'node_modules'), join(path, 'node_modules'));
    await rm(join(path, 'scripts/bench'), { recursive: true, force: true });
    await cp(join(folder, 'scripts/bench'), join(path, 'scripts/bench'), {
      recursive: true,
      filter: (from) => !from.endsWith('/node_modules'),
    });
    await symlink(join(folder, 'scripts/bench/node_modules'), join(path, 'scripts/bench/node_modules'));
    return { path, commit, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** One round of a benchmark counts as one value of each row. */
const asOneValue = (result: BenchResult): BenchResult => ({
  ...result,
  rows: result.rows.map((row) => ({ ...row, values: [median(row.values)] })),
});

async function measurePair(
  base: string,
  run: BaseRun,
  bench: BaseRun['benches'][number],
): Promise<[before: BenchResult, after: BenchResult]> {
  const { folder, rounds, progress, signal } = run;
  const results: Record<'before' | 'after', BenchResult[]> = { before: [], after: [] };
  const folders = { before: base, after: folder };
  for (let round = 0; round < rounds; round++) {
    progress(`${bench.bench}: round ${round + 1} of ${rounds}`);
    for (const side of round % 2 === 0 ? (['before', 'after'] as const) : (['after', 'before'] as const))
      results[side].push(asOneValue(await runBench({ ...bench, folder: folders[side], signal })));
    // A benchmark that a revision cannot run is not tried again.
    if (results.before.at(-1)?.rows.length === 0 || results.after.at(-1)?.rows.length === 0) break;
  }
  return [joined(results.before), joined(results.after)];
}

/** Whether the packages of both projects are the same; both run with those of this one. */
async function haveSamePackages(first: string, second: string): Promise<boolean> {
  const [a, b] = await Promise.all(
    [first, second].map((folder) => readFile(join(folder, 'package-lock.json'), 'utf8')),
  );
  return a === b;
}

/** Measures both, and removes the work tree. Rejects for an unknown revision, and when the signal aborts. */
export async function compareWithBase(run: BaseRun): Promise<Comparison> {
  const base = await checkOut(run.folder, run.revision);
  try {
    run.progress(`comparing with ${base.commit.slice(0, 10)}`);
    const isSame = await haveSamePackages(run.folder, base.path);
    const pairs: [BenchResult, BenchResult][] = [];
    for (const bench of run.benches) pairs.push(await measurePair(base.path, run, bench));
    const comparison = comparePairs(
      pairs.map(([before]) => before),
      pairs.map(([, after]) => after),
    );
    const packages = 'package-lock.json differs: both ran with the packages of this project';
    return isSame ? comparison : { ...comparison, notes: [...comparison.notes, packages] };
  } finally {
    await base.remove();
  }
}
