/** What a result says about where it was measured: the machine and the commit, and the speed of the machine at that time. */
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { readFile } from 'node:fs/promises';
import { gitIn, NoGitError, outputOf } from '../../spec/git.ts';
import { cpuTime } from '../stream/calls.ts';
import type { Machine } from './result.ts';

export const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() || 'unknown',
  cores: availableParallelism(),
  memory: totalmem(),
  platform: `${platform()} ${arch()}`,
  node: process.version,
});

/** The version of the service in a project. */
export async function versionOf(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as { version: string };
  return version;
}

/** The commit of a project, and whether its files differ from it. Empty without git. */
export async function commitOf(folder: string): Promise<{ readonly commit?: string; readonly isChanged?: boolean }> {
  const git = gitIn(folder);
  try {
    const commit = (await outputOf(git('rev-parse', 'HEAD')))?.trim();
    // The files of results are written after the measurement.
    const changes = await outputOf(git('status', '--porcelain', '--', '.', ':!scripts/bench/results'));
    return commit === undefined || changes === undefined ? {} : { commit, isChanged: changes.trim() !== '' };
  } catch (error) {
    if (error instanceof NoGitError) return {};
    throw error;
  }
}

/** A computation that uses what the service uses: JSON, maps, strings and sorting. */
function compute(): number {
  const items = Array.from({ length: 2_000 }, (_, index) => ({
    id: (index * 7919) % 2_003,
    text: `word${index % 97} ${index}`,
  }));
  let sum = 0;
  for (let turn = 0; turn < 12; turn++) {
    const copy = JSON.parse(JSON.stringify(items)) as typeof items;
    const words = new Map<string, number>();
    for (const { text } of copy) for (const word of text.split(' ')) words.set(word, (words.get(word) ?? 0) + 1);
    sum += copy.toSorted((a, b) => a.id - b.id)[turn]?.id ?? 0;
    sum += words.size;
  }
  return sum;
}

/** Computations that are not counted, in which V8 compiles the code. */
const warmUp = 12;

/** Milliseconds of CPU that a fixed computation takes, so many times after some that are not counted. */
export function calibrate(times = 5): number[] {
  const measured = Array.from({ length: times + warmUp }, () => {
    const before = cpuTime();
    if (compute() === 0) throw new Error('the computation was not done');
    return (cpuTime() - before) / 1000;
  });
  return measured.slice(warmUp);
}
