/** Formats reports as text, JSON and JUnit XML. */
import { xml } from '../xml.ts';
import type { Finding, Report } from './verify.ts';

/** The command that repeats the checks of an operation, or of everything else, with the same seed. */
function repeatOf({ base, seed, operations }: Report, { operations: [part] }: Finding): string {
  const selected = operations.some(({ id }) => id === part) ? ` --operation ${part}` : ' --runs 0';
  return `npm run verify -- ${base} --seed ${seed}${selected}`;
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** A table of the operations, then each failure with the curl commands that reproduce it. */
export function textReport(report: Report): string {
  const { operations, findings } = report;
  const widest = Math.max(...operations.map(({ id }) => id.length), 'operation'.length);
  const line = (name: string, ...cells: (string | number)[]): string =>
    [name.padEnd(widest), ...cells.map((cell) => String(cell).padStart(9))].join(' ');
  const lines = [line('operation', 'requests', 'checks', 'failures')];
  for (const { id, requests, checks, failures, notes } of operations) {
    lines.push(line(id, requests, checks, failures === 0 ? '-' : failures), ...notes.map((note) => `  ${note}`));
  }
  for (const [index, finding] of findings.entries()) {
    const { check, pointer, expected, actual, curl, times, repeatable, operations: where } = finding;
    const others = where.length > 1 ? ` (and ${where.slice(1).join(', ')})` : '';
    lines.push(
      '',
      `${index + 1}. ${check}: ${where[0]}${others}, ${counted(times, 'time')}${repeatable ? '' : ', not repeatable'}`,
      `   expected  ${expected}`,
      `   actual    ${actual}`,
      `   contract  #${pointer}`,
      ...curl.map((line, at) => `   ${at === 0 ? 'send    ' : 'then    '}  ${line}`),
      `   repeat    ${repeatOf(report, finding)}`,
    );
  }
  for (const { operation, pointer, message } of report.unsupported)
    lines.push('', `not checked: ${operation}: ${message} is not supported`, `   contract  #${pointer}`);
  const waited = report.waitedMs > 0 ? `, ${Math.round(report.waitedMs / 1000)} s of it waits for the rate limit` : '';
  lines.push(
    '',
    `${report.base}: ${counted(findings.length, 'failure')} in ${counted(report.requests, 'request')}, ${report.seconds.toFixed(1)} s${waited}, seed ${report.seed}`,
  );
  return lines.join('\n');
}

export const jsonReport = ({ known: _, ...report }: Report): string => JSON.stringify(report, null, 2);

/** JUnit XML: one suite per operation; one test case per failure, or one passed test case. */
export function junitReport(report: Report): string {
  const ids = new Set(report.operations.map(({ id }) => id));
  const parts = new Set(report.findings.flatMap(({ operations: [part] }) => part ?? []));
  const others = [...parts.difference(ids)].map((id) => ({ id, requests: 0, checks: 0 }));
  const suites = [...report.operations, ...others].map(({ id, requests, checks }) => {
    const failed = report.findings.filter(({ operations }) => operations[0] === id);
    const cases = failed.map((finding) => {
      const { check, pointer, expected, actual, curl } = finding;
      const text = [
        `expected ${expected}`,
        `actual ${actual}`,
        `contract #${pointer}`,
        ...curl,
        repeatOf(report, finding),
      ].join('\n');
      return `    <testcase classname="${xml(id)}" name="${xml(`${check} #${pointer}`)}"><failure message="${xml(`expected ${expected}, actual ${actual}`)}">${xml(text)}</failure></testcase>`;
    });
    const passed = `    <testcase classname="${xml(id)}" name="${checks} checks of ${requests} requests"/>`;
    return `  <testsuite name="${xml(id)}" tests="${Math.max(1, failed.length)}" failures="${failed.length}">\n${(failed.length === 0 ? [passed] : cases).join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="verify" time="${report.seconds.toFixed(3)}">\n${suites.join('\n')}\n</testsuites>`;
}
