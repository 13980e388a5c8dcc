/**
 * The percolator: finds the registered queries that match a tweet. Each query is indexed by a few required terms, of
 * which every matching tweet has at least one: the rarest word, a tag, an author. For a tweet, only the queries of its
 * terms are evaluated, and only the part of the condition that the required term does not already prove.
 */
import type { TweetDocument } from '../document.ts';
import type { Condition } from '../language/condition.ts';
import { matches } from '../language/evaluate.ts';
import { RequiredTerms, type RequiredTermKind, type SplitCondition } from './required-term.ts';

/** A registered condition with the keys of all queries that have it. */
interface RegisteredQuery<Key> extends SplitCondition {
  readonly name: string;
  readonly keys: Key[];
  /** The number of the last tweet that this query was evaluated for. */
  lastTweet: number;
}

type QueriesByName<Key> = Map<string | bigint, RegisteredQuery<Key>[]>;

/** The tweet that queries are matched against, and the keys of those that match. */
interface Match<Key> {
  readonly tweet: TweetDocument;
  readonly now: number;
  readonly keys: Key[];
}

const remove = <Item>(items: Item[], item: Item): void => void items.splice(items.indexOf(item), 1);
const fingerprint = (condition: Condition): string =>
  JSON.stringify(condition, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

export class Percolator<Key> {
  readonly #requiredTerms: RequiredTerms;
  readonly #byKey = new Map<Key, RegisteredQuery<Key>>();
  readonly #byCondition = new Map<string, RegisteredQuery<Key>>();
  /** Registered queries by kind and name of their required terms. */
  readonly #byRequiredTerm: Record<RequiredTermKind, QueriesByName<Key>> = {
    token: new Map(),
    term: new Map(),
    author: new Map(),
    retweeted: new Map(),
    answered: new Map(),
    id: new Map(),
  };
  /** Queries without a required term, for example queries with only negations or count limits. */
  readonly #withoutRequiredTerm: RegisteredQuery<Key>[] = [];
  #tweetNumber = 0;

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

  /** The registered keys. */
  keys(): Iterable<Key> {
    return this.#byKey.keys();
  }

  /** Registers a query under a key and replaces the previous query of that key. */
  set(key: Key, condition: Condition): void {
    this.delete(key);
    const name = fingerprint(condition);
    let query = this.#byCondition.get(name);
    if (query === undefined) {
      query = { name, ...this.#requiredTerms.split(condition), keys: [], lastTweet: 0 };
      this.#byCondition.set(name, query);
      this.#index(query);
    }
    query.keys.push(key);
    this.#byKey.set(key, query);
  }

  /** Returns false if the key is not registered. */
  delete(key: Key): boolean {
    const query = this.#byKey.get(key);
    if (query === undefined) return false;
    this.#byKey.delete(key);
    remove(query.keys, key);
    if (query.keys.length === 0) {
      this.#byCondition.delete(query.name);
      this.#unindex(query);
    }
    return true;
  }

  /** The keys whose queries match the tweet, in no particular order. `now` is in milliseconds since the epoch. */
  match(tweet: TweetDocument, now: number): Key[] {
    const match: Match<Key> = { tweet, now, keys: [] };
    const { token: byToken, term: byTerm, id: byId } = this.#byRequiredTerm;
    this.#tweetNumber++;
    this.#evaluate(this.#withoutRequiredTerm, match);
    for (const token of tweet.tokens) this.#evaluate(byToken.get(token), match);
    for (const term of tweet.terms) this.#evaluate(byTerm.get(term), match);
    if (byId.size > 0) this.#evaluate(byId.get(tweet.id), match);
    for (const role of ['author', 'retweeted', 'answered'] as const) {
      const person = tweet[role];
      if (person === undefined) continue;
      this.#evaluate(this.#byRequiredTerm[role].get(person.id), match);
      if (person.username !== undefined) this.#evaluate(this.#byRequiredTerm[role].get(person.username), match);
    }
    return match.keys;
  }

  #index(query: RegisteredQuery<Key>): void {
    if (query.requirement === undefined) this.#withoutRequiredTerm.push(query);
    for (const { kind, name } of query.requirement?.terms ?? []) {
      const queries = this.#byRequiredTerm[kind].get(name);
      if (queries === undefined) this.#byRequiredTerm[kind].set(name, [query]);
      // Both sides of an OR can have the same required term.
      else if (queries.at(-1) !== query) queries.push(query);
    }
  }

  #unindex(query: RegisteredQuery<Key>): void {
    if (query.requirement === undefined) remove(this.#withoutRequiredTerm, query);
    for (const { kind, name } of query.requirement?.terms ?? []) {
      const queries = this.#byRequiredTerm[kind].get(name);
      if (queries?.includes(query) !== true) continue;
      remove(queries, query);
      if (queries.length === 0) this.#byRequiredTerm[kind].delete(name);
    }
  }

  /** Evaluates the queries that were not yet evaluated for this tweet, and adds the keys of those that match. */
  #evaluate(queries: readonly RegisteredQuery<Key>[] | undefined, { tweet, now, keys }: Match<Key>): void {
    if (queries === undefined) return;
    for (const query of queries) {
      if (query.lastTweet === this.#tweetNumber) continue;
      query.lastTweet = this.#tweetNumber;
      if (matches(query.residual, tweet, now)) for (const key of query.keys) keys.push(key);
    }
  }
}
