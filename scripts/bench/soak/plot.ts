/** A soak as a picture: each sample a dot, for memory, delay of the event loop and requests. */
import { style } from '../plot.ts';
import type { Sample, SoakResults } from './measure.ts';
import type { Point } from './trend.ts';

const width = 760;
const [left, right] = [52, 16];
const top = 56;
const panelHead = 34;
const panelHeight = 130;
const panelGap = 16;

type Read = (sample: Sample, before: Sample | undefined) => number;

/** Dots of one kind; the name stands in the legend of a panel that has several. */
interface Dots {
  readonly kind: 'first' | 'second' | 'third';
  readonly name: string;
  readonly points: (results: SoakResults) => readonly Point[];
}

/** A dot of each sample. */
const ofSamples =
  (read: Read): Dots['points'] =>
  ({ samples }) =>
    samples.map((sample, place) => ({ at: sample.at, value: read(sample, samples[place - 1]) }));

const perSecond =
  (count: 'requests' | 'followed'): Read =>
  (sample, before) =>
    before === undefined
      ? sample[count] / (sample.at * 60)
      : (sample[count] - before[count]) / ((sample.at - before.at) * 60);

const panels: readonly { readonly title: string; readonly dots: readonly Dots[] }[] = [
  {
    title: 'memory, MB',
    dots: [
      { kind: 'first', name: 'resident', points: ofSamples(({ resident }) => resident / 1e6) },
      {
        kind: 'second',
        name: 'heap after full collections',
        points: ({ collections }) =>
          collections.filter(({ at }) => at >= 0).map(({ at, value }) => ({ at, value: value / 1e6 })),
      },
      { kind: 'third', name: 'buffers outside the heap', points: ofSamples(({ external }) => external / 1e6) },
    ],
  },
  {
    title: 'delay of the event loop, p99 of each 5 s, ms',
    dots: [{ kind: 'first', name: 'delay', points: ofSamples(({ delay }) => delay) }],
  },
  {
    title: 'a second',
    dots: [
      { kind: 'first', name: 'requests answered', points: ofSamples(perSecond('requests')) },
      { kind: 'second', name: 'events of the followed network', points: ofSamples(perSecond('followed')) },
    ],
  },
];

/** Three to six round numbers from 0 on, the last at or above a value. */
export function ticksTo(most: number): number[] {
  if (most <= 0) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [0.2, 0.5, 1, 2, 5].map((part) => part * power).find((candidate) => Math.ceil(most / candidate) <= 5)!;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, place) => place * step);
}

/** The names of several kinds of dots in a line from `x` on. */
function legendOf(dots: readonly Dots[], x: number, y: number): string[] {
  if (dots.length === 1) return [];
  let at = x;
  return dots.map(({ kind, name }) => {
    const entry =
      `<circle class="${kind}" cx="${at}" cy="${y}" r="4"/>` +
      `<text class="small" x="${at + 9}" y="${y + 4}">${name}</text>`;
    at += 32 + name.length * 6;
    return entry;
  });
}

/**
 * An SVG document that can be read on light and on dark ground. Each panel has a scale of its own, from 0. `warmUp`: minutes that do not
 * count.
 */
export function plotSoak(results: SoakResults, warmUp: number): string {
  const { samples, options } = results;
  const { minutes, rate, followed, listeners } = options;
  const x = (at: number): number => left + (at / Math.max(minutes, samples.at(-1)!.at)) * (width - left - right);
  const height = top + panels.length * (panelHead + panelHeight + panelGap) + 20;

  const drawn = panels.map(({ title, dots }, number) => {
    const from = top + number * (panelHead + panelHeight + panelGap) + panelHead;
    const to = from + panelHeight;
    const values = dots.map(({ kind, points }) => ({ kind, points: points(results) }));
    const ticks = ticksTo(Math.max(...values.flatMap(({ points }) => points.map(({ value }) => value))));
    const y = (value: number): number => to - (value / ticks.at(-1)!) * panelHeight;
    const grid = ticks.map(
      (tick) =>
        `<line class="grid" x1="${left}" x2="${width - right}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/>` +
        `<text class="small" x="${left - 6}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${tick.toLocaleString('en')}</text>`,
    );
    const all = values.map(({ kind, points }) =>
      points
        .map(({ at, value }) => `<circle class="${kind}" cx="${x(at).toFixed(1)}" cy="${y(value).toFixed(1)}" r="2"/>`)
        .join(''),
    );
    const legend = legendOf(dots, left + title.length * 7, from - 16);
    const shade = `<rect x="${left}" y="${from}" width="${(x(warmUp) - left).toFixed(1)}" height="${panelHeight}" fill="currentColor" fill-opacity="0.06"/>`;
    return [shade, `<text x="12" y="${from - 12}" font-weight="bold">${title}</text>`, ...legend, ...grid, ...all].join(
      '\n',
    );
  });
  const everyMinutes = Math.ceil(minutes / 10);
  const minutesShown = Array.from({ length: minutes + 1 }, (_, minute) => minute).filter(
    (minute) => minute % everyMinutes === 0,
  );
  const axis = minutesShown.map((minute) => {
    const anchor = minute === 0 ? 'start' : minute === minutes ? 'end' : 'middle';
    const label = minute === minutes ? `${minute} min` : String(minute);
    return `<text class="small" x="${x(minute).toFixed(1)}" y="${height - 10}" text-anchor="${anchor}">${label}</text>`;
  });
  const load = `${rate.toLocaleString('en')} requests a second, ${listeners.toLocaleString('en')} listeners, ${followed} followed events a second, imports, erasures`;
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" aria-label="The service under mixed load for ${minutes} minutes">
${style({ first: ['#0969da', '#58a6ff'], second: ['#bc6c00', '#e3a03c'], third: ['#1a7f37', '#56d364'] })}
<text x="12" y="22" font-weight="bold">Mixed load for ${minutes} minutes</text>
<text class="small" x="12" y="42">${load}. Shaded: the warm-up, before the check of memory.</text>
${drawn.join('\n')}
${axis.join('')}
</svg>
`;
}
