/**
 * The percolator: finds the registered queries that match a tweet. Each query is indexed by a few required terms, of
 * which every matching tweet has at least one: the rarest word, a tag, an author. For a tweet, only the queries of its
 * terms are read. The other terms that a query requires or excludes stand beside it in the list, as numbers; only what
 * terms cannot decide is evaluated.
 */
import { Column } from '../../collections/column.ts';
import type { TweetDocument } from '../document.ts';
import type { Condition } from '../language/condition.ts';
import { matches } from '../language/evaluate.ts';
import { RequiredTerms, type QueryTerm } from './required-term.ts';
import { takeTermChecks, type TermCheck } from './term-checks.ts';
import { TermNumbers } from './term-numbers.ts';

/** A registered condition. */
interface RegisteredQuery {
  readonly number: number;
  readonly name: string;
  /** The terms that index the query; empty if there are none. */
  readonly requiredTerms: readonly QueryTerm[];
  readonly checks: readonly TermCheck[];
}

/**
 * The queries of a required term, one after the other: the number of checks times `flags` with the flags, the number of
 * the query, and its checks. A check is the number of a term that must be present, or the complement (~) of one that
 * must be absent. Most queries are decided by this list alone, which the processor reads in sequence.
 */
type Candidates = number[];

/** Set where the query has a residual. */
const hasResidual = 1;
/** Set where several lists contain the query. */
const isRepeated = 2;
const flagBits = 2;
const flags = 1 << flagBits;
const sizeOf = (header: number): number => 2 + (header >> flagBits);

/** The tweet that queries are matched against, and the keys of those that match. */
interface Match<Key> {
  readonly tweet: TweetDocument;
  readonly now: number;
  readonly keys: Key[];
}

