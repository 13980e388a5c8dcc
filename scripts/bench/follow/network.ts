/** `npm run bench -- follow --hours N`: hours of a whole network, with a clock that the simulation moves. */
import { writeFile } from 'node:fs/promises';
import { ProgressBar } from '../../cli/progress-bar.ts';
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

/** `rate`: simulated events in a second. RETAIN is scaled by the same factor as the rate. */
export async function benchNetwork(hours: number, rate: number, file: string | undefined): Promise<void> {
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
  if (file !== undefined) await writeFile(file, text);
}
