/** The HTTP benchmark: throughput, latency and memory, compared with bare node:http and frameworks with the same contract and data. */
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
import { finite, ourselves, type Outcome, type Row as ResultRow } from './report/result.ts';
import { markdownTable, median, milliseconds, type Row } from './table.ts';

const rounded = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const medianOf = (runs: readonly Run[], figure: keyof Run): number => median(runs.map((run) => run[figure]));
const namesIn = (runs: Runs): Name[] => Object.keys(contestants).filter((name) => name in runs) as Name[];

/** The median of the ratios to bare node:http in the same round. A slow phase of the machine affects all servers of a round. */
const ratioToBare = (runs: Runs, name: Name): number =>
  median(runs[name]!.map(({ perSecond }, round) => perSecond / runs.bare![round]!.perSecond));

function throughputRows({ full }: HttpResults): Row[] {
  const all = Object.keys(shapes) as Shape[];
  return namesIn(full[all[0]!]).map((name) => ({
    'requests/s (of bare)': contestants[name],
    ...Object.fromEntries(
      all.map((shape) => [
        shape,
        `${rounded(medianOf(full[shape][name]!, 'perSecond'))} (${ratioToBare(full[shape], name).toFixed(2)})`,
      ]),
    ),
    'peak resident memory, MB': rounded(
      Math.max(...all.flatMap((shape) => full[shape][name]!.map(({ resident }) => resident))) / 1e6,
    ),
  }));
}

function cpuRows({ full }: HttpResults): Row[] {
  const all = Object.keys(shapes) as Shape[];
  return namesIn(full[all[0]!]).map((name) => ({
    'CPU per request, µs': contestants[name],
    ...Object.fromEntries(all.map((shape) => [shape, rounded(medianOf(full[shape][name]!, 'cpu'), 1)])),
  }));
}

const latencyRows = ({ half }: HttpResults): Row[] =>
  (Object.keys(shapes) as Shape[]).map((shape) => {
    const { bare, service } = half[shape] as Record<'bare' | 'service', readonly Run[]>;
    const p99 = (runs: readonly Run[]): number => medianOf(runs, 'p99');
    return {
      'latency at half load, ms': shape,
      'requests/s': rounded(medianOf(service, 'perSecond')),
      'bare p50': milliseconds(medianOf(bare, 'p50')),
      'bare p99': milliseconds(p99(bare)),
      'service p50': milliseconds(medianOf(service, 'p50')),
      'service p99': milliseconds(p99(service)),
      'p99, ratio to bare': median(service.map((run, round) => run.p99 / bare[round]!.p99)).toFixed(2),
    };
  });

/** Reports responses with another status than 200. */
function statusText({ full, half }: HttpResults): string {
  const failed = [...Object.values(full), ...Object.values(half)]
    .flatMap((runs) => Object.values(runs).flat())
    .reduce((sum, run) => sum + run.failed, 0);
  return failed === 0
    ? 'All responses had the status 200.'
    : `${rounded(failed)} responses had another status than 200: the results are not valid.`;
}

function print(results: HttpResults): void {
  const { options, full, missing } = results;
  const bytes = (shape: Shape): string => rounded(full[shape].service![0]!.bodyBytes);
  console.log(
    `\nHTTP: ${options.connections} connections, medians of ${options.rounds} rounds, the server on one core, the load on another. ` +
      `A page is 20 full tweets, ${bytes('page, repeated')} bytes; a small response ${bytes('small, repeated')}. \`new\`: each request has new parameters. ` +
      `Node ${process.version}, ${cpus()[0]?.model}\n`,
  );
  console.log(markdownTable(throughputRows(results)));
  console.log(`\n${markdownTable(cpuRows(results))}`);
  console.log(`\n${markdownTable(latencyRows(results))}\n\n${statusText(results)}`);
  if (missing.length > 0)
    console.log(`not installed: ${missing.join(', ')}; install with: npm install --prefix scripts/bench`);
}

/** The variants of the service are measurements of the service, not peers. */
const variants: Readonly<Partial<Record<Name, string>>> = {
  service: '',
  logging: ', logging each request',
  always: ', VALIDATE=always',
};

/** The service and its peers, bare node:http first. */
function rowsOf({ full, half }: HttpResults): ResultRow[] {
  const rows = (
    what: string,
    unit: string,
    better: ResultRow['better'],
    figure: keyof Run,
    measured: Runs,
  ): ResultRow[] =>
    namesIn(measured).map((name) => {
      const variant = variants[name];
      const [metric, subject] = variant === undefined ? [what, contestants[name]] : [`${what}${variant}`, ourselves];
      return { metric, subject, unit, better, values: (measured[name] ?? []).map((run) => run[figure]) };
    });
  return finite(
    (Object.keys(shapes) as Shape[]).flatMap((shape) => [
      ...rows(shape, 'requests/s', 'higher', 'perSecond', full[shape]),
      ...rows(`${shape}, CPU for a request`, 'µs CPU', 'lower', 'cpu', full[shape]),
      ...rows(`${shape}, p99 at half load`, 'ms', 'lower', 'p99', half[shape]),
      ...rows(`${shape}, resident memory`, 'bytes', 'lower', 'resident', full[shape]),
    ]),
  );
}

/** Measures and prints tables. Writes a plot into the folder `plot`. */
export async function benchHttp(bench: Omit<HttpBench, 'progress'>, plot?: string): Promise<Outcome> {
  const results = await measureHttp({ ...bench, progress: (text) => console.error(text) });
  print(results);
  if (plot !== undefined) {
    await mkdir(plot, { recursive: true });
    await writeFile(join(plot, 'http.svg'), plotHttp(results));
  }
  return { rows: rowsOf(results), details: results };
}
