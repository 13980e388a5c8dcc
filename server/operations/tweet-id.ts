/** The tweet that a parameter names. */
import type { CallOptions, Platform } from '../ports/platform.ts';
import { readPostAddress, readStatusAddress } from '../domain/post-address.ts';

/** The id of a tweet by its id or its address on Bluesky or X. Throws 404 for an address on Bluesky without a tweet. */
export async function tweetIdOf(platform: Platform, reference: string, options: CallOptions): Promise<string> {
  const address = readPostAddress(reference);
  return address === undefined ? (readStatusAddress(reference) ?? reference) : platform.tweetIdAt(address, options);
}
