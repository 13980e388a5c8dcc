import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Analyses a tweet, or goes on with a conversation about it. */
export const explainTweet =
  ({ assistant }: Parts): Handler<'explainTweet'> =>
  ({ query, keyId, signal }) =>
    assistant.explain({ ...query, keyId, signal });
