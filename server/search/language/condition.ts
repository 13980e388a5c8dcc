/** What a query asks of a tweet: the syntax gone, a few kinds of questions left. evaluate.ts says what they mean. */
import type { counts } from '../../platforms/archive/records.ts';
import type { Area } from '../geo.ts';

export type Count = (typeof counts)[number];

export type Condition =
  | { readonly is: 'all' | 'any'; readonly parts: readonly Condition[] }
  | { readonly is: 'not'; readonly part: Condition }
  /** Tokens next to each other: `text` is texts, links and the author's names, `link` only links. At least one is not `*`. */
  | { readonly is: 'words'; readonly within: 'text' | 'link'; readonly tokens: readonly string[] }
  /** Something that a tweet is indexed by, such as `#tag` or `filter:media`: see document.ts. */
  | { readonly is: 'term'; readonly term: string }
  /** Who wrote it, or wrote what it retweets or replies to: by username in lower case, or by id. */
  | { readonly is: 'person'; readonly role: 'author' | 'retweeted' | 'answered'; readonly name: string }
  | { readonly is: 'verified' | 'blue_verified' }
  | { readonly is: 'count'; readonly count: Count; readonly least: number }
  /** Created within [since, until), in milliseconds since the epoch. */
  | { readonly is: 'created'; readonly since: number; readonly until: number }
  /** Created in the last so many milliseconds. */
  | { readonly is: 'recent'; readonly ms: number }
  /** Posted in an area: see areaHas in geo.ts. */
  | { readonly is: 'area'; readonly area: Area }
  /**
   * Posted at most so far from the centre of a place that has the term; a tweet without an exact point also when it was
   * posted from such a place.
   */
  | { readonly is: 'near'; readonly term: string; readonly metres: number }
  /** Ids above `above`, up to `upTo`. */
  | { readonly is: 'ids'; readonly above: bigint; readonly upTo: bigint };

/** What every tweet is. */
export const everything: Condition = { is: 'all', parts: [] };

/** The term of native retweets, which are left out of every query that does not ask for them. */
export const nativeRetweet = 'filter:nativeretweets';
/** The term of tweets with exact coordinates, and that of tweets with any location: coordinates or a place. */
export const exactPoint = 'has:coordinates';
export const hasLocation = 'has:geo';
/** The term of tweets with a poll, whatever its kind. */
export const anyPoll = 'card_name:poll';
