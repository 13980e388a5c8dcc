/**
 * Standing queries: which of many does a tweet answer. Each query hangs on a few hooks, one of which every tweet that answers it must
 * have: the rarest of its words, a tag, an author. Only what hangs on a hook of the tweet is looked at, by the evaluator.
 */
import type { Condition } from './condition.ts';
import type { TweetDocument } from './document.ts';
import { matches } from './evaluate.ts';

export interface StandingQueries<Key> {
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
  readonly condition: Condition;
  readonly hooks: readonly string[] | undefined;
  readonly keys: Set<Key>;
  /** The last tweet that it was looked at for. */
  seen: number;
}

const personHook = (role: string, name: string): string => `${role} ${name}`;

/** What a tweet has that a query can hang on. */
function* hooksOf(tweet: TweetDocument): Generator<string, void> {
  yield* tweet.tokens;
  yield* tweet.terms;
  yield `id ${tweet.id}`;
  for (const [role, person] of [['author', tweet.author], ['retweeted', tweet.retweeted]] as const) {
    if (person === undefined) continue;
    yield personHook(role, person.id);
    if (person.username !== undefined) yield personHook(role, person.username);
  }
}

/** `frequency` tells about how many tweets have a token or a term; by it the rarest is chosen. */
export function createStandingQueries<Key>(frequency: (term: string) => number = () => 1): StandingQueries<Key> {
  const byKey = new Map<Key, Standing<Key>>();
  const byCondition = new Map<string, Standing<Key>>();
  const byHook = new Map<string, Set<Standing<Key>>>();
  /** What hangs on nothing: all that is asked is what a tweet must not be or have, or how much of it. */
  const unhooked = new Set<Standing<Key>>();
  let tweets = 0;

  const weight = (hooks: readonly string[]): number => hooks.reduce((sum, hook) => sum + 1 + frequency(hook), 0);
  const lighter = (a: readonly string[], b: readonly string[]): readonly string[] => (weight(b) < weight(a) ? b : a);

  /** Hooks one of which each tweet has that meets the condition; undefined where there are none. */
  function hooksFor(condition: Condition): readonly string[] | undefined {
    switch (condition.is) {
      case 'all': {
        const choices = condition.parts.flatMap((part) => {
          const hooks = hooksFor(part);
          return hooks === undefined ? [] : [hooks];
        });
        return choices.length === 0 ? undefined : choices.reduce(lighter);
      }
      case 'any': {
        const parts = condition.parts.map(hooksFor);
        return parts.every((hooks) => hooks !== undefined) ? [...new Set(parts.flat())] : undefined;
      }
      case 'words':
        return condition.tokens.filter((token) => token !== '*').map((token): readonly string[] => [token]).reduce(lighter);
      case 'term':
        return [condition.term];
      case 'person':
        return [personHook(condition.role, condition.name)];
      case 'ids':
        return condition.upTo - condition.above === 1n ? [`id ${condition.upTo}`] : undefined;
      default:
        return undefined;
    }
  }

  function hang(standing: Standing<Key>): void {
    if (standing.hooks === undefined) unhooked.add(standing);
    for (const hook of standing.hooks ?? []) {
      const hanging = byHook.get(hook);
      if (hanging === undefined) byHook.set(hook, new Set([standing]));
      else hanging.add(standing);
    }
  }

  function takeDown(standing: Standing<Key>): void {
    unhooked.delete(standing);
    for (const hook of standing.hooks ?? []) {
      const hanging = byHook.get(hook)!;
      hanging.delete(standing);
      if (hanging.size === 0) byHook.delete(hook);
    }
  }

  const nameOf = (condition: Condition): string => JSON.stringify(condition, (_name, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

  return {
    get size() {
      return byKey.size;
    },

    set(key, condition) {
      this.delete(key);
      const name = nameOf(condition);
      let standing = byCondition.get(name);
      if (standing === undefined) {
        standing = { condition, hooks: hooksFor(condition), keys: new Set(), seen: 0 };
        byCondition.set(name, standing);
        hang(standing);
      }
      standing.keys.add(key);
      byKey.set(key, standing);
    },

    delete(key) {
      const standing = byKey.get(key);
      if (standing === undefined) return false;
      byKey.delete(key);
      standing.keys.delete(key);
      if (standing.keys.size === 0) {
        byCondition.delete(nameOf(standing.condition));
        takeDown(standing);
      }
      return true;
    },

    match(tweet, now) {
      const answered: Key[] = [];
      tweets++;
      const look = (standing: Standing<Key>): void => {
        if (standing.seen === tweets) return;
        standing.seen = tweets;
        if (matches(standing.condition, tweet, now)) answered.push(...standing.keys);
      };
      unhooked.forEach(look);
      for (const hook of hooksOf(tweet)) byHook.get(hook)?.forEach(look);
      return answered;
    },
  };
}
