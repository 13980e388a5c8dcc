/**
 * The percolator: finds the registered queries that match a tweet. Each query is indexed by a few required terms, of
 * which every matching tweet has at least one: the rarest word, a tag, an author. For a tweet, only the queries of its
 * terms are read. The other terms and counts that a query requires or excludes stand beside it in the list, as numbers;
 * only what they cannot decide is evaluated.
 */
import type { TweetDocument } from '../../domain/tweet-document.ts';
import type { Condition } from '../language/condition.ts';
import { counts } from '../../domain/records.ts';
import { matches } from '../language/evaluate.ts';
import { RequiredTerms, type QueryTerm } from './required-term.ts';
import { clausesHold, codesOf, readCounts, type CheckedTweet } from './check-codes.ts';
import { takeTermChecks } from './term-checks.ts';
import { TermNumbers } from './term-numbers.ts';

/** A registered condition. */
interface RegisteredQuery {
  readonly number: number;
  readonly name: string;
  /** The terms that the query refers to; a term can occur more than once. */
  readonly terms: readonly QueryTerm[];
  /** The lists that contain the query. */
  readonly lists: readonly CandidateList[];
}

/**
 * The queries of a required term, one after the other: the number of codes times `flags` with the flags, the number of
 * the query, and the codes of its clauses. Most queries are decided by this list alone, which the processor reads in
 * sequence. A query with several required terms is in the list of each; in the later ones, its codes exclude the tweets
 * that an earlier one finds.
 */
type Candidates = number[];

/** The list of a required term; without a term, that of the queries without one. */
interface CandidateList {
  readonly term: number | undefined;
  readonly candidates: Candidates;
}

/** Set where the query has a residual. */
const hasResidual = 1;
/** Set where several keys have the query. */
const isShared = 2;
const flagBits = 2;
const flags = 1 << flagBits;
const sizeOf = (header: number): number => 2 + (header >> flagBits);

/** The tweet that queries are matched against, and the keys of those that match. */
interface Match<Key> {
  readonly tweet: TweetDocument;
  readonly checked: CheckedTweet;
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
  readonly #otherKeys = new Map<number, Key[]>();
  readonly #residuals: (Condition | undefined)[] = [];
  readonly #unusedNumbers: number[] = [];
  /** By the number of the required term. */
  readonly #candidates: (Candidates | undefined)[] = [];
  /** The counts of the current tweet. */
  readonly #counts = new Float64Array(counts.length);
  /** Queries without a required term, for example queries with only negations or count limits. */
  readonly #withoutRequiredTerm: Candidates = [];

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
    else this.#addOtherKey(query, key);
    this.#byKey.set(key, query);
  }

  /** Returns false if the key is not registered. */
  delete(key: Key): boolean {
    const query = this.#byKey.get(key);
    if (query === undefined) return false;
    this.#byKey.delete(key);
    const others = this.#otherKeys.get(query.number) ?? [];
    if (this.#firstKeys[query.number] !== key) others.splice(others.indexOf(key), 1);
    else if (others.length > 0) this.#firstKeys[query.number] = others.pop();
    else this.#remove(query);
    if (others.length > 0) return true;
    if (this.#otherKeys.delete(query.number)) markShared(query, false);
    return true;
  }

  /** The keys whose queries match the tweet, in no particular order. `now` is in milliseconds since the epoch. */
  match(tweet: TweetDocument, now: number): Key[] {
    const terms = this.#terms.read(tweet);
    readCounts(tweet, this.#counts);
    const checked = { presence: this.#terms.presence, counts: this.#counts };
    const match: Match<Key> = { tweet, checked, now, keys: [] };
    this.#collect(this.#withoutRequiredTerm, match);
    for (const term of terms) {
      const candidates = this.#candidates[term];
      if (candidates !== undefined) this.#collect(candidates, match);
    }
    return match.keys;
  }

  #add(name: string, condition: Condition): RegisteredQuery {
    const split = this.#requiredTerms.split(condition);
    const { clauses, residual } = takeTermChecks(split.residual);
    const number = this.#unusedNumbers.pop() ?? this.#residuals.length;
    const terms: QueryTerm[] = [];
    const numberOf = (term: QueryTerm): number => {
      terms.push(term);
      return this.#terms.add(term);
    };
    const lists = this.#listsOf(new Set(split.requirement?.terms.map(numberOf)));
    const codes = clauses.flatMap((clause) => codesOf(clause, numberOf));
    this.#residuals[number] = residual;
    for (const { term, candidates } of lists) {
      candidates.push(codes.length * flags + (residual === undefined ? 0 : hasResidual), number, ...codes);
      if (term !== undefined) codes.push(~term);
    }
    const query = { number, name, terms, lists };
    this.#byCondition.set(name, query);
    return query;
  }

  #remove(query: RegisteredQuery): void {
    this.#byCondition.delete(query.name);
    this.#residuals[query.number] = undefined;
    this.#firstKeys[query.number] = undefined;
    this.#unusedNumbers.push(query.number);
    for (const { term, candidates } of query.lists) {
      const at = placeIn(candidates, query.number);
      candidates.splice(at, sizeOf(candidates[at]!));
      if (term !== undefined && candidates.length === 0) this.#candidates[term] = undefined;
    }
    for (const term of query.terms) this.#terms.remove(term);
  }

  /** The lists of required terms. */
  #listsOf(terms: ReadonlySet<number>): readonly CandidateList[] {
    if (terms.size === 0) return [{ term: undefined, candidates: this.#withoutRequiredTerm }];
    return Array.from(terms, (term) => ({ term, candidates: (this.#candidates[term] ??= []) }));
  }

  /** Adds the keys of the queries that match. */
  #collect(candidates: Candidates, match: Match<Key>): void {
    for (let at = 0; at < candidates.length;) {
      const header = candidates[at]!;
      const end = at + sizeOf(header);
      if (clausesHold(candidates, at + 2, end, match.checked)) this.#decide(candidates[at + 1]!, header, match);
      at = end;
    }
  }

  /** Adds the keys of a query, of which all clauses hold, if it matches. */
  #decide(query: number, header: number, { tweet, now, keys }: Match<Key>): void {
    const residual = (header & hasResidual) === 0 ? undefined : this.#residuals[query];
    if (residual !== undefined && !matches(residual, tweet, now)) return;
    keys.push(this.#firstKeys[query]!);
    if ((header & isShared) !== 0) for (const key of this.#otherKeys.get(query) ?? []) keys.push(key);
  }

  #addOtherKey(query: RegisteredQuery, key: Key): void {
    const others = this.#otherKeys.get(query.number);
    if (others !== undefined) return void others.push(key);
    this.#otherKeys.set(query.number, [key]);
    markShared(query, true);
  }
}

function placeIn(candidates: Candidates, query: number): number {
  let at = 0;
  while (candidates[at + 1] !== query) at += sizeOf(candidates[at]!);
  return at;
}

function markShared({ number, lists }: RegisteredQuery, shared: boolean): void {
  for (const { candidates } of lists) {
    const at = placeIn(candidates, number);
    candidates[at] = shared ? candidates[at]! | isShared : candidates[at]! & ~isShared;
  }
}
