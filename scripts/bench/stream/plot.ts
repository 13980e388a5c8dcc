/** The delivery of events as a picture: for each figure a bar for each contestant, by scenario. */
import { style } from '../plot.ts';
import { median } from '../table.ts';
import { contestantNames, type ContestantName, type Delivery, type Run, type StreamResults } from './measure.ts';
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
};

type Runs = { readonly [name in ContestantName]?: readonly Run[] };
const panels: readonly {
  readonly title: string;
  readonly runs: (delivery: Delivery) => Runs;
  readonly figure: keyof Run;
  readonly digits: number;
}[] = [
  {
    title: 'messages a second at full speed: longer is better',
    runs: ({ full }) => full,
    figure: 'perSecond',
    digits: 0,
  },
  {
    title: 'µs of CPU for each message at half load: shorter is better',
    runs: ({ half }) => half,
    figure: 'cpu',
    digits: 1,
  },
  { title: 'p99 of the delay at half load, ms: shorter is better', runs: ({ half }) => half, figure: 'p99', digits: 1 },
];

/** An SVG document that can be read on light and on dark ground. Each panel has a scale of its own, from 0. */
export function plotDelivery({ options: { listeners }, frameBytes, delivery }: StreamResults): string {
  const drawn: string[] = [];
  let y = top;
  for (const { title, runs, figure, digits } of panels) {
    const groups = (Object.entries(delivery) as [Scenario, Delivery][]).map(([scenario, each]) => ({
      scenario,
      bars: contestantNames.flatMap((name) => {
        const found = runs(each)[name];
        return found === undefined ? [] : { name, value: median(found.map((run) => run[figure])) };
      }),
    }));
    const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ value }) => value)));
    drawn.push(`<text x="12" y="${y + 14}" font-weight="bold">${title}</text>`);
    y += panelHead;
    for (const { scenario, bars } of groups) {
      drawn.push(
        `<text x="${left - 12}" y="${y + (bars.length * (barHeight + 2)) / 2 + 3}" text-anchor="end">${scenarioNames[scenario]}</text>`,
      );
      for (const { name, value } of bars) {
        const length = (value / most) * (width - left - right);
        drawn.push(
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
${style({ service: ['#0969da', '#58a6ff'], bare: ['#bc6c00', '#e3a03c'], corked: ['#8c6d46', '#a08a6a'] })}
<text x="12" y="22" font-weight="bold">Events of ${frameBytes.toLocaleString('en')} bytes to ${listeners.toLocaleString('en')} listeners</text>
${[...names, ...drawn].join('\n')}
</svg>
`;
}
