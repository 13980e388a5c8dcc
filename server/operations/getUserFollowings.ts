import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { paged } from './page.ts';
import { userRef } from './user-ref.ts';

/** Accounts that a user follows. */
export const getUserFollowings =
  ({ platform, cursors }: Parts): Handler<'getUserFollowings'> =>
  async (call) => {
    const { query } = call;
    const { items, ...page } = await paged(cursors, 'getUserFollowings', query, (page) =>
      platform.followings(userRef(query), page, call),
    );
    return { following: items, ...page };
  };
