/** Where the two versions of the contract come from: the working tree, a file, or a commit of git. */
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { parseRevision, type Revision } from './document.ts';

/** The contract, from the folder of the project. */
export const contractPath = 'spec/openapi.yaml';

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() ?? false;

/** There is no git to ask. */
class NoGitError extends Error {}

/** Runs git; undefined where it fails. Throws a NoGitError where there is no git, or no repository that it reads. */
async function git(...parameters: string[]): Promise<string | undefined> {
  try {
    return (await promisify(execFile)('git', parameters, { maxBuffer: 64 << 20 })).stdout;
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT') throw new NoGitError('git is not installed');
    if (stderr.includes('not a git repository')) throw new NoGitError('this folder is no git repository');
    if (stderr.includes('dubious ownership'))
      throw new NoGitError(`git refuses to read this repository (${stderr.split('\n')[0]})`);
    return undefined;
  }
}

const holds = async (ref: string): Promise<boolean> => (await git('cat-file', '-e', `${ref}:./${contractPath}`)) !== undefined;

/** The last tag before or at HEAD that holds the contract; undefined where there is none. Throws a NoGitError as `git` does. */
async function lastTag(): Promise<string | undefined> {
  const tags = (await git('tag', '--merged', 'HEAD', '--sort=-version:refname', '--sort=-creatordate')) ?? '';
  for (const tag of tags.split('\n').filter(Boolean)) if (await holds(`refs/tags/${tag}`)) return tag;
  return undefined;
}

async function fromFile(path: string): Promise<Revision> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`there is no file ${path}`);
  });
  return parseRevision(path, text);
}

async function fromCommit(ref: string): Promise<Revision> {
  const text = await git('show', `${ref}:./${contractPath}`);
  if (text === undefined) throw new Error(`${ref} holds no ${contractPath}`);
  return parseRevision(`${ref}:${contractPath}`, text);
}

/** The version that the user names: a file, or else a tag, branch or commit. Throws an Error for the user where it is neither. */
export async function namedRevision(name: string): Promise<Revision> {
  if (await isFile(name)) return fromFile(name);
  const commit = await git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`).catch((error: unknown) => {
    throw error instanceof NoGitError ? new Error(`there is no file ${name}, and ${error.message}`) : error;
  });
  if (commit === undefined) throw new Error(`${name} is neither a file nor a tag, branch or commit of this repository`);
  return fromCommit(name);
}

/** The contract as it lies in the working tree. Throws an Error for the user where it is missing, or no OpenAPI document. */
export const workingRevision = (): Promise<Revision> => fromFile(contractPath);

/**
 * What to compare with when the user names nothing: the last release, or the last commit while there is none.
 * `note` says so. Throws an Error for the user where git cannot tell.
 */
export async function defaultBase(): Promise<{ revision: Revision; note?: string }> {
  const tag = await lastTag().catch((error: unknown) => {
    throw error instanceof NoGitError ? new Error(`${error.message}: name a file to compare with`) : error;
  });
  if (tag !== undefined) return { revision: await fromCommit(tag) };
  if ((await git('rev-parse', '--verify', '--quiet', 'HEAD')) === undefined)
    throw new Error('nothing is committed yet: name a file to compare with');
  return { revision: await fromCommit('HEAD'), note: `There is no tag yet that holds ${contractPath}: compared with HEAD.` };
}
