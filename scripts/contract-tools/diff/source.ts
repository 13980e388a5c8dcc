/** Loads a revision of the contract from the working tree, a file, or a git commit. */
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { loadSpec } from '../files/load.ts';
import { filesOf, type ReadFile } from '../files/spec-files.ts';
import { gitIn, NoGitError, outputOf, type Git } from '../git.ts';
import { protocolIn, revisionIn, type Revision } from './document.ts';

/** The contract, from the folder of the project. */
export const contractPath = 'spec/openapi.yaml';
/** The protocol of /ws, from the folder of the project. */
export const protocolPath = 'spec/asyncapi.yaml';

/** The versions of the contract and the protocol of a project. */
export class Sources {
  readonly #folder: string;
  readonly #git: Git;

  /** `folder` is the folder of the project; names of files are relative to it. */
  constructor(folder: string) {
    this.#folder = folder;
    this.#git = gitIn(folder);
  }

  /** Whether a name is that of a file. */
  async isFile(name: string): Promise<boolean> {
    return (await stat(resolve(this.#folder, name)).catch(() => undefined))?.isFile() ?? false;
  }

  /** The version that the user names: a file, or else a tag, branch or commit. Throws an Error for the user where it is neither. */
  async named(name: string): Promise<Revision> {
    if (await this.isFile(name)) return this.#fromFile(name);
    const parsed = this.#git('rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`);
    const commit = await outputOf(parsed).catch((error: unknown) => {
      throw error instanceof NoGitError ? new Error(`there is no file ${name}, and ${error.message}`) : error;
    });
    if (commit === undefined)
      throw new Error(`${name} is neither a file nor a tag, branch or commit of this repository`);
    const read = this.#ofCommit(name);
    if ((await read(contractPath)) === undefined) throw new Error(`${name} holds no ${contractPath}`);
    return revisionIn(`${name}:${contractPath}`, await loadSpec(contractPath, read));
  }

  /** The contract as it lies in the working tree. Throws an Error for the user where it is missing, or no OpenAPI document. */
  working(): Promise<Revision> {
    return this.#fromFile(contractPath);
  }

  /**
   * The protocol of /ws of a version: of the working tree without a name, else of a tag, branch or commit. Undefined where the
   * version has none, or is a file: a file stands alone. Throws an Error for the user for no AsyncAPI document.
   */
  async protocol(name?: string): Promise<Revision | undefined> {
    if (name !== undefined && (await this.isFile(name))) return undefined;
    const read = name === undefined ? filesOf(this.#folder) : this.#ofCommit(name);
    if ((await read(protocolPath)) === undefined) return undefined;
    const spec = await loadSpec(protocolPath, read, [contractPath]);
    return protocolIn(name === undefined ? protocolPath : `${name}:${protocolPath}`, spec);
  }

  async #fromFile(path: string): Promise<Revision> {
    return revisionIn(path, await loadSpec(path, filesOf(this.#folder)));
  }

  #ofCommit(ref: string): ReadFile {
    return (path) => outputOf(this.#git('show', `${ref}:./${path}`));
  }
}
