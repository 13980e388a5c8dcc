/**
 * The percolator: finds the registered queries that match a tweet. Each query is indexed by a few required terms, of
 * which every matching tweet has at least one: the rarest word, a tag, an author. For a tweet, only the queries of its
 * terms are evaluated, and only the part of the condition that the required term does not already prove.
 */
import { everything, hasLocation, type Condition } from '../language/condition.ts';
import type { TweetDocument } from '../document.ts';
import { matches } from '../language/evaluate.ts';

export interface Percolator<Key> {
  /** The number of registered keys. */
  readonly size: number;
  /** Registers a query under a key and replaces the previous query of that key. */
  set(key: Key, condition: Condition): void;
  /** Returns false if the key is not registered. */
  delete(key: Key): boolean;
  /** The keys whose queries match the tweet, in no particular order. `now` is in milliseconds since the epoch. */
  match(tweet: TweetDocument, now: number): Key[];
}

/** A registered condition with the keys of all queries that have it. */
interface RegisteredQuery<Key> {
  readonly name: string;
  readonly requirement: Requirement | undefined;
  /** The part of the condition that remains to be evaluated for a tweet that has a required term. */
  readonly residual: Condition;
  readonly keys: Key[];
  /** The number of the last tweet that this query was evaluated for. */
  lastTweet: number;
}

/** The kinds of required terms: a token, an index term, a person by username or id, the tweet's own id. */
type RequiredTermKind = 'token' | 'term' | Person['role'] | 'id';
interface RequiredTerm {
  readonly kind: RequiredTermKind;
  readonly name: string | bigint;
}
/** Terms of which every tweet that matches the condition has at least one. */
interface Requirement {
  readonly terms: readonly RequiredTerm[];
  /** Whether one of the terms alone proves the condition. */
  readonly suffices: boolean;
}
type Person = Extract<Condition, { is: 'person' }>;

const remove = <Item>(items: Item[], item: Item): void => void items.splice(items.indexOf(item), 1);

/**
 * Creates an empty percolator. `frequency` estimates the number of tweets that have a token or term; the percolator
 * requires the rarest.
 */
