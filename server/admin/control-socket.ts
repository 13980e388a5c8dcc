/** Where a server's control socket is: in its data directory, so that who may open the folder may use it. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The system's limit for the path of a Unix socket is 104 to 108 bytes. */
const maxPathBytes = 100;

/**
 * The path of the socket. Where that in the directory is too long, it is among the temporary files, or in `/tmp` where
 * even that is too long. Throws ENOENT where the directory does not exist, and what the system says where it cannot be
 * reached.
 */
export function controlSocket(directory: string): string {
  const folder = realpathSync(directory);
  const path = join(folder, 'control.sock');
  if (Buffer.byteLength(path) <= maxPathBytes) return path;
  const name = `social-data-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`;
  const temporary = join(tmpdir(), name);
  return Buffer.byteLength(temporary) <= maxPathBytes ? temporary : join('/tmp', name);
}
