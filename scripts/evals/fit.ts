/**
 * Fits the weights of `server/assistant/providers/local/ranking.ts` to cases: the most likely weights of a softmax over the passages of a
 * conversation, of which those that a case names as sources are right, with a penalty for large weights.
 */
import type { Signals } from '../../server/assistant/providers/local/ranking.ts';

/** The passages of a conversation for one question. */
export interface RankingExample {
  readonly posts: readonly string[];
  readonly signals: readonly Signals[];
  readonly sources: ReadonlySet<string>;
}

const steps = 1500;
const rate = 0.5;
/** The penalty for a weight of 1 for a signal that varies by 1. */
const penalty = 5;

/** The weights that rank the sources first. */
export function fitted(examples: readonly RankingExample[]): Record<keyof Signals, number> {
  const names = Object.keys(examples[0]?.signals[0] ?? {}) as (keyof Signals)[];
  const usable = examples.filter(({ posts, sources }) => posts.some((post) => sources.has(post)));
  const rows = usable.flatMap(({ signals }) => signals);
  const scales = names.map((name) => deviationOf(rows.map((row) => row[name])));
  const scaled = usable.map(({ signals, posts, sources }) => ({
    values: signals.map((row) => names.map((name, n) => row[name] / (scales[n] ?? 1))),
    isRight: posts.map((post) => sources.has(post)),
  }));
  const weights = names.map(() => 0);
  for (let step = 0; step < steps; step++) {
    const gradient = weights.map((weight) => penalty * weight);
    for (const { values, isRight } of scaled) {
      const scores = values.map((row) => row.reduce((sum, value, n) => sum + value * (weights[n] ?? 0), 0));
      const most = Math.max(...scores);
      const parts = scores.map((score) => Math.exp(score - most));
      const all = parts.reduce((sum, part) => sum + part, 0);
      const right = parts.reduce((sum, part, index) => sum + (isRight[index] === true ? part : 0), 0);
      for (const [index, row] of values.entries()) {
        const part = parts[index] ?? 0;
        const excess = part / all - (isRight[index] === true ? part / right : 0);
        for (const [n, value] of row.entries()) gradient[n] = (gradient[n] ?? 0) + excess * value;
      }
    }
    for (const [n, slope] of gradient.entries()) weights[n] = (weights[n] ?? 0) - (rate * slope) / usable.length;
  }
  const entries = names.map((name, n) => [name, Math.round((100 * (weights[n] ?? 0)) / (scales[n] ?? 1)) / 100]);
  return Object.fromEntries(entries) as Record<keyof Signals, number>;
}

/** The part of the examples of which a source is among the first `count` posts, 0–1. */
export function foundIn(examples: readonly RankingExample[], weights: Signals, count: number): number {
  const found = examples.filter(({ posts, signals, sources }) => {
    const scores = new Map<string, number>();
    for (const [index, row] of signals.entries()) {
      const score = Object.entries(weights).reduce(
        (sum, [name, weight]) => sum + weight * row[name as keyof Signals],
        0,
      );
      const post = posts[index] ?? '';
      scores.set(post, Math.max(scores.get(post) ?? -Infinity, score));
    }
    const first = [...scores].sort((a, b) => b[1] - a[1]).slice(0, count);
    return first.some(([post]) => sources.has(post));
  });
  return found.length / Math.max(1, examples.length);
}

function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return Math.sqrt(variance) || 1;
}
