/** `npm run release -- major|minor|patch`: makes a release on this machine, and says how to publish it. */
import { parseArgs } from 'node:util';
import type { Bump } from '../../contract-tools/diff/index.ts';
import { gitIn, outputOf } from '../../contract-tools/git.ts';
import { changelogs } from './changelog.ts';
import { makeRelease, type Release } from './release.ts';
import { releasedFolder } from './released.ts';
import { versionedFiles } from './versions.ts';

const usage = `Usage: npm run release -- [--dry-run] major|minor|patch

Makes the next release of the service, its contract and its client:

  1. checks that the work tree is clean and on a branch, and that the contract's differences from the last release
     demand no larger step than the given one (\`npm run spec:diff\` lists them), nor those of the public types of
     the client; what its changelog lists as removed, or begins with "Breaking:", demands a major one
  2. writes the new version to ${versionedFiles.slice(0, 3).join(', ')},
     ${versionedFiles.slice(3).join(' and ')}, and runs \`npm run generate\`
  3. moves "Unreleased" of ${Object.values(changelogs).join(' and ')} under the version and the day (UTC)
  4. writes the contract to ${releasedFolder}, with which \`npm run spec:diff\` compares from now on
  5. commits the result on the current branch and tags it vX.Y.Z

A failure changes nothing. Nothing is pushed or published: the command prints how to do that.
After a release, \`npm run bench -- --all --json\` measures it for scripts/bench/results.

  --dry-run  shows what the release would change, and changes nothing
  --help     shows this

Exit code: 0 when the release was made, 1 when it was refused or failed, 2 for a wrong call.`;

const bumps: readonly Bump[] = ['major', 'minor', 'patch'];
const isBump = (name: string | undefined): name is Bump => bumps.some((bump) => bump === name);

/** A call that is not as the usage says. */
class CallError extends Error {}

/** The remote that the branch is pushed to. */
async function remoteOf(folder: string, branch: string): Promise<string> {
  return (await outputOf(gitIn(folder)('config', `branch.${branch}.remote`)))?.trim() || 'origin';
}

function planned({ last, version, tag, branch, contract, changes, files }: Release): string {
  const contractSays =
    contract.required === null
      ? `The contract does not differ from that of ${last}.`
      : `The contract's differences from ${last} demand at least a ${contract.required} release.`;
  return [
    `A release on ${branch} would be ${version}, with the tag ${tag}. Nothing was changed.`,
    contractSays,
    changes,
    files,
  ].join('\n\n');
}

function made({ last, version, tag, branch, commit, files }: Release, remote: string): string {
  return `${files}

Released ${version} after ${last}: commit ${commit?.slice(0, 10)} on ${branch}, tag ${tag}.

Nothing has left this machine. To publish it:
  git push --atomic ${remote} ${branch} ${tag}
  npm publish ./client
  docker build -f server/deploy/Dockerfile -t social-data:${version} .
To take it back, as long as it is not pushed:
  git tag --delete ${tag} && git reset --keep HEAD~1`;
}

/** Runs the command in a folder; returns what it prints. Rejects with an Error whose message is for the user. */
async function run(parameters: readonly string[], folder: string): Promise<string> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return usage;
  const [bump, ...more] = positionals;
  if (!isBump(bump))
    throw new CallError(bump === undefined ? 'name major, minor or patch' : `name major, minor or patch, not ${bump}`);
  if (more.length > 0) throw new CallError(`one of major, minor and patch, not ${positionals.length}`);

  const interrupted = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void =>
    interrupted.abort(new Error(`interrupted by ${signal}: nothing was changed`));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  const date = new Date().toISOString().slice(0, 10);
  const dryRun = values['dry-run'];
  try {
    const release = await makeRelease({ folder, bump, date, dryRun, signal: interrupted.signal });
    return dryRun ? planned(release) : made(release, await remoteOf(folder, release.branch));
  } catch (error) {
    throw interrupted.signal.aborted ? interrupted.signal.reason : error;
  } finally {
    for (const signal of signals) process.off(signal, interrupt);
  }
}

/** Runs the command in a folder; returns its exit code and what it prints. */
export async function runRelease(
  parameters: readonly string[],
  folder: string,
): Promise<{ code: 0 | 1 | 2; out: string; err: string }> {
  try {
    return { code: 0, out: `${await run(parameters, folder)}\n`, err: '' };
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    const isCall = error instanceof CallError || code?.startsWith('ERR_PARSE_ARGS') === true;
    return { code: isCall ? 2 : 1, out: '', err: `release: ${message}${isCall ? `\n\n${usage}` : ''}\n` };
  }
}

if (import.meta.main) {
  const { code, out, err } = await runRelease(process.argv.slice(2), process.cwd());
  process.stdout.write(out);
  process.stderr.write(err);
  process.exitCode = code;
}
