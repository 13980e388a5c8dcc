/** The base class of all errors, and a class for each failure without a response of the service. */

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
