/**
 * The last released contract is part of the repository: `spec/released/openapi.json`, with a record of its version, date
 * and digest. Only the release command writes these files; this module finds every other change of them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gt, parse as parseVersion } from 'semver';
import {
  compareContracts,
  parseProtocol,
  parseRevision,
  revisionOf,
  type Revision,
  type Finding,
  rules,
  checkVersion,
  applyWaivers,
  parseWaivers,
  waiversPath,
  withWaivedSteps,
} from '../../contract-tools/diff/index.ts';
import { loadSpec, withoutFaults } from '../../contract-tools/files/index.ts';
import { gitIn, NoGitError, outputOf, type Git } from '../../contract-tools/git.ts';
import { changelogs, dateOf, parseChangelog } from './changelog.ts';
import { versionedFiles, versionIn } from './versions.ts';

/** The folder of the released contract and its files, relative to the project. */
export const releasedFolder = 'spec/released';
export const releasedContract = `${releasedFolder}/openapi.json`;
const releasedProtocolFile = `${releasedFolder}/asyncapi.json`;
export const releaseRecord = `${releasedFolder}/release.json`;
const contractSource = 'spec/openapi.yaml';
const protocolSource = 'spec/asyncapi.yaml';

/** The content of `spec/released/release.json`. */
export type ReleaseRecord = {
  /** The version of the release: `info.version` of the released contract. */
  readonly version: string;
  /** The date of the release in UTC, as YYYY-MM-DD. */
  readonly date: string;
  /** SHA-256 of the bytes of `spec/released/openapi.json`, in hexadecimal. */
  readonly sha256: string;
  /** The same of `spec/released/asyncapi.json`, the protocol of /ws. Releases up to 1.1.0 stored none. */
  readonly protocolSha256?: string;
};

/** Reads a file by its path in the project; undefined when there is none. */
type Read = (path: string) => Promise<string | undefined>;

