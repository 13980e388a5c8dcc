/**
 * The errors of responses: a class for each error status of the contract, and the error of a response. The client loads it at the first
 * error response.
 */
import type { ErrorStatus, OperationId } from './contract.ts';
import {
  hider,
  SocialDataError,
  type AbortError,
  type ConnectionError,
  type DecodeError,
  type Failed,
  type TimeoutError,
  type UsageError,
} from './failure.ts';
import { Pauses, readContext, readRetryAfter, type RateLimit } from './rate-limit.ts';

export { Pauses, readContext };

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
/** The events behind the cursor are no longer retained, or belong to another event log. */
export class GoneError extends ApiError<410> {
  static override readonly socialDataError = 'GoneError';
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
/** The classes by status. A status without a class of its own is an UnexpectedStatusError. */
const byStatus = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConversationExpiredError,
  410: GoneError,
  412: PreconditionFailedError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
  500: InternalError,
  501: NotImplementedError,
  502: BadGatewayError,
  503: UnavailableError,
  504: GatewayTimeoutError,
} as const;

type ErrorClass<Status extends number> = new (
  status: Status,
  message: string,
  replied: { readonly headers: Headers; readonly body?: string | undefined },
  failed: Failed,
) => ApiError<Status>;

/** An instance with a literal `name`, the discriminant of the union. */
type Named<Class> = Class extends abstract new (...parameters: never[]) => infer Instance
  ? Instance & { readonly name: Class['socialDataError' & keyof Class] }
  : never;

/** The union of the errors of an operation; `name` is the discriminant. */
export type ErrorOf<Id extends OperationId> = Named<
  | (typeof byStatus)[ErrorStatus<Id> & keyof typeof byStatus]
  | typeof UnexpectedStatusError
  | typeof RedirectError
  | typeof NotModifiedError
  | typeof UsageError
  | typeof ConnectionError
  | typeof TimeoutError
  | typeof AbortError
  | typeof DecodeError
>;

/** The parts of a response that identify its error. */
interface Responded {
  readonly status: number;
  readonly headers: Headers;
  readonly type?: string;
}
const maxBodyChars = 2_000;

/**
 * The error for a response that is no success. Its message is `error` of the body; any other body, such as a proxy's, is
 * ignored. The error does not contain the key.
 */
export function errorOf(
  { status, headers, type }: Responded,
  text: string | undefined,
  failed: Failed,
  key?: string,
): ApiError {
  const hide = hider(key);
  const body = text === undefined ? text : hide(text.slice(0, maxBodyChars));
  if (type !== 'opaqueredirect' && (status <= 300 || status >= 400)) {
    const Class = (byStatus as Record<number, ErrorClass<number> | undefined>)[status] ?? UnexpectedStatusError;
    return new Class(status, messageIn(text) ?? `error ${status}`, { headers, body }, failed);
  }
  const target = headers.get('location') ?? undefined;
  const location = target && hide(target);
  const safe = new Headers(headers);
  if (location) safe.set('location', location);
  const replied = { headers: safe, body };
  return status === 304
    ? new NotModifiedError(status, 'the data has not changed', replied, failed)
    : Object.assign(
        new RedirectError(status, `the service redirects to ${location ?? 'another address'}`, replied, failed),
        { location },
      );
}

/** The members of an error body that can have its text: ours, those of RFC 9457, and other usual ones. */
const textMembers = ['error', 'message', 'detail', 'title', 'error_description'];

/** The text of an error body in JSON. */
function messageIn(text: string | undefined): string | undefined {
  try {
    return textIn(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

function textIn(body: unknown): string | undefined {
  const members = Object(body) as Readonly<Record<string, unknown>>;
  const text = textMembers.map((name) => members[name]).find((each) => typeof each === 'string' && each !== '');
  if (text !== undefined) return text as string;
  return typeof members['error'] === 'object' && members['error'] !== null ? textIn(members['error']) : undefined;
}
