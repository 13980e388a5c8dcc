/** Reads error responses: maps each error status of the contract to its error class. Loaded at the first error response. */
import type { ErrorStatus, OperationId } from './contract.ts';
import { hider } from './failure.ts';
import type { AbortError, ConnectionError, DecodeError, Failed, TimeoutError, UsageError } from './client-errors.ts';
import {
  BadGatewayError,
  BadRequestError,
  ConversationExpiredError,
  ForbiddenError,
  GatewayTimeoutError,
  InternalError,
  MethodNotAllowedError,
  NotFoundError,
  NotImplementedError,
  NotModifiedError,
  PayloadTooLargeError,
  PreconditionFailedError,
  RateLimitError,
  RedirectError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedStatusError,
  UnsupportedMediaTypeError,
  type ApiError,
} from './response-errors.ts';

export { readContext } from './rate-limit.ts';

/** The classes by status. A status without a class of its own is an UnexpectedStatusError. */
const byStatus = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConversationExpiredError,
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
interface Replied {
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
  { status, headers, type }: Replied,
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
