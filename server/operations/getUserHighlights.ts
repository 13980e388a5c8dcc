import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { userRef } from './user-ref.ts';

/** Highlighted tweets of a user. */
export const getUserHighlights =
  ({ platform, cursors }: Parts): Handler<'getUserHighlights'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'getUserHighlights', query, (page) =>
      platform.highlights(userRef(query), page, call),
    );
    return { tweets: items, ...page };
  };
