/** Plots the times of the engines: a bar from p50 to p99 each, on a logarithmic scale. */
import type { SizeResult } from './search-result.ts';
import { milliseconds } from './table.ts';

const width = 760;
const left = 120;
const right = 90;
const rowHeight = 44;
const top = 64;

/** The style sheet of a plot; `fills` are the colours of each kind of bar in the light and the dark scheme. */
export function style(fills: Readonly<Record<string, readonly [light: string, dark: string]>>): string {
  const rules = (scheme: 0 | 1): string =>
    Object.entries(fills)
      .map(([kind, colours]) => `.${kind} { fill: ${colours[scheme]}; }`)
      .join(' ');
  return `<style>
svg { color: #1f2328; background: #fff; font: 13px system-ui, sans-serif; }
text { fill: currentColor; }
.small { font-size: 11px; }
.grid { stroke: currentColor; stroke-opacity: 0.2; }
${rules(0)}
@media (prefers-color-scheme: dark) { svg { color: #e6edf3; background: #0d1117; } ${rules(1)} }
</style>`;
}

/** An SVG document for light and dark colour schemes. */
export function plotTimes({ tweets, results }: SizeResult): string {
  const rows = results.filter((result) => 'first' in result).toSorted((a, b) => a.first.p99 - b.first.p99);
  const values = rows
    .flatMap(({ first, deep }) => [first.p50, first.p99, deep.p50, deep.p99])
    .filter((value) => value > 0);
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))];
  const x = (ms: number): number => left + ((Math.log10(ms) - low) / (high - low)) * (width - left - right);
  const height = top + rows.length * rowHeight + 34;
  const bottom = height - 30;

  const grid = Array.from({ length: high - low + 1 }, (_, index) => {
    const ms = 10 ** (low + index);
    return `<line class="grid" x1="${x(ms).toFixed(1)}" x2="${x(ms).toFixed(1)}" y1="${top - 8}" y2="${bottom}"/><text class="small" x="${x(ms).toFixed(1)}" y="${height - 12}" text-anchor="middle">${ms} ms</text>`;
  });
  const bar = (kind: string, { p50, p99 }: { p50: number; p99: number }, y: number): string => {
    const [from, to] = [x(p50), x(p99)];
    return `<rect class="${kind}" x="${from.toFixed(1)}" y="${y - 5}" width="${Math.max(2, to - from).toFixed(1)}" height="10" rx="3"/><text class="small" x="${(to + 6).toFixed(1)}" y="${y + 4}">${milliseconds(p50)} – ${milliseconds(p99)}</text>`;
  };
  const lines = rows.map(({ engine, first, deep }, index) => {
    const y = top + index * rowHeight + 12;
    return `<text x="${left - 12}" y="${y + 12}" text-anchor="end"${engine === 'this service' ? ' font-weight="bold"' : ''}>${engine}</text>${bar('first', first, y)}${Number.isNaN(deep.p50) ? '' : bar('deep', deep, y + 16)}`;
  });

  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Search times of ${tweets} tweets">
${style({ first: ['#0969da', '#58a6ff'], deep: ['#bc6c00', '#e3a03c'] })}
<text x="12" y="22" font-weight="bold">Search, ${tweets.toLocaleString('en')} tweets: from p50 to p99, logarithmic, shorter is better</text>
<rect class="first" x="12" y="33" width="14" height="10" rx="3"/><text class="small" x="32" y="42">first page</text>
<rect class="deep" x="112" y="33" width="14" height="10" rx="3"/><text class="small" x="132" y="42">page 50</text>
${[...grid, ...lines].join('\n')}
</svg>
`;
}
