/** Compares two results: which differences are noise, and which are changes. */
import { markdownTable } from '../table.ts';
import { byMetric, ourselves, type BenchResult, type ResultFile, type Row } from './result.ts';
import { paired, significant, unpaired, type Difference } from './significance.ts';

/** The probability of one false alarm or more in a whole comparison. */
const level = 0.05;
/**
 * The smallest change that counts, as a share. Two files come from two runs of one program, whose code and memory the machine
 * lays out differently; that makes a few percent.
 */
const smallest = { paired: 0.03, files: 0.05, exact: 0.005 } as const;

/** How two samples of a row are compared. */
type Basis = 'pairs' | `ratio to ${string}` | 'calibrated' | 'exact' | 'plain';
type Verdict = 'better' | 'worse' | 'noise' | 'unknown';

/** The comparison of one row of the service. */
export interface Change {
  readonly bench: string;
  readonly metric: string;
  readonly unit: string;
  readonly basis: Basis;
  /** Medians. */
  readonly before: number;
  readonly after: number;
  /** How many times as good as before: 0.9 is a loss of a tenth, 1.1 a gain, whether higher or lower values are better. */
  readonly factor: number;
  /** The spread of the values of one side, as a share: half of the distance between the quartiles. */
  readonly spread: readonly [before: number, after: number];
  readonly p: number;
  readonly verdict: Verdict;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** What only one side has, or has only partly, and why. */
  readonly missing: readonly string[];
  /** What else a reader must know. */
  readonly notes: readonly string[];
}

/** A comparison before the verdict, which depends on all of them. */
interface Case extends Omit<Change, 'verdict' | 'factor' | 'p'> {
  readonly difference: Difference;
  readonly isHigherBetter: boolean;
}

const logs = (values: readonly number[]): number[] => values.map(Math.log);
const isTime = (unit: string): boolean => /^(s|ms|µs)( CPU)?(\/\w+)?$/.test(unit);
const isRate = (unit: string): boolean => /\/s$|\/s CPU$/.test(unit);

/** The quartiles, by linear interpolation. */
export function quartiles(values: readonly number[]): { low: number; middle: number; high: number } {
  const ordered = values.toSorted((a, b) => a - b);
  const at = (share: number): number => {
    const position = share * (ordered.length - 1);
    const [low = Number.NaN, high = Number.NaN] = [ordered[Math.floor(position)], ordered[Math.ceil(position)]];
    return low + (high - low) * (position - Math.floor(position));
  };
  return { low: at(0.25), middle: at(0.5), high: at(0.75) };
}

/** Half of the distance between the quartiles, as a share of the median. */
function spreadOf(values: readonly number[]): number {
  const { low, middle, high } = quartiles(values);
  return (high - low) / 2 / Math.abs(middle);
}

/** The values of a row divided by those of another row of the same rounds. */
const ratios = (row: Row, to: Row): number[] =>
  row.values.slice(0, to.values.length).map((value, round) => value / (to.values[round] ?? Number.NaN));

interface Pair {
  readonly before: BenchResult;
  readonly after: BenchResult;
}

/** How the values of two files differ: relative to a peer of the same rounds, or to the speed of the machine at that time. */
function acrossFiles({ before, after }: Pair, first: Row, second: Row): { basis: Basis; difference: Difference } {
  const peersOf = ({ rows }: BenchResult): Row[] =>
    (byMetric(rows).get(first.metric) ?? []).filter(({ subject }) => subject !== ourselves);
  const peer = peersOf(before).find(({ subject }) => peersOf(after).some((other) => other.subject === subject));
  const [peerBefore, peerAfter] = [before, after].map((bench) =>
    peersOf(bench).find(({ subject }) => subject === peer?.subject),
  );
  if (peerBefore !== undefined && peerAfter !== undefined) {
    const difference = unpaired(logs(ratios(first, peerBefore)), logs(ratios(second, peerAfter)));
    return { basis: `ratio to ${peerBefore.subject}`, difference };
  }
  const sign = isTime(first.unit) ? -1 : isRate(first.unit) ? 1 : 0;
  if (sign === 0) return { basis: 'plain', difference: unpaired(logs(first.values), logs(second.values)) };
  const speed = unpaired(logs(before.calibration), logs(after.calibration));
  const scaled = logs(second.values).map((value) => value + sign * speed.mean);
  return { basis: 'calibrated', difference: unpaired(logs(first.values), scaled, speed.error ** 2) };
}

function caseOf(pair: Pair, first: Row, second: Row, arePaired: boolean): Case {
  const { metric, unit, better, exact } = first;
  const [before, after] = [first, second].map(({ values }) => quartiles(values).middle) as [number, number];
  const compared = (): { basis: Basis; difference: Difference } => {
    if (exact && second.exact)
      return { basis: 'exact', difference: { mean: Math.log(after / before), error: 0, p: before === after ? 1 : 0 } };
    if (arePaired) return { basis: 'pairs', difference: paired(logs(first.values), logs(second.values)) };
    return acrossFiles(pair, first, second);
  };
  const spread = [spreadOf(first.values), spreadOf(second.values)] as const;
  return {
    bench: pair.after.bench,
    metric,
    unit,
    before,
    after,
    spread,
    isHigherBetter: better === 'higher',
    ...compared(),
  };
}

