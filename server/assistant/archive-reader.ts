/** Reads the archive for one question to the assistant. */
import { ServiceError } from '../contract/service-error.ts';
import type { ArchiveReader } from '../ports/assistant-provider.ts';
import type { CallOptions, Platform } from '../ports/platform.ts';
import { parse } from '../search/language/parse.ts';
import { backgroundsOf } from './subject.ts';

/** Limits of one call: tweets of a page, and tweets around a tweet. */
const maxPage = 50;
const maxAround = 20;

/** The statuses of a query without a meaning, of an unknown user or tweet, and of an unsupported operation. */
const emptyStatuses = new Set([400, 404, 501]);

type Source = Pick<Platform, 'search' | 'lastTweets' | 'tweet' | 'thread' | 'topReplies' | 'backgrounds'>;

/** The reader of a platform. Throws ServiceError while the platform cannot answer. */
export const archiveReader = (platform: Source, options: CallOptions): ArchiveReader => ({
  search: (query, limit) =>
    orNothing(async () => {
      const { items } = await platform.search(parse(query), 'Latest', page(limit), options);
      return items;
    }),
  thread: (tweetId) =>
    orNothing(async () => {
      const [before, tweet, replies] = await Promise.all([
        platform.thread(tweetId, maxAround, options),
        platform.tweet(tweetId, options),
        platform.topReplies(tweetId, maxAround, options),
      ]);
      return [...before, tweet, ...replies];
    }),
  author: (username, limit) =>
    orNothing(async () => {
      const { items } = await platform.lastTweets({ username }, true, page(limit), options);
      return items;
    }),
  backgrounds: (ids) => backgroundsOf(platform, ids, options),
});

const page = (limit: number) => ({ after: undefined, limit: Math.max(1, Math.min(limit, maxPage)) });

async function orNothing<Item>(read: () => Promise<readonly Item[]>): Promise<readonly Item[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ServiceError && emptyStatuses.has(error.status)) return [];
    throw error;
  }
}
