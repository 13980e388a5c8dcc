import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { userRef } from './user-ref.ts';

/** Accounts that follow a user. */
export const getUserFollowers =
  ({ platform, cursors }: Parts): Handler<'getUserFollowers'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'getUserFollowers', query, (page) =>
      platform.followers(userRef(query), page, call),
    );
    return { followers: items, ...page };
  };
