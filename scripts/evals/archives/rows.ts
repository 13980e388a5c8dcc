/** Builds the records of a small archive from short rows. */
import type { ArchiveRecord } from '../../../server/domain/records.ts';

/** Id, author, time, text, and what else the post has. */
export type Row = readonly [id: string, author: string, at: string, text: string, rest?: RowRest];

interface RowRest {
  /** The post that it replies to, and the one that it quotes. */
  readonly to?: string;
  readonly quotes?: string;
  readonly likes?: number;
  readonly reposts?: number;
  readonly lang?: string;
}

/** Username, display name, description and number of followers. */
export type Person = readonly [username: string, name: string, description: string, followers: number];

/** The users and the tweets of an archive, and who reposted which. */
export function recordsOf(
  people: readonly Person[],
  rows: readonly Row[],
  reposts: readonly (readonly [tweet: string, username: string])[] = [],
): ArchiveRecord[] {
  const idOf = (username: string): string => String(7_000_001 + people.findIndex(([name]) => name === username));
  const authors = new Map(rows.map(([id, author]) => [id, author]));
  return [
    ...people.map(([username, name, description, followers_count]): ArchiveRecord => ({
      kind: 'user',
      user: { id: idOf(username), username, name, description, followers_count },
    })),
    ...rows.map(
      ([id, author, at, text, { to, quotes, likes = 0, reposts: count = 0, lang = 'en' } = {}]): ArchiveRecord => {
        const parent = to === undefined ? undefined : authors.get(to);
        return {
          kind: 'tweet',
          tweet: {
            ...{ id, text, lang, author_id: idOf(author), created_at: new Date(at).toISOString() },
            ...{
              like_count: likes,
              retweet_count: count,
              quote_count: 0,
              bookmark_count: 0,
              view_count: 40 * (likes + 3),
            },
            reply_count: rows.filter(([, , , , rest]) => rest?.to === id).length,
            entities: {
              mentions: [],
              cashtags: [],
              urls: [],
              hashtags: [...text.matchAll(/#(\p{L}+)/gu)].map(([, tag = '']) => tag),
            },
            ...(to === undefined ? {} : { in_reply_to_id: to }),
            ...(parent === undefined ? {} : { in_reply_to_username: parent }),
            ...(quotes === undefined ? {} : { quoted_tweet_id: quotes }),
          },
        };
      },
    ),
    ...reposts.map(([tweet_id, username]): ArchiveRecord => ({ kind: 'retweet', tweet_id, user_id: idOf(username) })),
  ];
}