export function createPercolator<Key>(frequency: (term: string) => number = () => 1): Percolator<Key> {
  const byKey = new Map<Key, RegisteredQuery<Key>>();
  const byCondition = new Map<string, RegisteredQuery<Key>>();
  /** Registered queries by kind and name of their required terms. */
  const byRequiredTerm: Record<RequiredTermKind, Map<string | bigint, RegisteredQuery<Key>[]>> = {
    token: new Map(),
    term: new Map(),
    author: new Map(),
    retweeted: new Map(),
    answered: new Map(),
    id: new Map(),
  };
  /** Queries without a required term, for example queries with only negations or count limits. */
  const withoutRequiredTerm: RegisteredQuery<Key>[] = [];
  let tweetNumber = 0;

  const cost = ({ terms }: Requirement): number =>
    terms.reduce(
      (sum, { kind, name }) => sum + 1 + (kind === 'token' || kind === 'term' ? frequency(String(name)) : 0),
      0,
    );
  const moreSelective = (a: Requirement, b: Requirement): Requirement => (cost(b) < cost(a) ? b : a);
  const singleTerm = (kind: RequiredTermKind, name: string | bigint, suffices = true): Requirement => ({
    terms: [{ kind, name }],
    suffices,
  });

  /** Returns the required terms of a condition, or undefined, and the residual condition. */
  function split(condition: Condition): { requirement: Requirement | undefined; residual: Condition } {
    if (condition.is !== 'all') {
      const requirement = requirementOf(condition);
      return { requirement, residual: requirement?.suffices === true ? everything : condition };
    }
    const parts = condition.parts.map((part) => ({ part, ...split(part) }));
    const requirements = parts.flatMap(({ requirement }) => requirement ?? []);
    if (requirements.length === 0) return { requirement: undefined, residual: condition };
    const requirement = requirements.reduce(moreSelective);
    const residual = parts.flatMap((each) =>
      each.requirement !== requirement ? each.part : each.residual === everything ? [] : each.residual,
    );
    return {
      requirement,
      residual:
        residual.length === 0 ? everything : residual.length === 1 ? residual[0]! : { is: 'all', parts: residual },
    };
  }

  function requirementOf(condition: Condition): Requirement | undefined {
    switch (condition.is) {
      case 'all': {
        const { requirement, residual } = split(condition);
        return requirement && { ...requirement, suffices: residual === everything };
      }
      case 'any': {
        const parts = condition.parts.map(requirementOf);
        if (!parts.every((requirement) => requirement !== undefined)) return undefined;
        return { terms: parts.flatMap(({ terms }) => terms), suffices: parts.every(({ suffices }) => suffices) };
      }
      case 'words': {
        const suffices = condition.tokens.length === 1 && condition.within === 'text';
        return condition.tokens
          .filter((token) => token !== '*')
          .map((token) => singleTerm('token', token, suffices))
          .reduce(moreSelective);
      }
      case 'term':
        return singleTerm('term', condition.term);
      case 'person':
        return singleTerm(condition.role, condition.name);
      case 'area':
      case 'near':
        return singleTerm('term', hasLocation, false);
      case 'ids':
        return condition.upTo - condition.above === 1n ? singleTerm('id', condition.upTo) : undefined;
      default:
        return undefined;
    }
  }

  function index(query: RegisteredQuery<Key>): void {
    if (query.requirement === undefined) withoutRequiredTerm.push(query);
    for (const { kind, name } of query.requirement?.terms ?? []) {
      const queries = byRequiredTerm[kind].get(name);
      if (queries === undefined) byRequiredTerm[kind].set(name, [query]);
      // Both sides of an OR can have the same required term.
      else if (queries.at(-1) !== query) queries.push(query);
    }
  }

  function unindex(query: RegisteredQuery<Key>): void {
    if (query.requirement === undefined) remove(withoutRequiredTerm, query);
    for (const { kind, name } of query.requirement?.terms ?? []) {
      const queries = byRequiredTerm[kind].get(name);
      if (queries?.includes(query) !== true) continue;
      remove(queries, query);
      if (queries.length === 0) byRequiredTerm[kind].delete(name);
    }
  }

  /** Evaluates the queries that were not yet evaluated for this tweet, and adds the keys of those that match. */
  function matchCandidates(
    queries: readonly RegisteredQuery<Key>[] | undefined,
    tweet: TweetDocument,
    now: number,
    matched: Key[],
  ): void {
    if (queries === undefined) return;
    for (const query of queries) {
      if (query.lastTweet === tweetNumber) continue;
      query.lastTweet = tweetNumber;
      if (matches(query.residual, tweet, now)) for (const key of query.keys) matched.push(key);
    }
  }

  const fingerprint = (condition: Condition): string =>
    JSON.stringify(condition, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

  return {
    get size() {
      return byKey.size;
    },

    set(key, condition) {
      this.delete(key);
      const name = fingerprint(condition);
      let query = byCondition.get(name);
      if (query === undefined) {
        query = { name, ...split(condition), keys: [], lastTweet: 0 };
        byCondition.set(name, query);
        index(query);
      }
      query.keys.push(key);
      byKey.set(key, query);
    },

    delete(key) {
      const query = byKey.get(key);
      if (query === undefined) return false;
      byKey.delete(key);
      remove(query.keys, key);
      if (query.keys.length === 0) {
        byCondition.delete(query.name);
        unindex(query);
      }
      return true;
    },

    match(tweet, now) {
      const matched: Key[] = [];
      tweetNumber++;
      matchCandidates(withoutRequiredTerm, tweet, now, matched);
      for (const token of tweet.tokens) matchCandidates(byRequiredTerm.token.get(token), tweet, now, matched);
      for (const term of tweet.terms) matchCandidates(byRequiredTerm.term.get(term), tweet, now, matched);
      if (byRequiredTerm.id.size > 0) matchCandidates(byRequiredTerm.id.get(tweet.id), tweet, now, matched);
      for (const role of ['author', 'retweeted', 'answered'] as const) {
        const person = tweet[role];
        if (person === undefined) continue;
        matchCandidates(byRequiredTerm[role].get(person.id), tweet, now, matched);
        if (person.username !== undefined)
          matchCandidates(byRequiredTerm[role].get(person.username), tweet, now, matched);
      }
      return matched;
    },
  };
}
