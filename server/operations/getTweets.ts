import type { Handler } from '../contract/operations.ts';
import { batchOf } from './batch.ts';
import type { Parts } from './parts.ts';
import { tweetRefOf } from './tweet-id.ts';

/** Up to 100 tweets by their ids or addresses. */
export const getTweets =
  ({ platform }: Parts): Handler<'getTweets'> =>
  async (call) => {
    const { ids } = call.query;
    const { items, missing } = batchOf(ids, await platform.tweets(ids.map(tweetRefOf), call));
    return { tweets: items, missing };
  };
