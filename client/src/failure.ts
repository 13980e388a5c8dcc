/** Classifies what an attempt throws, and removes the key from it. */
import { ConnectionError, DecodeError, SocialDataError, type Failed } from './errors.ts';

/** How far an attempt came: undefined before the request is sent; `responded` after the response headers. */
export type Stage = 'sent' | 'responded' | undefined;

/** The members of an error; none for any other value. */
interface Members {
  readonly name?: string;
  readonly message?: string;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}
const membersOf = (error: unknown): Members => Object(error) as Members;

/** Whether a text has no half of a surrogate pair, which no URL can contain. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** A function that replaces the key in a text. */
export function hider(key: string | undefined): (text: string) => string {
  if (!key) return String;
  const encoded = isWellFormed(key) ? encodeURIComponent(key) : key;
  return (text) => text.replaceAll(key, '[key]').replaceAll(encoded, '[key]');
}

/** The error of an attempt as one of this package. Errors of hooks, which come before or after the request, stay as they are. */
export function classify(error: unknown, stage: Stage, failed: Failed, key: string | undefined): unknown {
  if (error instanceof SocialDataError) return error;
  const cause = withoutKey(error, key);
  // Runtimes differ in the classes, and `instanceof` fails for runtime errors of another realm.
  const { name } = membersOf(error);
  if (stage === 'responded' && name === 'SyntaxError')
    return new DecodeError('the response body is not JSON', failed, cause);
  // The errors of a body read when the connection breaks (Fetch standard, "consume body").
  const isBroken = stage === 'sent' || (stage && /^(Type|Abort)Error$/.test(name ?? ''));
  return isBroken ? connectionError(failed, cause) : cause;
}

/** A ConnectionError that names the host, and the code of the first error in the chain of causes that has one. */
export function connectionError(failed: Failed, cause?: unknown, what = 'the connection'): ConnectionError {
  let code: unknown;
  for (let at = cause, depth = 0; typeof code !== 'string' && depth < 5; depth++) {
    const { code: found, cause: inner, errors } = membersOf(at);
    code = found;
    at = inner ?? errors?.[0];
  }
  const known = typeof code === 'string' ? code : undefined;
  const host = failed.url && new URL(failed.url).host;
  const message = `${what}${host ? ` to ${host}` : ''} failed${known ? ` (${known})` : ''}`;
  return Object.assign(new ConnectionError(message, failed, cause), { host, code: known });
}

/** The error, or a copy without the key: runtimes quote invalid headers and URLs in their messages. */
export function withoutKey(error: unknown, key: string | undefined): unknown {
  const { message, name, cause, code } = membersOf(error);
  if (!key || typeof message !== 'string') return error;
  const hide = hider(key);
  const inner = withoutKey(cause, key);
  const members = Object.getOwnPropertyNames(error).map((member) => (error as Record<string, unknown>)[member]);
  const isClean = inner === cause && members.every((value) => typeof value !== 'string' || hide(value) === value);
  return isClean ? error : Object.assign(new Error(hide(message), { cause: inner }), { name, code });
}
