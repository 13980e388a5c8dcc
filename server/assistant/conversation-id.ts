/**
 * Ids of conversations: random bytes and an HMAC of them and the API key. So an expired id is distinguishable from a
 * forged id, and from the id of another key, without stored state.
 */
import { createHmac, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';

/** Length of the random part and of the HMAC, in bytes. */
const partBytes = 16;

const encode = (bytes: Buffer): string => `c_${bytes.toString('base64url')}`;

const seal = (secret: KeyObject, random: Buffer, keyId: string): Buffer =>
  createHmac('sha256', secret).update(random).update(keyId).digest().subarray(0, partBytes);

/** A new id for this key. */
export function issueId(secret: KeyObject, keyId: string): string {
  const random = randomBytes(partBytes);
  return encode(Buffer.concat([random, seal(secret, random, keyId)]));
}

/** Whether `issueId` created this id for this key with this secret. */
export function isIssuedTo(secret: KeyObject, keyId: string, id: string): boolean {
  const bytes = Buffer.from(id.slice(2), 'base64url');
  // Accepts only the canonical encoding.
  if (bytes.length !== 2 * partBytes || id !== encode(bytes)) return false;
  return timingSafeEqual(bytes.subarray(partBytes), seal(secret, bytes.subarray(0, partBytes), keyId));
}
