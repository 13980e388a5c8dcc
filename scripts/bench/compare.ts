/** Compares two results of the service. */
import { ourselves, type BenchResult, type ResultFile, type Row } from './result.ts';
import { markdownTable, median, percentile, shown } from './table.ts';

/** The smallest change that counts, as a share: two runs of one program differ by a few percent. */
const smallest = 0.05;

/** `unknown`: there are too few rounds, or the values are of different machines and have no peer. */
export type Verdict = 'better' | 'worse' | 'noise' | 'unknown';

/** The comparison of one row of the service. */
export interface Change {
  readonly bench: string;
  readonly metric: string;
  readonly unit: string;
  /** Medians. */
  readonly before: number;
  readonly after: number;
  /** The peer whose ratio is compared, because a slower machine slows both; undefined where the values are compared. */
  readonly peer: string | undefined;
  /** How many times as good as before: above 1 it is better, whether higher or lower values are. */
  readonly factor: number;
  readonly verdict: Verdict;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** What only one side has, and what else a reader must know. */
  readonly notes: readonly string[];
}

interface Pair {
  readonly before: BenchResult;
  readonly after: BenchResult;
}

/** The values that are compared, so that higher ones are better: those of the service, or how good it was beside a peer. */
function scoresOf(row: Row, peer: Row | undefined): number[] {
  const scores = row.values.map((value, round) => (peer === undefined ? value : value / (peer.values[round] ?? NaN)));
  const isUsable = (score: number): boolean => score > 0 && Number.isFinite(score);
  return (row.better === 'higher' ? scores : scores.map((score) => 1 / score)).filter(isUsable);
}

/** The range of the values without the extreme tenth on each side; of fewer than ten values, the whole range. */
const rangeOf = (values: readonly number[]): [low: number, high: number] => [
  percentile(values, 0.1),
  percentile(values, 0.9),
];

/** With fewer rounds on each side, or fewer pairs, chance alone separates them too often. */
const [minRounds, minPairs] = [3, 5];

/**
 * A change counts when it is large enough, and the ranges of the rounds do not overlap. With five rounds on each side, chance alone
 * separates them in one of 126 cases; with three, in one of ten; eight pairs are all on one side in one of 128 cases.
 */
function verdictOf(before: readonly number[], after: readonly number[], factor: number): Verdict {
  const [[lowBefore, highBefore], [lowAfter, highAfter]] = [rangeOf(before), rangeOf(after)];
  if (!(lowAfter > highBefore || highAfter < lowBefore)) return 'noise';
  return factor >= 1 + smallest ? 'better' : factor <= 1 / (1 + smallest) ? 'worse' : 'noise';
}

/** Compares a row of the service. In pairs, the rounds alternated; otherwise a peer of the same rounds makes them comparable. */
function changeOf({ before, after }: Pair, first: Row, second: Row, arePairs: boolean): Change {
  const peersOf = ({ rows }: BenchResult): Row[] =>
    rows.filter(({ metric, subject }) => metric === first.metric && subject !== ourselves);
  const peer = arePairs ? undefined : peersOf(before).find((each) => peerIn(after, each) !== undefined);
  const [scores, newScores] = [scoresOf(first, peer), scoresOf(second, peer && peerIn(after, peer))];
  const pairs = newScores.map((score, round) => score / (scores[round] ?? Number.NaN));
  const factor = arePairs ? median(pairs) : median(newScores) / median(scores);
  const isEnough = Math.min(scores.length, newScores.length) >= (arePairs ? minPairs : minRounds);
  const verdict = arePairs ? verdictOf([1], pairs, factor) : verdictOf(scores, newScores, factor);
  return {
    ...{ bench: after.bench, metric: first.metric, unit: first.unit, peer: peer?.subject, factor },
    ...{ before: median(first.values), after: median(second.values), verdict: isEnough ? verdict : 'unknown' },
  };
}

const peerIn = ({ rows }: BenchResult, { metric, subject }: Row): Row | undefined =>
  rows.find((row) => row.metric === metric && row.subject === subject);

