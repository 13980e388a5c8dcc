/**
 * What the tables of one archive have found for an author, so that they do not look it up for each of many tweets that come one after
 * the other. Each value has the version of its table: when that has changed, the value may be wrong.
 */
import type { ArchivedUser } from './records.ts';

/** A version that no table has. */
const none = -1;
/** Shared: an import has a memo for each author. */
const noTerms: readonly number[] = [];

export class AuthorMemo {
  readonly id: string;
  /** The user, whose description the index has. */
  user: ArchivedUser | undefined;
  usersVersion = none;
  /** The numbers of the terms in the names of a user, `named`. */
  nameTerms = noTerms;
  named: ArchivedUser | undefined;
  nameTermsVersion = none;
  /** The number of the author in the table of tweets. */
  number = 0;
  numbersVersion = none;
  /** The number of the author in the index. */
  indexed = 0;
  indexedVersion = none;
  /** The numbers of the timelines of all tweets of the author, and of those that are no replies. */
  byAuthor = 0;
  byAuthorVersion = none;
  posts = 0;
  postsVersion = none;

  constructor(id: string) {
    this.id = id;
  }
}
