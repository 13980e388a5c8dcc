/**
 * The decimal ids of Bluesky's posts and accounts. A post has the id that its TID is as a number: ids order by time, and the
 * client makes the web address of a post from its id. https://atproto.com/specs/tid
 */
import { createHash } from 'node:crypto';

/** The digits of base32-sortable: their order as characters is their order as numbers. */
const digits = '234567abcdefghijklmnopqrstuvwxyz';
const bitsPerDigit = 5n;
const tidLength = 13;
/** The first digit has only three bits: the highest bit of the 64 is 0, and 13 digits have 65. */
const tidPattern = new RegExp(`^[${digits.slice(0, 8)}][${digits}]{${tidLength - 1}}$`);
const idPattern = /^(?:0|[1-9]\d{0,18})$/;
/** The first number that is no TID. */
const afterTids = 2n ** 63n;
/** The first number with 20 digits. An id has at most 19. */
const afterIds = 10n ** 19n;

/** The decimal id of a TID; undefined for another text. */
export function tidToId(text: string): string | undefined {
  if (!tidPattern.test(text)) return undefined;
  let number = 0n;
  for (const digit of text) number = (number << bitsPerDigit) | BigInt(digits.indexOf(digit));
  return String(number);
}

/** The TID of a decimal id; undefined for an id of 2^63 or more, and for a text that is no id in its shortest form. */
export function idToTid(id: string): string | undefined {
  if (!idPattern.test(id)) return undefined;
  let rest = BigInt(id);
  if (rest >= afterTids) return undefined;
  let tid = '';
  for (let place = 0; place < tidLength; place++, rest >>= bitsPerDigit) tid = digits[Number(rest & 31n)]! + tid;
  return tid;
}

/**
 * The id of a record by its at-uri: the number of its TID. The owner of a repository chooses the record keys, so another record
 * can have the same one: a record whose number is taken, and one whose key is no TID, has an id from 2^63 on, which is a hash
 * of the address. `addressOf` returns the address of the record that has an id or had it, an empty text if that record has no
 * address, and undefined for a free id.
 */
export function postId(uri: string, addressOf: (id: string) => string | undefined): string {
  const number = tidToId(uri.slice(uri.lastIndexOf('/') + 1));
  const holder = number === undefined ? '' : addressOf(number);
  if (number !== undefined && holder === uri) return number;
  const hashed = hashedId(uri);
  // A record keeps its hashed id when the number becomes free later.
  return number === undefined || holder !== undefined || addressOf(hashed) === uri ? hashed : number;
}

/** An id that is no TID: 2^63 and a hash of the address. */
const hashedId = (uri: string): string =>
  String(afterTids + (BigInt(`0x${sha256(uri).toString('hex')}`) % (afterIds - afterTids)));

/** The id of an account by its DID: the first 8 bytes of a hash, without the highest bit. */
export const userId = (did: string): string => String(sha256(did).readBigUInt64BE() % afterTids);

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
