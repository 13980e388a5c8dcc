/** Copies of sample tweets with the current time. Each copy is marked, for readers and for programs. */
import type { ArchivedTweet } from '../domain/records.ts';
import { entitiesOf } from '../formats/text.ts';

/** The end of every copied text, so that no reader mistakes it for a real post. */
const mark = ' #demo';
/** The `source` of every copy. */
const source = 'Demo replay';

/** The epoch of the platform's snowflake ids, in milliseconds since 1970: `id >> 22` is relative to it. */
const epoch = 1288834974657n;
const indexBits = 22n;

export interface Copies {
  /** The id of the latest copy of a tweet; the original id if there is no copy, as for the examples of the contract. */
  idOf(original: string): string;
  /**
   * Creates a copy of the sample tweet at this index with the time `now`; its references point to copies too. Throws
   * RangeError if there is no such tweet.
   */
  copy(index: number, now: number): ArchivedTweet;
  /** The newest copies, newest last. */
  readonly recent: readonly string[];
}

const maxRecent = 40;

export const isCopy = (tweet: ArchivedTweet): boolean => tweet.source === source && tweet.text.endsWith(mark);

type Media = NonNullable<ArchivedTweet['media']>[number];
const withExpandedUrl = (media: Media, from: string, to: string): Media =>
  media.expanded_url === undefined ? media : { ...media, expanded_url: media.expanded_url.replace(from, to) };

/** Inserts words before the mark. */
export const extended = (text: string, words: string): string => `${text.slice(0, -mark.length)}${words}${mark}`;

/**
 * Creates the factory of copies. The id of a copy contains its time and, in the bits for machine and sequence, the
 * index of the original: so a restart restores the copies from the ids of the existing ones, oldest first.
 */
export function createCopies(originals: readonly ArchivedTweet[], existing: readonly string[]): Copies {
  const ids = new Map<string, string>();
  const recent: string[] = [];
  const indexOf = (id: string): number => Number(BigInt(id) & ((1n << indexBits) - 1n));
  const record = (original: ArchivedTweet | undefined, id: string): void => {
    if (original !== undefined) ids.set(original.id, id);
    recent.push(id);
    if (recent.length > maxRecent) recent.shift();
  };
  for (const id of existing) record(originals[indexOf(id)], id);
  const idOf = (original: string): string => ids.get(original) ?? original;

  return {
    idOf,
    recent,

    copy(index, now) {
      const original = originals[index];
      if (original === undefined) throw new RangeError(`the sample has no tweet ${index}`);
      const at = new Date(now).toISOString();
      const id = String(((BigInt(now) - epoch) << indexBits) | BigInt(index));
      const text = original.text + mark;
      const references = (
        ['in_reply_to_id', 'conversation_id', 'quoted_tweet_id', 'retweeted_tweet_id'] as const
      ).flatMap((name) => (original[name] === undefined ? [] : [[name, idOf(original[name])]]));
      const { media } = original;
      record(original, id);
      return {
        ...original,
        ...Object.fromEntries(references),
        ...(media === undefined ? {} : { media: media.map((item) => withExpandedUrl(item, original.id, id)) }),
        id,
        text,
        entities: entitiesOf(text),
        source,
        created_at: at,
        observed_at: at,
        retweet_count: 0,
        reply_count: 0,
        like_count: 0,
        quote_count: 0,
        bookmark_count: 0,
        view_count: 1,
      };
    },
  };
}
