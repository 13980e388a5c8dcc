/** The plots on the page of the results, as SVG. Each says in words what it shows; nothing is shown by colour alone. */
import { ticksTo } from '../soak/plot.ts';
import { shown } from './result.ts';

/** A text inside HTML or SVG. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

export interface RatioBar {
  readonly metric: string;
  readonly peer: string;
  /** How many times as good as the peer the service is; the quartiles of the rounds. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

const width = 760;
const rowHeight = 20;

const place = (value: number): string => value.toFixed(1);

/** The round numbers on a logarithmic axis: powers of ten, and 2 and 5 times these on a short axis. */
function logTicks(low: number, high: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: to - from + 1 }, (_, index) => 10 ** (from + index));
  const ticks = to - from > 3 ? powers : powers.flatMap((power) => [power, 2 * power, 5 * power]);
  return ticks.map((tick) => Number(tick.toPrecision(1))).filter((tick) => tick >= low / 1.001 && tick <= high * 1.001);
}

/**
 * For each metric a title, and for each peer a bar from 1 to the right where the service is better, to the left where it is
 * worse. The bars of a metric follow each other.
 */
export function ratioPlot(name: string, bars: readonly RatioBar[]): string {
  const [left, right, top] = [300, 70, 26];
  const [low, high] = [Math.min(0.5, ...bars.map((bar) => bar.low)), Math.max(2, ...bars.map((bar) => bar.high))];
  const x = (ratio: number): number =>
    left + ((Math.log(ratio) - Math.log(low)) / (Math.log(high) - Math.log(low))) * (width - left - right);
  let y = top - rowHeight;
  const lines = bars.map(({ metric, peer, ratio, low: from, high: to }, index) => {
    const isFirst = bars[index - 1]?.metric !== metric;
    y += isFirst ? 2 * rowHeight : rowHeight;
    const [start, end] = [Math.min(x(1), x(ratio)), Math.max(x(1), x(ratio))];
    const title = `<text class="metric" x="4" y="${y - rowHeight + 11}">${escaped(metric)}</text>`;
    return (
      `${isFirst ? title : ''}<g><title>${escaped(`${metric}: ${shown(ratio)} × ${peer}`)}</title>` +
      `<text x="${left - 8}" y="${y + 11}" text-anchor="end">${escaped(peer)}</text>` +
      `<rect class="${ratio >= 1 ? 'better' : 'worse'}" x="${place(start)}" y="${y}" width="${place(Math.max(1, end - start))}" height="13"/>` +
      `<line class="spread" x1="${place(x(from))}" x2="${place(x(to))}" y1="${y + 6.5}" y2="${y + 6.5}"/>` +
      `<text x="${place(Math.max(end, x(to)) + 6)}" y="${y + 11}">${shown(ratio)}</text></g>`
    );
  });
  const height = y + rowHeight + 8;
  const grid = logTicks(low, high).map(
    (tick) =>
      `<line class="${tick === 1 ? 'one' : 'grid'}" x1="${place(x(tick))}" x2="${place(x(tick))}" y1="${top - 6}" y2="${height - 6}"/>` +
      `<text x="${place(x(tick))}" y="${top - 11}" text-anchor="middle">${shown(tick)}</text>`,
  );
  return (
    `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(`${name}: this service compared with its peers`)}">` +
    `${grid.join('')}${lines.join('\n')}</svg>`
  );
}

export interface VersionPoint {
  readonly version: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A value by version: dots with the quartiles of their rounds, joined by a line. `unit`: of the axis, which starts at 0. */
export function versionPlot(title: string, unit: string, points: readonly VersionPoint[]): string {
  const [plotWidth, height, left, right, top, bottom] = [370, 150, 56, 14, 12, 124];
  const ticks = ticksTo(Math.max(...points.map(({ high }) => high)));
  const most = ticks.at(-1) ?? 1;
  const x = (index: number): number =>
    points.length === 1
      ? (left + plotWidth - right) / 2
      : left + 14 + (index / (points.length - 1)) * (plotWidth - left - right - 28);
  const y = (value: number): number => bottom - (value / most) * (bottom - top);
  const grid = ticks.map(
    (tick) =>
      `<line class="grid" x1="${left}" x2="${plotWidth - right}" y1="${place(y(tick))}" y2="${place(y(tick))}"/>` +
      `<text x="${left - 6}" y="${place(y(tick) + 4)}" text-anchor="end">${shown(tick)}</text>`,
  );
  const line = points.map(({ value }, index) => `${place(x(index))},${place(y(value))}`).join(' ');
  const dots = points.map(
    ({ version, value, low, high }, index) =>
      `<g><title>${escaped(`${version}: ${shown(value)} ${unit}`)}</title>` +
      `<line class="spread" x1="${place(x(index))}" x2="${place(x(index))}" y1="${place(y(low))}" y2="${place(y(high))}"/>` +
      `<circle class="better" cx="${place(x(index))}" cy="${place(y(value))}" r="4"/>` +
      `<text x="${place(x(index))}" y="${height - 8}" text-anchor="middle">${escaped(version)}</text></g>`,
  );
  const words = points.map(({ version, value }) => `${version} ${shown(value)}`).join(', ');
  return (
    `<figure><figcaption>${escaped(title)}, ${escaped(unit)}</figcaption>` +
    `<svg viewBox="0 0 ${plotWidth} ${height}" width="${plotWidth}" height="${height}" role="img" aria-label="${escaped(`${title} by version, ${unit}: ${words}`)}">` +
    `${grid.join('')}<polyline points="${line}"/>${dots.join('')}</svg></figure>`
  );
}
