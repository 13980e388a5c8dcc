/** `npm run spec:diff -- [BASE [REVISION]]`: reports the effect of contract changes on callers, and checks the version step. */
import { parseArgs } from 'node:util';
import { checkReleased, releasedContract, releasedFolder, releasedRevision } from '../release/released.ts';
import { compareContracts } from './contract.ts';
import { jsonReport, markdownReport, textReport, type Report } from './report.ts';
import { contractPath, namedRevision, workingRevision } from './source.ts';
import { checkVersion } from './version.ts';

const usage = `Usage: npm run spec:diff -- [--format text|markdown|json] [BASE [REVISION]]

Compares two versions of ${contractPath} and classifies every difference from the callers' side: breaking, needs care,
or safe. BASE and REVISION are files, or tags, branches or commits of git. Left out, BASE is the last released contract,
${releasedContract}, and REVISION the working tree. What /ws sends and takes is compared too. Without BASE
the command also checks that only releases have changed ${releasedFolder}.

  --format  text (default), markdown for a pull request or a changelog, json for programs
  --help    shows this

Exit code: 0 when info.version moved as far as the differences demand (breaking: major, other changes: minor, wording:
patch), 1 when it did not, or when the released contract was edited, 2 for a wrong call or a version that cannot be read.`;

const formats = { text: textReport, markdown: markdownReport, json: jsonReport } satisfies Record<
  string,
  (report: Report) => string
>;
const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name);

/** Runs the command; returns the exit code. Throws an Error with a message for the user. */
async function run(parameters: readonly string[]): Promise<0 | 1> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: { format: { type: 'string', default: 'text' }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const { format } = values;
  if (!isFormat(format)) throw new Error(`--format is ${Object.keys(formats).join(', ')}; not ${format}`);
  const [baseName, revisionName, ...more] = positionals;
  if (more.length > 0) throw new Error(`at most two versions can be compared, not ${positionals.length}`);

  const base = baseName === undefined ? await releasedRevision() : await namedRevision(baseName);
  const { faults, note } = baseName === undefined ? await checkReleased() : { faults: [] };
  if (faults.length > 0) {
    console.error(['spec:diff: only `npm run release` may change the released contract', ...faults].join('\n  '));
    return 1;
  }
  const revision = revisionName === undefined ? await workingRevision() : await namedRevision(revisionName);
  const findings = compareContracts(base, revision);
  const version = checkVersion(base, revision, findings);
  console.log(
    formats[format]({
      base: base.name,
      revision: revision.name,
      ...(note !== undefined && { note }),
      findings,
      version,
    }),
  );
  return version.ok ? 0 : 1;
}

if (import.meta.main) {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const { message, code } = error as Error & { code?: string };
    console.error(`spec:diff: ${message}${code?.startsWith('ERR_PARSE_ARGS') ? `\n\n${usage}` : ''}`);
    process.exitCode = 2;
  }
}
