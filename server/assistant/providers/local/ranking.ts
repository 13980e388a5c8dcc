/** Ranks sentences: by centrality in a text, and by relevance to a question. */
import type { Passage, PassageSource } from './passages.ts';

/** The number of passages that contain each term. */
function frequencies(passages: readonly Passage[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of passages) for (const term of new Set(terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/**
 * The `count` most central candidates in their original order, by nearness to the centroid of all passages (Radev et
 * al., «Centroid-based summarization of multiple documents», 2004). The cost is linear in the text; a sentence graph
 * would be quadratic. Earlier sentences weigh more, because writers put the main point first.
 */
export function centralPassages(candidates: readonly Passage[], all: readonly Passage[], count: number): Passage[] {
  if (candidates.length <= count) return [...candidates];
  const shared = frequencies(all);
  return candidates
    .map((passage, index) => {
      const weight = [...new Set(passage.terms)].reduce((sum, term) => sum + Math.log(1 + (shared.get(term) ?? 0)), 0);
      return { passage, index, score: (weight / Math.sqrt(passage.terms.length + 3)) * (1 + 0.5 / (1 + index)) };
    })
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, count)
    .sort((a, b) => a.index - b.index)
    .map(({ passage }) => passage);
}

/** BM25's usual constants (Robertson and Zaragoza, «The Probabilistic Relevance Framework», 2009). */
const saturation = 1.2;
const lengthWeight = 0.75;
/** Weights by source: the post itself first, then other people's posts, then the author's other posts. */
const sourceWeight: Readonly<Record<PassageSource, number>> = {
  post: 2,
  repeated: 2,
  article: 1.5,
  card: 1.5,
  quoted: 1.5,
  thread: 1.2,
  continued: 1.5,
  reply: 1,
  authored: 0.2,
};

/** A passage that has a term of the question. */
export interface Match {
  readonly passage: Passage;
  /** The part of the weight of the question's terms that the passage has, 0–1. A term weighs one plus its inverse document frequency. */
  readonly coverage: number;
}

/** The passages that have a term of a question, best first, without repeated texts. */
export function bestMatches(passages: readonly Passage[], question: readonly string[], count: number): Match[] {
  const terms = [...new Set(question)];
  const counts = frequencies(passages);
  const idf = new Map(
    terms.map((term) => [
      term,
      Math.log(1 + (passages.length - (counts.get(term) ?? 0) + 0.5) / ((counts.get(term) ?? 0) + 0.5)),
    ]),
  );
  const totalWeight = [...idf.values()].reduce((sum, weight) => sum + 1 + weight, 0);
  const average = passages.reduce((sum, { terms }) => sum + terms.length, 0) / passages.length;
  const ranked = passages
    .map((passage, index) => ({ passage, index, ...scoreOf(passage, idf, average) }))
    .filter(({ covered }) => covered > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const distinct = new Map<string, Match>();
  for (const { passage, covered } of ranked)
    if (!distinct.has(passage.text)) distinct.set(passage.text, { passage, coverage: covered / totalWeight });
  return [...distinct.values()].slice(0, count);
}

function scoreOf(
  passage: Passage,
  idf: ReadonlyMap<string, number>,
  average: number,
): { readonly covered: number; readonly score: number } {
  let covered = 0;
  let score = 0;
  const occurrences = Map.groupBy(
    passage.terms.filter((term) => idf.has(term)),
    (term) => term,
  );
  for (const [term, { length: times }] of occurrences) {
    const weight = idf.get(term) ?? 0;
    covered += 1 + weight;
    score +=
      (weight * times * (saturation + 1)) /
      (times + saturation * (1 - lengthWeight + (lengthWeight * passage.terms.length) / average));
  }
  return { covered, score: score * sourceWeight[passage.place] * (0.5 + covered) };
}
