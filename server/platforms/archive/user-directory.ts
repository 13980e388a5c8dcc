/** The users of the archive: profiles, their usernames, and stub users that other records name. */
import { LargeMap } from '../../collections/large-map.ts';
import {
  jsonSection,
  readJson,
  type SavedTable,
  type SectionReader,
  type Sections,
} from '../../collections/saved-table.ts';
import { compareIds } from '../../domain/record-id.ts';
import type { ArchivedSpace, ArchivedTweet, ArchivedUser, ChangeOutcome } from '../../domain/records.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
import { prepare, time } from './change.ts';
import { byObservation, EntityTable, wouldChange, type EntityReader } from './entity-table.ts';
import { References, type ReferenceSource } from './references.ts';

/**
 * A user of whom the archive has a profile or a reference. A mention in a text gives no id; a follow gives no username.
 */
export interface UserIdentity {
  readonly id: string | undefined;
  readonly username: string | undefined;
}

/** The functions of the archive that the directory uses. */
export interface UserDirectorySource extends Omit<ReferenceSource, 'hasProfile'> {
  /** Throws for a profile that cannot be indexed. */
  readonly readUser: (user: ArchivedUser) => void;
  /** Whether a list or relation belongs to this user id. */
  readonly ownsRecords: (id: string) => boolean;
  /** Whether the account was withdrawn. Such a user is unknown. */
  readonly isWithdrawn: (id: string) => boolean;
}

export class UserDirectory implements SavedTable {
  readonly #profiles = new EntityTable<ArchivedUser>();
  /** The ids of the profiles by lower-case username; several if an account took over the username of another. */
  readonly #idsByName = new LargeMap<string, string | readonly string[]>();
  readonly #references: References;
  readonly #source: UserDirectorySource;
  #version = 0;

