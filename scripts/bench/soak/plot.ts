/** A soak as a picture: each sample a dot, for memory, delay of the event loop and requests. */
import { style } from '../plot.ts';
import type { Sample, SoakResults } from './measure.ts';

const width = 760;
const [left, right] = [60, 20];
const panelHeight = 150;
const panelHead = 30;
const top = 44;

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly dots: Readonly<Record<string, (sample: Sample, before: Sample | undefined) => number>>;
}

const perSecond = (sample: Sample, before: Sample | undefined): number =>
  before === undefined ? sample.requests / (sample.at * 60) : (sample.requests - before.requests) / ((sample.at - before.at) * 60);

const panels: readonly Panel[] = [
  { title: 'memory: resident, heap in use', unit: 'MB', dots: { resident: ({ resident }) => resident / 1e6, heap: ({ heap }) => heap / 1e6 } },
  { title: 'delay of the event loop: p99', unit: 'ms', dots: { delay: ({ delay }) => delay } },
  { title: 'requests answered a second', unit: '', dots: { requests: perSecond } },
];

/** An SVG document that can be read on light and on dark ground. Each panel has a scale of its own, from 0. `warmUp`: minutes that do not count. */
export function plotSoak({ samples, options: { minutes } }: SoakResults, warmUp: number): string {
  const x = (at: number): number => left + (at / Math.max(minutes, samples.at(-1)!.at)) * (width - left - right);
  const drawn = panels.map(({ title, unit, dots }, number) => {
    const head = top + number * (panelHeight + panelHead);
    const [from, to] = [head + panelHead, head + panelHeight];
    const values = Object.entries(dots).map(([kind, read]) => ({ kind, points: samples.map((sample, place) => ({ at: sample.at, value: read(sample, samples[place - 1]) })) }));
    const most = Math.max(...values.flatMap(({ points }) => points.map(({ value }) => value))) * 1.1;
    const y = (value: number): number => to - (value / most) * (to - from);
    const grid = [0, 0.5, 1].map((share) => `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(most * share).toFixed(1)}" y2="${y(most * share).toFixed(1)}"/><text class="small" x="${left - 6}" y="${(y(most * share) + 4).toFixed(1)}" text-anchor="end">${Math.round(most * share).toLocaleString('en')} ${unit}</text>`);
    const all = values.map(({ kind, points }) => points.map(({ at, value }) => `<circle class="${kind}" cx="${x(at).toFixed(1)}" cy="${y(value).toFixed(1)}" r="2"/>`).join(''));
    return [`<text x="12" y="${head + 18}" font-weight="bold">${title}</text>`, ...grid, ...all].join('\n');
  });
  const height = top + panels.length * (panelHeight + panelHead) + 20;
  const ticks = Array.from({ length: minutes + 1 }, (_, minute) => minute).filter((minute) => minute % Math.ceil(minutes / 10) === 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The service under load for ${minutes} minutes">
${style({ resident: ['#0969da', '#58a6ff'], heap: ['#bc6c00', '#e3a03c'], delay: ['#0969da', '#58a6ff'], requests: ['#0969da', '#58a6ff'] })}
<text x="12" y="22" font-weight="bold">Mixed load for ${minutes} minutes; memory is judged from the dashed line on</text>
${drawn.join('\n')}
<line x1="${x(warmUp).toFixed(1)}" x2="${x(warmUp).toFixed(1)}" y1="${top + panelHead}" y2="${height - 40}" stroke="currentColor" stroke-dasharray="4 4" stroke-opacity="0.5"/>
${ticks.map((minute) => `<text class="small" x="${x(minute).toFixed(1)}" y="${height - 14}" text-anchor="middle">${minute} min</text>`).join('')}
</svg>
`;
}
