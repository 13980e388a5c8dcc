/** The results of benchmarks in one shape, from which the files by version, the comparisons and the page derive. */

/** The name of what the benchmarks are about, in rows that compare it with others. */
export const ourselves = 'this service';

/** What was measured of one subject. The rows of one metric, of several subjects, can be compared. */
export interface Row {
  readonly metric: string;
  /** `ourselves`, or a peer: what was measured in the same way. */
  readonly subject: string;
  /** Such as `ms`, `µs CPU`, `requests/s` or `MB`. */
  readonly unit: string;
  readonly better: 'higher' | 'lower';
  /** One value of each round; the rounds of several subjects alternate, so values with the same index belong together. */
  readonly values: readonly number[];
  /** Whether the value does not vary between runs, as the size of a file. */
  readonly exact?: true;
}

/** What one benchmark measured. */
export interface Outcome {
  readonly rows: readonly Row[];
  /** All that was measured, in a shape of the benchmark. */
  readonly details?: unknown;
}

/** One benchmark in a file of results. */
export interface BenchResult {
  readonly bench: string;
  readonly rows: readonly Row[];
  /** The duration of the benchmark. */
  readonly seconds: number;
  /** Milliseconds of CPU that a fixed computation took before the benchmark: the speed of the machine at that time. */
  readonly calibration: readonly number[];
  /** Why there is no complete result. */
  readonly problem?: string;
  readonly details?: unknown;
}

/** The machine of a measurement, without its name. Memory in bytes. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: number;
  readonly platform: string;
  readonly node: string;
}

export interface ResultFile {
  /** The version of this shape. */
  readonly format: 1;
  /** The version of the service, as in package.json. */
  readonly version: string;
  /** The measured commit; `isChanged`: whether files differed from it. Undefined without git. */
  readonly commit?: string;
  readonly isChanged?: boolean;
  /** When the measurement began, RFC 3339. */
  readonly at: string;
  /** Whether the load was small, so that only the command was tried out. */
  readonly isQuick: boolean;
  readonly machine: Machine;
  readonly benches: readonly BenchResult[];
}

/** A file that is no file of results; the message is for the user. */
export class ResultError extends Error {}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const areNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((each) => Number.isFinite(each));

/** What is wrong with a row; undefined for a correct one. */
function faultOfRow(row: unknown): string | undefined {
  if (!isObject(row)) return 'is no object';
  for (const name of ['metric', 'subject', 'unit']) if (!isText(row[name])) return `has no ${name}`;
  if (row['better'] !== 'higher' && row['better'] !== 'lower') return 'does not say whether higher or lower is better';
  if (!areNumbers(row['values']) || row['values'].length === 0) return 'has no values';
  return row['exact'] === undefined || row['exact'] === true ? undefined : 'has an invalid `exact`';
}

function faultOfBench(bench: unknown): string | undefined {
  if (!isObject(bench)) return 'is no object';
  if (!isText(bench['bench'])) return 'has no name';
  if (!Number.isFinite(bench['seconds'])) return 'has no duration';
  if (!areNumbers(bench['calibration'])) return 'has no calibration';
  const { rows, problem } = bench;
  if (problem !== undefined && !isText(problem)) return 'has an invalid problem';
  if (!Array.isArray(rows)) return 'has no rows';
  const keys = rows.map((row) => (isObject(row) ? `${String(row['metric'])}\n${String(row['subject'])}` : ''));
  if (new Set(keys).size < keys.length) return 'has two rows of one metric and subject';
  for (const [index, row] of rows.entries()) {
    const fault = faultOfRow(row);
    if (fault !== undefined) return `row ${index + 1} ${fault}`;
  }
  return undefined;
}

function faultOf(value: unknown): string | undefined {
  if (!isObject(value)) return 'it is no object';
  if (value['format'] !== 1) return `the format is ${String(value['format'])}, this version reads 1`;
  if (!isText(value['version'])) return 'it has no version';
  if (!isText(value['at']) || Number.isNaN(Date.parse(value['at']))) return 'it has no time';
  if (typeof value['isQuick'] !== 'boolean') return 'it does not say whether it was quick';
  const { machine, benches } = value;
  if (!isObject(machine) || !['cpu', 'platform', 'node'].every((name) => isText(machine[name])))
    return 'it does not describe the machine';
  if (!['cores', 'memory'].every((name) => Number.isFinite(machine[name]))) return 'it does not describe the machine';
  if (!Array.isArray(benches)) return 'it has no benchmarks';
  for (const [index, bench] of benches.entries()) {
    const fault = faultOfBench(bench);
    if (fault === undefined) continue;
    const name = isObject(bench) && isText(bench['bench']) ? bench['bench'] : `benchmark ${index + 1}`;
    return `${name} ${fault}`;
  }
  return undefined;
}

/** Reads the text of a file of results. Throws ResultError. `name`: how messages name the file. */
export function parseResult(text: string, name: string): ResultFile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ResultError(`${name} is no JSON`);
  }
  const fault = faultOf(value);
  if (fault !== undefined) throw new ResultError(`${name} is no file of benchmark results: ${fault}`);
  return value as ResultFile;
}

/** The rows that have only finite values: a figure that the system does not offer is left out. */
export const finite = (rows: readonly Row[]): Row[] =>
  rows.filter(({ values }) => values.length > 0 && areNumbers(values));

/** The rows of each metric, in the order of the first ones. */
export function byMetric(rows: readonly Row[]): Map<string, readonly Row[]> {
  return Map.groupBy(rows, ({ metric }) => metric);
}

/** How many times as good as the peer the service was, in each round that both took part in. */
export function ratiosOf(ours: Row, peer: Row): number[] {
  const pairs = Math.min(ours.values.length, peer.values.length);
  return Array.from({ length: pairs }, (_, round) => {
    const [own = Number.NaN, theirs = Number.NaN] = [ours.values[round], peer.values[round]];
    return ours.better === 'higher' ? own / theirs : theirs / own;
  }).filter((ratio) => ratio > 0 && Number.isFinite(ratio));
}

/** A number to three significant digits, with separators from a thousand on. */
export const shown = (value: number): string =>
  Math.abs(value) >= 1000
    ? Math.round(value).toLocaleString('en')
    : Number(value.toPrecision(3)).toLocaleString('en', { maximumSignificantDigits: 3 });

/** The version, the commit, the day and the machine of a result, as one sentence. */
export function measuredAt({ version, at, commit, isChanged, machine }: ResultFile): string {
  const where = `${machine.cores} cores of ${machine.cpu}, ${shown(machine.memory / 2 ** 30)} GiB, ${machine.platform}, Node ${machine.node}`;
  const what = commit === undefined ? '' : `, commit ${commit.slice(0, 10)}${isChanged ? ' with changes' : ''}`;
  return `Version ${version}${what}, ${at.slice(0, 10)}: ${where}.`;
}
