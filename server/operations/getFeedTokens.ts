import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** The feed tokens of the key, without their texts. */
export const getFeedTokens =
  ({ tokens }: Parts): Handler<'getFeedTokens'> =>
  async ({ keyId }) => ({ feed_tokens: await tokens.feedTokens(keyId) });
