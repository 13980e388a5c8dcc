/** The words of errors of a database and of the connection to it, without a part of its address. */
import pg from 'pg';
import type { DatabaseSettings } from '../../../config/database-url.ts';
import { codeOf, messageOf } from '../../../text/error-text.ts';
import { escapeRegExp } from '../../../text/escape-regexp.ts';

/** Errors whose message of PostgreSQL consists of parts of the address (appendix A of its manual). */
const known: Readonly<Record<string, string>> = {
  '28000': 'the server does not accept this user from here',
  '28P01': 'the server does not accept the password',
  '3D000': 'the database does not exist',
};

/** Finds the parts of an address that messages of PostgreSQL can have, as whole words. */
export function partsOf({ hosts, user, password, database, schema, others }: DatabaseSettings): RegExp {
  const options = Object.values(others).flatMap((value) => value.match(/\w+/g) ?? []);
  const parts = [user, password, database, schema, ...hosts.map(({ host }) => host), ...options];
  const texts = parts.flatMap((part) => (part === undefined || part === '' ? [] : [escapeRegExp(part)]));
  return new RegExp(`(?<!\\w)(?:${texts.toSorted((a, b) => b.length - a.length).join('|')})(?!\\w)`, 'g');
}

/**
 * What an error says. Of an error of the system or of TLS, only the code: its message has addresses and names of certificates. `parts`: see
 * `partsOf`.
 */
export function wordsOf(error: unknown, parts: RegExp): string {
  const code = codeOf(error);
  if (error instanceof pg.DatabaseError) return known[code ?? ''] ?? error.message.replaceAll(parts, '…');
  if (code === undefined || code === '25006') return messageOf(error).replaceAll(parts, '…');
  const { syscall } = error as { readonly syscall?: unknown };
  return typeof syscall === 'string' ? `${syscall} ${code}` : code;
}
