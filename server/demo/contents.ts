/** The entities of a data source that a replay needs, read once; the replay keeps them up to date. */
import type { RecordSource } from '../ports/record-source.ts';
import type { ArchivedCommunity, ArchivedUser, ArchiveRecord } from '../domain/records.ts';
import { compareIds } from '../domain/record-id.ts';
import { isCopy } from './copies.ts';

const membership = (communityId: string, userId: string): string => `${communityId} ${userId}`;

export class Contents {
  readonly #users = new Map<string, ArchivedUser>();
  readonly #communities = new Map<string, ArchivedCommunity>();
  readonly #memberships = new Set<string>();
  readonly #tweets = new Set<string>();
  readonly #copies: string[] = [];
  readonly #spaces = new Set<string>();

  /** Reads all records of a source. */
  static async read(source: Pick<RecordSource, 'records'>): Promise<Contents> {
    const contents = new Contents();
    for await (const record of source.records()) contents.add(record);
    return contents;
  }

  get users(): readonly ArchivedUser[] {
    return [...this.#users.values()];
  }

  get communities(): readonly ArchivedCommunity[] {
    return [...this.#communities.values()];
  }

  /** The ids of the copies that a replay has made, oldest first. */
  get copies(): readonly string[] {
    return this.#copies.toSorted(compareIds);
  }

  isMember(communityId: string, userId: string): boolean {
    return this.#memberships.has(membership(communityId, userId));
  }

  hasTweet(id: string): boolean {
    return this.#tweets.has(id);
  }

  /** Adds a record that the source has stored. */
  add(record: ArchiveRecord): void {
    switch (record.kind) {
      case 'tweet':
        if (!this.#tweets.has(record.tweet.id) && isCopy(record.tweet)) this.#copies.push(record.tweet.id);
        this.#tweets.add(record.tweet.id);
        return;
      case 'user':
        this.#users.set(record.user.id, record.user);
        return;
      case 'community':
        this.#communities.set(record.community.id, record.community);
        return;
      case 'space':
        this.#spaces.add(record.space.id);
        return;
      case 'membership':
        this.#memberships.add(membership(record.community_id, record.user_id));
        return;
      default:
    }
  }

  /** An entity that is neither from the sample nor from its replay; undefined if there is none. */
  findForeign(sample: readonly ArchiveRecord[]): string | undefined {
    const own = new Contents();
    for (const record of sample) own.add(record);
    const copies = new Set(this.#copies);
    const foreign = (kind: string, ids: Iterable<string>, isOwn: (id: string) => boolean): string[] =>
      [...ids].filter((id) => !isOwn(id)).map((id) => `${kind} ${id}`);
    return [
      ...foreign('tweet', this.#tweets, (id) => own.#tweets.has(id) || copies.has(id)),
      ...foreign('user', this.#users.keys(), (id) => own.#users.has(id)),
      ...foreign('community', this.#communities.keys(), (id) => own.#communities.has(id)),
      ...foreign('space', this.#spaces, (id) => own.#spaces.has(id)),
    ][0];
  }
}
