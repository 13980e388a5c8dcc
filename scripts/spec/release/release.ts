/**
 * Makes a release in a temporary work tree of git, and moves the branch to the result in one step: whatever fails
 * before, the user's work tree, branch and tags stay as they were.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gt, inc } from 'semver';
import {
  compareContracts,
  compareProtocols,
  parseRevision,
  largerBump,
  type Finding,
  type Bump,
  Sources,
  checkVersion,
  type VersionCheck,
  waivedIn,
  withWaivedSteps,
} from '../../contract-tools/diff/index.ts';
import { filesOf } from '../../contract-tools/files/index.ts';
import { gitIn, outputOf, type Git } from '../../contract-tools/git.ts';
import { clientStep } from './client-step.ts';
import { changelogs, hasUnreleased, parseChangelog, releaseChanges, type Changelog } from './changelog.ts';
import {
  checkReleased,
  releasedContract,
  releasedFiles,
  releasedFolder,
  releasedProtocol,
  sourceDocument,
} from './released.ts';
import { versionIn, writeVersions } from './versions.ts';

/** A release that the state of the project does not allow; the message says what to do. */
export class RefusedError extends Error {}

export type ReleaseOptions = {
  /** The folder of the project: the top of its git repository. */
  readonly folder: string;
  /** How far the version moves from the last release. */
  readonly bump: Bump;
  /** The day of the release, UTC, as YYYY-MM-DD. */
  readonly date: string;
  /** Do everything but the last step: no commit, no tag, no change of the user's work tree. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal;
};

export type Release = {
  readonly last: string;
  readonly version: string;
  readonly tag: string;
  readonly branch: string;
  /** The commit of the release; undefined for a dry run. */
  readonly commit: string | undefined;
  /** How the contract differs from that of the last release. */
  readonly contract: VersionCheck;
  /** The entry of the service's changelog. */
  readonly changes: string;
  /** The files that the release changes, as `git diff --stat` shows them. */
  readonly files: string;
};

const contractSource = 'spec/openapi.yaml';

/** The branch of the user's work tree. Rejects with a RefusedError unless the tree is clean, on a branch, at the top. */
async function releasableBranch(git: Git): Promise<string> {
  if ((await git('rev-parse', '--show-prefix')).trim() !== '')
    throw new RefusedError('the project is not at the top of its git repository');
  const branch = (await outputOf(git('symbolic-ref', '--quiet', '--short', 'HEAD')))?.trim();
  if (branch === undefined) throw new RefusedError('HEAD is detached: check out the branch to release');
  if ((await outputOf(git('rev-parse', '--verify', '--quiet', 'HEAD'))) === undefined)
    throw new RefusedError(`nothing is committed on ${branch} yet`);
  const changed = (await git('status', '--porcelain')).trimEnd();
  if (changed !== '') throw new RefusedError(`the work tree is not clean: commit or remove\n${changed}`);
  return branch;
}

/** Runs `npm run generate` in a work tree. Rejects with an Error that holds what the generator wrote. */
async function generate(folder: string, signal: AbortSignal | undefined, ...parameters: string[]): Promise<void> {
  const run = promisify(execFile);
  try {
    await run(process.execPath, ['scripts/spec/generate.ts', ...parameters], {
      cwd: folder,
      ...(signal && { signal }),
    });
  } catch (error) {
    signal?.throwIfAborted();
    const { stderr = '', message } = error as Error & { stderr?: string };
    throw new RefusedError(`the generator failed:\n${stderr.trim() || message}`);
  }
}

/** The differences of the protocol of /ws since the last release. */
async function protocolFindings(folder: string): Promise<Finding[]> {
  const before = await releasedProtocol(folder);
  if (before === undefined) return [];
  const after = await new Sources(folder).protocol();
  return after === undefined ? [] : compareProtocols(before, after);
}

/** Rejects with a RefusedError where the client has changed more since the version `last` than `bump` allows. */
async function checkClient(folder: string, bump: Bump, last: string): Promise<void> {
  const { required, findings } = await clientStep(folder);
  if (required === null || largerBump(bump, required) === bump) return;
  const reasons = findings.filter(({ step }) => step === required).map(({ message }) => message);
  throw new RefusedError(
    [`the client's differences from ${last} demand a ${required} release, not a ${bump} one:`, ...reasons].join('\n  '),
  );
}

