/** The HTTP side: requests a second, delays and memory beside bare node:http and frameworks with the same contract, data and guarantee. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import {
  contestants,
  measureHttp,
  type HttpBench,
  type HttpResults,
  type Name,
  type Run,
  type Runs,
} from './http/measure.ts';
import { plotHttp } from './http/plot.ts';
import { shapes, type Shape } from './http/shapes.ts';
import { markdownTable, median, milliseconds, type Row } from './table.ts';

const rounded = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const medianOf = (runs: readonly Run[], figure: keyof Run): number => median(runs.map((run) => run[figure]));
const namesIn = (runs: Runs): Name[] => Object.keys(contestants).filter((name) => name in runs) as Name[];

/** The median of the rounds' ratios to bare: what slows the machine down for a while slows all contestants of a round. */
const toBare = (runs: Runs, name: Name): number =>
  median(runs[name]!.map(({ perSecond }, round) => perSecond / runs.bare![round]!.perSecond));

function speeds({ full }: HttpResults): Row[] {
  const all = Object.keys(shapes) as Shape[];
  return namesIn(full[all[0]!]).map((name) => ({
    'requests/s (of bare)': contestants[name],
    ...Object.fromEntries(
      all.map((shape) => [
        shape,
        `${rounded(medianOf(full[shape][name]!, 'perSecond'))} (${toBare(full[shape], name).toFixed(2)})`,
      ]),
    ),
    'most resident, MB': rounded(
      Math.max(...all.flatMap((shape) => full[shape][name]!.map(({ resident }) => resident))) / 1e6,
    ),
  }));
}

function processorTimes({ full }: HttpResults): Row[] {
  const all = Object.keys(shapes) as Shape[];
  return namesIn(full[all[0]!]).map((name) => ({
    'µs of CPU a request': contestants[name],
    ...Object.fromEntries(all.map((shape) => [shape, rounded(medianOf(full[shape][name]!, 'cpu'), 1)])),
  }));
}

const delays = ({ half }: HttpResults): Row[] =>
  (Object.keys(shapes) as Shape[]).map((shape) => {
    const { bare, service } = half[shape] as Record<'bare' | 'service', readonly Run[]>;
    const p99 = (runs: readonly Run[]): number => medianOf(runs, 'p99');
    return {
      'delay at half load, ms': shape,
      'requests/s': rounded(medianOf(service, 'perSecond')),
      'bare p50': milliseconds(medianOf(bare, 'p50')),
      'bare p99': milliseconds(p99(bare)),
      'service p50': milliseconds(medianOf(service, 'p50')),
      'service p99': milliseconds(p99(service)),
      'p99, times bare': median(service.map((run, round) => run.p99 / bare[round]!.p99)).toFixed(2),
    };
  });

/** Says where other than 200 was answered. */
function checkAnswers({ full, half }: HttpResults): string {
  const failed = [...Object.values(full), ...Object.values(half)]
    .flatMap((runs) => Object.values(runs).flat())
    .reduce((sum, run) => sum + run.failed, 0);
  return failed === 0 ? 'All answers were 200.' : `${rounded(failed)} answers were not 200: the figures mean nothing.`;
}

function print(results: HttpResults): void {
  const { options, full, missing } = results;
  const bytes = (shape: Shape): string => rounded(full[shape].service![0]!.bodyBytes);
  console.log(
    `\nHTTP: ${options.connections} connections, medians of ${options.rounds} rounds in turn, the server on one core, the load on another. ` +
      `A page is 20 full tweets, ${bytes('page, repeated')} bytes; a small answer has ${bytes('small, repeated')}. \`new\`: parameters never seen before. ` +
      `Node ${process.version}, ${cpus()[0]?.model}\n`,
  );
  console.log(markdownTable(speeds(results)));
  console.log(`\n${markdownTable(processorTimes(results))}`);
  console.log(`\n${markdownTable(delays(results))}\n\n${checkAnswers(results)}`);
  if (missing.length > 0) console.log(`not installed: ${missing.join(', ')} (npm install --prefix scripts/bench)`);
}

/** Measures and prints tables; `json`: a file for all the figures, `plot`: a folder for a picture. */
export async function benchHttp(
  bench: Omit<HttpBench, 'progress'>,
  { json, plot }: { json?: string | undefined; plot?: string | undefined },
): Promise<void> {
  const results = await measureHttp({ ...bench, progress: (text) => console.error(text) });
  print(results);
  if (json !== undefined) await writeFile(json, `${JSON.stringify({ node: process.version, ...results }, null, 2)}\n`);
  if (plot === undefined) return;
  await mkdir(plot, { recursive: true });
  await writeFile(join(plot, 'http.svg'), plotHttp(results));
}
