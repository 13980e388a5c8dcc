/** What search documents read of related records, computed anew from the content of an archive. */
import { compareIds } from '../../server/domain/record-id.ts';
import type { ArchivedTweet, ArchivedUser } from '../../server/domain/records.ts';
import type { SnapshotChange } from '../../server/archive/rules/change.ts';
import type { DocumentContext } from '../../server/search/document.ts';
import type { Point } from '../../server/domain/geo.ts';
import { Lists } from '../../server/search/lists.ts';
import { Places } from '../../server/search/places.ts';

/** Orders tweets by (created_at, id), oldest first. */
export const older = (a: ArchivedTweet, b: ArchivedTweet): number =>
  Date.parse(a.created_at) - Date.parse(b.created_at) || compareIds(a.id, b.id);

/** A user without a profile, as a mention describes it. */
export interface Description {
  readonly user: ArchivedUser;
  /** The tweet with the mention. */
  readonly tweet: ArchivedTweet;
}

/**
 * The users whom only mentions describe, by id: each as in the newest mention that has the id, and of one tweet in the first one. There is
 * no description of a user with a profile, nor of a withdrawn account.
 */
export function describedUsers(content: Iterable<SnapshotChange>): Map<string, Description> {
  const changes = [...content];
  const tweets = changes.flatMap((change) => (change.kind === 'tweet' ? [change.tweet] : []));
  const found = new Map<string, Description>();
  for (const tweet of tweets.toSorted(older))
    for (const { id, username, name } of (tweet.entities?.mentions ?? []).toReversed())
      if (id !== undefined) found.set(id, { user: { id, username, ...(name === undefined ? {} : { name }) }, tweet });
  for (const change of changes) {
    if (change.kind === 'user') found.delete(change.user.id);
    if (change.kind === 'withdraw') found.delete(change.user_id);
  }
  return found;
}

/** The context of the documents of an archive with this content: `Archive.changes()`, or records of which none changes another one. */
export class ContentContext implements DocumentContext {
  /** In the order of the content. */
  readonly tweets: ArchivedTweet[] = [];
  /** The profiles. */
  readonly profiles = new Map<string, ArchivedUser>();
  readonly #described: ReadonlyMap<string, Description>;
  readonly #authors = new Map<string, string>();
  readonly #places = new Places();
  readonly #lists = new Lists();

  constructor(content: Iterable<SnapshotChange>) {
    const changes = [...content];
    this.#described = describedUsers(changes);
    for (const change of changes) this.#add(change);
    for (const { id, author_id } of this.tweets) this.#authors.set(id, author_id);
  }

  #add(change: SnapshotChange): void {
    const { kind } = change;
    if (kind === 'tweet') this.tweets.push(change.tweet);
    else if (kind === 'user') this.profiles.set(change.user.id, change.user);
    else if (kind === 'place') this.#places.set(change.place);
    else if (kind === 'list') this.#lists.set(change.list);
    else if (kind === 'list_member') this.#lists.addMember(change.list_id, change.user_id);
    else if (kind === 'delete' && 'tombstone' in change && change.tombstone !== undefined)
      this.#authors.set(change.tweet_id, change.tombstone.author_id);
  }

  user(id: string): ArchivedUser | undefined {
    return this.profiles.get(id) ?? this.#described.get(id)?.user;
  }

  authorOf(tweetId: string): string | undefined {
    return this.#authors.get(tweetId);
  }

  place(id: string): ReturnType<Places['get']> {
    return this.#places.get(id);
  }

  readonly centres = (term: string): Point[] => this.#places.centres(term);

  listTerms(userId: string): Iterable<string> {
    return this.#lists.termsOf(userId, (ownerId) => this.user(ownerId)?.username);
  }
}
