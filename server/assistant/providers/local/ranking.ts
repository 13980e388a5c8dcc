/**
 * Ranks passages by how likely each answers a question: a linear model of what a passage and a question have in common. Its weights are
 * fitted to the evals by `npm run evals -- --fit`.
 */
import type { ConversationTree, Node } from '../../conversation-tree.ts';
import {
  isAfterwards,
  isOfPrice,
  isRequired,
  isSameKind,
  numberIn,
  partsOf,
  scoreOf,
  statesReason,
  timeIn,
  type Part,
  type Passage,
  type Query,
} from './retrieval.ts';
import { termsOf, type Lexis } from './words.ts';

/**
 * What speaks for a passage. Of the words of the question: `relevance` is the BM25 score of the passage, `coverage` the part of their weight
 * that it has, and `parent` and `name` the part that the post above it and the name of its author have. `repeated` is the part of its own
 * words that the post has too. `number`, `time`, `reason`, `place` and `price` are 1 if the question asks for one and the passage has it
 * (2 for a word that only a reason has), `sameKind` is 1 if it answers a question of the same kind. `recency`: for a question about the present, the time of its post from 0 for the
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
  relevance: 0.5,
  coverage: 2.1,
  parent: 1.83,
  name: 4.92,
  repeated: -1.45,
  isPost: 0.84,
  isDeeper: 0.93,
  likes: 0.73,
  likesAfterwards: 0.77,
  passageLength: 0.82,
  postLength: 0.8,
  number: 2.52,
  time: 2.17,
  reason: 1.31,
  place: 1.05,
  price: 1.23,
  recency: 1.96,
  sameKind: 2.1,
};

/**
 * The part of what a question asks about that a sure answer must have; less where it has two parts of it, where somebody asked about
 * one of them before, and least where it has the kind of fact too.
 */
const minCoverage = 0.5;
const minOfTwo = 0.38;
const minOfKind = 0.28;
/** The same of a passage that is only near. */
export const minNear = 0.22;
/** What a question of the same kind adds to the answer that it got: “where does it come from” and “where is that from”. */
const sameKind = 3;

/** What the passages are part of. */
interface Conversation {
  readonly tree: ConversationTree;
  readonly lexis: Lexis;
}

export interface Match {
  readonly passage: Passage;
  /** What speaks for it. */
  readonly signals: Signals;
  /** The part of the weight of what the question asks about that the passage has, 0–1. */
  readonly coverage: number;
  /** Whether it has the kind of fact that the question asks for. */
  readonly isOfKind: boolean;
  /** Whether it has enough of what the question asks about, and the kind of fact if the question asks for one. */
  readonly isSure: boolean;
  readonly score: number;
}

/** A question beside the passages that may answer it. */
class Comparison {
  readonly #query: Query;
  readonly #parts: readonly Part[];
  readonly #wanted: readonly string[];
  /** The weight of all that the question asks about. */
  readonly #total: number;
  readonly #averageLength: number;
  readonly #mostLikes: number;
  readonly #times: readonly [oldest: number, newest: number];
  readonly #termsAt = new Map<Node, Set<string>>();
  /** The part of the question in the names of authors, by their ids. */
  readonly #inName = new Map<string, number>();
  readonly #ofPost: ReadonlySet<string>;

  constructor(passages: readonly Passage[], query: Query, { tree, lexis }: Conversation) {
    this.#query = query;
    this.#parts = partsOf(passages, query);
    this.#wanted = this.#parts.flatMap(({ terms }) => terms);
    this.#total = this.#parts.reduce((sum, { weight }) => sum + 1 + weight, 0);
    this.#averageLength = passages.reduce((sum, { terms }) => sum + terms.length, 0) / Math.max(1, passages.length);
    this.#mostLikes = passages.reduce((most, { node }) => Math.max(most, likesOf(node)), 1);
    const times = passages.map(({ node }) => timeOf(node));
    this.#times = [Math.min(...times), Math.max(...times)];
    for (const { node, terms } of passages) {
      this.#termsAt.set(node, new Set([...(this.#termsAt.get(node) ?? []), ...terms]));
      const { id, name, username } = node.post.author;
      if (this.#inName.has(id)) continue;
      const own = new Set(termsOf(`${name} ${username.replaceAll('_', ' ')}`, lexis));
      this.#inName.set(
        id,
        this.#partOf((term) => own.has(term)),
      );
    }
    this.#ofPost = this.#termsAt.get(tree.sourceNode) ?? new Set();
  }

  /** Whether a passage has a word of the question, or the question has none. */
  fits(index: number): boolean {
    return this.#parts.length === 0 || this.#parts.some(({ counts }) => counts[index] !== 0);
  }

