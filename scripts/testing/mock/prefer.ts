/** The wishes of a caller: the `Prefer` header (RFC 7240), with the preferences that mock servers have made usual. */
import { badRequest } from '../../../server/contract/service-error.ts';

/** What a caller prefers. */
export interface Preference {
  /** The status of the answer. */
  readonly code: number | undefined;
  /** The name of the example to answer. */
  readonly example: string | undefined;
  /** Whether values are to be generated although there are examples. */
  readonly dynamic: boolean;
}

/** A preference or a parameter of one: a token, and a value that may be quoted. */
const preferences = /([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g;

/** Every preference by its name, in lower case; of one that is repeated the first counts (RFC 7240 §2). */
function readAll(header: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name, quoted, plain] of header.matchAll(preferences)) {
    const value = quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '';
    if (!found.has(name!.toLowerCase())) found.set(name!.toLowerCase(), value);
  }
  return found;
}

/**
 * Reads the header. Preferences of other names are left alone, as the RFC asks; a comma or a semicolon parts them.
 * Throws 400 for one of ours that makes no sense, because a typing error there would look like a working answer.
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
