/** Searches answer with the short form of tweets, which has no media, quotes and cards. Lists show the full form. */
import { client } from './api.ts';
import type { AnyTweet } from './live.tsx';

/** The most ids of one request. */
const maxIds = 100;

const isShort = (item: unknown): item is AnyTweet =>
  typeof item === 'object' && item !== null && 'text' in item && 'created_at' in item && !('media' in item);

/**
 * The items, with the full form of the tweets that have the short one: one request for up to 100, before they are drawn, so that
 * nothing moves when media appear. What cannot be read stays in the short form.
 */
export async function completed<Item extends { readonly id: string }>(
  items: readonly Item[],
  signal?: AbortSignal,
): Promise<readonly Item[]> {
  const ids = items.filter(isShort).map(({ id }) => id);
  const full = new Map<string, unknown>();
  for (let from = 0; from < ids.length; from += maxIds) {
    const request = client.tweets.getTweets(
      { ids: ids.slice(from, from + maxIds) },
      signal === undefined ? {} : { signal },
    );
    const { tweets } = await request.catch(() => ({ tweets: [] }));
    for (const tweet of tweets) full.set(tweet.id, tweet);
  }
  return items.map((item) => (isShort(item) ? ((full.get(item.id) as Item | undefined) ?? item) : item));
}
