/** The web address of a tweet on the platform that it came from. */

/** The members of a tweet, in its full or short form, that determine its web address. */
export interface Addressable {
  readonly id: string;
  readonly author: { readonly username: string };
  readonly retweeted_tweet?: Addressable | null;
}

/** The digits of a record key of Bluesky (atproto.com/specs/tid). */
const digits = '234567abcdefghijklmnopqrstuvwxyz';

/** The record key of a post of Bluesky: its id in base 32, with 13 digits; undefined for the id of a post without such a key. */
function recordKey(id: string): string | undefined {
  let rest = BigInt(id);
  // 2^63. An id from here on is a hash.
  if (rest >= 9223372036854775808n) return undefined;
  let key = '';
  for (; key.length < 13; rest >>= 5n) key = digits.charAt(Number(rest & 31n)) + key;
  return key;
}

/**
 * The web address of a tweet: on Bluesky where the author's username is a handle, such as `alice.example.com`, otherwise on X.
 * For a retweet in its full form, the address of the retweeted tweet. Undefined where the author's username is not known or not
 * valid on Bluesky, and for a post of Bluesky whose id does not contain the key of the record.
 */
export function postUrl({ id, author: { username }, retweeted_tweet: retweeted }: Addressable): string | undefined {
  if (retweeted) return postUrl(retweeted);
  if (username === '' || username.endsWith('.invalid')) return undefined;
  if (!username.includes('.')) return `https://x.com/${username}/status/${id}`;
  const key = recordKey(id);
  return key === undefined ? undefined : `https://bsky.app/profile/${username}/post/${key}`;
}
