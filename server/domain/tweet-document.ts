/** What a search reads of a tweet: its own properties, and those of related records. */
import type { Location, Point } from './geo.ts';
import type { counts } from './records.ts';

export interface Person {
  readonly id: string;
  /** In lower case; undefined if the profile is unknown. */
  readonly username: string | undefined;
}

export type Texts = readonly (readonly string[])[];

/** Names to read in lists, or to test. */
export interface NameLists {
  /** A name can occur more than once. */
  readonly lists: Texts;
  has(name: string): boolean;
}

/** The properties of a tweet that a condition tests. Each text is a list of tokens. */
export interface TweetDocument {
  readonly id: bigint;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly author: Person;
  /** The author of the retweeted tweet, if known. */
  readonly retweeted: Person | undefined;
  /** The author of the tweet that this tweet replies to, if known. */
  readonly answered: Person | undefined;
  readonly location: Location;
  /** The centres of the places that have a term. */
  readonly centres: (term: string) => readonly Point[];
  readonly verified: boolean;
  readonly blueVerified: boolean;
  /** Unknown counts are 0. */
  readonly counts: Readonly<Record<(typeof counts)[number], number>>;
  readonly terms: NameLists;
  readonly texts: Texts;
  readonly links: Texts;
  /** The author's display name and username. */
  readonly names: Texts;
  /** All tokens of the texts, links and names. */
  readonly tokens: NameLists;
}