function judged(cases: readonly Case[]): Change[] {
  const isSignificant = significant(
    cases.map(({ difference }) => difference.p),
    level,
  );
  return cases.map(({ difference: { mean, p }, isHigherBetter, ...rest }, index) => {
    const factor = Math.exp(isHigherBetter ? mean : -mean);
    const isLarge =
      Math.abs(mean) >=
      Math.log1p(smallest[rest.basis === 'exact' ? 'exact' : rest.basis === 'pairs' ? 'paired' : 'files']);
    const verdict = Number.isNaN(p)
      ? 'unknown'
      : !isSignificant[index] || !isLarge
        ? 'noise'
        : factor > 1
          ? 'better'
          : 'worse';
    return { ...rest, factor, p, verdict };
  });
}

function compare(before: readonly BenchResult[], after: readonly BenchResult[], arePaired: boolean): Comparison {
  const missing: string[] = [];
  const cases: Case[] = [];
  for (const bench of new Set([...before, ...after].map((each) => each.bench))) {
    const [first, second] = [before, after].map((results) => results.find((each) => each.bench === bench));
    if (first === undefined || second === undefined) {
      missing.push(`${bench}: only ${first === undefined ? 'after' : 'before'}`);
      continue;
    }
    for (const [when, { problem }] of [
      ['before', first],
      ['after', second],
    ] as const)
      if (problem !== undefined) missing.push(`${bench}, ${when}: ${problem}`);
    const ours = ({ rows }: BenchResult): Map<string, Row> =>
      new Map(rows.filter(({ subject }) => subject === ourselves).map((row) => [row.metric, row]));
    const [rowsBefore, rowsAfter] = [ours(first), ours(second)];
    for (const metric of new Set([...rowsBefore.keys(), ...rowsAfter.keys()])) {
      const [a, b] = [rowsBefore.get(metric), rowsAfter.get(metric)];
      if (a === undefined || b === undefined)
        missing.push(`${bench}, ${metric}: only ${a === undefined ? 'after' : 'before'}`);
      else if (a.unit !== b.unit) missing.push(`${bench}, ${metric}: in ${a.unit} before, in ${b.unit} after`);
      else cases.push(caseOf({ before: first, after: second }, a, b, arePaired));
    }
  }
  return { changes: judged(cases), missing, notes: [] };
}

/**
 * Compares two files, which were measured at different times. Where a row has a peer, the ratios to it are compared, because a
 * slower machine slows both; other times and rates are corrected by the speed of the machine.
 */
export function compareFiles(before: ResultFile, after: ResultFile): Comparison {
  const { changes, missing } = compare(before.benches, after.benches, false);
  return { changes, missing, notes: notesOf(before, after) };
}

/** Why the values of two files may differ that is not the service. */
function notesOf(before: ResultFile, after: ResultFile): string[] {
  const both = [before, after] as const;
  const differing = (['cpu', 'cores', 'memory', 'platform', 'node'] as const).filter(
    (name) => before.machine[name] !== after.machine[name],
  );
  const shownOf = (name: (typeof differing)[number]): string =>
    both
      .map(({ machine }) => (name === 'memory' ? `${Math.round(machine.memory / 2 ** 30)} GiB` : machine[name]))
      .join(' and ');
  return [
    ...(both.some(({ isQuick }) => isQuick)
      ? ['a result is a trial with a small load (--quick): it proves nothing']
      : []),
    ...differing.map((name) => `the machines differ in ${name}: ${shownOf(name)}`),
  ];
}

/** Compares results of rounds that alternated, so that the values with the same index were measured one after the other. */
export const comparePairs = (before: readonly BenchResult[], after: readonly BenchResult[]): Comparison =>
  compare(before, after, true);

const shown = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en') : Number(value.toPrecision(3)).toString();
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** A table of comparisons, as Markdown. */
function tableOf(changes: readonly Change[]): string {
  return markdownTable(
    changes.map(({ bench, metric, unit, before, after, factor, spread, p, basis, verdict }) => ({
      benchmark: `${bench}: ${metric}, ${unit}`,
      before: shown(before),
      after: shown(after),
      change: `${factor >= 1 ? '+' : '−'}${percent(Math.abs(factor - 1))}`,
      spread: `${percent(spread[0])}, ${percent(spread[1])}`,
      p: Number.isNaN(p) ? '' : p < 0.0001 ? '< 0.0001' : p.toFixed(4),
      'compared by': basis,
      verdict,
    })),
  );
}

/** The comparison for a reader. `isVerbose`: with the rows that did not change. */
export function describeComparison({ changes, missing, notes }: Comparison, isVerbose: boolean): string {
  const count = (verdict: Verdict): number => changes.filter((change) => change.verdict === verdict).length;
  const listed = changes.filter(({ verdict }) => isVerbose || verdict === 'better' || verdict === 'worse');
  const order: readonly Verdict[] = ['worse', 'better', 'unknown', 'noise'];
  const ordered = listed.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  return [
    ...(ordered.length === 0 ? [] : [tableOf(ordered)]),
    `${count('worse')} worse, ${count('better')} better, ${count('noise')} within the noise, ` +
      `${count('unknown')} with too few values to tell. A change of + is better.`,
    ...missing.map((text) => `not compared: ${text}`),
    ...notes.map((text) => `note: ${text}`),
  ].join('\n\n');
}