/** A state of the project: the work tree or a commit. */
type State = {
  readonly name: string;
  readonly read: Read;
  /** The hash of a commit. */
  readonly hash?: string;
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The canonical JSON of a document, independent of the layout of its text. */
const canonical = (document: unknown): string => `${JSON.stringify(document, null, 1)}\n`;

/**
 * The contract or the protocol of a state as one document, whose files may be several; undefined where it has none. Throws an
 * Error for the user where it has faults.
 */
export async function sourceDocument(read: Read, file: string): Promise<unknown> {
  if ((await read(file)) === undefined) return undefined;
  return withoutFaults(await loadSpec(file, read, [contractSource]), 'it cannot be released');
}

/**
 * The files of a release, by path: the documents of the contract and of the protocol of /ws as those of `version`, released
 * on `date` (YYYY-MM-DD).
 */
export function releasedFiles(
  document: unknown,
  version: string,
  date: string,
  protocol?: unknown,
): Record<string, string> {
  const contract = canonical(document);
  const events = protocol === undefined ? undefined : canonical(protocol);
  const record: ReleaseRecord = {
    version,
    date,
    sha256: digest(contract),
    ...(events !== undefined && { protocolSha256: digest(events) }),
  };
  return {
    [releasedContract]: contract,
    ...(events !== undefined && { [releasedProtocolFile]: events }),
    [releaseRecord]: `${JSON.stringify(record, null, 2)}\n`,
  };
}

/** Parses a release record; undefined for any other text. */
function parseRecord(text: string | undefined): ReleaseRecord | undefined {
  try {
    const value = JSON.parse(text ?? '') as Partial<ReleaseRecord> | null;
    const { version, date, sha256, protocolSha256 } = value ?? {};
    if (typeof version !== 'string' || parseVersion(version)?.version !== version) return undefined;
    if (typeof date !== 'string' || typeof sha256 !== 'string') return undefined;
    return { version, date, sha256, ...(typeof protocolSha256 === 'string' && { protocolSha256 }) };
  } catch {
    return undefined;
  }
}

const recordOf = async ({ read }: State): Promise<ReleaseRecord | undefined> => parseRecord(await read(releaseRecord));

const workTree = (folder: string): State => ({
  name: 'the work tree',
  read: (path) => readFile(join(folder, path), 'utf8').catch(() => undefined),
});

const commit = (git: Git, hash: string): State => ({
  name: `commit ${hash.slice(0, 10)}`,
  hash,
  read: (path) => outputOf(git('show', `${hash}:./${path}`)),
});

/** The released contract as a revision. Rejects with an Error for the user when there is none. */
export async function releasedRevision(folder = '.'): Promise<Revision> {
  const text = await workTree(folder).read(releasedContract);
  if (text === undefined)
    throw new Error(`there is no ${releasedContract}: name a file, tag, branch or commit to compare with`);
  return parseRevision(releasedContract, text);
}

/**
 * The protocol of /ws of the last release: the stored one, else that of the commit of the release. Undefined where neither
 * is available.
 */
export async function releasedProtocol(folder = '.'): Promise<Revision | undefined> {
  const tree = workTree(folder);
  const stored = await tree.read(releasedProtocolFile);
  if (stored !== undefined) return parseProtocol(releasedProtocolFile, stored);
  const release = await lastRelease(folder);
  const text = await release?.read(protocolSource);
  return text === undefined ? undefined : parseProtocol(`${release?.name}:${protocolSource}`, text);
}

/** The commit of the last release; undefined where the history has none, or there is no git. */
async function lastRelease(folder: string): Promise<State | undefined> {
  const record = await recordOf(workTree(folder));
  try {
    const states = await changesOf(gitIn(folder));
    const versions = await Promise.all(states.map(async (state) => (await recordOf(state))?.version));
    return states[versions.lastIndexOf(record?.version)];
  } catch (error) {
    if (!(error instanceof NoGitError)) throw error;
    return undefined;
  }
}

/** The hash of the commit of the last release; undefined where the history has none, or there is no git. */
export const releaseCommit = async (folder: string): Promise<string | undefined> => (await lastRelease(folder))?.hash;

/** The faults of the record, digest, version and changelog entry of the released contract. */
async function recordFaults({ read }: State): Promise<string[]> {
  const [contract, protocol, text, changelog] = await Promise.all(
    [releasedContract, releasedProtocolFile, releaseRecord, changelogs.service].map(read),
  );
  const record = parseRecord(text);
  if (record === undefined) return [`${releaseRecord} does not name a version, a date and a sha256`];
  if (contract === undefined || digest(contract) !== record.sha256)
    return [
      `${releasedContract} is not what the release of ${record.version} wrote: ${releaseRecord} has another SHA-256`,
    ];
  if (protocol === undefined ? record.protocolSha256 !== undefined : digest(protocol) !== record.protocolSha256)
    return [
      `${releasedProtocolFile} is not what the release of ${record.version} wrote: ${releaseRecord} has another SHA-256`,
    ];
  const faults: string[] = [];
  const { info } = JSON.parse(contract) as { info?: { version?: unknown } };
  if (info?.version !== record.version)
    faults.push(`${releasedContract} has the version ${String(info?.version)}, ${releaseRecord} has ${record.version}`);
  try {
    const date = dateOf(parseChangelog(changelogs.service, changelog ?? ''), record.version);
    if (date !== record.date)
      faults.push(
        `${changelogs.service} has no entry '## ${record.version} - ${record.date}', the release of ${releaseRecord}`,
      );
  } catch (error) {
    faults.push((error as Error).message);
  }
  return faults;
}

/** The reasons why `state` is not the release of `record` after the release `previous`. */
async function releaseFaults(state: State, record: ReleaseRecord, previous: State): Promise<string[]> {
  const source = (file: string): Promise<unknown> => sourceDocument(state.read, file).catch(() => undefined);
  const [document, contract, before, protocol, stored] = await Promise.all([
    source(contractSource),
    state.read(releasedContract),
    previous.read(releasedContract),
    source(protocolSource),
    state.read(releasedProtocolFile),
  ]);
  const last = (await recordOf(previous))?.version ?? '0.0.0';
  const by = `${state.name} changed ${releasedFolder}, but is no release of ${record.version}:`;
  if (document === undefined || contract === undefined || canonical(document) !== contract)
    return [`${by} ${releasedContract} is not the contract of ${contractSource}`];
  if (stored !== undefined && (protocol === undefined || canonical(protocol) !== stored))
    return [`${by} ${releasedProtocolFile} is not the protocol of ${protocolSource}`];
  for (const file of versionedFiles) {
    const text = await state.read(file);
    const version = text === undefined ? 'none' : versionIn(file, text);
    if (version !== record.version) return [`${by} the version of ${file} is ${version}`];
  }
  const [x, y] = [
    revisionOf(`release ${last}`, JSON.parse(before ?? '')),
    revisionOf(record.version, JSON.parse(contract)),
  ];
  const waivers = parseWaivers((await state.read(waiversPath)) ?? '');
  const judged = applyWaivers(compareContracts(x, y, record.date), waivers, record.date);
  // What no rule judges, the people who released it judged.
  const steps = withWaivedSteps(judged).map((finding): Finding =>
    rules[finding.rule].effect === 'unknown' ? { ...finding, bump: 'minor' } : finding,
  );
  const { ok, message } = checkVersion(x, y, steps);
  return ok ? [] : [`${by} ${message}`];
}

/** The commits that changed the released contract, the newest first. */
async function changesOf(git: Git): Promise<State[]> {
  const log = (await outputOf(git('log', '--topo-order', '--format=%H', '--', releasedFolder))) ?? '';
  return log
    .split('\n')
    .filter(Boolean)
    .map((hash) => commit(git, hash));
}

/**
 * The faults of the released contract by the history. No state may have a later version. The oldest state with its version
 * must be its release, without changes since. The first release of the history has no predecessor to compare with.
 */
async function historyFaults(git: Git, now: State, record: ReleaseRecord): Promise<string[]> {
  const states = [now, ...(await changesOf(git))];
  const known = await Promise.all(states.map(async (state) => ({ state, version: (await recordOf(state))?.version })));
  /** The oldest state with a version; later ones may be edits of it. */
  const releaseOf = (version: string): State | undefined => known.findLast((each) => each.version === version)?.state;
  const later = known.find(({ version }) => version !== undefined && gt(version, record.version));
  if (later)
    return [`${releasedFolder} is that of ${record.version}, but ${later.state.name} has the release ${later.version}`];
  const release = releaseOf(record.version) ?? now;
  for (const path of [releasedContract, releasedProtocolFile, releaseRecord]) {
    if ((await now.read(path)) !== (await release.read(path)))
      return [`${path} is not what the release of ${record.version} wrote (${release.name})`];
  }
  const older = known.slice(states.indexOf(release) + 1).find(({ version }) => version !== undefined)?.version;
  const previous = older === undefined ? undefined : releaseOf(older);
  return previous === undefined ? [] : releaseFaults(release, record, previous);
}

export type ReleasedCheck = {
  /** The changes of the released contract outside of a release. */
  readonly faults: readonly string[];
  /** The part of the check that was not possible, for the user. */
  readonly note?: string;
};

/**
 * Checks that only the release command wrote the released contract of the project in `folder`. Without git, or in a
 * shallow clone, it checks only the available history.
 */
export async function checkReleased(folder = '.'): Promise<ReleasedCheck> {
  const now = workTree(folder);
  const faults = await recordFaults(now);
  const record = await recordOf(now);
  if (faults.length > 0 || record === undefined) return { faults };
  const git = gitIn(folder);
  try {
    const shallow = (await outputOf(git('rev-parse', '--is-shallow-repository')))?.trim() === 'true';
    const found = await historyFaults(git, now, record);
    return {
      faults: found,
      ...(shallow && { note: `The clone is shallow: the history of ${releasedFolder} was checked in part.` }),
    };
  } catch (error) {
    if (!(error instanceof NoGitError)) throw error;
    return { faults: [], note: `The history of ${releasedFolder} was not checked: ${error.message}.` };
  }
}
