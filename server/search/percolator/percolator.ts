/**
 * Standing queries: which of many does a tweet answer. Each query hangs on a few hooks, one of which every tweet that answers it must
 * have: the rarest of its words, a tag, an author. Only what hangs on a hook of the tweet is looked at, by the evaluator,
 * and only for what the hook does not say already.
 */
import { everything, hasLocation, type Condition } from '../language/condition.ts';
import type { TweetDocument } from '../document.ts';
import { matches } from '../language/evaluate.ts';

export interface Percolator<Key> {
  /** How many keys stand. */
  readonly size: number;
  /** Lets a query stand under a key, in place of what stood there. */
  set(key: Key, condition: Condition): void;
  /** False where nothing stood under the key. */
  delete(key: Key): boolean;
  /** The keys whose query the tweet answers, in no order; `now` in milliseconds since the epoch. */
  match(tweet: TweetDocument, now: number): Key[];
}

/** Queries that ask the same stand once, with all their keys. */
interface Standing<Key> {
  readonly name: string;
  readonly hanger: Hanger | undefined;
  /** What is left to ask of a tweet that has a hook. */
  readonly rest: Condition;
  readonly keys: Key[];
  /** The last tweet that it was looked at for. */
  seen: number;
}

/** What a tweet has that a query can hang on: a token, a term, a person by name or id, the tweet's own id. */
type HookKind = 'token' | 'term' | Person['role'] | 'id';
interface Hook {
  readonly kind: HookKind;
  readonly name: string | bigint;
}
/** Hooks one of which each tweet has that meets a condition. */
interface Hanger {
  readonly hooks: readonly Hook[];
  /** Whether to have one of them is to meet the condition. */
  readonly suffices: boolean;
}
type Person = Extract<Condition, { is: 'person' }>;

const remove = <Item>(items: Item[], item: Item): void => void items.splice(items.indexOf(item), 1);

