/** Tweets in the shape of the contract, and their backgrounds, from the tables or from a cache. */
import type { Schemas } from '../../contract/operations.ts';
import type { RunSql } from '../sql.ts';
import { backgroundOf, tweetFull, tweetShort, type ViewSource } from './views.ts';
import { nameDependency, tweetDependency, userDependency } from '../content/dependencies.ts';
import { createAdmissionFilter } from '../../collections/admission-filter.ts';
import { hashText } from '../../collections/string-hash.ts';
import { DependentCache, type KnownCommits } from './dependent-cache.ts';
import { isId } from '../../domain/record-id.ts';
import type { TweetBackground } from '../../ports/platform.ts';
import { LoadedRecords } from './loaded-records.ts';

type Tweet = Schemas['Tweet'];
type TweetShort = Schemas['TweetShort'];

/** The maximum size of the cached views of each kind in bytes, by a rather high estimate. */
const maxBytes = { full: 24 * 1024 * 1024, short: 8 * 1024 * 1024 };

/** The number of tweets among which the second view of one is recognised; 128 kB. */
const filterKeys = 32_768;

const backgroundSize = 200;
const sizeOfShort = ({ text }: TweetShort): number => 800 + 2 * text.length;
const sizeOfFull = ({ text, article, media, quoted_tweet: quoted, retweeted_tweet: retweeted }: Tweet): number =>
  1600 +
  2 * (text.length + (article?.text.length ?? 0)) +
  300 * media.length +
  (quoted === null ? 0 : sizeOfFull(quoted)) +
  (retweeted === null ? 0 : sizeOfFull(retweeted));

/** A tweet in one of its forms. Both have the same dependencies: the background is of the tweet alone. */
interface Viewed<View> {
  readonly view: View;
  readonly background: TweetBackground;
}

/** How tweets are read in one of the forms. `cache`: without it, nothing is cached. */
interface Form<View> {
  readonly create: (source: ViewSource, ordinal: number) => View;
  readonly isFull: boolean;
  readonly cache: DependentCache<Viewed<View>> | undefined;
}

/** `isBackSoon`: the caller or the next one reads the same tweets again, so they are cached at once. */
interface ReadOptions {
  readonly isBackSoon?: boolean;
}

/**
 * A tweet is cached when it is read for the second time: most tweets of an archive are read once, and to cache one costs as much as to
 * read it.
 */
export class TweetViews {
  readonly #run: RunSql;
  readonly #isViewedAgain = createAdmissionFilter(filterKeys);
  readonly #full: Form<Tweet>;
  readonly #short: Form<TweetShort>;

  /** `commits`: without it, nothing is cached. */
  constructor(run: RunSql, commits: KnownCommits | undefined) {
    this.#run = run;
    this.#full = {
      ...{ create: tweetFull, isFull: true },
      cache: commits && new DependentCache(commits, maxBytes.full, ({ view }) => sizeOfFull(view) + backgroundSize),
    };
    this.#short = {
      ...{ create: tweetShort, isFull: false },
      cache: commits && new DependentCache(commits, maxBytes.short, ({ view }) => sizeOfShort(view) + backgroundSize),
    };
  }

  /** The tweets with these ids that are there, in full form. */
  async full(ids: readonly string[], options?: ReadOptions): Promise<Tweet[]> {
    return viewsOf(ids, await this.#viewed(ids, this.#full, options));
  }

  /** As `full`, in short form. */
  async short(ids: readonly string[], options?: ReadOptions): Promise<TweetShort[]> {
    return viewsOf(ids, await this.#viewed(ids, this.#short, options));
  }

  /** What the full forms leave open, in the order of the ids; undefined for a tweet that is not there. */
  async backgrounds(ids: readonly string[]): Promise<(TweetBackground | undefined)[]> {
    const known = new Map(ids.map((id) => [id, this.#full.cache?.get(id)]));
    const others = ids.filter((id) => known.get(id) === undefined);
    const found = await this.#viewed(others, this.#short);
    return ids.map((id) => (known.get(id) ?? found.get(id))?.background);
  }

  async #viewed<View extends object>(
    ids: readonly string[],
    { create, isFull, cache }: Form<View>,
    { isBackSoon = false }: ReadOptions = {},
  ): Promise<ReadonlyMap<string, Viewed<View> | undefined>> {
    const known = new Map(ids.map((id) => [id, cache?.get(id)]));
    const missing = ids.filter((id) => isId(id) && known.get(id) === undefined);
    if (missing.length > 0) {
      const readAt = cache?.readAt ?? 0;
      const records = new LoadedRecords(this.#run);
      await records.read({ tweets: missing, isFull });
      for (const id of missing) {
        const isCached = cache !== undefined && (isBackSoon || this.#isViewedAgain(hashText(id)));
        const keys = new Set<string>();
        const source = isCached ? observed(records, keys) : records;
        const ordinal = source.ordinal(id);
        if (ordinal === undefined) continue;
        const viewed = { view: create(source, ordinal), background: backgroundOf(records.tweet(ordinal)) };
        known.set(id, viewed);
        // A serialiser may cache the JSON of a frozen view.
        if (isCached) cache.set(id, deepFreeze(viewed), [...keys], readAt);
      }
    }
    return known;
  }
}

const viewsOf = <View>(ids: readonly string[], viewed: ReadonlyMap<string, Viewed<View> | undefined>): View[] =>
  ids.flatMap((id) => viewed.get(id)?.view ?? []);

/** The records, which add to `keys` what a view reads of them. */
function observed(records: LoadedRecords, keys: Set<string>): ViewSource {
  return {
    communities: records.communities,
    tweet: (ordinal) => records.tweet(ordinal),
    createdAt: (ordinal) => records.createdAt(ordinal),
    role: (communityId, userId) => records.role(communityId, userId),
    ordinal(id) {
      keys.add(tweetDependency(id));
      return records.ordinal(id);
    },
    user(id) {
      keys.add(userDependency(id));
      return records.user(id);
    },
    mentioned(mention) {
      keys.add(mention.id === undefined ? nameDependency(mention.username) : userDependency(mention.id));
      return records.mentioned(mention);
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
