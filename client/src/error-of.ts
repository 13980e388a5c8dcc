/** Maps each error status of the contract to its error class. */
import type { ErrorStatus, OperationId } from './contract.ts';
import type { AbortError, ConnectionError, DecodeError, TimeoutError } from './errors.ts';
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
  PayloadTooLargeError,
  RateLimitError,
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
} satisfies {
  [Status in ErrorStatus]: new (status: Status, message: string, headers: Headers, failed: Failed) => ApiError<Status>;
};

type Constructor = new (status: number, message: string, headers: Headers, failed: Failed) => ApiError;

/** An instance with a literal `name`, the discriminant of the union. */
type Named<Class> = Class extends abstract new (...parameters: never[]) => infer Instance
  ? Instance & { readonly name: Class['socialDataError' & keyof Class] }
  : never;

/** The union of the errors of an operation; `name` is the discriminant. */
export type ErrorOf<Id extends OperationId> = Named<
  | (typeof byStatus)[ErrorStatus<Id> & keyof typeof byStatus]
  | typeof UnexpectedStatusError
  | typeof ConnectionError
  | typeof TimeoutError
  | typeof AbortError
  | typeof DecodeError
>;

/** The error for an error response. Its message is `error` of the body; any other body, such as a proxy's, is ignored. */
export function errorOf({ status, headers }: Response, body: unknown, failed: Failed): ApiError {
  const text = (body as { error?: unknown } | null | undefined)?.error;
  const Class = (byStatus as Record<number, Constructor | undefined>)[status] ?? UnexpectedStatusError;
  return new Class(status, typeof text === 'string' ? text : `error ${status}`, headers, failed);
}
