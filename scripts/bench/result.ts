/** The results of benchmarks: their rows, their file, and their tables. */
import { readFile } from 'node:fs/promises';
import { isObject } from '../../server/text/object.ts';
import { messageOf } from '../../server/text/error-text.ts';
import { markdownTable, median, shown } from './table.ts';

/** The subject of the rows of the service; other subjects are its peers. */
export const ourselves = 'this service';

/** The values of one metric of one subject. */
export interface Row {
  readonly metric: string;
  readonly subject: string;
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** One for each round. Those of the same index were measured one after the other. */
  readonly values: readonly number[];
}

/** What a benchmark measured. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** What a reader of the rows must know. */
  readonly notes?: readonly string[];
}

export interface BenchResult extends Outcome {
  readonly bench: string;
  readonly seconds: number;
  /** Why the result is not complete. */
  readonly problem?: string;
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  /** Bytes. */
  readonly memory: number;
  readonly platform: string;
  readonly node: string;
}

export interface ResultFile {
  readonly format: 1;
  readonly version: string;
  readonly commit?: string;
  /** Whether the files differed from the commit. */
  readonly isChanged?: boolean;
  /** ISO 8601. */
  readonly at: string;
  /** Whether the load was too small for a measurement. */
  readonly isQuick: boolean;
  readonly machine: Machine;
  readonly benches: readonly BenchResult[];
}

/** The text of a file of results: a row in a line, and six digits of each number, of which the noise leaves fewer. */
export function resultText(file: ResultFile): string {
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  // An object without objects in it is a row. JSON has line breaks between values only.
  const rows = JSON.stringify(file, rounded, 1).replaceAll(/\{[^{}]*\}/g, (row) => row.replaceAll(/\s*\n\s*/g, ' '));
  return `${rows}\n`;
}

/** A file that is no result; the message is for the user. */
export class ResultError extends Error {}

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value);

function isRow(row: unknown): boolean {
  return (
    isObject(row) &&
    ['metric', 'subject', 'unit'].every((name) => typeof row[name] === 'string') &&
    (row['better'] === 'higher' || row['better'] === 'lower') &&
    Array.isArray(row['values']) &&
    row['values'].length > 0 &&
    row['values'].every(isNumber)
  );
}

function isResult(value: unknown): value is ResultFile {
  if (!isObject(value) || value['format'] !== 1) return false;
  const { version, at, machine, benches } = value;
  return (
    [version, at].every((text) => typeof text === 'string') &&
    isObject(machine) &&
    ['cpu', 'platform', 'node'].every((name) => typeof machine[name] === 'string') &&
    ['cores', 'memory'].every((name) => isNumber(machine[name])) &&
    Array.isArray(benches) &&
    benches.every((each) => isObject(each) && typeof each['bench'] === 'string' && Array.isArray(each['rows'])) &&
    benches.every(({ rows }: BenchResult) => rows.every(isRow))
  );
}

/** Reads a file of results. Rejects with ResultError. */
export async function readResult(file: string): Promise<ResultFile> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new ResultError(`${file} cannot be read: ${messageOf(error)}`);
  }
  if (!isResult(value)) throw new ResultError(`${file} is no file of benchmark results of format 1`);
  return value;
}

/** The rows that have only finite values: a figure that the system does not offer is left out. */
export const finite = (rows: readonly Row[]): Row[] =>
  rows.filter(({ values }) => values.length > 0 && values.every(isNumber));

/** A row of the service. */
export const ourRow = (
  metric: string,
  unit: string,
  values: readonly number[],
  better: Row['better'] = 'lower',
): Row => ({
  ...{ metric, subject: ourselves, unit, better, values },
});

/** How many times as good as the peer the service was, in each round that both took part in: above 1 it was better. */
export function ratiosOf(ours: Row, peer: Row): number[] {
  const pairs = Math.min(ours.values.length, peer.values.length);
  return Array.from({ length: pairs }, (_, round) => {
    const [own = Number.NaN, theirs = Number.NaN] = [ours.values[round], peer.values[round]];
    return ours.better === 'higher' ? own / theirs : theirs / own;
  }).filter((ratio) => ratio > 0 && Number.isFinite(ratio));
}

/** One line for each metric and one column for each subject: medians, and those of the ratios to the peers. */
export function tableOf(rows: readonly Row[]): string {
  const peers = new Set(rows.map(({ subject }) => subject).filter((subject) => subject !== ourselves));
  const lines = Array.from(
    Map.groupBy(rows, ({ metric }) => metric),
    ([metric, same]) => {
      const ours = same.find(({ subject }) => subject === ourselves);
      const isLarge = same[0]?.unit === 'bytes' && same.some(({ values }) => median(values) >= 1e6);
      const size = isLarge ? 1e6 : 1;
      const cellOf = (subject: string): string => {
        const row = same.find((each) => each.subject === subject);
        if (row === undefined) return '';
        const ratios = ours === undefined || ours === row ? [] : ratiosOf(ours, row);
        return shown(median(row.values) / size) + (ratios.length === 0 ? '' : ` (${median(ratios).toPrecision(2)})`);
      };
      const unit = isLarge ? 'MB' : (same[0]?.unit ?? '');
      const cells = [ourselves, ...peers].map((subject) => [subject, cellOf(subject)] as const);
      return { metric, unit, ...Object.fromEntries(cells) };
    },
  );
  return lines.length === 0 ? '' : markdownTable(lines);
}

/** A result as Markdown. */
export function describeResult({ version, commit, isChanged, at, isQuick, machine, benches }: ResultFile): string {
  const where = `${machine.cores} cores of ${machine.cpu}, ${shown(machine.memory / 2 ** 30)} GiB, ${machine.platform}, Node ${machine.node}`;
  const what = commit === undefined ? '' : `, commit ${commit.slice(0, 10)}${isChanged ? ' with changes' : ''}`;
  const trial = isQuick ? ' **A trial with a small load: the values are no measurements.**' : '';
  const sections = benches.map(({ bench, rows, notes = [], problem }) =>
    [
      `## ${bench}`,
      ...(problem === undefined ? [] : [`**Not complete:** ${problem}`]),
      ...(rows.length === 0 ? [] : [tableOf(rows)]),
      ...notes,
    ].join('\n\n'),
  );
  return [`Version ${version}${what}, ${at.slice(0, 10)}: ${where}.${trial}`, ...sections].join('\n\n');
}
