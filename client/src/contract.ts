/** The parameter and response types of each operation, derived from generated/ so that they always match the contract. */
import type { ItemNames } from '../../generated/client.ts';
import type { operations as table } from '../../generated/operations.ts';
import type { components, operations as Operations, paths as Paths } from '../../generated/types.ts';

/** The paths of the contract, in the type that `openapi-fetch` expects. */
export type paths = Paths;
/** Every schema of the contract by its name. */
export type Schemas = components['schemas'];
export type Tweet = Schemas['Tweet'];
export type TweetShort = Schemas['TweetShort'];
export type Author = Schemas['Author'];
export type User = Schemas['User'];
export type Community = Schemas['Community'];
export type Space = Schemas['Space'];
export type AssistantAnswer = Schemas['AssistantAnswer'];
export type PoolStatus = Schemas['PoolStatus'];
export type ResolvedToken = Schemas['ResolvedToken'];

export type OperationId = keyof Operations;

/** The runtime metadata of an operation. */
export interface Operation {
  readonly method: string;
  /** Whether the client may retry a failed call: `x-repeat` in the spec. */
  readonly repeat: 'safe' | 'refused';
  readonly items?: string;
  readonly timeoutSeconds?: number;
}

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type None = Record<never, never>;
type Query<Id extends OperationId> = Operations[Id]['parameters'] extends { query?: infer Members }
  ? [NonNullable<Members>] extends [never]
    ? None
    : NonNullable<Members>
  : None;
type Body<Id extends OperationId> = Operations[Id] extends { requestBody: infer Request } ? Json<Request> : None;

/** Exactly one of the members is present. */
type ExactlyOne<Members, Name extends keyof Members, All extends keyof Members = Name> = Name extends keyof Members
  ? Required<Pick<Members, Name>> & { [Other in Exclude<All, Name>]?: never }
  : never;
type OneOfThem<Id extends OperationId, Members> = (typeof table)[Id]['exactlyOneOf'][number] & keyof Members;
type Flat<Members> = Members extends unknown ? { [Name in keyof Members]: Members[Name] } : never;
type Single<Members, Name extends keyof Members> = [Name] extends [never]
  ? Members
  : Omit<Members, Name> & ExactlyOne<Members, Name>;

/** The parameter sets of explainTweet: a tweet that starts a conversation, or a conversation and a question. */
type ExplainParameters = Omit<Query<'explainTweet'>, 'tweet_id' | 'conversation_id' | 'prompt'> &
  (
    | (Required<Pick<Query<'explainTweet'>, 'tweet_id'>> &
        Pick<Query<'explainTweet'>, 'prompt'> & { conversation_id?: never })
    | (Required<Pick<Query<'explainTweet'>, 'conversation_id' | 'prompt'>> & Pick<Query<'explainTweet'>, 'tweet_id'>)
  );

/** The parameters of an operation: query parameters, or the members of the request body. */
export type Parameters<Id extends OperationId> = Id extends 'explainTweet'
  ? Flat<ExplainParameters>
  : keyof (Query<Id> & Body<Id>) extends never
    ? Record<string, never>
    : Flat<Single<Query<Id>, OneOfThem<Id, Query<Id>>> & Body<Id>>;

/** The response body of an operation for status 200. */
export type Answer<Id extends OperationId> = Json<Operations[Id]['responses'][200]>;

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
