/** How the figures of an archive grow with the number of its tweets: a slope and a chart for each figure. */
import { shown } from './table.ts';

/** A figure at several numbers of tweets, in ascending order. */
export interface Growth {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly { readonly tweets: number; readonly value: number }[];
}

/** The exponent b of the curve a·nᵇ that fits best, by least squares of the logarithms. NaN with fewer than two numbers of tweets. */
export function exponentOf(points: Growth['points']): number {
  const logs = points.map(({ tweets, value }) => [Math.log(tweets), Math.log(value)] as const);
  const mean = (place: 0 | 1): number => logs.reduce((sum, log) => sum + log[place], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return covariance / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

/** The slope in words, and a chart that Markdown with Mermaid shows. */
export function describeGrowth({ name, unit, points }: Growth): string {
  const exponent = exponentOf(points);
  const factor = shown(10 ** exponent);
  const list = (values: readonly string[]): string => `[${values.join(', ')}]`;
  const chart = [
    '```mermaid',
    'xychart-beta',
    `  title "${name}, ${unit}"`,
    `  x-axis ${list(points.map(({ tweets }) => `"${tweets.toLocaleString('en')}"`))}`,
    `  y-axis "${unit}" 0 --> ${(Math.max(...points.map(({ value }) => value)) * 1.1).toPrecision(3)}`,
    `  line ${list(points.map(({ value }) => value.toPrecision(4)))}`,
    '```',
  ];
  return `${name}: n^${exponent.toFixed(2)}, so ${factor} times for 10 times as many tweets.\n\n${chart.join('\n')}`;
}
