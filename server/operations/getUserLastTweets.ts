import type { Handler } from '../contract.ts';
import type { Parts } from './parts.ts';
import { paged, userRef } from './page.ts';

/** Recent tweets of a user. Cashtags resolve to nothing while there is no token resolver. */
export const getUserLastTweets = ({ platform, cursors }: Parts): Handler<'getUserLastTweets'> => async ({ query }) => {
  const { items, ...page } = await paged(cursors, 'getUserLastTweets', query, (page) => platform.lastTweets(userRef(query), query.include_replies === '1', page));
  return { tweets: items, ...page, ...(query.resolve_cashtags === undefined ? {} : { resolved_tokens: [] }) };
};
