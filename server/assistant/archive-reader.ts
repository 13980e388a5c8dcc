/** Reads the archive for one question to the assistant. */
import type { ArchiveReader } from '../ports/assistant-provider.ts';
import type { CallOptions, Platform } from '../ports/platform.ts';
import { parse } from '../search/language/parse.ts';
import { backgroundsOf, orNothing } from './subject.ts';

/** Limits of one call: tweets of a page, and tweets around a tweet. */
const maxPage = 50;
const maxAround = 20;

type Source = Pick<
  Platform,
  'search' | 'lastTweets' | 'tweet' | 'thread' | 'topReplies' | 'backgrounds' | 'retweeters' | 'users'
>;

/** The reader of a platform. Throws ServiceError while the platform cannot answer. */
export const archiveReader = (platform: Source, options: CallOptions): ArchiveReader => ({
  search: (query, limit) =>
    orNothing([], async () => {
      const { items } = await platform.search(parse(query), 'Latest', page(limit), options);
      return items;
    }),
  thread: (tweetId) =>
    orNothing([], async () => {
      const [before, tweet, replies] = await Promise.all([
        platform.thread(tweetId, maxAround, options),
        platform.tweet(tweetId, options),
        platform.topReplies(tweetId, maxAround, options),
      ]);
      return [...before, tweet, ...replies];
    }),
  author: (username, limit) =>
    orNothing([], async () => {
      const { items } = await platform.lastTweets({ username }, true, page(limit), options);
      return items;
    }),
  retweeters: (tweetId, limit) =>
    orNothing([], async () => {
      const { items } = await platform.retweeters(tweetId, page(limit), options);
      return items;
    }),
  profiles: (ids) =>
    orNothing([], async () => {
      const users = await platform.users(
        ids.map((user_id) => ({ user_id })),
        options,
      );
      return users.filter((user) => user !== undefined);
    }),
  backgrounds: (ids) => backgroundsOf(platform, ids, options),
});

const page = (limit: number) => ({ after: undefined, limit: Math.max(1, Math.min(limit, maxPage)) });
