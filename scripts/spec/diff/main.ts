/** `npm run spec:diff -- [BASE [REVISION]]`: reports the effect of contract changes on callers, and checks the version step. */
import { parseArgs } from 'node:util';
import { codeOf, messageOf } from '../../../server/text/error-text.ts';
import {
  checkReleased,
  releasedContract,
  releasedFolder,
  releasedProtocol,
  releasedRevision,
} from '../release/released.ts';
import {
  compareContracts,
  parseProtocol,
  type Revision,
  bySeverity,
  htmlReport,
  githubReport,
  junitReport,
  compareProtocols,
  jsonReport,
  markdownReport,
  textReport,
  type Report,
  contractPath,
  protocolPath,
  Sources,
  checkVersion,
  waivedIn,
  withWaivedSteps,
} from '../../contract-tools/diff/index.ts';

const usage = `Usage: npm run spec:diff -- [--format text|markdown|json|github|junit|html] [BASE [REVISION]]

Compares two versions of ${contractPath} and classifies every difference from the callers' side: breaking, needs care,
or safe. BASE and REVISION are files, or tags, branches or commits of git. Left out, BASE is the last released contract,
${releasedContract}, and REVISION the working tree. The protocol of /ws, ${protocolPath}, is compared too, except with files. Without BASE
the command also checks that only releases have changed ${releasedFolder}, and reads spec/waivers.yaml: findings that the team accepts
until a date.

  --format  text (default), markdown for a pull request or a changelog, json for programs, github for annotations of
            GitHub Actions, junit for JUnit XML, html for a page
  --help    shows this

Exit code: 0 when info.version moved as far as the differences demand (breaking: major, other changes: minor, wording:
patch), 1 when it did not, when a waiver is expired or unused, or when the released contract was edited, 2 for a wrong call or a version that cannot be read.`;

const formats = {
  text: textReport,
  markdown: markdownReport,
  json: jsonReport,
  github: githubReport,
  junit: junitReport,
  html: htmlReport,
} satisfies Record<string, (report: Report) => string>;
const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

/**
 * The protocol of /ws in both versions. Undefined where one of them is a file, or BASE has none: then it is not compared. A
 * protocol that REVISION lacks was removed.
 */
async function protocolsOf(
  sources: Sources,
  folder: string,
  [base, revision]: readonly string[],
): Promise<[Revision, Revision] | undefined> {
  const before = base === undefined ? await releasedProtocol(folder) : await sources.protocol(base);
  if (before === undefined || (revision !== undefined && (await sources.isFile(revision)))) return undefined;
  return [before, (await sources.protocol(revision)) ?? parseProtocol(protocolPath, '{ "asyncapi": "3.0.0" }')];
}

/** What the command writes, and its exit code. */
export type Outcome = { readonly code: 0 | 1 | 2; readonly out: string; readonly err: string };

/** Runs the command. Throws an Error with a message for the user. */
async function compare(parameters: readonly string[], folder: string): Promise<Outcome> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { format: { type: 'string', default: 'text' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) return { code: 0, out: usage, err: '' };
  const { format } = values;
  if (!isFormat(format)) throw new Error(`--format is ${Object.keys(formats).join(', ')}; not ${format}`);
  const [baseName, revisionName, ...more] = positionals;
  if (more.length > 0) throw new Error(`at most two versions can be compared, not ${positionals.length}`);

  const sources = new Sources(folder);
  const base = baseName === undefined ? await releasedRevision(folder) : await sources.named(baseName);
  const { faults, note } = baseName === undefined ? await checkReleased(folder) : { faults: [] };
  if (faults.length > 0) {
    const err = ['spec:diff: only `npm run release` may change the released contract', ...faults].join('\n  ');
    return { code: 1, out: '', err };
  }
  const revision = revisionName === undefined ? await sources.working() : await sources.named(revisionName);
  const protocols = await protocolsOf(sources, folder, positionals);
  const today = new Date().toISOString().slice(0, 10);
  const all = [
    ...compareContracts(base, revision, today),
    ...(protocols === undefined ? [] : compareProtocols(...protocols)),
  ].sort(bySeverity);
  // Waivers belong to the differences from the last release.
  const result =
    baseName === undefined ? await waivedIn(folder, all, today) : { findings: all, waived: [], faults: [] };
  const version = checkVersion(base, revision, withWaivedSteps(result));
  const report = { base: base.name, revision: revision.name, ...(note !== undefined && { note }), ...result, version };
  const isOk = version.ok && result.faults.length === 0;
  return { code: isOk ? 0 : 1, out: formats[format](report), err: '' };
}

/** Runs the command in the folder of a project. Every error becomes a message and exit code 2. */
export async function runDiff(parameters: readonly string[], folder = '.'): Promise<Outcome> {
  try {
    return await compare(parameters, folder);
  } catch (error) {
    const help = codeOf(error)?.startsWith('ERR_PARSE_ARGS') ? `\n\n${usage}` : '';
    return { code: 2, out: '', err: `spec:diff: ${messageOf(error)}${help}` };
  }
}

if (import.meta.main) {
  const { code, out, err } = await runDiff(process.argv.slice(2));
  if (out !== '') console.log(out);
  if (err !== '') console.error(err);
  process.exitCode = code;
}
