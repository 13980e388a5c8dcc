/** Bytes that outlive the turn in which they were made. */

/**
 * The same bytes in memory of their own. Node makes short buffers in pools of 64 kB, zlib makes its output in 16 kB: all of that stays as
 * long as any of it is held, so that what is kept among what comes and goes would hold up to a hundred times its size.
 */
export function detachedCopy(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
