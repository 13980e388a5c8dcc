/** The error classes of responses: one for each error status of the contract. */
import { SocialDataError, type Failed } from './client-errors.ts';
import { readContext, readRetryAfter, type RateLimit } from './rate-limit.ts';

/** The parts of an error response that an error keeps. */
interface Replied {
  readonly headers: Headers;
  /** The text of the body without the key, at most 2,000 characters. */
  readonly body?: string | undefined;
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
/** `If-Match` does not match. The client sends it only where your `fetch` adds it. */
export class PreconditionFailedError extends ApiError<412> {
  static override readonly socialDataError = 'PreconditionFailedError';
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
