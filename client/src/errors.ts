/** The error classes: one for each error status of the contract, and one for each failure without a response. */
import { readContext, readRetryAfter, type RateLimit } from './headers.ts';

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

/** The parts of an error response that an error keeps. */
interface Replied {
  readonly headers: Headers;
  /** The text of the body without the key, at most 2,000 characters. */
  readonly body?: string | undefined;
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

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (!Object.hasOwn(this, 'socialDataError')) return super[Symbol.hasInstance](value);
    let type = (value as object | null | undefined)?.constructor as typeof SocialDataError | null | undefined;
    while (type && type.socialDataError !== this.socialDataError) type = Object.getPrototypeOf(type) as typeof type;
    return Boolean(type);
  }
}

/** An error response of the service. `message` is the text of the service. */
export abstract class ApiError<Status extends number = number> extends SocialDataError {
  static override readonly socialDataError: string = 'ApiError';
  declare readonly status: Status;
  /** The id of the request in the server's log. Include it when you report a problem. */
  declare readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt; undefined when the service does not send Retry-After. */
  declare readonly retryAfter: number | undefined;
  declare readonly rateLimit: RateLimit | undefined;
  /** The headers of the response. */
  declare readonly headers: Headers;
  /** The text of the body, at most 2,000 characters. */
  declare readonly body: string | undefined;

  constructor(status: Status, message: string, { headers, body }: Replied, failed: Failed) {
    super(message, failed);
    Object.assign(this, { status, retryAfter: readRetryAfter(headers), ...readContext(headers), headers, body });
  }
}

/** A parameter is missing, unknown, malformed or repeated; the message names it and the expected value. */
export class BadRequestError extends ApiError<400> {
  static override readonly socialDataError = 'BadRequestError';
}
/** The key is missing or invalid. */
export class UnauthorizedError extends ApiError<401> {
  static override readonly socialDataError = 'UnauthorizedError';
}
/** The key lacks a scope that the operation requires; the message names the scope. */
export class ForbiddenError extends ApiError<403> {
  static override readonly socialDataError = 'ForbiddenError';
}
/** The user, tweet, community, space or conversation does not exist. */
export class NotFoundError extends ApiError<404> {
  static override readonly socialDataError = 'NotFoundError';
}
/** The path does not support this method. */
export class MethodNotAllowedError extends ApiError<405> {
  static override readonly socialDataError = 'MethodNotAllowedError';
}
/** The conversation has expired; start a new one with the tweet. */
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
/** The key exceeded its rate limit, or this address sent too many invalid keys; `retryAfter` is the time to wait. */
export class RateLimitError extends ApiError<429> {
  static override readonly socialDataError = 'RateLimitError';
}
/** An internal error of the server; its log contains the details under `requestId`. */
export class InternalError extends ApiError<500> {
  static override readonly socialDataError = 'InternalError';
}
/** The platform that the service uses does not support the operation. */
export class NotImplementedError extends ApiError<501> {
  static override readonly socialDataError = 'NotImplementedError';
}
/** An upstream service failed. */
export class BadGatewayError extends ApiError<502> {
  static override readonly socialDataError = 'BadGatewayError';
}
/** No account of the assistant is free, or the server is overloaded or stopping. */
export class UnavailableError extends ApiError<503> {
  static override readonly socialDataError = 'UnavailableError';
}
/** An upstream service did not respond in time. */
export class GatewayTimeoutError extends ApiError<504> {
  static override readonly socialDataError = 'GatewayTimeoutError';
}
/** A status that the contract does not declare, for example from a proxy. */
export class UnexpectedStatusError extends ApiError {
  static override readonly socialDataError = 'UnexpectedStatusError';
}
/**
 * The service redirects, which it never does by itself: the `baseUrl` is wrong, or a proxy redirects. The client does not
 * follow, because the other host would get the key.
 */
export class RedirectError extends ApiError {
  static override readonly socialDataError = 'RedirectError';
  /** The target of the redirect, without the key. Browsers hide it: undefined there, and `status` is 0. */
  declare readonly location: string | undefined;
}
/** The response to your own `If-None-Match` is 304: the data has not changed. The option `cache` does this for you. */
export class NotModifiedError extends ApiError<304> {
  static override readonly socialDataError = 'NotModifiedError';
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
