/** `npm run bench -- follow --hours N`: hours of a whole network, with a clock that the simulation moves. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ProgressBar } from '../../cli/progress-bar.ts';
import { ourselves, type Outcome, type Row } from '../report/result.ts';
import { markdownTable } from '../table.ts';
import { NetworkSimulation, type Hour } from './simulation.ts';

/** The network that the simulation stands for: events in a second, and the tweets that RETAIN keeps. */
const network = { rate: 500, retain: 1_000_000 } as const;
const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
const whole = (value: number): string => Math.round(value).toLocaleString('en');

const rowOf = (hour: Hour, index: number, before: Hour | undefined) => ({
  hour: index + 1,
  events: whole(hour.events),
  kept: whole(hour.tweets),
  evicted: whole(hour.evicted),
  profiles: whole(hour.profiles),
  tombstones: whole(hour.tombstones),
  'heap MB': megabytes(hour.heap),
  'external MB': megabytes(hour.external),
  'disk MB': megabytes(hour.disk),
  'events a CPU second': whole((hour.events - (before?.events ?? 0)) / hour.cpuSeconds),
});

/** The state at the end of the hours: a constant one has the same values in each. The first half of the hours is left out. */
function rowsOf(hours: readonly Hour[]): Row[] {
  const settled = hours.slice(Math.floor(hours.length / 2));
  const row = (metric: string, figure: 'heap' | 'external' | 'disk'): Row => ({
    ...{ metric, subject: ourselves, unit: 'MB', better: 'lower', values: settled.map((hour) => hour[figure] / 1e6) },
  });
  return [
    row('a network for hours, heap', 'heap'),
    row('a network for hours, memory outside the heap', 'external'),
    row('a network for hours, disk', 'disk'),
  ];
}

/**
 * `rate`: simulated events in a second. RETAIN is scaled by the same factor as the rate. Writes the table into the folder `plot`.
 */
export async function benchNetwork(hours: number, rate: number, plot?: string): Promise<Outcome> {
  const retain = Math.round((network.retain * rate) / network.rate);
  const simulation = await NetworkSimulation.start({ rate, retain });
  const bar = new ProgressBar('simulated minutes', hours * 60);
  const results: Hour[] = [];
  try {
    for (let hour = 0; hour < hours; hour++)
      results.push(await simulation.hour((share) => bar.update(Math.round((hour + share) * 60))));
  } finally {
    bar.stop();
    await simulation.stop();
  }
  const title =
    `${hours} h of a network at ${rate} events a second with RETAIN=${retain}: ` +
    `1/${network.rate / rate} of ${network.rate} events a second with RETAIN=${network.retain}`;
  const faults = `faults: ${simulation.faults.length === 0 ? 'none' : [...new Set(simulation.faults)].join('; ')}`;
  const table = markdownTable(results.map((result, index) => rowOf(result, index, results[index - 1])));
  const text = `${title}\n\n${table}\n\n${faults}\n`;
  console.log(`\n${text}`);
  if (plot !== undefined) {
    await mkdir(plot, { recursive: true });
    await writeFile(join(plot, 'network.md'), text);
  }
  return { rows: rowsOf(results), details: results };
}
