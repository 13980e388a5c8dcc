/**
 * A cache of views: entities in the shape of the contract. The views are frozen, so that a serialiser may cache their
 * JSON as well. A view is valid until an entity that it was built from changes.
 */
import { LRUCache } from 'lru-cache';
import type { Schemas } from '../../contract/operations.ts';
import type { Archive } from './archive.ts';
import { tweetFull, tweetShort, user, userById, type Lookup } from './views.ts';
import type { ArchivedUser } from './records.ts';

export interface ViewCache {
  tweetFull(ordinal: number): Schemas['Tweet'];
  tweetShort(ordinal: number): Schemas['TweetShort'];
  user(profile: ArchivedUser): Schemas['User'];
  /** A user by id; also a stub user. */
  userById(id: string): Schemas['User'];
}

/** A view and its inputs. A changed user is a new object; a changed tweet has another version. */
interface CachedView<View> {
  readonly view: View;
  readonly version: number;
  readonly author: ArchivedUser | undefined;
  /** The views of referenced tweets in this view; null where the archive did not contain the tweet. */
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

export function createViewCache(archive: Archive): ViewCache {
  const cacheOptions = <View>(maxSize: number, sizeOf: (view: View) => number) => ({
    maxSize,
    sizeCalculation: ({ view }: CachedView<View>): number => sizeOf(view),
  });
  const full = new LRUCache<number, CachedView<Schemas['Tweet']>>(cacheOptions(maxBytes.full, sizeOfFull));
  /** Views without their quoted or retweeted tweets, for use inside other views. */
  const withoutReferences = new LRUCache<number, CachedView<Schemas['Tweet']>>(cacheOptions(maxBytes.full, sizeOfFull));
  const short = new LRUCache<number, CachedView<Schemas['TweetShort']>>(cacheOptions(maxBytes.short, sizeOfShort));
  const users = new LRUCache<ArchivedUser, Schemas['User']>({
    maxSize: maxBytes.users,
    sizeCalculation: ({ description }) => 1200 + 2 * description.length,
  });

  const authorOf = (ordinal: number): ArchivedUser | undefined => archive.user(archive.authorId(ordinal));

  function cachedView<View extends object>(
    cache: LRUCache<number, CachedView<View>>,
    ordinal: number,
    create: (lookup: Lookup) => View,
  ): View {
    const cached = cache.get(ordinal);
    const version = archive.tweets.version(ordinal);
    const author = authorOf(ordinal);
    const isValid =
      cached?.version === version &&
      cached.author === author &&
      sameMentioned(cached) &&
      cached.references.every(([id, referenced]) => referencedTweet(id) === referenced);
    if (isValid) return cached.view;
    const references: [string, Schemas['Tweet'] | null][] = [];
    const mentioned: [Schemas['Mention'], ArchivedUser | undefined][] = [];
    const view = deepFreeze(
      create({
        tweet(id) {
          const referenced = referencedTweet(id);
          references.push([id, referenced]);
          return referenced;
        },
        mentioned(mention) {
          const user = archive.mentioned(mention);
          mentioned.push([mention, user]);
          return user;
        },
      }),
    );
    cache.set(ordinal, { view, version, author, references, mentioned, usersVersion: archive.usersVersion });
    return view;
  }

  /**
   * Whether the mentions still resolve to the same users. Costs one comparison while no user of the archive changes.
   */
  function sameMentioned(cached: CachedView<object>): boolean {
    const { usersVersion } = archive;
    if (cached.usersVersion === usersVersion) return true;
    if (!cached.mentioned.every(([mention, resolved]) => archive.mentioned(mention) === resolved)) return false;
    cached.usersVersion = usersVersion;
    return true;
  }

  function referencedTweet(id: string): Schemas['Tweet'] | null {
    const ordinal = archive.ordinal(id);
    return ordinal === undefined
      ? null
      : cachedView(withoutReferences, ordinal, ({ mentioned }) =>
          tweetFull(archive, ordinal, { tweet: () => null, mentioned }),
        );
  }

  function cachedUser(profile: ArchivedUser): Schemas['User'] {
    let view = users.get(profile);
    if (view === undefined) users.set(profile, (view = deepFreeze(user(profile))));
    return view;
  }

  return {
    tweetFull: (ordinal) => cachedView(full, ordinal, (lookup) => tweetFull(archive, ordinal, lookup)),
    tweetShort: (ordinal) => cachedView(short, ordinal, () => tweetShort(archive, ordinal)),
    user: cachedUser,
    userById(id) {
      const profile = archive.user(id);
      return profile === undefined ? deepFreeze(userById(archive, id)) : cachedUser(profile);
    },
  };
}

/** Freezes a value recursively. */
function deepFreeze<Value extends object>(value: Value): Value {
  if (Object.isFrozen(value)) return value;
  for (const inner of Object.values(value))
    if (typeof inner === 'object' && inner !== null) deepFreeze(inner as object);
  return Object.freeze(value);
}
