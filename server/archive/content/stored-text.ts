/** Texts by which rows are found, as the tables store them. */
import { createHash } from 'node:crypto';

/** Longer texts are stored as a hash: PostgreSQL stores at most 2,046 bytes of a lexeme, and 2,704 of a text in an index. */
const maxBytes = 500;

/** A text with this character or with half of a surrogate pair is no text for PostgreSQL. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The text itself, or a hash where a database cannot store it. Distinct texts have distinct stored forms. */
export function storedText(text: string): string {
  if (text.length <= maxBytes / 3 && isStorable(text)) return text;
  if (isStorable(text) && Buffer.byteLength(text) <= maxBytes) return text;
  return `hash:${createHash('sha256').update(Buffer.from(text, 'utf16le')).digest('base64')}`;
}

/** The form in which a username is stored and looked up. */
export const nameKey = (username: string): string => storedText(username.toLowerCase());
