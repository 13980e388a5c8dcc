/** The parameter and response types of each operation, derived from generated/ so that they always match the contract. */
import type { AssistantParams, ItemNames, NamedAnswers, NamedParameters } from '../../generated/client.ts';
import type { components, operations as Operations, paths as Paths } from '../../generated/types.ts';

/** The paths of the contract, in the type that `openapi-fetch` expects. */
export type paths = Paths;
/** Every schema of the contract by its name. */
export type Schemas = components['schemas'];
/** The `operationId` of an operation of the contract. */
export type OperationId = keyof Operations;

/** The runtime metadata of an operation. */
export interface Operation extends OperationRow {
  readonly method: string;
}

/** The row of an operation in the generated table, whose key is its method and path. */
export interface OperationRow {
  /** The group and the name of its method, where the path does not say it: `museum.getHours`. */
  readonly name?: string;
  /** Whether it has a request body. */
  readonly body?: boolean;
  /** The names of its query parameters beside a body. */
  readonly inQuery?: readonly string[];
  /** Whether the client may retry a failed call: `x-repeat` in the spec. Default `safe`. */
  readonly repeat?: 'safe' | 'refused';
  /** The member of a page that holds the items. */
  readonly items?: string;
  readonly timeoutSeconds?: number;
  /** The maximum number of items of a page; default 100. */
  readonly pageSize?: number;
  /** A member of every success response; default: that with the items. */
  readonly has?: string;
  /** The channel with the events of this list, and the names of its parameters. */
  readonly follow?: readonly [channel: string, ...parameters: string[]];
  /** Whether the operation has no request header `X-Event-Cursor`. */
  readonly ignoresCursor?: boolean;
}

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

/** The parameters of explainTweet: a tweet that starts a conversation, or a conversation and a question. */
export type ExplainParams = Omit<AssistantParams, 'tweet_id' | 'conversation_id' | 'prompt'> &
  (
    | { tweet_id: string; prompt?: string | undefined; conversation_id?: never }
    | { conversation_id: string; prompt: string; tweet_id?: string | undefined }
  );

/** The parameters of an operation: those of the path and the query, and the members of the request body. */
export type Parameters<Id extends OperationId> = Id extends 'explainTweet'
  ? ExplainParams
  : Id extends keyof NamedParameters
    ? NamedParameters[Id]
    : Record<string, never>;

/** The response body of an operation for status 200. */
export type Answer<Id extends OperationId> = Id extends keyof NamedAnswers
  ? NamedAnswers[Id]
  : Json<Operations[Id]['responses'][200]>;

/** The item type of a list operation; `never` for every other operation. */
export type Item<Id extends OperationId> = Id extends keyof ItemNames
  ? Answer<Id>[ItemNames[Id] & keyof Answer<Id>] extends readonly (infer One)[]
    ? One
    : never
  : never;

/** The error statuses that the contract declares for an operation. */
export type ErrorStatus<Id extends OperationId = OperationId> = Id extends unknown
  ? Exclude<keyof Operations[Id]['responses'], 200 | 304>
  : never;
