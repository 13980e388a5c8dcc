/** The tweet that a parameter names. */
import type { CallOptions, Platform, TweetRef } from '../ports/platform.ts';
import { readPostAddress, readStatusAddress } from '../domain/post-address.ts';

/** The tweet that a parameter names: its id, also from its address on X, or its address on Bluesky. */
export const tweetRefOf = (reference: string): TweetRef =>
  readPostAddress(reference) ?? readStatusAddress(reference) ?? reference;

/** The id of a tweet by its id or its address on Bluesky or X. Throws 404 for an address on Bluesky without a tweet. */
export async function tweetIdOf(platform: Platform, reference: string, options: CallOptions): Promise<string> {
  const ref = tweetRefOf(reference);
  return typeof ref === 'string' ? ref : platform.tweetIdAt(ref, options);
}
