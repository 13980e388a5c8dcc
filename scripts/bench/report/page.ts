/** The page of the results: one file without scripts, which needs no network. */
import { quartiles } from './compare.ts';
import { escaped, ratioPlot, versionPlot, type RatioBar, type VersionPoint } from './page-plots.ts';
import {
  byMetric,
  measuredAt,
  ourselves,
  ratiosOf,
  shown,
  type BenchResult,
  type ResultFile,
  type Row,
} from './result.ts';

const style = `
:root { color-scheme: light dark; --text: #1f2328; --ground: #ffffff; --soft: #656d76; --better: #0969da; --worse: #bc6c00; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6edf3; --ground: #0d1117; --soft: #9198a1; --better: #58a6ff; --worse: #e3a03c; }
}
body { margin: 0 auto; max-width: 800px; padding: 16px; font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--ground); }
a { color: var(--better); }
nav ul { padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: 4px 16px; }
svg { max-width: 100%; height: auto; font: 11px system-ui, sans-serif; }
svg text { fill: currentColor; }
figure { display: inline-block; margin: 0 8px 16px 0; max-width: 100%; }
figcaption { font-size: 13px; max-width: 370px; }
.scroll { overflow-x: auto; }
.grid { stroke: currentColor; stroke-opacity: 0.2; }
.one { stroke: currentColor; stroke-opacity: 0.8; }
.spread { stroke: currentColor; stroke-opacity: 0.7; }
.better { fill: var(--better); }
.worse { fill: var(--worse); }
polyline { fill: none; stroke: var(--better); stroke-width: 1.5; }
table { border-collapse: collapse; font-size: 13px; }
th, td { padding: 2px 12px 2px 0; text-align: left; border-bottom: 1px solid color-mix(in srgb, currentColor 20%, transparent); }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
svg .metric { font-weight: bold; }
.note { color: var(--soft); }
`;

function barsOf({ rows }: BenchResult): RatioBar[] {
  return Array.from(byMetric(rows)).flatMap(([metric, same]) => {
    const ours = same.find(({ subject }) => subject === ourselves);
    const peers = same.filter(({ subject }) => subject !== ourselves);
    return ours === undefined
      ? []
      : peers.flatMap((peer): RatioBar[] => {
          const ratios = ratiosOf(ours, peer);
          if (ratios.length === 0) return [];
          const { low, middle: ratio, high } = quartiles(ratios);
          return [{ metric, peer: peer.subject, ratio, low, high }];
        });
  });
}

/** The values of a metric by version: the ratio to its first peer where it has one. */
function courseOf(bench: string, ours: Row, peer: Row | undefined, files: readonly ResultFile[]): VersionPoint[] {
  return files.flatMap(({ version, benches }) => {
    const rows = benches.find((each) => each.bench === bench)?.rows ?? [];
    const rowOf = (subject: string): Row | undefined =>
      rows.find((row) => row.metric === ours.metric && row.subject === subject && row.unit === ours.unit);
    const [own, other] = [rowOf(ourselves), peer && rowOf(peer.subject)];
    if (own === undefined || (peer !== undefined && other === undefined)) return [];
    const values = other === undefined ? own.values : ratiosOf(own, other);
    if (values.length === 0) return [];
    const { low, middle: value, high } = quartiles(values);
    return [{ version, value, low, high }];
  });
}

function coursesOf({ bench, rows }: BenchResult, files: readonly ResultFile[]): string[] {
  return Array.from(byMetric(rows)).flatMap(([metric, same]) => {
    const ours = same.find(({ subject }) => subject === ourselves);
    if (ours === undefined) return [];
    const peer = same.find(({ subject }) => subject !== ourselves);
    const points = courseOf(bench, ours, peer, files);
    const unit = peer === undefined ? `${ours.unit}, ${ours.better} is better` : `times as good as ${peer.subject}`;
    return points.length < 2 ? [] : [versionPlot(metric, unit, points)];
  });
}

function tableOf({ rows }: BenchResult): string {
  const lines = rows.map(({ metric, subject, unit, better, values }) => {
    const { low, middle, high } = quartiles(values);
    const numbers = [shown(middle), `${shown(low)} – ${shown(high)}`, String(values.length)];
    const cells = numbers.map((text) => `<td class="number">${text}</td>`).join('');
    return `<tr><td>${escaped(metric)}</td><td>${escaped(subject)}</td><td>${escaped(unit)}</td>${cells}<td>${better}</td></tr>`;
  });
  const head = ['metric', 'of', 'unit', 'median', 'quartiles', 'values', 'better'].map(
    (name) => `<th scope="col">${name}</th>`,
  );
  return `<details><summary>All ${rows.length} rows</summary><div class="scroll" tabindex="0" role="region" aria-label="All rows"><table><thead><tr>${head.join('')}</tr></thead><tbody>${lines.join('\n')}</tbody></table></div></details>`;
}

function sectionOf(result: BenchResult, files: readonly ResultFile[]): string {
  const { bench, problem, rows } = result;
  const [bars, courses] = [barsOf(result), coursesOf(result, files)];
  return [
    `<section aria-labelledby="${escaped(bench)}"><h2 id="${escaped(bench)}">${escaped(bench)}</h2>`,
    ...(problem === undefined ? [] : [`<p><strong>Not complete:</strong> ${escaped(problem)}</p>`]),
    ...(bars.length === 0
      ? []
      : [
          '<h3>Compared with peers</h3><p class="note">How many times as good as the peer; right of 1 the service is better. Logarithmic.</p>',
          `<div class="scroll">${ratioPlot(bench, bars)}</div>`,
        ]),
    ...(courses.length === 0 ? [] : ['<h3>By version</h3>', ...courses]),
    ...(rows.length === 0 ? [] : [tableOf(result)]),
    '</section>',
  ].join('\n');
}

/** Where and when the newest result was measured. */
function originOf(file: ResultFile): string {
  const quick = file.isQuick ? ' <strong>A trial with a small load: the values are no measurements.</strong>' : '';
  return `<p>${escaped(measuredAt(file))}${quick}</p>`;
}

/** The page as HTML. `files`: oldest version first. The newest one is shown in full, and all of them by version. */
export function pageOf(files: readonly ResultFile[]): string {
  const newest = files.at(-1);
  const benches = newest?.benches ?? [];
  const contents = benches.map(({ bench }) => `<li><a href="#${escaped(bench)}">${escaped(bench)}</a></li>`).join('');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Benchmarks</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Benchmarks</h1>
${newest === undefined ? '<p>There are no results yet: <code>npm run bench -- --all --json</code>.</p>' : originOf(newest)}
<p class="note">Values are medians; the thin lines and the ranges are the quartiles of the rounds. Ratios carry over to other machines, absolute times do not.</p>
<nav aria-label="Benchmarks"><ul>${contents}</ul></nav>
${benches.map((bench) => sectionOf(bench, files)).join('\n')}
</main>
</body>
</html>
`;
}
