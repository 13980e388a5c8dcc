/** What a call can fail with: one class for each status of the contract, and one for each way to get no answer. */
import { readContext, readRetryAfter, type RateLimit } from './headers.ts';

/** Which call failed. */
export interface Failed {
  /** Its method and path, such as `get /social/user/last_tweets`. */
  readonly operation: string;
  /** How often it was tried. */
  readonly attempts: number;
}

/**
 * Every error of this package. `instanceof` also knows errors of another copy of the package: an app may hold its ES module and
 * its CommonJS form at once.
 */
export abstract class SocialDataError extends Error {
  /** The name of the class: the same in every copy of the package, and where a bundler shortens names. */
  static readonly socialDataError: string = 'SocialDataError';
  declare readonly operation: Failed['operation'];
  declare readonly attempts: number;
  /** Of a list that failed between pages, or a stream that ended: the cursor to go on from. */
  declare cursor?: string;

  constructor(message: string, failed: Failed, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.socialDataError;
    Object.assign(this, failed);
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this, 'socialDataError')) return super[Symbol.hasInstance](value);
    let type = (value as object | null | undefined)?.constructor as typeof SocialDataError | null | undefined;
    while (type && type.socialDataError !== this.socialDataError) type = Object.getPrototypeOf(type) as typeof type;
    return Boolean(type);
  }
}

/** The service answered with an error. `message` is the text of the service. */
export abstract class ApiError<Status extends number = number> extends SocialDataError {
  static override readonly socialDataError: string = 'ApiError';
  declare readonly status: Status;
  /** Names the request in the server's log; quote it when you report a problem. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before the next try, where the service says so. */
  declare readonly retryAfter: number | undefined;
  declare readonly rateLimit: RateLimit | undefined;

  constructor(status: Status, message: string, headers: Headers, failed: Failed) {
    super(message, failed);
    Object.assign(this, { status, retryAfter: readRetryAfter(headers), ...readContext(headers) });
  }
}

/** A parameter is missing, unknown, malformed or given twice; the message says which and what was expected. */
export class BadRequestError extends ApiError<400> {
  static override readonly socialDataError = 'BadRequestError';
}
/** The key is missing or invalid. */
export class UnauthorizedError extends ApiError<401> {
  static override readonly socialDataError = 'UnauthorizedError';
}
/** The key was not made for this; the message names the scope that it lacks. */
export class ForbiddenError extends ApiError<403> {
  static override readonly socialDataError = 'ForbiddenError';
}
/** The user, tweet, community, space or conversation does not exist there. */
export class NotFoundError extends ApiError<404> {
  static override readonly socialDataError = 'NotFoundError';
}
/** The path does not have this method. */
export class MethodNotAllowedError extends ApiError<405> {
  static override readonly socialDataError = 'MethodNotAllowedError';
}
/** The conversation has expired; begin a new one with the tweet. */
export class ConversationExpiredError extends ApiError<409> {
  static override readonly socialDataError = 'ConversationExpiredError';
}
/** The body of the request is too large. */
export class PayloadTooLargeError extends ApiError<413> {
  static override readonly socialDataError = 'PayloadTooLargeError';
}
/** The body of the request is not JSON. */
export class UnsupportedMediaTypeError extends ApiError<415> {
  static override readonly socialDataError = 'UnsupportedMediaTypeError';
}
/** The rate limit of the key is used up, or too many wrong keys came from this address; `retryAfter` says when to come back. */
export class RateLimitError extends ApiError<429> {
  static override readonly socialDataError = 'RateLimitError';
}
/** A fault of the server; its log tells more under `requestId`. */
export class InternalError extends ApiError<500> {
  static override readonly socialDataError = 'InternalError';
}
/** The platform that the service uses has no such thing. */
export class NotImplementedError extends ApiError<501> {
  static override readonly socialDataError = 'NotImplementedError';
}
/** A service behind the service failed. */
export class BadGatewayError extends ApiError<502> {
  static override readonly socialDataError = 'BadGatewayError';
}
/** No account of the assistant is free, or the server is overloaded or stopping. */
export class UnavailableError extends ApiError<503> {
  static override readonly socialDataError = 'UnavailableError';
}
/** A service behind the service did not answer in time. */
export class GatewayTimeoutError extends ApiError<504> {
  static override readonly socialDataError = 'GatewayTimeoutError';
}
/** A status that the contract does not have, as a proxy on the way may answer. */
export class UnexpectedStatusError extends ApiError {
  static override readonly socialDataError = 'UnexpectedStatusError';
}

/** The connection could not be made, or broke before the answer was whole. `cause` tells why. */
export class ConnectionError extends SocialDataError {
  static override readonly socialDataError = 'ConnectionError';
}
/** No whole answer within the time that the call had. */
export class TimeoutError extends SocialDataError {
  static override readonly socialDataError = 'TimeoutError';
}
/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortError extends SocialDataError {
  static override readonly socialDataError = 'AbortError';
}
/** The answer is not JSON, though it says that all went well; often a proxy or a wrong `baseUrl`. */
export class DecodeError extends SocialDataError {
  static override readonly socialDataError = 'DecodeError';
}
/** A page names itself as the next one, which would go on for ever. */
export class PagingError extends SocialDataError {
  static override readonly socialDataError = 'PagingError';
}

/** A stream of events cannot go on. `cursor` says from where to begin another. */
export class StreamError extends SocialDataError {
  static override readonly socialDataError = 'StreamError';
  /**
   * The code that the service gave (`bad_query`, `not_found`, `cursor_too_old`, …), `gap`, or the close code as text, such as `4001`
   * for a wrong key.
   */
  declare readonly code: string;
  /** The HTTP status of the same fault, where there is one. */
  declare readonly status: number | undefined;

  constructor(code: string, message: string, failed: Failed, status?: number) {
    super(message, failed);
    Object.assign(this, { code, status });
  }
}
