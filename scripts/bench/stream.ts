/** Benchmark of the event stream: throughput, delay, memory per connection and replay, compared with a bare `ws` loop. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import {
  contestantNames,
  measureStreamDelivery,
  type ContestantName,
  type Delivery,
  type Run,
  type Runs,
  type StreamBench,
  type StreamResults,
} from './stream/measure.ts';
import { plotDelivery } from './stream/plot.ts';
import type { Scenario } from './stream/workload.ts';
import { finite, ourselves, type Outcome, type Row as ResultRow } from './report/result.ts';
import { markdownTable, median, type Row } from './table.ts';

const titles: Record<Scenario, string> = {
  same: 'All listeners have the same query',
  different: 'Each listener has its own query, and every event matches all queries',
  selective: 'Each event matches one listener in a hundred',
};

const rounded = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const medianOf = (runs: readonly Run[], figure: keyof Run): number => median(runs.map((run) => run[figure]));

/** The median of the ratios of the rounds. Other load of the machine affects both runs of a round. */
function ratio(ours: readonly Run[], theirs: readonly Run[], figure: keyof Run): string {
  const isBetterHigh = figure === 'perSecond';
  return rounded(
    median(
      ours.map((run, round) =>
        isBetterHigh ? run[figure] / theirs[round]![figure] : theirs[round]![figure] / run[figure],
      ),
    ),
    2,
  );
}

/** The servers by their names in tables, this service first. */
const subjects = {
  service: ourselves,
  bare: 'bare ws',
  corked: 'bare ws, corked',
  durable: 'bare ws, corked, durable',
} as const satisfies Record<ContestantName, string>;

function rowsOf({ full, half }: Delivery): Row[] {
  const row = (name: string, figure: keyof Run, digits: number, { service = [], ...peers }: Runs): Row => ({
    '': name,
    [subjects.service]: rounded(medianOf(service, figure), digits),
    ...Object.fromEntries(
      contestantNames
        .filter((peer) => peer !== 'service')
        .map((peer) => {
          const runs = peers[peer];
          const cell =
            runs === undefined ? '' : `${rounded(medianOf(runs, figure), digits)} (${ratio(service, runs, figure)})`;
          return [`${subjects[peer]} (ratio)`, cell];
        }),
    ),
  });
  return [
    row('messages/s, full speed', 'perSecond', 0, full),
    row('µs of CPU per message, full speed', 'cpu', 1, full),
    row('µs of CPU per message, half load', 'cpu', 1, half),
    row('delay at half load, median, ms', 'p50', 1, half),
    row('delay at half load, p99, ms', 'p99', 1, half),
  ];
}

/** Reports measurements with missing or duplicate messages. */
function checkCounts({ delivery, toOne, replay }: StreamResults): string {
  const runs = Object.values(delivery).flatMap(({ full, half }) =>
    [...Object.values(full), ...Object.values(half)].flat(),
  );
  const others = [...Object.values(toOne), ...Object.values(replay)].map(({ events, expected }) => ({
    messages: events,
    expected,
  }));
  const wrong = [...runs, ...others].filter(({ messages, expected }) => messages !== expected);
  return wrong.length === 0
    ? 'Every message arrived exactly once.'
    : `${wrong.length} measurements lost or duplicated messages; their results are invalid.`;
}

function print(results: StreamResults): void {
  const { options, frameBytes, delivery, intake, idle, toOne, replay } = results;
  const { listeners, rounds, replayed, replaying } = options;
  console.log(
    `\nEvent stream: ${rounded(listeners)} listeners, events of ${rounded(frameBytes)} bytes, medians of ${rounds} rounds in turn; ` +
      `a ratio above 1 is better than the peer. Node ${process.version}, ${cpus()[0]?.model}`,
  );
  for (const [scenario, result] of Object.entries(delivery) as [Scenario, Delivery][]) {
    console.log(`\n${titles[scenario]} (half load: ${rounded(result.halfLoad)} events/s)\n`);
    console.log(markdownTable(rowsOf(result)));
  }
  console.log(
    `\nThe service's costs include taking each event into archive and log: ${rounded(intake, 1)} µs of CPU per event. ${checkCounts(results)}\n`,
  );
  const bytes = (name: string, kind: 'resident' | 'heap'): Row => ({
    'an idle connection, bytes': name,
    service: rounded(idle.service[kind]),
    'bare ws': rounded(idle.bare[kind]),
    more: rounded(idle.service[kind] - idle.bare[kind]),
  });
  console.log(markdownTable([bytes('resident memory', 'resident'), bytes('heap and buffers', 'heap')]));
  const speed = (name: string, perSecond: number): Row => ({
    'events received by all': name,
    'events/s': rounded(perSecond),
  });
  console.log(
    `\n${markdownTable([
      speed('durable, 1,000 tweets at once, to one listener', toOne.batches.perSecond),
      speed('durable, one tweet after the other, to one listener', toOne.singles.perSecond),
      speed(`replay of ${rounded(replayed)} events to one listener`, replay.one.perSecond),
      speed(`replay of ${rounded(replayed)} events to ${replaying} listeners, together`, replay.many.perSecond),
    ])}`,
  );
}

function deliveryRows(scenario: Scenario, { full, half }: Delivery): ResultRow[] {
  const rows = (
    what: string,
    unit: string,
    better: ResultRow['better'],
    figure: keyof Run,
    measured: Runs,
  ): ResultRow[] =>
    contestantNames.flatMap((name) => {
      const runs = measured[name];
      const metric = `${titles[scenario]}: ${what}`;
      return runs === undefined
        ? []
        : [{ metric, subject: subjects[name], unit, better, values: runs.map((run) => run[figure]) }];
    });
  return [
    ...rows('full speed', 'messages/s', 'higher', 'perSecond', full),
    ...rows('CPU for a message, half load', 'µs CPU', 'lower', 'cpu', half),
    ...rows('delay at half load, p99', 'ms', 'lower', 'p99', half),
  ];
}

function rowsOfAll({ delivery, intake, idle, toOne, replay }: StreamResults): ResultRow[] {
  const row = (
    metric: string,
    unit: string,
    value: number,
    better: ResultRow['better'],
    subject: string = ourselves,
  ): ResultRow => ({
    ...{ metric, subject, unit, better, values: [value] },
  });
  return finite([
    ...(Object.entries(delivery) as [Scenario, Delivery][]).flatMap(([scenario, each]) => deliveryRows(scenario, each)),
    row('event into archive and log', 'µs CPU', intake, 'lower'),
    row('memory of an idle connection', 'bytes', idle.service.resident, 'lower'),
    row('memory of an idle connection', 'bytes', idle.bare.resident, 'lower', subjects.bare),
    row('durable to one listener, 1,000 tweets at once', 'events/s', toOne.batches.perSecond, 'higher'),
    row('durable to one listener, one tweet after the other', 'events/s', toOne.singles.perSecond, 'higher'),
    row('replay to one listener', 'events/s', replay.one.perSecond, 'higher'),
    row('replay to many listeners', 'events/s', replay.many.perSecond, 'higher'),
  ]);
}

/** Measures and prints tables; writes a plot to the folder `plot`, if given. */
export async function benchStream(bench: Omit<StreamBench, 'progress'>, plot?: string): Promise<Outcome> {
  const results = await measureStreamDelivery({ ...bench, progress: (text) => console.error(text) });
  print(results);
  if (plot !== undefined) {
    await mkdir(plot, { recursive: true });
    await writeFile(join(plot, 'stream.svg'), plotDelivery(results));
  }
  return { rows: rowsOfAll(results), details: results };
}
