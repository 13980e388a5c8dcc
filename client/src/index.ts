/** The typed client of the Social Data service. */
export { createClient } from './client.ts';
export type { ClientOptions, Method, SocialDataClient } from './client.ts';
export type {
  ApiKey,
  ApiKeyFunction,
  CachedResponse,
  CallOptions,
  FetchOptions,
  Middleware,
  ResponseCache,
  RetryNotice,
  ShortLivedToken,
  TransportOptions,
  Validate,
  ListOptions,
} from './options.ts';
export type { Logger, LogLevel } from './log.ts';
export type { TracedCall } from './diagnostics.ts';
export { responseCache } from './response-cache.ts';
export { version } from './headers.ts';
export type { Retry, RetryOption } from './retry.ts';
export type { RateLimit } from './rate-limit.ts';
export type { Answered, Call, List, Result } from './call.ts';
export type { CallOf, FollowedList } from './operation-call.ts';
export type { EventOptions, EventStream } from './event-stream.ts';
export type { EventOf, Selection } from './events.ts';
export type { Socket, SocketClass } from './socket.ts';
export type { AnswerStream, AskOptions } from './ask.ts';
export type { AssistantMethods, Chat } from './assistant.ts';
export { postUrl } from './post-url.ts';
export type { Addressable } from './post-url.ts';
export type { Answer, ErrorStatus, Item, KeyIn, OperationId, Schemas, paths } from './contract.ts';
export type { ExplainParams, Parameters } from './parameters.ts';
export type * from '../../generated/names.ts';
export * from './errors.ts';
export type { ErrorOf } from './error-of.ts';
export type { FollowedChannels, Methods, RepeatableOperation } from '../../generated/client.ts';
