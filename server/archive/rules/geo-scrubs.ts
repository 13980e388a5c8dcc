/** The tweets whose places must not be in the archive: X asks for it by an author and a last tweet, or by one tweet. */
import type { ArchivedTweet, ArchiveSchemas } from '../../domain/records.ts';

export type ScrubGeoRecord = ArchiveSchemas['ScrubGeoRecord'];

const keyOfUser = (userId: string): string => `user ${userId}`;
const keyOfTweet = (tweetId: string): string => `tweet ${tweetId}`;

/** The key under which a record is remembered: the author or the tweet that it names. */
export const keyOfScrub = (record: ScrubGeoRecord): string =>
  record.user_id === undefined ? keyOfTweet(record.tweet_id) : keyOfUser(record.user_id);

/** The keys of the records that concern a tweet. */
export const scrubKeysOf = ({ id, author_id }: Pick<ArchivedTweet, 'id' | 'author_id'>): [string, string] => [
  keyOfTweet(id),
  keyOfUser(author_id),
];

export const hasLocation = ({ place, place_id, coordinates }: ArchivedTweet): boolean =>
  (place ?? place_id ?? coordinates) !== undefined;

/** The tweet without its place and coordinates; the same object where it has neither. */
export function withoutLocation(tweet: ArchivedTweet): ArchivedTweet {
  if (!hasLocation(tweet)) return tweet;
  const { place: _place, place_id: _placeId, coordinates: _coordinates, ...others } = tweet;
  return others;
}

export class GeoScrubs {
  readonly #records = new Map<string, ScrubGeoRecord>();

  records(): Iterable<ScrubGeoRecord> {
    return this.#records.values();
  }

  /** Whether the place of a tweet must not be in the archive. */
  has(tweet: Pick<ArchivedTweet, 'id' | 'author_id'>): boolean {
    if (this.#records.size === 0) return false;
    const [byTweet, byUser] = scrubKeysOf(tweet);
    if (this.#records.has(byTweet)) return true;
    const last = this.#records.get(byUser)?.tweet_id;
    return last !== undefined && BigInt(tweet.id) <= BigInt(last);
  }

  /** Whether a record says more than what is remembered. */
  wouldAdd(record: ScrubGeoRecord): boolean {
    const known = this.#records.get(keyOfScrub(record));
    return known === undefined || BigInt(record.tweet_id) > BigInt(known.tweet_id);
  }

  /** Remembers a record. Returns whether it is the first one of the author or the tweet. */
  add(record: ScrubGeoRecord): boolean {
    const isFirst = !this.#records.has(keyOfScrub(record));
    if (this.wouldAdd(record)) this.#records.set(keyOfScrub(record), record);
    return isFirst;
  }
}
