/** The tables of the archive as the search index reads them. */
import type { ArchivedTweet, ArchivedUser } from '../domain/records.ts';
import type { Count } from './language/condition.ts';
import type { ListReader } from './lists.ts';
import type { PlaceReader } from './places.ts';

/**
 * The archive's tweets as the index reads them. An ordinal is the number of a tweet, from 0. A new tweet gets the next one, or
 * one of a removed tweet that the index does not contain any more.
 */
export interface TweetSource {
  /** The number of ordinals, those of removed tweets included. */
  readonly ordinalCount: number;
  /** The number of tweets, without the removed ones. */
  readonly size: number;
  /** Whether the tweet was removed. Only its times and ids are still there. */
  isGone(ordinal: number): boolean;
  /** The author of a removed tweet, by the id of the tweet; undefined if unknown. */
  removedAuthor(id: string): string | undefined;
  tweet(ordinal: number): ArchivedTweet;
  /** The ordinal of a tweet id, or undefined. */
  ordinal(id: string): number | undefined;
  /** Orders two ordinals by (created_at, id): negative when the first is older. */
  readonly order: (a: number, b: number) => number;
  /** Milliseconds since the epoch. */
  createdAt(ordinal: number): number;
  id(ordinal: number): bigint;
  /** Whether a tweet is older than the position (created_at in milliseconds, id). */
  isOlder(ordinal: number, createdAt: number, id: bigint): boolean;
  authorId(ordinal: number): string;
  /** A count of the tweet; 0 if it is unknown. */
  count(ordinal: number, name: Count): number;
  /** A user by id. */
  user(id: string): ArchivedUser | undefined;
  readonly places: PlaceReader;
  readonly lists: ListReader;
  /** Increases by one with each change of the archive. */
  readonly revision: number;
  /** The revision at which the tweet arrived. */
  arrivedAt(ordinal: number): number;
  /** The tweet's engagement score at a recent revision, without later changes. */
  engagement(ordinal: number, revision: number): number;
}

/** A place in the chronological order. */
export interface TweetPlace {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly id: bigint;
}
