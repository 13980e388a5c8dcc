import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Removes a like; the change is durable before the response. */
export const unlikeTweet =
  ({ platform }: Parts): Handler<'unlikeTweet'> =>
  async (call) => ({
    success: await platform.unlike(call.body.tweet_id, call),
  });