const fingerprint = (condition: Condition): string =>
  JSON.stringify(condition, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

export class Percolator<Key> {
  readonly #requiredTerms: RequiredTerms;
  readonly #terms = new TermNumbers();
  readonly #byKey = new Map<Key, RegisteredQuery>();
  readonly #byCondition = new Map<string, RegisteredQuery>();
  /** By the number of the query: one of its keys, and the others where several queries have the same condition. */
  readonly #firstKeys: (Key | undefined)[] = [];
  readonly #otherKeys: (Key[] | undefined)[] = [];
  readonly #residuals: (Condition | undefined)[] = [];
  readonly #unusedNumbers: number[] = [];
  /** By the number of the required term. */
  readonly #candidates: (Candidates | undefined)[] = [];
  /** Queries without a required term, for example queries with only negations or count limits. */
  readonly #withoutRequiredTerm: Candidates = [];
  /** The last tweet that a query in several lists was evaluated for, by the number of the query. */
  readonly #lastTweets = new Column(new Float64Array(0));

  /**
   * `frequency` estimates the number of tweets that have a token or term; the percolator requires the rarest.
   */
  constructor(frequency: (term: string) => number = () => 1) {
    this.#requiredTerms = new RequiredTerms(frequency);
  }

  /** The number of registered keys. */
  get size(): number {
    return this.#byKey.size;
  }

  /** The number of terms that the registered queries refer to. */
  get termCount(): number {
    return this.#terms.size;
  }

  /** The registered keys. */
  keys(): Iterable<Key> {
    return this.#byKey.keys();
  }

  /** Registers a query under a key and replaces the previous query of that key. */
  set(key: Key, condition: Condition): void {
    this.delete(key);
    const name = fingerprint(condition);
    const same = this.#byCondition.get(name);
    const query = same ?? this.#add(name, condition);
    if (same === undefined) this.#firstKeys[query.number] = key;
    else (this.#otherKeys[query.number] ??= []).push(key);
    this.#byKey.set(key, query);
  }

  /** Returns false if the key is not registered. */
  delete(key: Key): boolean {
    const query = this.#byKey.get(key);
    if (query === undefined) return false;
    this.#byKey.delete(key);
    const others = this.#otherKeys[query.number] ?? [];
    if (this.#firstKeys[query.number] !== key) others.splice(others.indexOf(key), 1);
    else if (others.length > 0) this.#firstKeys[query.number] = others.pop();
    else this.#remove(query);
    if (others.length === 0) this.#otherKeys[query.number] = undefined;
    return true;
  }

  /** The keys whose queries match the tweet, in no particular order. `now` is in milliseconds since the epoch. */
  match(tweet: TweetDocument, now: number): Key[] {
    const match: Match<Key> = { tweet, now, keys: [] };
    const terms = this.#terms.read(tweet);
    this.#collect(this.#withoutRequiredTerm, match);
    for (const term of terms) {
      const candidates = this.#candidates[term];
      if (candidates !== undefined) this.#collect(candidates, match);
    }
    return match.keys;
  }

  #add(name: string, condition: Condition): RegisteredQuery {
    const split = this.#requiredTerms.split(condition);
    const { checks, residual } = takeTermChecks(split.residual);
    const number = this.#unusedNumbers.pop() ?? this.#residuals.length;
    this.#otherKeys[number] = undefined;
    this.#residuals[number] = residual;
    this.#lastTweets.put(number, 0);
    const requiredTerms = split.requirement?.terms ?? [];
    const lists = this.#listsOf(requiredTerms.map((term) => this.#terms.add(term)));
    const header =
      checks.length * flags + (residual === undefined ? 0 : hasResidual) + (lists.length === 1 ? 0 : isRepeated);
    const codes = checks.map(({ term, isPresent }) => {
      const termNumber = this.#terms.add(term);
      return isPresent ? termNumber : ~termNumber;
    });
    for (const candidates of lists) candidates.push(header, number, ...codes);
    const query = { number, name, requiredTerms, checks };
    this.#byCondition.set(name, query);
    return query;
  }

  #remove(query: RegisteredQuery): void {
    this.#byCondition.delete(query.name);
    this.#residuals[query.number] = undefined;
    this.#firstKeys[query.number] = undefined;
    this.#unusedNumbers.push(query.number);
    const terms = query.requiredTerms.flatMap((term) => this.#terms.remove(term) ?? []);
    for (const { term } of query.checks) this.#terms.remove(term);
    for (const candidates of this.#listsOf(terms)) removeCandidate(candidates, query.number);
    for (const term of terms) if (this.#candidates[term]?.length === 0) this.#candidates[term] = undefined;
  }

  /** The lists that contain the queries with these required terms, each once. */
  #listsOf(terms: readonly number[]): readonly Candidates[] {
    if (terms.length === 0) return [this.#withoutRequiredTerm];
    return [...new Set(terms)].map((term) => (this.#candidates[term] ??= []));
  }

  /** Adds the keys of the queries that match. */
  #collect(candidates: Candidates, match: Match<Key>): void {
    const { presence } = this.#terms;
    for (let at = 0; at < candidates.length;) {
      const header = candidates[at]!;
      const query = candidates[at + 1]!;
      const end = at + sizeOf(header);
      at += 2;
      while (at < end && holds(candidates[at]!, presence)) at++;
      if (at === end && (header % flags === 0 || this.#decide(query, header, match))) this.#addKeys(query, match.keys);
      at = end;
    }
  }

  #addKeys(query: number, keys: Key[]): void {
    keys.push(this.#firstKeys[query]!);
    const others = this.#otherKeys[query];
    if (others !== undefined) for (const key of others) keys.push(key);
  }

  /** Whether a query matches, of which all checks hold; false if it was decided for this tweet before. */
  #decide(query: number, header: number, { tweet, now }: Match<Key>): boolean {
    if ((header & isRepeated) !== 0) {
      if (this.#lastTweets.get(query) === this.#terms.tweet) return false;
      this.#lastTweets.set(query, this.#terms.tweet);
    }
    const residual = this.#residuals[query];
    return residual === undefined || matches(residual, tweet, now);
  }
}

const holds = (check: number, presence: Uint8Array): boolean =>
  check >= 0 ? presence[check] === 1 : presence[~check] === 0;

function removeCandidate(candidates: Candidates, query: number): void {
  let at = 0;
  while (candidates[at + 1] !== query) at += sizeOf(candidates[at]!);
  candidates.splice(at, sizeOf(candidates[at]!));
}
