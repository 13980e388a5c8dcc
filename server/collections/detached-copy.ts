/** Copies of bytes with a long lifetime. */

/**
 * Returns the same bytes in a separate allocation. Node allocates short buffers from pools of 64 kB, and zlib writes to
 * chunks of 16 kB. A reference to a few of these bytes keeps the whole pool in memory, up to a hundred times their
 * size.
 */
export function detachedCopy(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
