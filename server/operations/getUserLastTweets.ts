import type { Handler } from '../contract/operations.ts';
import { resolveCashtags } from '../onchain/cashtags.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { userRef } from './user-ref.ts';

/** Recent tweets of a user; on request with the tokens of their cashtags. */
export const getUserLastTweets =
  ({ platform, cursors, resolver }: Parts): Handler<'getUserLastTweets'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'getUserLastTweets', query, (page) =>
      platform.lastTweets(userRef(query), query.include_replies === '1', page, call),
    );
    const response = { tweets: items, ...page };
    if (query.resolve_cashtags === undefined) return response;
    const chain = query.resolve_cashtags === '1' ? undefined : query.resolve_cashtags;
    return { ...response, resolved_tokens: await resolveCashtags(resolver, items, chain, call.signal) };
  };
