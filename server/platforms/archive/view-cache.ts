/**
 * A cache of views: entities in the shape of the contract. A cached view is frozen, so that a serialiser may cache its
 * JSON as well. It is valid until an entity that it was built from changes.
 */
import { LRUCache } from 'lru-cache';
import { createAdmissionFilter } from '../../collections/admission-filter.ts';
import type { Schemas } from '../../contract/operations.ts';
import type { Archive } from './archive.ts';
import { tweetFull, tweetShort, user, userById, type Lookup } from './views.ts';
import type { ArchivedUser } from '../../domain/records.ts';

/** A view and its inputs. A changed user is a new object; a changed tweet has another version. */
interface CachedView<View> {
  readonly view: View;
  readonly version: number;
  readonly author: ArchivedUser | undefined;
  /** The views of referenced tweets in this view; null if the archive did not contain the tweet. */
  readonly references: readonly (readonly [id: string, view: Schemas['Tweet'] | null])[];
  /** The resolved users of the mentions in this view. */
  readonly mentioned: readonly (readonly [mention: Schemas['Mention'], user: ArchivedUser | undefined])[];
  /** The last version of the archive's users for which `mentioned` was checked. */
  usersVersion: number;
}

/** The maximum size of the views of each kind in bytes, by a rather high estimate; their JSON adds about half of it. */
const maxBytes = { full: 24 * 1024 * 1024, short: 8 * 1024 * 1024, users: 8 * 1024 * 1024 };

const sizeOfShort = ({ text }: Schemas['TweetShort']): number => 800 + 2 * text.length;
const sizeOfFull = ({ text, article, media }: Schemas['Tweet']): number =>
  1600 + 2 * (text.length + (article?.text.length ?? 0)) + 300 * media.length;

/**
 * The number of tweets among which a second request of a tweet is recognised: two to three times the number of views that a cache takes, so
 * that tweets whose views fit into it are cached although some share a slot.
 */
const filterSlots = 32_768;

/** The cached views of one kind, by the ordinal of the tweet. */
class CacheOfViews<View extends object> extends LRUCache<number, CachedView<View>> {
  /** Whether a view of the tweet was requested before; records the request. */
  readonly isRequestedAgain = createAdmissionFilter(filterSlots);

  constructor(maxSize: number, sizeOf: (view: View) => number) {
    super({ maxSize, sizeCalculation: ({ view }) => sizeOf(view) });
  }
}

export class ViewCache {
  readonly #archive: Archive;
  /** The number of removed tweets whose views are removed here. */
  #removed = 0;
  readonly #full = new CacheOfViews(maxBytes.full, sizeOfFull);
  /** Views without their quoted or retweeted tweets, for use inside other views. */
  readonly #withoutReferences = new CacheOfViews(maxBytes.full, sizeOfFull);
  readonly #short = new CacheOfViews(maxBytes.short, sizeOfShort);
  readonly #users = new LRUCache<ArchivedUser, Schemas['User']>({
    maxSize: maxBytes.users,
    sizeCalculation: ({ description }) => 1200 + 2 * description.length,
  });

  constructor(archive: Archive) {
    this.#archive = archive;
  }

  // Arrow functions: callers pass them to `map`.
  readonly tweetFull = (ordinal: number): Schemas['Tweet'] =>
    this.#cachedView(this.#full, ordinal, (lookup) => tweetFull(this.#archive, ordinal, lookup));

  readonly tweetShort = (ordinal: number): Schemas['TweetShort'] =>
    this.#cachedView(this.#short, ordinal, () => tweetShort(this.#archive, ordinal));

  readonly user = (profile: ArchivedUser): Schemas['User'] => {
    let view = this.#users.get(profile);
    if (view === undefined) this.#users.set(profile, (view = deepFreeze(user(profile))));
    return view;
  };

  /** A user by id; also a stub user. */
  userById(id: string): Schemas['User'] {
    const profile = this.#archive.user(id);
    return profile === undefined ? deepFreeze(userById(this.#archive, id)) : this.user(profile);
  }

  #cachedView<View extends object>(cache: CacheOfViews<View>, ordinal: number, create: (lookup: Lookup) => View): View {
    const archive = this.#archive;
    this.#dropRemoved();
    const cached = cache.get(ordinal);
    const version = archive.tweets.version(ordinal);
    const author = archive.user(archive.authorId(ordinal));
    if (cached?.version === version && cached.author === author && this.#hasSameInputs(cached)) return cached.view;
    const references: [string, Schemas['Tweet'] | null][] = [];
    const mentioned: [Schemas['Mention'], ArchivedUser | undefined][] = [];
    const view = create({
      tweet: (id) => {
        const referenced = this.#referencedTweet(id);
        references.push([id, referenced]);
        return referenced;
      },
      mentioned: (mention) => {
        const user = archive.mentioned(mention);
        mentioned.push([mention, user]);
        return user;
      },
    });
    if (cached === undefined && !cache.isRequestedAgain(ordinal)) return view;
    deepFreeze(view);
    cache.set(ordinal, { view, version, author, references, mentioned, usersVersion: archive.usersVersion });
    return view;
  }

  /** Removes the views of tweets that were removed since the last call. */
  #dropRemoved(): void {
    const { tweets } = this.#archive;
    if (this.#removed < tweets.firstGone) {
      for (const cache of [this.#full, this.#withoutReferences, this.#short]) cache.clear();
      this.#removed = tweets.firstGone;
    }
    for (; this.#removed < tweets.goneCount; this.#removed++) {
      const ordinal = tweets.goneAt(this.#removed);
      this.#full.delete(ordinal);
      this.#withoutReferences.delete(ordinal);
      this.#short.delete(ordinal);
    }
  }

  #hasSameInputs(cached: CachedView<object>): boolean {
    return (
      this.#hasSameMentioned(cached) &&
      cached.references.every(([id, referenced]) => this.#referencedTweet(id) === referenced)
    );
  }

  /**
   * Whether the mentions still resolve to the same users. Costs one comparison while no user of the archive changes.
   */
  #hasSameMentioned(cached: CachedView<object>): boolean {
    const { usersVersion } = this.#archive;
    if (cached.usersVersion === usersVersion) return true;
    if (!cached.mentioned.every(([mention, resolved]) => this.#archive.mentioned(mention) === resolved)) return false;
    cached.usersVersion = usersVersion;
    return true;
  }

  #referencedTweet(id: string): Schemas['Tweet'] | null {
    const ordinal = this.#archive.ordinal(id);
    return ordinal === undefined
      ? null
      : this.#cachedView(this.#withoutReferences, ordinal, ({ mentioned }) =>
          tweetFull(this.#archive, ordinal, { tweet: () => null, mentioned }),
        );
  }
}

/** Freezes a value recursively. */
export function deepFreeze<Value extends object>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  return Object.freeze(value);
}
