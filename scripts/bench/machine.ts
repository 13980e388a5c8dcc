/** What a result says about where it was measured. */
import { readFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, platform, totalmem } from 'node:os';
import { gitIn, NoGitError, outputOf } from '../contract-tools/git.ts';
import type { Machine, ResultFile } from './result.ts';

const machine = (): Machine => ({
  cpu: cpus()[0]?.model.trim() || 'unknown',
  cores: availableParallelism(),
  memory: totalmem(),
  platform: `${platform()} ${arch()}`,
  node: process.version,
});

/** The commit of a project, and whether its files differ from it. Empty without git. */
async function commitOf(folder: string): Promise<{ readonly commit?: string; readonly isChanged?: boolean }> {
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

/** The head of a result of the project in a folder, which is measured now. */
export async function headOf(folder: string, isQuick: boolean): Promise<Omit<ResultFile, 'benches'>> {
  const { version } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8')) as { version: string };
  const at = new Date().toISOString();
  return { format: 1, version, ...(await commitOf(folder)), at, isQuick, machine: machine() };
}
