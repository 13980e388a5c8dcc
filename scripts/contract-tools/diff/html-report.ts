/** Formats the findings as one HTML page without scripts and without other files, for a browser or an attachment. */
import { xml } from '../xml.ts';
import { levels, type Finding, type Stand } from './finding.ts';
import { bothValues, counts, meets, titles, type Report } from './report.ts';

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin: 0 0 2rem }
th, td { border-bottom: 1px solid #8884; padding: .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere }
code { font-family: ui-monospace, monospace; font-size: .9em }
.ok { color: #1a7f37 } .not-ok, .breaking { color: #cf222e } .care { color: #9a6700 } .safe { color: #1a7f37 }
del, ins { display: block; text-decoration: none } del { color: #cf222e } ins { color: #1a7f37 }`;

const placeOf = ({ file, line, column }: Stand): string => `${file}:${line}:${column}`;

function row(finding: Finding, ...more: readonly string[]): string {
  const { rule, subject, where, before, after, advice, level } = finding;
  const [x, y] = bothValues(finding);
  const change = [
    x !== undefined && before ? `<del>− ${xml(placeOf(before))} <code>${xml(x)}</code></del>` : '',
    y !== undefined && after ? `<ins>+ ${xml(placeOf(after))} <code>${xml(y)}</code></ins>` : '',
  ].join('');
  const cells = [
    `<code class="${level}">${xml(rule)}</code>${subject === '' ? '' : ` ${xml(subject)}`}`,
    xml(where),
    change,
    `${xml(meets(finding))}${level === 'safe' ? '' : `<br>${xml(advice)}`}`,
    ...more.map(xml),
  ];
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

const table = (title: string, columns: readonly string[], rows: readonly string[]): string =>
  rows.length === 0
    ? ''
    : `<h2>${xml(title)}</h2>
<table><thead><tr>${columns.map((name) => `<th scope="col">${name}</th>`).join('')}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody></table>
`;
const columns = ['Finding', 'Place', 'Change', 'Effect'];

/** One HTML page. */
export function htmlReport(report: Report): string {
  const { base, revision, note, findings, version, waived, faults } = report;
  const title = `${base} → ${revision}`;
  const numbers = counts(findings);
  const sections = levels.map((level) =>
    table(
      `${titles[level]} (${numbers[level]})`,
      columns,
      findings.filter((finding) => finding.level === level).map((finding) => row(finding)),
    ),
  );
  const waivers = table(
    'Waived',
    [...columns, 'Reason', 'Until'],
    waived.map(({ finding, waiver }) => row(finding, waiver.reason, waiver.until)),
  );
  const wrong = table(
    'Waivers to correct',
    ['Finding', 'Place', 'What to do'],
    faults.map(
      ({ rule, file, line, column, message }) =>
        `<tr><td><code class="breaking">${rule}</code></td><td>${xml(`${file}:${line}:${column}`)}</td><td>${xml(message)}</td></tr>`,
    ),
  );
  const isOk = version.ok && faults.length === 0;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${xml(title)}</title>
<style>
${style}
</style>
<h1>${xml(title)}</h1>
${note === undefined ? '' : `<p>${xml(note)}</p>\n`}<p class="${isOk ? 'ok' : 'not-ok'}"><strong>${xml(version.message)}</strong></p>
${wrong}${sections.join('')}${waivers}</html>`;
}
