/** The path of the control socket: in the data directory, so that the permissions of the directory apply. */
import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The system's limit for the path of a Unix socket is 104 to 108 bytes. */
const maxPathBytes = 100;

/**
 * Returns the path of the control socket. If the path in the data directory is too long, the socket is in the
 * system's directory for temporary files, or in `/tmp` if that path is also too long. Throws the file system error,
 * such as ENOENT, when the directory cannot be resolved.
 */
export function controlSocket(directory: string): string {
  const folder = realpathSync(directory);
  const path = join(folder, 'control.sock');
  if (Buffer.byteLength(path) <= maxPathBytes) return path;
  const name = `social-data-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.sock`;
  const temporary = join(tmpdir(), name);
  return Buffer.byteLength(temporary) <= maxPathBytes ? temporary : join('/tmp', name);
}
