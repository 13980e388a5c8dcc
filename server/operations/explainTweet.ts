import { checkRules } from '../assistant/assistant.ts';
import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';
import { tweetIdOf } from './tweet-id.ts';

/** Analyses a tweet, or continues a conversation about it. */
export const explainTweet =
  ({ assistant, platform }: Parts): Handler<'explainTweet'> =>
  async (call) => {
    const { query, keyId, signal } = call;
    // Before the tweet is looked up, which can answer 404.
    checkRules(query);
    const { tweet_id: reference, ...rest } = query;
    const tweet_id = reference === undefined ? undefined : await tweetIdOf(platform, reference, call);
    return assistant.explain({ ...rest, ...(tweet_id === undefined ? {} : { tweet_id }), keyId, signal });
  };
