/** HMAC-SHA-256 (RFC 2104) for short texts that are sealed for every page. */
import { hash } from 'node:crypto';

/** Bytes of a block of SHA-256. */
const block = 64;

/**
 * Gives the HMAC of texts under a secret, in 32 bytes. By Node's one-shot hash: its Hmac is an object with streams to be made for each use,
 * which takes ten times as long as the hashing.
 */
export function createMac(secret: Buffer): (text: string) => Buffer {
  const key = Buffer.alloc(block);
  (secret.length > block ? hash('sha256', secret, 'buffer') : secret).copy(key);
  const padded = (byte: number): Buffer => Buffer.from(key.map((each) => each ^ byte));
  const [inner, outer] = [padded(0x36), padded(0x5c)];
  const hashed = (pad: Buffer, bytes: Buffer): Buffer => hash('sha256', Buffer.concat([pad, bytes]), 'buffer');
  return (text) => hashed(outer, hashed(inner, Buffer.from(text)));
}
