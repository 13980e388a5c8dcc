import type { Handler, Schemas } from '../contract/operations.ts';
import type { Page, PageRequest } from '../contract/page.ts';
import { ServiceError } from '../contract/service-error.ts';
import type { CallOptions, Platform } from '../ports/platform.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { tweetIdOf } from './tweet-id.ts';

type Tweet = Schemas['Tweet'];

/** The maximum number of ancestors; the contract states it. */
const maxAncestors = 100;

/** The tweets above a tweet, and its author's own thread from the tweet on. */
export const getTweetThread =
  ({ platform, cursors }: Parts): Handler<'getTweetThread'> =>
  async (call) => {
    const query = { ...call.query, tweet_id: await tweetIdOf(platform, call.query.tweet_id, call) };
    const { tweet_id: id } = query;
    // An unknown tweet is 404, whatever page is requested.
    const tweet = await platform.tweet(id, call);
    const { items, ...page } = await paged(cursors, 'getTweetThread', query, (request) =>
      ownThread(platform, tweet, request, call),
    );
    const above = query.cursor === undefined ? await ancestors(platform, id, call) : noAncestors;
    return { ...above, tweets: items, ...page };
  };

const noAncestors = { ancestors: [], missing_ancestor_id: null };

/** The nearest ancestors, and the id of the next one above them. */
async function ancestors(
  platform: Platform,
  id: string,
  options: CallOptions,
): Promise<{ ancestors: Tweet[]; missing_ancestor_id: string | null }> {
  const above = [...(await platform.thread(id, maxAncestors, options))];
  const [first] = await platform.backgrounds([above[0]?.id ?? id], options);
  const missing = first?.inReplyToId;
  // Imported data can contain cycles.
  const isShown = missing === id || above.some((tweet) => tweet.id === missing);
  return { ancestors: above, missing_ancestor_id: missing === undefined || isShown ? null : missing };
}

/**
 * A page of the tweet and its continuation. The position is the id of the last tweet, from which the author's thread continues
 * whatever was added before it.
 */
async function ownThread(
  platform: Platform,
  tweet: Tweet,
  { after, limit }: PageRequest,
  options: CallOptions,
): Promise<Page<Tweet>> {
  const thread =
    after === undefined
      ? [tweet, ...(await platform.continuation(tweet.id, limit, options))]
      : await continuationOf(platform, String(after[0]), limit + 1, options);
  // Imported data can contain cycles. A tweet replies to one tweet, so that a cycle leads back to the first one.
  const start = thread.findIndex(({ id }, index) => id === tweet.id && (after !== undefined || index > 0));
  const items = start < 0 ? thread : thread.slice(0, start);
  const last = items[limit - 1];
  return { items: items.slice(0, limit), next: items.length > limit && last !== undefined ? [last.id] : null };
}

/** The thread after a tweet. It ends where the tweet was deleted between two pages. */
async function continuationOf(
  platform: Platform,
  id: string,
  limit: number,
  options: CallOptions,
): Promise<readonly Tweet[]> {
  try {
    return await platform.continuation(id, limit, options);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return [];
    throw error;
  }
}
