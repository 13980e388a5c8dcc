/** The newest tweets of a search, as the content of a feed. */
import type { CallOptions, Platform } from '../../ports/platform.ts';
import { parse } from '../../search/language/parse.ts';
import { entryOf, updatedOf, type Feed } from './feed.ts';

/** What a feed of a search shows. Throws ServiceError 400 for a query that cannot be parsed. */
export async function searchFeed(
  platform: Pick<Platform, 'search' | 'tweets'>,
  { query, limit, origin }: { readonly query: string; readonly limit: number; readonly origin: string },
  options: CallOptions,
): Promise<Pick<Feed, 'entries' | 'updated' | 'page' | 'picture' | 'author'>> {
  const { items } = await platform.search(parse(query), 'Latest', { after: undefined, limit }, options);
  const ids = items.map(({ id }) => id);
  // The form of a search has no media. A tweet that is deleted meanwhile is left out.
  const tweets = ids.length === 0 ? [] : await platform.tweets(ids, options);
  const entries = tweets.flatMap((tweet) => (tweet === undefined ? [] : [entryOf(tweet, origin)]));
  const page = `${origin}/explore?${new URLSearchParams({ q: query.toWellFormed() }).toString()}`;
  return { entries, updated: updatedOf(entries), page, picture: undefined, author: undefined };
}
