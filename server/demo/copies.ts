/**
 * Tweets of the sample, told again as if they were written now. Each carries its mark, for readers and for programs.
 */
import type { Archive } from '../platforms/archive/archive.ts';
import type { ArchivedTweet } from '../platforms/archive/records.ts';
import { entitiesOf } from '../import/formats/text.ts';

/** What every text ends with, so that nobody takes it for somebody's words. */
const mark = ' #demo';
/** The app that they say they were written with. */
const source = 'Demo replay';

/**
 * When the platform's ids begin to count, in milliseconds since 1970: `id >> 22` of a snowflake id is relative to it.
 */
const epoch = 1288834974657n;
const indexBits = 22n;

export interface Copies {
  /** The id of the copy of a tweet; of one that has none, as the contract's examples, its own. */
  idOf(original: string): string;
  /** The copy of the tweet at this place of the sample, written at `now`; what it refers to are copies too. */
  copy(index: number, now: number): ArchivedTweet;
  /** The newest copies, newest last. */
  readonly recent: readonly string[];
}

const maxRecent = 40;

export const isCopy = (tweet: ArchivedTweet): boolean => tweet.source === source && tweet.text.endsWith(mark);

type Media = NonNullable<ArchivedTweet['media']>[number];
const withExpandedUrl = (media: Media, from: string, to: string): Media =>
  media.expanded_url === undefined ? media : { ...media, expanded_url: media.expanded_url.replace(from, to) };

/** Puts words before the mark. */
export const extended = (text: string, words: string): string => `${text.slice(0, -mark.length)}${words}${mark}`;

/**
 * A copy's id holds when it was made and, in the bits that the platform uses for machines and sequences, which tweet it
 * copies: so the archive itself tells what has been copied.
 */
export function createCopies(originals: readonly ArchivedTweet[], archive: Archive): Copies {
  const ids = new Map<string, string>();
  const recent: string[] = [];
  const indexOf = (id: string): number => Number(BigInt(id) & ((1n << indexBits) - 1n));
  const record = (original: ArchivedTweet | undefined, id: string): void => {
    if (original !== undefined) ids.set(original.id, id);
    recent.push(id);
    if (recent.length > maxRecent) recent.shift();
  };
  const existing = Array.from({ length: archive.size }, (_, ordinal) => archive.tweet(ordinal)).filter(isCopy);
  for (const { id } of existing) record(originals[indexOf(id)], id);
  const idOf = (original: string): string => ids.get(original) ?? original;

  return {
    idOf,
    recent,

    copy(index, now) {
      const original = originals[index]!;
      const at = new Date(now).toISOString();
      const id = String(((BigInt(now) - epoch) << indexBits) | BigInt(index));
      const text = original.text + mark;
      const referred = (
        ['in_reply_to_id', 'conversation_id', 'quoted_tweet_id', 'retweeted_tweet_id'] as const
      ).flatMap((name) => (original[name] === undefined ? [] : [[name, idOf(original[name])]]));
      const { media } = original;
      record(original, id);
      return {
        ...original,
        ...Object.fromEntries(referred),
        ...(media === undefined ? {} : { media: media.map((each) => withExpandedUrl(each, original.id, id)) }),
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
