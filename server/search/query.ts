/** The syntax tree of a query. `at` is where a part begins in its text, from 0. */
import type { counts } from '../archive/records.ts';

/** What is asked of a tweet beside what it is indexed by; each is looked up in tests.ts. */
export type Test = 'has_engagement' | 'self_thread' | 'verified' | 'blue_verified' | 'near' | 'quoted_user' | 'retweets_of' | 'contains';

export type Query = { readonly at: number } & (
  | { readonly is: 'and' | 'or'; readonly parts: readonly Query[] }
  | { readonly is: 'not'; readonly part: Query }
  /** Tokens next to each other, in this order; `*` is any one token; a single word is a phrase of one. `url`: only in links. */
  | { readonly is: 'phrase' | 'url'; readonly tokens: readonly string[] }
  /** What a tweet is indexed by, such as `#tag` or `filter:media`: see features.ts. */
  | { readonly is: 'feature'; readonly term: string }
  | { readonly is: 'from'; readonly value: string }
  /** A conversation, by the id of its first tweet. */
  | { readonly is: 'thread'; readonly id: string }
  | { readonly is: 'test'; readonly test: Test; readonly value: string }
  /** A count of at least so many. */
  | { readonly is: 'count'; readonly count: (typeof counts)[number]; readonly least: number }
  /** Created within [since, until), in milliseconds since the epoch. */
  | { readonly is: 'time'; readonly since: number; readonly until: number }
  /** Ids above `since`, up to `max`. */
  | { readonly is: 'ids'; readonly since: bigint; readonly max: bigint }
  /** No condition, but a switch: native retweets are wanted too. */
  | { readonly is: 'retweets' }
);

/** The term of native retweets, which are left out of every query that does not ask for them. */
export const nativeRetweet = 'filter:nativeretweets';

/** Whether a query asks for native retweets, by wanting them or by wanting them too. */
export function wantsRetweets(query: Query): boolean {
  switch (query.is) {
    case 'and':
    case 'or':
      return query.parts.some(wantsRetweets);
    case 'feature':
      return query.term === nativeRetweet || query.term.startsWith('retweets_of_tweet_id:');
    case 'test':
      return query.test === 'retweets_of';
    default:
      return query.is === 'retweets';
  }
}
