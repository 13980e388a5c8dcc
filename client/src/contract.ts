/** The contract as types: what each operation takes and answers, derived from generated/ so that nothing can drift. */
import type { ItemNames } from '../../generated/client.ts';
import type { operations as table } from '../../generated/operations.ts';
import type { components, operations as Operations, paths as Paths } from '../../generated/types.ts';

/** The paths of the contract, as `openapi-fetch` takes them. */
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

/** What the run time knows of each operation. */
export interface Operation {
  readonly method: string;
  /** When a failed call may be sent again: `x-repeat` in the spec. */
  readonly repeat: 'safe' | 'refused';
  readonly items?: string;
  readonly timeoutSeconds?: number;
}

type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type None = Record<never, never>;
type Query<Id extends OperationId> = Operations[Id]['parameters'] extends { query?: infer Given }
  ? [NonNullable<Given>] extends [never]
    ? None
    : NonNullable<Given>
  : None;
type Body<Id extends OperationId> = Operations[Id] extends { requestBody: infer Request } ? Json<Request> : None;

/** One of the members is given, none of the others. */
type ExactlyOne<Given, Name extends keyof Given, All extends keyof Given = Name> = Name extends keyof Given
  ? Required<Pick<Given, Name>> & { [Other in Exclude<All, Name>]?: never }
  : never;
type OneOfThem<Id extends OperationId, Given> = (typeof table)[Id]['exactlyOneOf'][number] & keyof Given;
type Flat<Given> = Given extends unknown ? { [Name in keyof Given]: Given[Name] } : never;
type Single<Given, Name extends keyof Given> = [Name] extends [never]
  ? Given
  : Omit<Given, Name> & ExactlyOne<Given, Name>;

/** What the description of explainTweet demands: a tweet to begin with, or a conversation and a question. */
type ExplainParameters = Omit<Query<'explainTweet'>, 'tweet_id' | 'conversation_id' | 'prompt'> &
  (
    | (Required<Pick<Query<'explainTweet'>, 'tweet_id'>> &
        Pick<Query<'explainTweet'>, 'prompt'> & { conversation_id?: never })
    | (Required<Pick<Query<'explainTweet'>, 'conversation_id' | 'prompt'>> & Pick<Query<'explainTweet'>, 'tweet_id'>)
  );

/** The parameters of an operation: those of its query, or the members of its body. */
export type Parameters<Id extends OperationId> = Id extends 'explainTweet'
  ? Flat<ExplainParameters>
  : keyof (Query<Id> & Body<Id>) extends never
    ? Record<string, never>
    : Flat<Single<Query<Id>, OneOfThem<Id, Query<Id>>> & Body<Id>>;

/** The body of an operation's 200 answer. */
export type Answer<Id extends OperationId> = Json<Operations[Id]['responses'][200]>;

/** What the pages of a list operation hold; never for any other operation. */
export type Item<Id extends OperationId> = Id extends keyof ItemNames
  ? Answer<Id>[ItemNames[Id] & keyof Answer<Id>] extends readonly (infer One)[]
    ? One
    : never
  : never;

/** The statuses that the contract gives the errors of an operation. */
export type ErrorStatus<Id extends OperationId = OperationId> = Id extends unknown
  ? Exclude<keyof Operations[Id]['responses'], 200 | 304>
  : never;
