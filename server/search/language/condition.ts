/** A compiled query: a condition on a tweet, without syntax. evaluate.ts defines the meaning. */
import type { counts } from '../../domain/records.ts';
import type { Area } from '../../domain/geo.ts';

export type Count = (typeof counts)[number];

export type Condition =
  | { readonly is: 'all' | 'any'; readonly parts: readonly Condition[] }
  | { readonly is: 'not'; readonly part: Condition }
  /**
   * Tokens in sequence. `text` means texts, links and the author's names; `link` means links only. At least one token
   * is not `*`.
   */
  | { readonly is: 'words'; readonly within: 'text' | 'link'; readonly tokens: readonly string[] }
  /** A term that tweets are indexed by, such as `#tag` or `filter:media`: see document.ts. */
  | { readonly is: 'term'; readonly term: string }
  /**
   * The author of the tweet, of the retweeted tweet or of the tweet that it replies to: by username in lower case, or
   * by id.
   */
  | { readonly is: 'person'; readonly role: 'author' | 'retweeted' | 'answered'; readonly name: string }
  | { readonly is: 'verified' | 'blue_verified' }
  | { readonly is: 'count'; readonly count: Count; readonly min: number }
  /** Created within [since, until), in milliseconds since the epoch. */
  | { readonly is: 'created'; readonly since: number; readonly until: number }
  /** Created in the last `ms` milliseconds. */
  | { readonly is: 'recent'; readonly ms: number }
  /** Posted in an area: see areaContains in geo.ts. */
  | { readonly is: 'area'; readonly area: Area }
  /**
   * Posted at most `metres` from the centre of a place that has the term. A tweet without an exact point also matches
   * if its place has the term.
   */
  | { readonly is: 'near'; readonly term: string; readonly metres: number }
  /** Ids in the range (above, upTo]. */
  | { readonly is: 'ids'; readonly above: bigint; readonly upTo: bigint };

/** The condition that every tweet matches. */
export const everything: Condition = { is: 'all', parts: [] };

/** The condition that no tweet matches. */
export const nothing: Condition = { is: 'any', parts: [] };

/** The term of native retweets. Queries exclude them unless they ask for them. */
export const nativeRetweet = 'filter:nativeretweets';
/** The terms of tweets with exact coordinates, and of tweets with any location (coordinates or a place). */
export const exactPoint = 'has:coordinates';
export const hasLocation = 'has:geo';
/** The term of tweets that are marked as sensitive. Like each term it has a character that no word has. */
export const sensitive = 'filter:sensitive';
/** The term of tweets with a poll of any kind. */
export const anyPoll = 'card_name:poll';
