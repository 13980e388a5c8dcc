/** The parameter and response types of each operation, derived from generated/ so that they always match the contract. */
import type { ItemNames, NamedAnswers } from '../../generated/client.ts';
import type { components, operations as Operations, paths as Paths } from '../../generated/types.ts';
import type { MediaKind, MediaKindOf } from '../../server/contract/media-type.ts';

/** The paths of the contract, in the type that `openapi-fetch` expects. */
export type paths = Paths;
/** Every schema of the contract by its name. */
export type Schemas = components['schemas'];
/** The `operationId` of an operation of the contract. */
export type OperationId = keyof Operations;

/**
 * How the client sends the key: in the header `x-api-key`, as `Authorization: Bearer`, as `Authorization: Basic` (the key is
 * `user:password`), or in the query, which logs may contain.
 */
export type KeyIn = 'header' | 'bearer' | 'basic' | 'query';
/** A place of the key, with the name of its header or query parameter. */
export type KeyPlace = readonly [place: KeyIn, name?: string];

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
  /** The query parameters that take a boolean for `0` and `1`, with the unit 1, or a Date, with their unit in ms. */
  readonly units?: Readonly<Record<string, number>>;
  /** Whether the operation has no request header `X-Event-Cursor`. */
  readonly ignoresCursor?: boolean;
  /** How it is written, where it has more than single values in path and query, JSON objects as body and response, and the usual key. */
  readonly wire?: Wire;
}

/**
 * Where a parameter is and how it is written (OpenAPI 3.1, "Parameter Object"): its place, its style or `json`, whether it is
 * exploded, and its name where the argument has another one.
 */
export type ParameterForm = readonly [
  place: 'path' | 'query' | 'header' | 'cookie',
  style: string,
  explode: boolean,
  name?: string,
];

/** How a member of a form is written ("Encoding Object"): as a part of a media type, or by a style. */
export type Encoding = readonly [mediaType: string, style?: string, explode?: boolean];

/** What differs from single values in path and query, JSON objects as body and response, and the usual place of the key. */
export interface Wire {
  /** Where the operation takes the key, in the order of the contract, if not where most do; empty for a public operation. */
  readonly keys?: readonly KeyPlace[];
  /** The parameters that are no single values in path and query, by their member of the argument. */
  readonly parameters?: Readonly<Record<string, ParameterForm>>;
  /** The media types of the request body, the preferred one first. */
  readonly body?: Readonly<Record<string, MediaKind>>;
  /** Whether the argument has the body as one member, `body`. */
  readonly whole?: true;
  /** Whether the body may be left out. */
  readonly optional?: true;
  /** The members of a form that are not written in the usual way. */
  readonly encoding?: Readonly<Record<string, Encoding>>;
  /** The media types of the success responses; none if these have no body. */
  readonly answers?: Readonly<Record<string, MediaKind>>;
}

/** The value of a response body of a media type. */
type Decoded<Type, Body> = Type extends string
  ? MediaKindOf<Type> extends 'json-lines' | 'event-stream'
    ? AsyncIterable<Body>
    : Body
  : never;
/** The value of a response; `undefined` where it has no body. */
type BodyOf<Response> = Response extends { content: infer Content }
  ? [Content] extends [never]
    ? undefined
    : { [Type in keyof Content]: Decoded<Type, Content[Type]> }[keyof Content]
  : undefined;
type StatusText<Status> = Status extends string | number ? `${Status}` : never;
type SuccessStatus<Responses> = keyof {
  [Status in keyof Responses as StatusText<Status> extends `2${string}` ? Status : never]: true;
} &
  keyof Responses;
/** The value of the success responses: those from 200 to 299, else `default`. */
export type Success<Responses> = [SuccessStatus<Responses>] extends [never]
  ? 'default' extends keyof Responses
    ? BodyOf<Responses['default']>
    : undefined
  : { [Status in SuccessStatus<Responses>]: BodyOf<Responses[Status]> }[SuccessStatus<Responses>];
/** A method without a value returns a promise of `void`. */
type OrVoid<Value> = [Value] extends [undefined] ? void : Value;

/** The response body of an operation for success. */
export type Answer<Id extends OperationId> = Id extends keyof NamedAnswers
  ? NamedAnswers[Id]
  : OrVoid<Success<Operations[Id]['responses']>>;

/** The item type of a list operation; `never` for every other operation. */
export type Item<Id extends OperationId> = Id extends keyof ItemNames
  ? Answer<Id>[ItemNames[Id] & keyof Answer<Id>] extends readonly (infer One)[]
    ? One
    : never
  : never;

/** The error statuses that the contract declares for an operation. */
export type ErrorStatus<Id extends OperationId = OperationId> = Id extends unknown
  ? keyof {
      [
        Status in keyof Operations[Id]['responses'] as StatusText<Status> extends `${4 | 5}${number}` ? Status : never
      ]: true;
    }
  : never;
