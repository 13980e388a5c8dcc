/**
 * Ids of Bluesky as decimal ids. A record key is normally a TID: 13 characters of base32 that are a 63-bit number, the
 * microseconds since the epoch and a clock id. That number is the id of the post, so ids have the order of time.
 */
import { hash } from 'node:crypto';

const alphabet = '234567abcdefghijklmnopqrstuvwxyz';
/** The first character has the values 0 to 7, because the highest bit of a TID is 0. */
const tid = /^[2-7ab][2-7a-z]{12}$/;
const valueOf = new Map(Array.from(alphabet, (character, value) => [character, value]));

/** Ids from here on belong to records whose key is no TID, or whose number another record has. */
const firstHashedId = 2n ** 63n;
/** An id has at most 19 digits. */
const endOfIds = 10n ** 19n;

const numberOf = (characters: string): number => {
  let value = 0;
  for (const character of characters) value = value * 32 + valueOf.get(character)!;
  return value;
};

/** The decimal id of a record key; undefined for a key that is no TID. */
export function idOfTid(rkey: string): string | undefined {
  if (!tid.test(rkey)) return undefined;
  return String(BigInt(numberOf(rkey.slice(0, 7))) * 2n ** 30n + BigInt(numberOf(rkey.slice(7))));
}

/** The TID of a decimal id; undefined for an id that is none. */
export function tidOfId(id: string): string | undefined {
  if (!/^[0-9]{1,19}$/.test(id)) return undefined;
  let value = BigInt(id);
  if (value >= firstHashedId) return undefined;
  let text = '';
  for (let index = 0; index < 13; index++) {
    text = alphabet[Number(value & 31n)]! + text;
    value >>= 5n;
  }
  return text;
}

/** The id of a record by its address: one that no TID has. */
export const hashedId = (uri: string): string =>
  String(firstHashedId + (BigInt(`0x${hash('sha256', uri, 'hex')}`) % (endOfIds - firstHashedId)));

/**
 * The id of the record at an at-uri. `uriOf` returns the address of the post that has an id, and any other text where
 * something else has it. The owner of a repository chooses the record keys, so the first record with a number keeps it.
 */
export function postId(uri: string, uriOf: (id: string) => string | undefined): string {
  const id = idOfTid(uri.slice(uri.lastIndexOf('/') + 1));
  if (id === undefined) return hashedId(uri);
  const owner = uriOf(id);
  if (owner === uri) return id;
  if (owner !== undefined) return hashedId(uri);
  // The first owner of the number may be deleted meanwhile.
  const hashed = hashedId(uri);
  return uriOf(hashed) === uri ? hashed : id;
}

/** The ids that the record at an at-uri can have: one of them is `postId`. */
export function possibleIds(uri: string): readonly string[] {
  const ids = new Set<string>();
  ids.add(postId(uri, (id) => void ids.add(id)));
  return [...ids];
}

/** The id of an account: the first 63 bits of the hash of its DID. */
export const userId = (did: string): string =>
  String(BigInt(`0x${hash('sha256', did, 'hex').slice(0, 16)}`) % firstHashedId);