  constructor(source: UserDirectorySource) {
    this.#source = source;
    this.#references = new References({
      ...source,
      hasProfile: (id) => this.#profiles.has(id) || source.isWithdrawn(id),
    });
  }

  get profiles(): EntityReader<ArchivedUser> {
    return this.#profiles;
  }

  /** Changes whenever `user`, `userByName` or `mentioned` may return another result. */
  get version(): number {
    return this.#version + this.#references.version;
  }

  /** The profile of a user, or the stub user that mentions describe. */
  user(id: string): ArchivedUser | undefined {
    return this.#profiles.get(id) ?? this.#references.user(id);
  }

  /** A user by username, case-insensitive: the profile with this username, or the stub user that mentions describe. */
  userByName(username: string): ArchivedUser | undefined {
    const ids = this.#idsByName.get(username.toLowerCase());
    if (ids === undefined) return this.#references.userByName(username);
    if (typeof ids === 'string') return this.#profiles.get(ids);
    return ids
      .flatMap((id) => this.#profiles.get(id) ?? [])
      .reduce((best, next) => (hasNameNow(best, next) ? next : best));
  }

  /** The user that a mention refers to: by its id if it has one, otherwise by its username. */
  mentioned({ username, id }: { readonly username: string; readonly id?: string }): ArchivedUser | undefined {
    return id === undefined ? this.userByName(username) : this.user(id);
  }

  /**
   * Finds a user. A user exists if the archive has a profile of it, or if any other record names it by id or username.
   * Otherwise undefined.
   */
  find(ref: { readonly username: string } | { readonly user_id: string }): UserIdentity | undefined {
    if ('username' in ref) {
      const username = ref.username.replace(/^@/, '');
      return (
        this.userByName(username) ?? (this.#references.hasName(username) ? { id: undefined, username } : undefined)
      );
    }
    const id = ref.user_id;
    if (this.#source.isWithdrawn(id)) return undefined;
    const isReferenced = (): boolean => this.#source.ownsRecords(id) || this.#references.hasId(id);
    return this.user(id) ?? (isReferenced() ? { id, username: undefined } : undefined);
  }

  wouldChange(user: ArchivedUser): boolean {
    return wouldChange(this.#profiles, user, byObservation<ArchivedUser>);
  }

  /** Adds or updates a profile. Throws UnusableRecord. */
  apply(user: ArchivedUser): ChangeOutcome {
    const before = this.#profiles.get(user.id);
    const after = prepare(() => {
      this.#source.readUser(user);
      return before === undefined ? user : byObservation<ArchivedUser>(before, user);
    });
    if (after === before) return 'unchanged';
    this.#profiles.set(after);
    this.#rename(user.id, before?.username.toLowerCase(), after.username.toLowerCase());
    this.#version++;
    this.#source.userChanged(after, before ?? this.#references.resolved(user.id));
    return before === undefined ? 'added' : 'updated';
  }

  /**
   * Removes what the archive knows of a user whose tweets are removed already. Returns whether there was a profile. Call
   * it before `isWithdrawn` is true for the user.
   */
  remove(id: string): boolean {
    this.#references.forgetId(id);
    return this.#removeProfile(id);
  }

  /** Removes the profile of a user without tweets. What names the user describes it again. */
  evict(id: string): void {
    if (!this.#profiles.has(id)) return;
    this.#removeProfile(id);
    this.#references.describe(id);
  }

  #removeProfile(id: string): boolean {
    const profile = this.#profiles.get(id);
    const before = profile ?? this.#references.resolved(id);
    this.#version++;
    if (profile !== undefined) {
      this.#rename(id, profile.username.toLowerCase(), undefined);
      this.#profiles.delete(id);
    }
    if (before !== undefined) this.#source.userChanged({ id, username: '' }, before);
    return profile !== undefined;
  }

  /** Describes a user again whose account was reinstated: from the newest tweet that mentions the user. */
  describe(id: string): void {
    this.#references.describe(id);
  }

  /** Records a user that a follow or a retweet names. */
  addReference(id: string): void {
    this.#references.addId(id);
  }

  /** Removes the record of a follow or a retweet that named a user. */
  removeReference(id: string): void {
    this.#references.removeId(id);
  }

  /** Removes the users that a removed tweet names. The timelines of mentions must be up to date. */
  removeTweet(ordinal: number, tweet: ArchivedTweet): void {
    this.#references.removeTweet(ordinal, tweet);
  }

  /** Records the users that a tweet names. The timelines of mentions must be up to date. */
  setTweet(ordinal: number, after: TweetHead, before: TweetHead | undefined): void {
    this.#references.setTweet(ordinal, after, before);
  }

  /** Records the host and the speakers of a space. */
  setSpace(after: ArchivedSpace | undefined, before: ArchivedSpace | undefined): void {
    this.#references.setSpace(after, before);
  }

  /** Passes the author's description to the search index, before the index adds a tweet of the author. */
  indexAuthor(id: string): void {
    this.#references.indexAuthor(id);
  }

  *save(): Sections {
    yield jsonSection(this.#version);
    yield* this.#profiles.save();
    yield* this.#references.save();
  }

  load(reader: SectionReader): void {
    this.#version = readJson<number>(reader);
    this.#profiles.load(reader);
    for (const { id, username } of this.#profiles.values()) this.#rename(id, undefined, username.toLowerCase());
    this.#references.load(reader);
  }

  #rename(id: string, before: string | undefined, after: string | undefined): void {
    if (before === after) return;
    if (before !== undefined) {
      const others = [this.#idsByName.get(before) ?? []].flat().filter((existingId) => existingId !== id);
      if (others.length > 0) this.#idsByName.set(before, others);
      else this.#idsByName.delete(before);
    }
    if (after === undefined) return;
    const others = this.#idsByName.get(after);
    this.#idsByName.set(after, others === undefined ? id : [others, id].flat());
  }
}

/**
 * Whether the second of two profiles with the same username owns it now: its observation is later, or its id is higher.
 * The order of arrival does not matter.
 */
function hasNameNow(a: ArchivedUser, b: ArchivedUser): boolean {
  const later = time(b.observed_at) - time(a.observed_at);
  return later > 0 || (later === 0 && compareIds(b.id, a.id) > 0);
}
