import type { Handler } from '../contract/operations.ts';
import { batchOf } from './batch.ts';
import type { Parts } from './parts.ts';

/** Up to 100 users by their ids or usernames. Validation guarantees exactly one of the two parameters. */
export const getUsers =
  ({ platform }: Parts): Handler<'getUsers'> =>
  async (call) => {
    const { ids = [], usernames } = call.query;
    const refs = usernames?.map((username) => ({ username })) ?? ids.map((user_id) => ({ user_id }));
    const { items, missing } = batchOf(usernames ?? ids, await platform.users(refs, call));
    return { users: items, missing };
  };
