/** Which error each status of the contract is. */
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

/** A status that the contract gains and this table lacks does not compile. */
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

/** An instance whose `name` tells it from the others of a union. */
type Named<Class> = Class extends abstract new (...parameters: never[]) => infer Instance
  ? Instance & { readonly name: Class['socialDataError' & keyof Class] }
  : never;

/** Everything that a call of an operation can fail with; `name` tells the members apart. */
export type ErrorOf<Id extends OperationId> = Named<
  | (typeof byStatus)[ErrorStatus<Id> & keyof typeof byStatus]
  | typeof UnexpectedStatusError
  | typeof ConnectionError
  | typeof TimeoutError
  | typeof AbortError
  | typeof DecodeError
>;

/** The error of an answer. The contract's body is `{error}`; whatever else a proxy may have sent is not repeated. */
export function errorOf({ status, headers }: Response, body: unknown, failed: Failed): ApiError {
  const text = (body as { error?: unknown } | null | undefined)?.error;
  const Class = ((byStatus as Record<number, unknown>)[status] as Constructor | undefined) ?? UnexpectedStatusError;
  return new Class(status, typeof text === 'string' ? text : `the answer ${status} does not say why`, headers, failed);
}
