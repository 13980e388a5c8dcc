/** Where a server's control socket is: in its data directory, so that who may open the folder may use it. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The system's limit for the path of a Unix socket is 104 to 108 bytes. */
const longestPath = 100;

/** The path of the socket. Throws ENOENT where the directory does not exist. */
export function controlSocket(directory: string): string {
  const folder = realpathSync(directory);
  const path = join(folder, 'control.sock');
  if (Buffer.byteLength(path) <= longestPath) return path;
  return join(tmpdir(), `social-data-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`);
}