/** The version to release. Rejects with a RefusedError where the contract or the client does not allow `bump`. */
async function nextVersion(
  folder: string,
  bump: Bump,
): Promise<{ version: string; last: string; contract: VersionCheck }> {
  const { faults } = await checkReleased(folder);
  if (faults.length > 0)
    throw new RefusedError(['only this command may change the released contract', ...faults].join('\n  '));
  const read = (path: string): Promise<string> => readFile(join(folder, path), 'utf8');
  const before = parseRevision(releasedContract, await read(releasedContract));
  const after = await new Sources(folder).working();
  const today = new Date().toISOString().slice(0, 10);
  const findings = [...compareContracts(before, after, today), ...(await protocolFindings(folder))];
  const contract = checkVersion(before, after, withWaivedSteps(await waivedIn(folder, findings, today)));
  const { from: last, required } = contract;
  if (required !== null && largerBump(bump, required) !== bump) {
    const advice = '`npm run spec:diff` lists them';
    throw new RefusedError(
      `the contract's differences from ${last} demand a ${required} release, not a ${bump} one: ${advice}`,
    );
  }
  await checkClient(folder, bump, last);
  const version = inc(last, bump);
  if (version === null) throw new Error(`${last} is no semantic version`);
  const written = versionIn(contractSource, await read(contractSource));
  if (gt(written, version))
    throw new RefusedError(
      `${contractSource} is at ${written} already: a ${bump} release after ${last} would be ${version}`,
    );
  return { version, last, contract };
}

/** Moves the unreleased changes under the version in both changelogs; returns the entry of the service. */
async function releaseChangelogs(folder: string, version: string, date: string): Promise<string> {
  const read = async (name: string): Promise<Changelog> =>
    parseChangelog(name, await readFile(join(folder, name), 'utf8'));
  const [service, client] = await Promise.all([read(changelogs.service), read(changelogs.client)]);
  if (!hasUnreleased(service))
    throw new RefusedError(`${changelogs.service} says nothing under "Unreleased": write what this release changes`);
  const entry = releaseChanges(service, version, date);
  releaseChanges(client, version, date, 'No changes: the client follows the version of the service.');
  await writeFile(join(folder, changelogs.service), service.toString());
  await writeFile(join(folder, changelogs.client), client.toString());
  return entry;
}

/** Writes the contract of `folder` as the released one, and checks the result as the gate does. */
async function releaseContract(folder: string, version: string, date: string): Promise<void> {
  const [contract, protocol] = await Promise.all(
    [contractSource, 'spec/asyncapi.yaml'].map((file) => sourceDocument(filesOf(folder), file)),
  );
  for (const [path, text] of Object.entries(releasedFiles(contract, version, date, protocol))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { faults } = await checkReleased(folder);
  if (faults.length > 0) throw new Error(['the result is no valid release', ...faults].join('\n  '));
}

/** Runs `use` with a work tree of HEAD in a temporary folder that has the installed packages; then removes the tree. */
async function inWorkTree<T>(git: Git, folder: string, use: (path: string) => Promise<T>): Promise<T> {
  const parent = await mkdtemp(join(tmpdir(), 'release-'));
  const path = join(parent, 'project');
  try {
    await git('worktree', 'add', '--quiet', '--detach', path, 'HEAD');
    await symlink(join(folder, 'node_modules'), join(path, 'node_modules'));
    return await use(path);
  } finally {
    // Not with the signal: what was begun is removed also after an abort. Forced twice, git removes a locked tree, too.
    await outputOf(gitIn(folder)('worktree', 'remove', '--force', '--force', path));
    await rm(parent, { recursive: true, force: true });
  }
}

/** Tags a commit and fast-forwards the user's branch and work tree to it: both steps, or neither. */
async function publishLocally(git: Git, commit: string, tag: string, version: string): Promise<void> {
  await git('tag', '--annotate', '--message', `Social Data ${version}`, tag, commit);
  try {
    await git('merge', '--quiet', '--ff-only', commit);
  } catch (error) {
    await git('tag', '--delete', tag);
    throw new RefusedError(`the branch or the work tree changed meanwhile: ${(error as Error).message}`);
  }
}

/**
 * Makes a release. Rejects with a RefusedError when the state of the project does not permit it, and with a NoGitError or
 * a GitError when git fails. It does not push.
 */
export async function makeRelease({ folder, bump, date, dryRun, signal }: ReleaseOptions): Promise<Release> {
  const git = gitIn(folder, signal);
  const branch = await releasableBranch(git);
  return inWorkTree(git, folder, async (path) => {
    const { version, last, contract } = await nextVersion(path, bump);
    const tag = `v${version}`;
    if ((await outputOf(git('rev-parse', '--verify', '--quiet', `refs/tags/${tag}`))) !== undefined)
      throw new RefusedError(`there is a tag ${tag} already`);
    const changes = await releaseChangelogs(path, version, date);
    await generate(path, signal, '--check');
    await writeVersions(path, version);
    await generate(path, signal);
    await releaseContract(path, version, date);

    const inPath = gitIn(path, signal);
    // The commit must not contain the link to the packages.
    await inPath('add', '--update');
    await inPath('add', releasedFolder);
    const files = (await inPath('diff', '--cached', '--stat')).trimEnd();
    const release = { last, version, tag, branch, contract, changes, files };
    if (dryRun) return { ...release, commit: undefined };
    await inPath('commit', '--quiet', '--message', `Release ${version}`);
    const commit = (await inPath('rev-parse', 'HEAD')).trim();
    signal?.throwIfAborted();
    // The two following steps belong together, so an abort has no effect from here on.
    await publishLocally(gitIn(folder), commit, tag, version);
    return { ...release, commit };
  });
}
