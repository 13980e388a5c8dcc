/** Runs git for the scripts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Git is unusable: it is not installed, the folder is in no repository, or git refuses to read the repository. */
export class NoGitError extends Error {}

/** A git command that failed; the message is what git wrote. */
export class GitError extends Error {}

/** A git command and the folder that it runs in. Resolves with its standard output. */
export type Git = (...parameters: readonly string[]) => Promise<string>;

/** Git in a folder. The calls reject with a NoGitError or a GitError, or with an AbortError when `signal` aborts. */
export const gitIn =
  (folder: string, signal?: AbortSignal): Git =>
  async (...parameters) => {
    try {
      const options = { cwd: folder, maxBuffer: 64 << 20, ...(signal && { signal }) };
      return (await promisify(execFile)('git', parameters, options)).stdout;
    } catch (error) {
      if (signal?.aborted) throw error;
      const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
      if (code === 'ENOENT') throw new NoGitError('git is not installed');
      if (stderr.includes('not a git repository')) throw new NoGitError('this folder is no git repository');
      if (stderr.includes('dubious ownership'))
        throw new NoGitError(`git refuses to read this repository (${stderr.split('\n')[0]})`);
      throw new GitError(stderr.trim() || `git ${parameters[0]} failed`);
    }
  };

/** The output of a git command; undefined where the command fails. Rejects with a NoGitError where there is no git. */
export async function outputOf(output: Promise<string>): Promise<string | undefined> {
  try {
    return await output;
  } catch (error) {
    if (error instanceof GitError) return undefined;
    throw error;
  }
}