const oursIn = ({ rows }: BenchResult): Row[] => rows.filter(({ subject }) => subject === ourselves);

function compareBench(pair: Pair, arePairs: boolean): Comparison {
  const { before, after } = pair;
  const problems = [before, after].flatMap(({ bench, problem }) =>
    problem === undefined ? [] : `${bench}: ${problem}`,
  );
  const missing = (rows: readonly Row[], others: readonly Row[], side: string): string[] =>
    rows
      .filter(({ metric, unit }) => !others.some((other) => other.metric === metric && other.unit === unit))
      .map(({ metric }) => `${after.bench}, ${metric}: only ${side}`);
  const changes = oursIn(before).flatMap((row) => {
    const second = oursIn(after).find(({ metric, unit }) => metric === row.metric && unit === row.unit);
    return second === undefined ? [] : [changeOf(pair, row, second, arePairs)];
  });
  const only = [
    ...missing(oursIn(before), oursIn(after), 'before'),
    ...missing(oursIn(after), oursIn(before), 'after'),
  ];
  return { changes, notes: [...problems, ...only] };
}

/** Compares benchmarks of the same names. `arePairs`: their rounds alternated on one machine. */
export function compareBenches(
  before: readonly BenchResult[],
  after: readonly BenchResult[],
  arePairs: boolean,
): Comparison {
  const names = new Set([...before, ...after].map(({ bench }) => bench));
  const comparisons = Array.from(names, (bench): Comparison => {
    const [first, second] = [before, after].map((results) => results.find((each) => each.bench === bench));
    if (first !== undefined && second !== undefined) return compareBench({ before: first, after: second }, arePairs);
    return { changes: [], notes: [`${bench}: only ${first === undefined ? 'after' : 'before'}`] };
  });
  return {
    changes: comparisons.flatMap(({ changes }) => changes),
    notes: comparisons.flatMap(({ notes }) => notes),
  };
}

/** Compares two files, which were measured at different times. */
export function compareFiles(before: ResultFile, after: ResultFile): Comparison {
  const { changes, notes } = compareBenches(before.benches, after.benches, false);
  const both = [before, after] as const;
  // The kernel keeps a part of the memory, so its bytes differ between starts of one machine.
  const machines = both.map(({ machine }) => ({ ...machine, memory: `${Math.round(machine.memory / 2 ** 30)} GiB` }));
  const differing = (['cpu', 'cores', 'memory', 'platform', 'node'] as const)
    .filter((name) => machines[0]?.[name] !== machines[1]?.[name])
    .map((name) => `the machines differ in ${name}: ${machines.map((machine) => machine[name]).join(' and ')}`);
  const trial = both.some(({ isQuick }) => isQuick) ? ['a result is a trial (--quick): it proves nothing'] : [];
  const judged = changes.map((change) =>
    differing.length > 0 && change.peer === undefined ? { ...change, verdict: 'unknown' as const } : change,
  );
  return { changes: judged, notes: [...notes, ...differing, ...trial] };
}

/** The comparison as Markdown, losses first. */
export function describeComparison({ changes, notes }: Comparison): string {
  const order: readonly Verdict[] = ['worse', 'better', 'noise', 'unknown'];
  const ordered = changes.toSorted((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  const rows = ordered.map(({ bench, metric, unit, before, after, peer, factor, verdict }) => ({
    metric: `${bench}: ${metric}, ${unit}`,
    ...{ before: shown(before), after: shown(after), ratio: factor.toFixed(2) },
    ...{ 'compared by': peer === undefined ? 'value' : `ratio to ${peer}`, verdict },
  }));
  const count = (verdict: Verdict): number => changes.filter((change) => change.verdict === verdict).length;
  return [
    ...(rows.length === 0 ? [] : [markdownTable(rows)]),
    `${count('worse')} worse, ${count('better')} better, ${count('noise')} within the noise, ${count('unknown')} unknown. ` +
      'A ratio above 1 is better.',
    ...notes.map((note) => `note: ${note}`),
  ].join('\n\n');
}
