/**
 * Ranks passages by how likely each answers a question: a linear model of what a passage and a question have in common. Its weights are
 * fitted to the evals by `npm run evals -- --fit`.
 */
import type { ConversationTree, Node } from '../../conversation-tree.ts';
import {
  isAfterwards,
  isRequired,
  isSameKind,
  numberIn,
  partsOf,
  scoreOf,
  statesReason,
  timeIn,
  type Match,
  type Passage,
  type Query,
} from './retrieval.ts';
import { termsOf, type Lexis } from './words.ts';

/**
 * What speaks for a passage. Of the words of the question: `relevance` is the BM25 score of the passage, `coverage` the part of their weight
 * that it has, and `parent` and `name` the part that the post above it and the name of its author have. `repeated` is the part of its own
 * words that the post has too. `number`, `time`, `reason`, `place` and `price` are 1 if the question asks for one and the passage has it,
 * `sameKind` if it answers a question of the same kind. `recency`: for a question about the present, the time of its post from 0 for the
 * oldest to 1 for the newest. `likes`: those of its post by their logarithm, 1 for the most; `likesAfterwards` the same of a later post of
 * the author.
 */
export interface Signals {
  readonly relevance: number;
  readonly coverage: number;
  readonly parent: number;
  readonly name: number;
  readonly repeated: number;
  readonly isPost: number;
  readonly isDeeper: number;
  readonly likes: number;
  readonly likesAfterwards: number;
  readonly passageLength: number;
  readonly postLength: number;
  readonly number: number;
  readonly time: number;
  readonly reason: number;
  readonly place: number;
  readonly price: number;
  readonly recency: number;
  readonly sameKind: number;
}

const weights: Signals = {
  relevance: 0.48,
  coverage: 2.35,
  parent: 1.95,
  name: 4.66,
  repeated: -1.27,
  isPost: 0.9,
  isDeeper: 0.93,
  likes: 0.41,
  likesAfterwards: 0.75,
  passageLength: 0.78,
  postLength: 0.67,
  number: 2.84,
  time: 3.8,
  reason: 1.3,
  place: 1.21,
  price: 1.42,
  recency: 2.24,
  sameKind: 2.15,
};

/** What the passages are part of. */
interface Conversation {
  readonly tree: ConversationTree;
  readonly lexis: Lexis;
}

/** What speaks for each of the passages. */
export function signalsIn(passages: readonly Passage[], query: Query, { tree, lexis }: Conversation): Signals[] {
  const parts = partsOf(passages, query);
  const total = Math.max(
    1e-9,
    parts.reduce((sum, { weight }) => sum + 1 + weight, 0),
  );
  const average = passages.reduce((sum, { terms }) => sum + terms.length, 0) / Math.max(1, passages.length);
  const wanted = parts.flatMap(({ terms }) => terms);
  const partIn = (own: ReadonlySet<string>): number =>
    parts.filter(({ terms }) => terms.some((term) => own.has(term))).reduce((sum, { weight }) => sum + 1 + weight, 0) /
    total;
  const termsAt = new Map<Node, Set<string>>();
  for (const { node, terms } of passages) termsAt.set(node, new Set([...(termsAt.get(node) ?? []), ...terms]));
  const ofPost = termsAt.get(tree.sourceNode) ?? new Set<string>();
  const inName = new Map<string, number>();
  for (const { node } of passages) {
    const { id, name, username } = node.post.author;
    if (!inName.has(id)) inName.set(id, partIn(new Set(termsOf(`${name} ${username.replaceAll('_', ' ')}`, lexis))));
  }
  const likesOf = ({ post }: Node): number => Math.log(1 + post.like_count);
  const most = passages.reduce((max, { node }) => Math.max(max, likesOf(node)), 1);
  const times = passages.map(({ node }) => Date.parse(node.post.created_at));
  const [oldest, newest] = [Math.min(...times), Math.max(...times)];
  const { fact, concepts, isOfNow } = query;
  const isOfPrice = concepts.some(([name]) => name === 'price');
  return passages.map((passage, index) => {
    const { node, folded, terms, askedTerms } = passage;
    const { covered, score } = scoreOf(passage, index, parts, average);
    const language = query.languageOf(node);
    const isNew = node.isByAuthor && (isAfterwards(node) || node.place === 'continued');
    const likes = likesOf(node) / most;
    const hasMeasure = parts.every((part) => !isRequired(part, fact) || part.counts[index] !== 0);
    return {
      relevance: score,
      coverage: covered / total,
      parent: partIn(new Set([...(node.parent === undefined ? [] : (termsAt.get(node.parent) ?? [])), ...askedTerms])),
      name: inName.get(node.post.author.id) ?? 0,
      repeated: terms.filter((term) => ofPost.has(term)).length / Math.max(1, terms.length),
      isPost: Number(node.place === 'post'),
      isDeeper: Number(node.place === 'deeper'),
      likes,
      likesAfterwards: isNew ? likes : 0,
      passageLength: Math.log(1 + terms.length),
      postLength: Math.log(1 + node.post.text.length),
      number: Number(fact === 'number' && hasMeasure && numberIn(passage, wanted, language) > 0),
      time: Number(fact === 'time' && timeIn(folded, language)),
      reason: fact === 'reason' ? Number(language.has('reason', folded)) + Number(statesReason(folded, language)) : 0,
      place: Number(fact === 'place' && language.has('venue', folded)),
      price: Number(isOfPrice && language.has('price', folded)),
      recency: isOfNow ? ((times[index] ?? oldest) - oldest) / Math.max(1, newest - oldest) : 0,
      sameKind: Number(isSameKind(passage, query)),
    };
  });
}

const scoreWith = (signals: Signals): number =>
  (Object.keys(weights) as (keyof Signals)[]).reduce((sum, name) => sum + weights[name] * signals[name], 0);

export interface RankedMatch extends Match {
  /** Whether it has the kind of fact that the question asks for. */
  readonly isOfKind: boolean;
}

/** The passages, best first, at most one of a post. */
export function ranked(passages: readonly Passage[], query: Query, conversation: Conversation): RankedMatch[] {
  const best = new Map<string, RankedMatch>();
  for (const [index, signals] of signalsIn(passages, query, conversation).entries()) {
    const passage = passages[index];
    if (passage === undefined) continue;
    const { number, time, reason, place, price } = signals;
    const isOfKind = number + time + reason + place + price > 0;
    const match = { passage, coverage: signals.coverage, isOfKind, score: scoreWith(signals) };
    const { id } = passage.node.post;
    if ((best.get(id)?.score ?? -Infinity) < match.score) best.set(id, match);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}
