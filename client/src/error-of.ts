/** Maps each error status of the contract to its error class. */
import type { ErrorStatus, OperationId } from './contract.ts';
import type { AbortError, ConnectionError, DecodeError, TimeoutError, UsageError } from './errors.ts';
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
  RateLimitError,
  RedirectError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedStatusError,
  UnsupportedMediaTypeError,
  type ApiError,
  type Failed,
} from './errors.ts';

/** `satisfies` makes a status of the contract without an entry here a compile error. */
const byStatus = {
  400: BadRequestError,
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  405: MethodNotAllowedError,
  409: ConversationExpiredError,
  413: PayloadTooLargeError,
  415: UnsupportedMediaTypeError,
  429: RateLimitError,
  500: InternalError,
  501: NotImplementedError,
  502: BadGatewayError,
  503: UnavailableError,
  504: GatewayTimeoutError,
} satisfies { [Status in ErrorStatus]: ErrorClass<Status> };

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
 * ignored. `hide` removes the key from the rest.
 */
export function errorOf(
  { status, headers, type }: Replied,
  text: string | undefined,
  failed: Failed,
  hide: (text: string) => string = String,
): ApiError {
  const replied = { headers, body: text === undefined ? text : hide(text.slice(0, maxBodyChars)) };
  if (type === 'opaqueredirect' || (status > 300 && status < 400)) {
    const target = headers.get('location');
    const location = target === null ? undefined : hide(target);
    if (location !== undefined && location !== target) {
      replied.headers = new Headers(headers);
      replied.headers.set('location', location);
    }
    if (status === 304) return new NotModifiedError(status, 'the data has not changed', replied, failed);
    const error = new RedirectError(
      status,
      `the service redirects to ${location ?? 'another address'}`,
      replied,
      failed,
    );
    return Object.assign(error, { location });
  }
  const Class = (byStatus as Record<number, ErrorClass<number> | undefined>)[status] ?? UnexpectedStatusError;
  return new Class(status, messageIn(text) ?? `error ${status}`, replied, failed);
}

/** The member `error` of a body in JSON. */
function messageIn(text: string | undefined): string | undefined {
  try {
    const { error } = Object(JSON.parse(text ?? '')) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}
