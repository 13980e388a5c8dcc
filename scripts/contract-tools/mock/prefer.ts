/** Reads the `Prefer` header (RFC 7240) with the preferences that mock servers commonly support. */
import { badRequest } from '../../../server/contract/service-error.ts';

/** The preferences of a request. */
export interface Preference {
  /** The status of the response. */
  readonly code: number | undefined;
  /** The name of the example to return. */
  readonly example: string | undefined;
  /** Generates values even when examples exist. */
  readonly dynamic: boolean;
}

/** A preference or a parameter of one: a token, and a value that may be quoted. */
const preferences = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g;

/** The preferences by name in lower case; the first of repeated ones applies (RFC 7240 §2). */
function readAll(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, quoted, plain] of header.matchAll(preferences)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    if (!found.has(name!.toLowerCase())) found.set(name!.toLowerCase(), value);
  }
  return found;
}

/**
 * Reads the header. Ignores unknown preferences, as the RFC requires; a comma or a semicolon separates preferences.
 * Throws 400 for an invalid value of a supported preference, so that a typing error does not go unnoticed.
 */
export function readPreference(header: string | undefined): Preference {
  const { code, example, dynamic } = Object.fromEntries(readAll(header ?? ''));
  if (code !== undefined && !/^[1-5]\d\d$/.test(code))
    throw badRequest(`Prefer: code=${code}: expected a status, such as code=409`);
  if (example === '') throw badRequest('Prefer: example: expected the name of an example, such as example=page');
  if (dynamic !== undefined && !['', 'true', 'false'].includes(dynamic))
    throw badRequest(`Prefer: dynamic=${dynamic}: expected true or false`);
  return {
    code: code === undefined ? undefined : Number(code),
    example,
    dynamic: dynamic === '' || dynamic === 'true',
  };
}
