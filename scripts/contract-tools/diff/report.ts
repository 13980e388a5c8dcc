/** Formats the findings as terminal text, as Markdown for pull requests, and as JSON. */
import { styleText } from 'node:util';
import { levels, type Finding, type Reach, type Stand } from './finding.ts';
import type { Level } from './rules.ts';
import type { VersionCheck } from './version.ts';
import type { WaivedFinding, WaiverFault } from './waivers.ts';

export type Report = {
  /** The names of the two revisions. */
  readonly base: string;
  readonly revision: string;
  readonly note?: string;
  readonly findings: readonly Finding[];
  /** Findings that the team accepts until a date. */
  readonly waived: readonly WaivedFinding[];
  /** Waivers that cannot be used. */
  readonly faults: readonly WaiverFault[];
  readonly version: VersionCheck;
};
type Style = Parameters<typeof styleText>[0];

/** The headings of the levels. */
export const titles: Readonly<Record<Level, string>> = { breaking: 'Breaking', care: 'Needs care', safe: 'Safe' };
const colours = { breaking: 'red', care: 'yellow', safe: 'green' } as const satisfies Record<Level, Style>;
/** So many characters of a value, and so many callers by name, are shown to people; programs get everything. */
const shownLength = 160;
const shownCallers = 3;

/** How many findings each level has. */
export const counts = (findings: readonly Finding[]): Record<Level, number> =>
  Object.fromEntries(
    levels.map((level) => [level, findings.filter((finding) => finding.level === level).length]),
  ) as Record<Level, number>;

const clip = (text: string): string => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);

/** Both values as short as they still differ: long texts begin shortly before the first difference. */
export function bothValues({ before, after }: Finding): [string | undefined, string | undefined] {
  const [x, y] = [before, after].map((stand) => stand && JSON.stringify(stand.value));
  if (x === undefined || y === undefined || Math.max(x.length, y.length) <= shownLength)
    return [x && clip(x), y && clip(y)];
  let common = 0;
  while (common < x.length && x[common] === y[common]) common++;
  const start = Math.max(0, common - 40);
  const cut = (text: string): string => clip(start > 0 ? `…${text.slice(start)}` : text);
  return [cut(x), cut(y)];
}

function whoMeetsIt({ side, callers }: Reach): string {
  const named =
    callers.length > shownCallers + 1
      ? [...callers.slice(0, shownCallers), `${callers.length - shownCallers} more`]
      : callers;
  return `${side === null ? '' : side === 'request' ? 'sent to ' : 'answered by '}${named.join(', ')}`;
}
/** Who meets a finding. */
export const meets = ({ reach }: Finding): string => reach.map(whoMeetsIt).join('; ');

const at = (stand: Stand | undefined): string | undefined => stand && `${stand.file}:${stand.line}:${stand.column}`;

function summary({ findings }: Report): string {
  if (findings.length === 0) return 'Nothing differs.';
  const found = counts(findings);
  return `${found.breaking} breaking, ${found.care} to take care of, ${found.safe} safe.`;
}

/** What exactly differs, where its place does not end with it. */
const subject = (finding: Finding): string =>
  finding.where.endsWith(` ${finding.subject}`) || !finding.subject ? '' : ` ${clip(finding.subject)}`;

/** Text for a terminal; coloured when standard output is a terminal. */
export function textReport(report: Report): string {
  const { base, revision, note, findings, version } = report;
  const paint = (style: Style, text: string): string => styleText(style, text);
  const lines: string[] = [`${base} → ${revision}`, ...(note ? [note] : []), ''];
  for (const level of levels) {
    const found = findings.filter((finding) => finding.level === level);
    if (found.length === 0) continue;
    lines.push(paint(['bold', colours[level]], titles[level]));
    for (const finding of found) {
      const [x, y] = bothValues(finding);
      lines.push(`  ${paint(colours[level], finding.rule)}${subject(finding)}  ${paint('bold', finding.where)}`);
      if (x !== undefined) lines.push(`    ${paint('dim', `- ${at(finding.before)}`)}  ${x}`);
      if (y !== undefined) lines.push(`    ${paint('dim', `+ ${at(finding.after)}`)}  ${y}`);
      lines.push(`    ${meets(finding)}`, ...(level === 'safe' ? [] : [`    ${finding.advice}`]));
    }
    lines.push('');
  }
  for (const { finding, waiver } of report.waived) {
    lines.push(`${paint('dim', 'Waived')}  ${finding.rule}  ${finding.where}`);
    lines.push(`    until ${waiver.until}: ${waiver.reason}`, '');
  }
  for (const { rule, file, line, column, message } of report.faults)
    lines.push(`${paint('red', rule)}  ${file}:${line}:${column}`, `    ${message}`, '');
  lines.push(summary(report), paint(version.ok ? 'green' : 'red', version.message));
  return lines.join('\n');
}

/** Text as Markdown code, whatever backticks are in it (CommonMark 6.1). */
function code(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest > 0 ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}

/** Markdown for a pull request or a changelog. */
export function markdownReport(report: Report): string {
  const { base, revision, note, findings, version } = report;
  const lines = [
    `## ${code(base)} → ${code(revision)}`,
    '',
    `${version.ok ? '✅' : '❌'} ${summary(report)} ${version.message}`,
    ...(note ? ['', note] : []),
  ];
  for (const level of levels) {
    const found = findings.filter((finding) => finding.level === level);
    if (found.length === 0) continue;
    lines.push('', `### ${titles[level]}`, '');
    for (const finding of found) {
      const [x, y] = bothValues(finding);
      const change = [x && `before ${code(x)}`, y && `now ${code(y)}`].filter(Boolean).join(', ');
      lines.push(
        `- **${finding.rule}**${subject(finding) && ` ${code(clip(finding.subject))}`} at ${code(finding.where)}: ${change}  `,
      );
      lines.push(`  ${meets(finding)}.${level === 'safe' ? '' : ` ${finding.advice}`}`);
    }
  }
  if (report.waived.length > 0) lines.push('', '### Waived', '');
  for (const { finding, waiver } of report.waived)
    lines.push(`- **${finding.rule}** at ${code(finding.where)}, until ${waiver.until}: ${waiver.reason}`);
  if (report.faults.length > 0) lines.push('', '### Waivers to correct', '');
  for (const { rule, file, line, column, message } of report.faults)
    lines.push(`- **${rule}** at ${code(`${file}:${line}:${column}`)}: ${message}`);
  return lines.join('\n');
}

/** JSON with all findings and complete values. */
export function jsonReport({ base, revision, note, findings, waived, faults, version }: Report): string {
  const summary = counts(findings);
  return JSON.stringify({ base, revision, note, summary, version, findings, waived, faults }, null, 2);
}
