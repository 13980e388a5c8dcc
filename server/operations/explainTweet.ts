import type { Handler } from '../contract.ts';
import { notImplemented } from '../errors.ts';

/** Analyses a tweet. Answers 501 while the server has no assistant. */
export const explainTweet = (): Handler<'explainTweet'> => () => {
  throw notImplemented('this server has no assistant');
};
