import type { Handler } from '../contract/operations.ts';
import { paged } from './page.ts';
import { userRef } from './user-ref.ts';
import type { Parts } from './parts.ts';

/** Tweets that mention a user. */
export const getUserMentions =
  ({ platform, cursors }: Parts): Handler<'getUserMentions'> =>
  async (call) => {
    const { query } = call;
    const span = {
      since: query.since_time === undefined ? Number.NEGATIVE_INFINITY : query.since_time * 1000,
      until: query.until_time === undefined ? Number.POSITIVE_INFINITY : query.until_time * 1000,
    };
    const { items, ...page } = await paged(cursors, 'getUserMentions', query, (page) =>
      platform.mentions(userRef(query), span, page, call),
    );
    return { tweets: items, ...page };
  };