  match(passage: Passage, index: number): Match {
    const found = scoreOf(passage, index, this.#parts, this.#averageLength);
    const number = this.#number(passage, index);
    const signals = this.#signals(passage, found, number !== undefined);
    const total = this.#total;
    const coverage = total === 0 ? 1 : Math.min(1, (found.covered + sameKind * signals.sameKind) / total);
    const isAsked = passage.askedTerms.some((term) => this.#wanted.includes(term));
    const isOfFact = this.#query.fact === 'time' || this.#asksForMeasure || number === 'beside';
    const needed = isOfFact ? minOfKind : found.matched > 1 || isAsked ? minOfTwo : minCoverage;
    return {
      ...{ passage, signals, coverage },
      isOfKind: signals.number + signals.time + signals.reason + signals.place + signals.price > 0,
      isSure: this.fits(index) && coverage >= needed && this.#isAnswer(passage, index, signals),
      score: scoreWith(signals),
    };
  }

  #signals(passage: Passage, { covered, score }: ReturnType<typeof scoreOf>, hasNumber: boolean): Signals {
    const { node, folded, terms, askedTerms } = passage;
    const { fact, isOfNow, languageOf } = this.#query;
    const language = languageOf(node);
    const above = node.parent === undefined ? undefined : this.#termsAt.get(node.parent);
    const isNew = node.isByAuthor && (isAfterwards(node) || node.place === 'continued');
    const likes = likesOf(node) / this.#mostLikes;
    const hasReason = fact === 'reason' && language.has('reason', folded);
    const [oldest, newest] = this.#times;
    return {
      relevance: score,
      coverage: covered / Math.max(1, this.#total),
      parent: this.#partOf((term) => above?.has(term) === true || askedTerms.includes(term)),
      name: this.#inName.get(node.post.author.id) ?? 0,
      repeated: terms.filter((term) => this.#ofPost.has(term)).length / Math.max(1, terms.length),
      isPost: Number(node.place === 'post'),
      isDeeper: Number(node.place === 'deeper'),
      likes,
      likesAfterwards: isNew ? likes : 0,
      passageLength: Math.log(1 + terms.length),
      postLength: Math.log(1 + node.post.text.length),
      number: Number(hasNumber),
      time: Number(fact === 'time' && timeIn(folded, language)),
      reason: Number(hasReason) + Number(hasReason && statesReason(folded, language)),
      place: Number(fact === 'place' && language.has('venue', folded)),
      price: Number(isOfPrice(this.#query) && language.has('price', folded)),
      recency: isOfNow ? (timeOf(node) - oldest) / Math.max(1, newest - oldest) : 0,
      sameKind: Number(isSameKind(passage, this.#query)),
    };
  }

  /** Whether it has the kind of fact that the question asks for, or needs none. What is free has a price, and a later post a date. */
  #isAnswer({ node, folded }: Passage, index: number, { number, time, reason, sameKind: isOfKind }: Signals): boolean {
    const { fact, languageOf } = this.#query;
    switch (fact) {
      case 'any':
      case 'person':
      case 'place':
        return true;
      case 'number':
        return number > 0 || (this.#measures(index) && isOfPrice(this.#query) && languageOf(node).has('free', folded));
      case 'time':
        return time > 0 || node.place === 'later';
      case 'reason':
        return reason > 0 || isOfKind > 0;
    }
  }

  /** Whether the question asks for a measure, such as a price. */
  get #asksForMeasure(): boolean {
    return this.#parts.some((part) => isRequired(part, this.#query.fact));
  }

  /** Whether a passage has words for each measure that the question asks for. */
  #measures(index: number): boolean {
    return this.#parts.every((part) => !isRequired(part, this.#query.fact) || part.counts[index] !== 0);
  }

  #number(passage: Passage, index: number): ReturnType<typeof numberIn> {
    const { fact, languageOf } = this.#query;
    if (fact !== 'number' || !this.#measures(index)) return undefined;
    return numberIn(passage, this.#wanted, languageOf(passage.node));
  }

  /** The part of what the question asks about of which a text has a term. */
  #partOf(has: (term: string) => boolean): number {
    const had = this.#parts.filter(({ terms }) => terms.some(has));
    return had.reduce((sum, { weight }) => sum + 1 + weight, 0) / Math.max(1, this.#total);
  }
}

const likesOf = ({ post }: Node): number => Math.log(1 + post.like_count);
const timeOf = ({ post }: Node): number => Date.parse(post.created_at);

/** How well each passage matches a question. */
export function matchesOf(passages: readonly Passage[], query: Query, conversation: Conversation): Match[] {
  const comparison = new Comparison(passages, query, conversation);
  return passages.map((passage, index) => comparison.match(passage, index));
}

const signalNames = Object.keys(weights) as (keyof Signals)[];
const scoreWith = (signals: Signals): number =>
  signalNames.reduce((sum, name) => sum + weights[name] * signals[name], 0);

export interface RankedMatch extends Match {
  /** The probability that it is what answers the question, if one of the passages does. */
  readonly probability: number;
}

/** The passages, best first, at most one of a post: one that is a sure answer, if there is one. */
export function ranked(passages: readonly Passage[], query: Query, conversation: Conversation): RankedMatch[] {
  const all = bestOf(matchesOf(passages, query, conversation));
  // The weights are those of a softmax.
  const odds = all.map(({ score }) => Math.exp(score - (all[0]?.score ?? 0)));
  const total = odds.reduce((sum, each) => sum + each, 0);
  return all.map((match, n) => ({ ...match, probability: (odds[n] ?? 0) / total }));
}

/** The passages that answer a question for sure, best first, at most one of a post. */
export function answersIn(passages: readonly Passage[], query: Query, conversation: Conversation): Match[] {
  const comparison = new Comparison(passages, query, conversation);
  // Most passages have none of the words, and then nothing else of them matters.
  const matches = passages.flatMap((passage, index) =>
    comparison.fits(index) ? comparison.match(passage, index) : [],
  );
  return bestOf(matches.filter(({ isSure }) => isSure));
}

function bestOf(matches: readonly Match[]): Match[] {
  const best = new Map<string, Match>();
  for (const match of matches) {
    const known = best.get(match.passage.node.post.id);
    const isBetter = known === undefined || (known.isSure === match.isSure ? known.score < match.score : match.isSure);
    if (isBetter) best.set(match.passage.node.post.id, match);
  }
  return [...best.values()].sort((a, b) => b.score - a.score);
}
