/** Formats the findings for continuous integration: annotations of GitHub Actions, and JUnit XML. */
import { xml } from '../xml.ts';
import { largerBump, type Finding, type Stand } from './finding.ts';
import type { Report } from './report.ts';

/** Whether the version moved less far than the finding requires. */
function isTooSmall({ bump }: Finding, { version: { moved } }: Report): boolean {
  return moved === null || moved === 'back' || largerBump(moved, bump) !== moved;
}

/** The place of a finding: in the revision, or where it stood before. */
const standOf = ({ before, after }: Finding): Stand | undefined => after ?? before;
const titleOf = ({ rule, subject }: Finding): string => (subject === '' ? rule : `${rule} ${subject}`);

/** Text as the data of a workflow command of GitHub; `isProperty`: as one of its properties. */
function commandText(text: string, isProperty = false): string {
  const data = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  return isProperty ? data.replaceAll(':', '%3A').replaceAll(',', '%2C') : data;
}

/**
 * Workflow commands, which GitHub shows at the lines of a pull request: errors for findings that the version does not cover,
 * warnings for others that need care. Safe findings have none.
 */
export function githubReport(report: Report): string {
  const { findings, version } = report;
  const lines = findings
    .filter(({ level }) => level !== 'safe')
    .map((finding) => {
      const { file = '', line = 1, column = 1 } = standOf(finding) ?? {};
      const kind = finding.level === 'breaking' && isTooSmall(finding, report) ? 'error' : 'warning';
      const place = `file=${commandText(file, true)},line=${line},col=${column}`;
      const title = commandText(`${finding.level}: ${titleOf(finding)}`, true);
      return `::${kind} ${place},title=${title}::${commandText(`${finding.where}. ${finding.advice}`)}`;
    });
  const waivers = report.faults.map(
    ({ rule, file, line, column, message }) =>
      `::error file=${commandText(file, true)},line=${line},col=${column},title=${rule}::${commandText(message)}`,
  );
  const verdict = `::${version.ok ? 'notice' : 'error'} title=info.version::${commandText(version.message)}`;
  return [...lines, ...waivers, verdict].join('\n');
}

/** JUnit XML: a test case for each finding, which fails where the version does not cover it, and one for the version. */
export function junitReport(report: Report): string {
  const { findings, version, base, revision } = report;
  const testCase = (name: string, failure: string | undefined): string =>
    `    <testcase classname="spec:diff" name="${xml(name)}"${failure === undefined ? '/>' : `><failure message="${xml(failure)}"/></testcase>`}`;
  const cases = findings.map((finding) => {
    const { file, line, column } = standOf(finding) ?? {};
    const name = `${finding.level} ${titleOf(finding)} at ${finding.where} (${file}:${line}:${column})`;
    return testCase(name, isTooSmall(finding, report) ? finding.advice : undefined);
  });
  const waived = report.waived.map(
    ({ finding, waiver: { until, reason } }) =>
      `    <testcase classname="spec:diff" name="${xml(`waived ${titleOf(finding)} at ${finding.where}`)}"><skipped message="${xml(`until ${until}: ${reason}`)}"/></testcase>`,
  );
  const waivers = report.faults.map(({ rule, file, line, column, message }) =>
    testCase(`${rule} (${file}:${line}:${column})`, message),
  );
  const all = [...cases, ...waived, ...waivers, testCase('info.version', version.ok ? undefined : version.message)];
  const failures = all.filter((each) => each.includes('<failure')).length;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="spec:diff">',
    `  <testsuite name="${xml(`${base} → ${revision}`)}" tests="${all.length}" failures="${failures}" skipped="${waived.length}">`,
    ...all,
    '  </testsuite>',
    '</testsuites>',
  ].join('\n');
}
