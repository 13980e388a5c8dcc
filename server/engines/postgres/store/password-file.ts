/** The file with the password of the database. */
import { readFile } from 'node:fs/promises';
import { codeOf } from '../../../text/error-text.ts';

/** The longest password that a file can have, in bytes. */
const maxBytes = 4_096;

/**
 * Reads the password for a new connection: the file without a line break at its end. So a password that is replaced needs no restart. Rejects
 * with an error that does not name the file.
 */
export async function readPassword(file: string): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new Error(`the file of DATABASE_PASSWORD_FILE cannot be read (${codeOf(error) ?? 'unknown'})`);
  });
  if (bytes.length > maxBytes) throw new Error(`the file of DATABASE_PASSWORD_FILE has more than ${maxBytes} bytes`);
  return bytes.toString().replace(/\r?\n$/, '');
}
