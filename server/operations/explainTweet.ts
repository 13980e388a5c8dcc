import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Analyses a tweet, or continues a conversation about it. */
export const explainTweet =
  ({ assistant }: Parts): Handler<'explainTweet'> =>
  ({ query, keyId, signal }) =>
    assistant.explain({ ...query, keyId, signal });
