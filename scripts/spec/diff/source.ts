/** Loads a revision of the contract from the working tree, a file, or a git commit. */
import { readFile, stat } from 'node:fs/promises';
import { gitIn, NoGitError, outputOf } from '../git.ts';
import { parseRevision, type Revision } from './document.ts';

/** The contract, from the folder of the project. */
export const contractPath = 'spec/openapi.yaml';

const isFile = async (path: string): Promise<boolean> => (await stat(path).catch(() => undefined))?.isFile() ?? false;

const git = gitIn('.');

async function fromFile(path: string): Promise<Revision> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new Error(`there is no file ${path}`);
  });
  return parseRevision(path, text);
}

async function fromCommit(ref: string): Promise<Revision> {
  const text = await outputOf(git('show', `${ref}:./${contractPath}`));
  if (text === undefined) throw new Error(`${ref} holds no ${contractPath}`);
  return parseRevision(`${ref}:${contractPath}`, text);
}

/** The version that the user names: a file, or else a tag, branch or commit. Throws an Error for the user where it is neither. */
export async function namedRevision(name: string): Promise<Revision> {
  if (await isFile(name)) return fromFile(name);
  const parsed = git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
  const commit = await outputOf(parsed).catch((error: unknown) => {
    throw error instanceof NoGitError ? new Error(`there is no file ${name}, and ${error.message}`) : error;
  });
  if (commit === undefined) throw new Error(`${name} is neither a file nor a tag, branch or commit of this repository`);
  return fromCommit(name);
}

/** The contract as it lies in the working tree. Throws an Error for the user where it is missing, or no OpenAPI document. */
export const workingRevision = (): Promise<Revision> => fromFile(contractPath);
