/**
 * The base class of all errors, the errors of calls without a response, and how such an error is made: what an attempt throws as an
 * error of this package, without the key.
 */

/** The call that failed. */
export interface Failed {
  /** Its method and path, such as `get /social/user/last_tweets`. */
  readonly operation: string;
  /** The number of attempts. */
  readonly attempts: number;
  /** The HTTP method and the URL without the key; undefined when the client built no URL. */
  readonly method?: string | undefined;
  readonly url?: string | undefined;
}

/**
 * The base class of all errors of this package. `instanceof` also accepts errors of another copy of the package, because
 * an app may load its ES module and its CommonJS build at the same time.
 */
export abstract class SocialDataError extends Error {
  /** The name of the class. It is the same in every copy of the package, and minifiers do not change it. */
  static readonly socialDataError: string = 'SocialDataError';
  declare readonly operation: Failed['operation'];
  declare readonly attempts: number;
  declare readonly method?: string | undefined;
  /** The URL of the request, without the key. */
  declare readonly url?: string | undefined;
  /** The cursor to resume from, when a list failed between pages or a stream ended. */
  declare cursor?: string;

  constructor(message: string, failed: Failed, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.socialDataError;
    Object.assign(this, failed);
  }

  /** Accepts errors of every copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this, 'socialDataError')) return super[Symbol.hasInstance](value);
    let type = (value as object | null | undefined)?.constructor as typeof SocialDataError | null | undefined;
    while (type && type.socialDataError !== this.socialDataError) type = Object.getPrototypeOf(type) as typeof type;
    return Boolean(type);
  }
}

/** The client sent nothing, because an option, the key or a parameter is invalid; the message names it. */
export class UsageError extends SocialDataError {
  static override readonly socialDataError = 'UsageError';
}
/** The client could not connect, or the connection broke before the response was complete. `cause` has the reason. */
export class ConnectionError extends SocialDataError {
  static override readonly socialDataError = 'ConnectionError';
  /** The host and port of the service. */
  declare readonly host?: string | undefined;
  /** The code of the runtime, such as `ECONNREFUSED`; undefined where it has none. */
  declare readonly code?: string | undefined;
}
/** The response was not complete within the time limit of the call. */
export class TimeoutError extends SocialDataError {
  static override readonly socialDataError = 'TimeoutError';
}
/** The caller's signal aborted the call; `cause` is the reason of the signal. */
export class AbortError extends SocialDataError {
  static override readonly socialDataError = 'AbortError';
}
/** A success response or an event is not JSON, or has another shape; the usual cause is a proxy or a wrong `baseUrl`. */
export class DecodeError extends SocialDataError {
  static override readonly socialDataError = 'DecodeError';
}
/** A page refers to an earlier page as the next one, so the iteration would not end. */
export class PagingError extends SocialDataError {
  static override readonly socialDataError = 'PagingError';
}

/** An event stream cannot continue. A new stream can resume from `cursor`. */
export class StreamError extends SocialDataError {
  static override readonly socialDataError = 'StreamError';
  /**
   * The error code of the service (`bad_query`, `not_found`, `cursor_too_old`, …), `gap`, or the close code as text, such
   * as `4001` for an invalid key.
   */
  declare readonly code: string;
  /** The HTTP status of the same error; undefined when there is none. */
  declare readonly status: number | undefined;

  constructor(code: string, message: string, failed: Failed, status?: number) {
    super(message, failed);
    Object.assign(this, { code, status });
  }
}

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

/** Whether a text has no half of a surrogate pair, which no URL can contain. React Native has no `\p{…}` in expressions. */
export const isWellFormed = (text: string): boolean => !/[\ud800-\udfff]/u.test(text);

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
