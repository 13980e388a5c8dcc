/** The event stream: what delivery costs beside a bare `ws` loop, what a connection needs, how late events are, how fast a log is replayed. */
import { writeFile } from 'node:fs/promises';
import { measureStreamDelivery, type Delivery, type StreamBench, type StreamResults } from './stream/measure.ts';

const told: Record<keyof StreamResults['delivery'], string> = {
  same: 'all listeners have the same query',
  different: 'each listener has a query of its own, all of which each event answers',
  selective: 'each event goes to one listener in a hundred',
};

const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));
const ratio = (value: number): number => rounded(value, 2);

function tableOf({ service, bare }: { service: Delivery; bare: Delivery }): Record<string, Record<string, number>> {
  const row = (name: string, read: (delivery: Delivery) => number, digits: number, of: (service: number, bare: number) => number) => ({
    [name]: { service: rounded(read(service), digits), 'bare ws': rounded(read(bare), digits), ratio: ratio(of(read(service), read(bare))) },
  });
  const more = (ours: number, theirs: number): number => ours / theirs;
  const less = (ours: number, theirs: number): number => theirs / ours;
  return {
    ...row('messages/s at full speed', ({ perSecond }) => perSecond, 0, more),
    ...row('µs of CPU a message, full speed', ({ cpuFull }) => cpuFull, 2, less),
    ...row('µs of CPU a message, half load', ({ cpuHalf }) => cpuHalf, 2, less),
    ...row('delay at half load, median ms', ({ p50 }) => p50, 1, less),
    ...row('delay at half load, p99 ms', ({ p99 }) => p99, 1, less),
  };
}

function print({ options, frameBytes, delivery, intake, idle, toOne, replay }: StreamResults): void {
  console.log(`\nEvent stream: ${options.listeners} listeners, events of ${frameBytes} bytes, medians of ${options.rounds} rounds; a ratio above 1 is better than bare ws`);
  for (const [name, result] of Object.entries(delivery) as [keyof typeof told, { service: Delivery; bare: Delivery }][]) {
    console.log(`\n${told[name]} (half load: ${rounded(result.service.eventsPerSecond)} events/s)`);
    console.table(tableOf(result));
  }
  console.log(`\nThe service's costs include taking each event into archive and log: ${rounded(intake, 1)} µs of CPU an event.`);
  console.log('\nAn idle connection with a subscription, in bytes');
  const bytes = (name: 'resident' | 'heap') => ({ service: rounded(idle.service[name]), 'bare ws': rounded(idle.bare[name]), more: rounded(idle.service[name] - idle.bare[name]) });
  console.table({ 'resident memory': bytes('resident'), 'heap and buffers': bytes('heap') });
  console.log('\nEvents a second, received by all');
  console.table({
    'durable, 1,000 tweets at once, to one listener': { 'events/s': rounded(toOne.batches.perSecond) },
    'durable, one tweet after the other, to one listener': { 'events/s': rounded(toOne.singles.perSecond) },
    [`replay of ${options.replayed} events to one listener`]: { 'events/s': rounded(replay.one.perSecond) },
    [`replay of ${options.replayed} events to ${options.replaying} listeners, together`]: { 'events/s': rounded(replay.many.perSecond) },
  });
}

/** Measures and prints tables; `json`: a file for all the figures. */
export async function benchStream(bench: Omit<StreamBench, 'progress'>, json?: string): Promise<void> {
  const results = await measureStreamDelivery({ ...bench, progress: (text) => console.error(text) });
  print(results);
  if (json !== undefined) await writeFile(json, `${JSON.stringify(results, null, 2)}\n`);
}
