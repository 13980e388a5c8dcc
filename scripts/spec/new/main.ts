/** `npm run new -- DIR --spec FILE`: makes a project with the frame of this one and another contract. */
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse as parseVersion } from 'semver';
import { stringify } from 'yaml';
import { isObject, memberOf } from '../../../server/text/object.ts';
import { codeOf, messageOf } from '../../../server/text/error-text.ts';
import {
  loadSpec,
  UnreadableSpecError,
  withoutFaults,
  type LoadedSpec,
  filesOf,
  faultReport,
} from '../../contract-tools/files/index.ts';
import { ownFaults } from '../lint/own-rules.ts';
import { changelogs } from '../release/changelog.ts';
import { releasedFiles } from '../release/released.ts';
import { manifestOf, projectFiles } from './files.ts';
import { readme } from './own-files.ts';

const usage = `Usage: npm run new -- DIR --spec FILE

Makes a project for another contract in DIR: the service in front of the handlers, the API reference at /docs/, and the commands
generate, scaffold, typecheck, start, dev, mock, verify, spec:diff and keys. It has nothing of the social data: no archive, search,
assistant, event stream, and no page of these.

  --spec FILE  the contract, OpenAPI 3.0 or 3.1 in YAML or JSON, with the files that it refers to
  --help       shows this

DIR must not exist, or be empty. Then, in DIR: npm install, npm run generate, npm run scaffold, npm start.

Exit code: 0 when the project was made, 1 when the contract has faults, 2 for a wrong call or a failure.`;

/** An error for the user. */
class UsageError extends Error {}

/** Throws a UsageError where the folder has anything in it. */
async function checkEmpty(folder: string): Promise<void> {
  const present = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    if (codeOf(error) === 'ENOTDIR') throw new UsageError(`${folder} is a file: name a folder that does not exist`);
    throw error;
  });
  if (present.length > 0) throw new UsageError(`${folder} is not empty: name a folder that is, or does not exist`);
}

const contractFile = 'spec/openapi.yaml';

/**
 * The files of the contract in the new project. Its parts keep their places from it; where one is outside of the folder of the
 * contract, or refers to it, the whole contract becomes one file.
 */
function contractFiles({ files: { entry, texts }, value }: LoadedSpec): Map<string, string> {
  const places = [...texts.keys()].map((path) => [path, posix.relative(posix.dirname(entry), path)] as const);
  const others = places.filter(([path]) => path !== entry);
  const isTree = others.every(
    ([path, place]) => !place.startsWith('..') && !texts.get(path)?.includes(posix.basename(entry)),
  );
  if (others.length > 0 && !isTree) return new Map([[contractFile, stringify(value)]]);
  return new Map([
    ...others.map(([path, place]) => [posix.join('spec', place), texts.get(path) ?? ''] as const),
    [contractFile, texts.get(entry) ?? ''],
  ]);
}

/** The contract as the first release, with which `npm run spec:diff` compares; none where its version is not a semantic one. */
function releasedContract(document: object): [string, string][] {
  const { version } = ((document as { info?: { version?: unknown } }).info ?? {}) as { version?: unknown };
  if (typeof version !== 'string' || parseVersion(version)?.version !== version) return [];
  const day = new Date().toISOString().slice(0, 10);
  const changelog = `# Changelog\n\n## Unreleased\n\n## ${version} - ${day}\n\nThe contract that the project began with.\n`;
  return [...Object.entries(releasedFiles(document, version, day)), [changelogs.service, changelog]];
}

/** Makes the project; returns the exit code. Throws an Error for the user. */
async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { spec: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new UsageError(`name one folder for the project\n\n${usage}`);
  if (values.spec === undefined) throw new UsageError(`name the contract: --spec FILE\n\n${usage}`);
  const file = relative('', values.spec).replaceAll('\\', '/');
  const spec = await loadSpec(file, filesOf(process.cwd()));
  const document = withoutFaults(spec, 'no project was made');
  if (!isObject(document) || !('openapi' in document)) throw new UsageError(`${file} is no OpenAPI document`);
  await checkEmpty(folder);

  const project = await projectFiles();
  const contract = contractFiles(spec);
  const all = new Map([
    ...project.files,
    ...contract,
    ...releasedContract(document),
    ['README.md', readme(String(memberOf(memberOf(document, 'info'), 'title')))],
    ['package.json', await manifestOf(resolve(folder), project)],
  ]);
  for (const [path, text] of all) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  console.log(`made a project of ${all.size} files in ${folder}`);
  // The authenticators of this project are not those of the new one, but no other project has fewer.
  const open = ownFaults(spec, []).filter(({ rule }) => rule === 'unsupported');
  if (open.length > 0)
    console.log(
      faultReport(open, spec.files.texts, { outcome: 'npm run generate needs it first', noun: 'open point' }),
    );
  console.log(`next: cd ${folder} && npm install && npm run generate && npm run scaffold && npm start`);
  return 0;
}

if (import.meta.main) {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const isUnreadable = error instanceof UnreadableSpecError;
    console.error(`new: ${messageOf(error)}`);
    process.exitCode = isUnreadable ? 1 : 2;
  }
}
