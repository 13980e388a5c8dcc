/** Plots the delivery of events: one panel per result, with one bar per server and scenario. */
import { style } from '../plot.ts';
import { median } from '../table.ts';
import {
  contestantNames,
  type ContestantName,
  type Delivery,
  type Run,
  type Runs,
  type StreamResults,
} from './measure.ts';
import type { Scenario } from './workload.ts';

const width = 760;
const left = 130;
const right = 80;
const barHeight = 12;
const top = 60;
const panelHead = 34;

const scenarioNames: Record<Scenario, string> = {
  same: 'same query',
  different: 'own queries',
  selective: 'one in a hundred',
};
const legend: Record<ContestantName, string> = {
  service: 'this service',
  bare: 'bare ws',
  corked: 'bare ws, frames of a batch in one write',
  durable: 'bare ws, one write, durable',
};

const panels: readonly {
  readonly title: string;
  readonly runs: (delivery: Delivery) => Runs;
  readonly figure: keyof Run;
  readonly digits: number;
}[] = [
  {
    title: 'messages per second at full speed: longer is better',
    runs: ({ full }) => full,
    figure: 'perSecond',
    digits: 0,
  },
  {
    title: 'µs of CPU per message at half load: shorter is better',
    runs: ({ half }) => half,
    figure: 'cpu',
    digits: 1,
  },
  {
    title: 'p99 of the latency at half load, ms: shorter is better',
    runs: ({ half }) => half,
    figure: 'p99',
    digits: 1,
  },
];

/** An SVG document for light and dark colour schemes. Each panel has its own scale, from 0. */
export function plotDelivery({ options: { listeners }, frameBytes, delivery }: StreamResults): string {
  const elements: string[] = [];
  let y = top;
  for (const { title, runs, figure, digits } of panels) {
    const groups = (Object.entries(delivery) as [Scenario, Delivery][]).map(([scenario, measured]) => ({
      scenario,
      bars: contestantNames.flatMap((name) => {
        const named = runs(measured)[name];
        return named === undefined ? [] : { name, value: median(named.map((run) => run[figure])) };
      }),
    }));
    const max = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
    elements.push(`<text x="12" y="${y + 14}" font-weight="bold">${title}</text>`);
    y += panelHead;
    for (const { scenario, bars } of groups) {
      elements.push(
        `<text x="${left - 12}" y="${y + (bars.length * (barHeight + 2)) / 2 + 3}" text-anchor="end">${scenarioNames[scenario]}</text>`,
      );
      for (const { name, value } of bars) {
        const length = (value / max) * (width - left - right);
        elements.push(
          `<rect class="${name}" x="${left}" y="${y}" width="${Math.max(2, length).toFixed(1)}" height="${barHeight}" rx="3"/>` +
            `<text class="small" x="${(left + length + 6).toFixed(1)}" y="${y + 10}">${value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })}</text>`,
        );
        y += barHeight + 2;
      }
      y += 10;
    }
    y += 12;
  }
  let x = 12;
  const names = contestantNames.map((name) => {
    const entry = `<rect class="${name}" x="${x}" y="33" width="14" height="10" rx="3"/><text class="small" x="${x + 20}" y="42">${legend[name]}</text>`;
    x += 44 + legend[name].length * 6;
    return entry;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="Delivery of events to ${listeners} listeners">
${style({ service: ['#0969da', '#58a6ff'], bare: ['#bc6c00', '#e3a03c'], corked: ['#8c6d46', '#a08a6a'], durable: ['#1a7f37', '#3fb950'] })}
<text x="12" y="22" font-weight="bold">Events of ${frameBytes.toLocaleString('en')} bytes to ${listeners.toLocaleString('en')} listeners</text>
${[...names, ...elements].join('\n')}
</svg>
`;
}