/** `frequency` tells about how many tweets have a token or a term; by it the rarest is chosen. */
export function createPercolator<Key>(frequency: (term: string) => number = () => 1): Percolator<Key> {
  const byKey = new Map<Key, Standing<Key>>();
  const byCondition = new Map<string, Standing<Key>>();
  /** By kind and name. */
  const hooked: Record<HookKind, Map<string | bigint, Standing<Key>[]>> = {
    token: new Map(),
    term: new Map(),
    author: new Map(),
    retweeted: new Map(),
    answered: new Map(),
    id: new Map(),
  };
  /** What hangs on nothing: all that is asked is what a tweet must not be or have, or how much of it. */
  const unhooked: Standing<Key>[] = [];
  let tweets = 0;

  const weight = ({ hooks }: Hanger): number =>
    hooks.reduce(
      (sum, { kind, name }) => sum + 1 + (kind === 'token' || kind === 'term' ? frequency(String(name)) : 0),
      0,
    );
  const lighter = (a: Hanger, b: Hanger): Hanger => (weight(b) < weight(a) ? b : a);
  const one = (kind: HookKind, name: string | bigint, suffices = true): Hanger => ({
    hooks: [{ kind, name }],
    suffices,
  });

  /** What a condition hangs on, undefined where there is nothing; and what is left to ask. */
  function split(condition: Condition): { hanger: Hanger | undefined; rest: Condition } {
    if (condition.is !== 'all') {
      const hanger = hangerOf(condition);
      return { hanger, rest: hanger?.suffices === true ? everything : condition };
    }
    const parts = condition.parts.map((part) => ({ part, ...split(part) }));
    const hanging = parts.flatMap(({ hanger }) => hanger ?? []);
    if (hanging.length === 0) return { hanger: undefined, rest: condition };
    const hanger = hanging.reduce(lighter);
    const rest = parts.flatMap((each) =>
      each.hanger !== hanger ? each.part : each.rest === everything ? [] : each.rest,
    );
    return { hanger, rest: rest.length === 0 ? everything : rest.length === 1 ? rest[0]! : { is: 'all', parts: rest } };
  }

  function hangerOf(condition: Condition): Hanger | undefined {
    switch (condition.is) {
      case 'all': {
        const { hanger, rest } = split(condition);
        return hanger && { ...hanger, suffices: rest === everything };
      }
      case 'any': {
        const parts = condition.parts.map(hangerOf);
        if (!parts.every((hanger) => hanger !== undefined)) return undefined;
        return { hooks: parts.flatMap(({ hooks }) => hooks), suffices: parts.every(({ suffices }) => suffices) };
      }
      case 'words': {
        const suffices = condition.tokens.length === 1 && condition.within === 'text';
        return condition.tokens
          .filter((token) => token !== '*')
          .map((token) => one('token', token, suffices))
          .reduce(lighter);
      }
      case 'term':
        return one('term', condition.term);
      case 'person':
        return one(condition.role, condition.name);
      case 'area':
      case 'near':
        return one('term', hasLocation, false);
      case 'ids':
        return condition.upTo - condition.above === 1n ? one('id', condition.upTo) : undefined;
      default:
        return undefined;
    }
  }

  function hang(standing: Standing<Key>): void {
    if (standing.hanger === undefined) unhooked.push(standing);
    for (const { kind, name } of standing.hanger?.hooks ?? []) {
      const hanging = hooked[kind].get(name);
      if (hanging === undefined) hooked[kind].set(name, [standing]);
      // The same hook may come twice, from both sides of an OR.
      else if (hanging.at(-1) !== standing) hanging.push(standing);
    }
  }

  function takeDown(standing: Standing<Key>): void {
    if (standing.hanger === undefined) remove(unhooked, standing);
    for (const { kind, name } of standing.hanger?.hooks ?? []) {
      const hanging = hooked[kind].get(name);
      if (hanging?.includes(standing) !== true) continue;
      remove(hanging, standing);
      if (hanging.length === 0) hooked[kind].delete(name);
    }
  }

  /** Adds the keys of those that the tweet answers and that were not yet looked at for it. */
  function look(
    hanging: readonly Standing<Key>[] | undefined,
    tweet: TweetDocument,
    now: number,
    answered: Key[],
  ): void {
    if (hanging === undefined) return;
    for (const standing of hanging) {
      if (standing.seen === tweets) continue;
      standing.seen = tweets;
      if (matches(standing.rest, tweet, now)) for (const key of standing.keys) answered.push(key);
    }
  }

  const nameOf = (condition: Condition): string =>
    JSON.stringify(condition, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

  return {
    get size() {
      return byKey.size;
    },

    set(key, condition) {
      this.delete(key);
      const name = nameOf(condition);
      let standing = byCondition.get(name);
      if (standing === undefined) {
        standing = { name, ...split(condition), keys: [], seen: 0 };
        byCondition.set(name, standing);
        hang(standing);
      }
      standing.keys.push(key);
      byKey.set(key, standing);
    },

    delete(key) {
      const standing = byKey.get(key);
      if (standing === undefined) return false;
      byKey.delete(key);
      remove(standing.keys, key);
      if (standing.keys.length === 0) {
        byCondition.delete(standing.name);
        takeDown(standing);
      }
      return true;
    },

    match(tweet, now) {
      const answered: Key[] = [];
      tweets++;
      look(unhooked, tweet, now, answered);
      for (const token of tweet.tokens) look(hooked.token.get(token), tweet, now, answered);
      for (const term of tweet.terms) look(hooked.term.get(term), tweet, now, answered);
      if (hooked.id.size > 0) look(hooked.id.get(tweet.id), tweet, now, answered);
      for (const role of ['author', 'retweeted', 'answered'] as const) {
        const person = tweet[role];
        if (person === undefined) continue;
        look(hooked[role].get(person.id), tweet, now, answered);
        if (person.username !== undefined) look(hooked[role].get(person.username), tweet, now, answered);
      }
      return answered;
    },
  };
}
