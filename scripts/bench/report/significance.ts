/**
 * Student's t test of a difference, paired and not (Welch), and the correction for many tests. Small samples of times are
 * closest to a normal distribution as logarithms, so the callers pass logarithms.
 */

/** A difference between two samples. */
export interface Difference {
  /** Second minus first. */
  readonly mean: number;
  /** The standard error of the mean. */
  readonly error: number;
  /** The probability of a difference as large as this, to either side, if there were none; NaN for too few values. */
  readonly p: number;
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * The probability that the absolute value of Student's t is at least `t`, for a whole number of degrees of freedom.
 * Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3 and 26.7.4.
 */
export function twoSided(t: number, freedom: number): number {
  if (!Number.isFinite(t)) return Number.isNaN(t) ? Number.NaN : 0;
  const angle = Math.atan(Math.abs(t) / Math.sqrt(freedom));
  const [sine, cosine] = [Math.sin(angle), Math.cos(angle)];
  const isOdd = freedom % 2 === 1;
  let term = isOdd ? cosine : 1;
  let sum = freedom === 1 ? 0 : term;
  for (let k = isOdd ? 3 : 2; k < freedom; k += 2) sum += term *= ((k - 1) / k) * cosine ** 2;
  const within = isOdd ? (2 / Math.PI) * (angle + sine * sum) : sine * sum;
  return Math.max(0, 1 - within);
}

const differenceOf = (mean: number, error: number, freedom: number): Difference => ({
  mean,
  error,
  p: mean === 0 ? 1 : freedom < 1 ? Number.NaN : twoSided(mean / error, Math.floor(freedom)),
});

/** The values with the same index belong together. */
export function paired(first: readonly number[], second: readonly number[]): Difference {
  const differences = Array.from({ length: Math.min(first.length, second.length) }, (_, index) => {
    const [a = Number.NaN, b = Number.NaN] = [first[index], second[index]];
    return b - a;
  });
  const error = Math.sqrt(varianceOf(differences) / differences.length);
  return differenceOf(meanOf(differences), error, differences.length - 1);
}

/** Welch's test: the samples may vary differently. `doubt`: a further variance of the difference, known from elsewhere. */
export function unpaired(first: readonly number[], second: readonly number[], doubt = 0): Difference {
  const [a, b] = [first, second].map((values) => varianceOf(values) / values.length) as [number, number];
  const freedom =
    a + b === 0
      ? first.length + second.length - 2
      : (a + b) ** 2 / (a ** 2 / (first.length - 1) + b ** 2 / (second.length - 1));
  const isEnough = first.length > 1 && second.length > 1;
  return differenceOf(meanOf(second) - meanOf(first), Math.sqrt(a + b + doubt), isEnough ? freedom : 0);
}

/**
 * Which of many tests are significant, so that the probability of even one false alarm is at most `level` (Holm's method). Tests
 * without a probability are not.
 */
export function significant(ps: readonly number[], level: number): boolean[] {
  const ordered = Array.from(ps.entries())
    .filter(([, p]) => !Number.isNaN(p))
    .toSorted(([, a], [, b]) => a - b);
  const firstAbove = ordered.findIndex(([, p], rank) => p > level / (ordered.length - rank));
  const found = new Set(ordered.slice(0, firstAbove < 0 ? undefined : firstAbove).map(([index]) => index));
  return ps.map((_, index) => found.has(index));
}
