/** Reads the archive for one question to the assistant. */
import type { ArchiveReader } from '../ports/assistant-provider.ts';
import type { CallOptions, Platform } from '../ports/platform.ts';
import { parse } from '../search/language/parse.ts';
import { backgroundsOf, orNothing } from './subject.ts';

/** Limits of one call: tweets of a page, and tweets around a tweet. */
const maxPage = 50;
const around = { thread: 20, replies: 20, quotes: 0, authored: 0, continuation: 0 };

type Source = Pick<
  Platform,
  'search' | 'lastTweets' | 'conversation' | 'present' | 'backgrounds' | 'retweeters' | 'users'
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
      const { thread, tweet, replies } = await platform.conversation(tweetId, around, options);
      return [...thread, tweet, ...replies];
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
  present: (ids) => platform.present(ids, options),
  backgrounds: (ids) => backgroundsOf(platform, ids, options),
});

const page = (limit: number) => ({ after: undefined, limit: Math.max(1, Math.min(limit, maxPage)) });
