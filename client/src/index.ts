/** The typed client of the Social Data service. */
export { createClient } from './client.ts';
export type { ClientOptions, ListOptions, Method, SocialDataClient } from './client.ts';
export type { ApiKey, CallOptions, KeyIn, Middleware } from './transport.ts';
export type { Retry, RetryOption } from './retry.ts';
export type { RateLimit } from './headers.ts';
export type { Answered, Call, CallOf, List, Result } from './call.ts';
export type { EventOf, EventOptions, EventStream, Selection, Socket, SocketClass } from './events.ts';
export type { AssistantMethods, Chat } from './assistant.ts';
export { postUrl } from './post-url.ts';
export type { Addressable } from './post-url.ts';
export type {
  Answer,
  AssistantAnswer,
  Author,
  Community,
  ErrorStatus,
  Item,
  OperationId,
  Parameters,
  PoolStatus,
  ResolvedToken,
  Schemas,
  Space,
  Tweet,
  TweetShort,
  User,
  paths,
} from './contract.ts';
export {
  AbortError,
  ApiError,
  BadGatewayError,
  BadRequestError,
  ConnectionError,
  ConversationExpiredError,
  DecodeError,
  ForbiddenError,
  GatewayTimeoutError,
  InternalError,
  MethodNotAllowedError,
  NotFoundError,
  NotImplementedError,
  PagingError,
  PayloadTooLargeError,
  RateLimitError,
  SocialDataError,
  StreamError,
  TimeoutError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedStatusError,
  UnsupportedMediaTypeError,
} from './errors.ts';
export type { ErrorOf } from './error-of.ts';
export type { Failed } from './errors.ts';
export type { Methods } from '../../generated/client.ts';
