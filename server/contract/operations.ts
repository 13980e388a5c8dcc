/** The input and output types of each operation, derived from generated/. */
import type { components, operations as Operations } from '../../generated/types.ts';
import { operations } from '../../generated/operations.ts';
import { keysOf } from '../text/object.ts';
import type { FrameHeader, FrameRequestHeader } from './frame-headers.ts';
import type { MediaKindOf } from './media-type.ts';
import type { ServerSentEvents } from './server-sent-event.ts';
import type { StatusOf } from './statuses.ts';

export type Schemas = components['schemas'];
export type OperationId = keyof Operations;
export const operationIds = keysOf(operations);

/** An object without its index signature. */
type Named<Value> = { [Name in keyof Value as string extends Name ? never : Name]: Value[Name] };
type IsUnion<Value> = [Value] extends [never] ? false : IsPart<Value, Value>;
type IsPart<Each, Value> = Each extends Value ? ([Value] extends [Each] ? false : true) : never;
type Contents<Part> = Part extends { content: infer Content } ? ([Content] extends [never] ? never : Content) : never;

type Types<Part> = [Contents<Part>] extends [never] ? never : keyof Contents<Part>;

/** The form that openapi-typescript gives to an operation. */
interface DescribedOperation {
  readonly parameters: unknown;
  readonly requestBody?: unknown;
  readonly responses: unknown;
}
/** The defaults of an entry of the operation table, by the place of the parameters. */
interface Defaults {
  readonly defaults?: object;
  readonly headerDefaults?: object;
  readonly cookieDefaults?: object;
}

type Members<Operation extends DescribedOperation, Place extends string> =
  Operation['parameters'] extends Partial<Record<Place, infer Values>>
    ? [NonNullable<Values>] extends [never]
      ? Record<never, never>
      : NonNullable<Values>
    : Record<never, never>;
type WithDefaults<Values, Given> = Values & Required<Pick<Values, keyof Given & keyof Values>>;
type Own<Values> = {
  [Name in keyof Values as Lowercase<Name & string> extends FrameRequestHeader ? never : Name]: Values[Name];
};

/** The value of a request body, as a handler gets it. */
type Received<Name, Value> =
  MediaKindOf<Name & string> extends 'binary' ? Blob : MediaKindOf<Name & string> extends 'text' ? string : Value;
type ReceivedBody<Content> = { [Name in keyof Content]: Received<Name, Content[Name]> }[keyof Content];
type IfOptional<Operation extends DescribedOperation, Value> = undefined extends Operation['requestBody']
  ? Value | undefined
  : Value;
type RequestContent<Operation extends DescribedOperation> = Contents<NonNullable<Operation['requestBody']>>;
type BodyOf<Operation extends DescribedOperation> = [RequestContent<Operation>] extends [never]
  ? undefined
  : IfOptional<Operation, ReceivedBody<RequestContent<Operation>>>;

/** A concrete media type: that of a range is any of it. */
type Concrete<Name> = Name extends '*/*'
  ? `${string}/${string}`
  : Name extends `${infer Type}/*`
    ? `${Type}/${string}`
    : Name;

/** The body of a call. Where the contract has several media types, `contentType` says which one the request has. */
type BodyPart<Operation extends DescribedOperation> =
  IsUnion<Types<NonNullable<Operation['requestBody']>>> extends true
    ?
        | {
            [Name in keyof RequestContent<Operation>]: {
              readonly contentType: Concrete<Name>;
              readonly body: Received<Name, RequestContent<Operation>[Name]>;
            };
          }[keyof RequestContent<Operation>]
        | (undefined extends Operation['requestBody']
            ? { readonly contentType: undefined; readonly body: undefined }
            : never)
    : { readonly body: BodyOf<Operation> };

type Success<Responses> = {
  [Key in keyof Responses]: `${Key & (string | number)}` extends `2${string}` ? Responses[Key] : never;
}[keyof Responses];
type SuccessTypes<Response> = Response extends unknown ? Types<Response> : never;
/** Where the responses have several media types, the one of them that the request accepts best. */
type AcceptPart<Responses> =
  IsUnion<SuccessTypes<Success<Responses>>> extends true
    ? { readonly accept: SuccessTypes<Success<Responses>> }
    : unknown;

/** The validated input of a handler of a described operation. */
export type CallOf<Operation extends DescribedOperation, Entry extends Defaults> = {
  readonly path: Members<Operation, 'path'>;
  /** Parameters with a default are always present. */
  readonly query: WithDefaults<Members<Operation, 'query'>, Entry['defaults']>;
  /** The parameters that are headers, by the names of the contract. */
  readonly headers: Own<WithDefaults<Members<Operation, 'header'>, Entry['headerDefaults']>>;
  readonly cookies: WithDefaults<Members<Operation, 'cookie'>, Entry['cookieDefaults']>;
  readonly keyId: string;
  /** When the credential ends: milliseconds since 1970; Infinity for never. */
  readonly credentialEnds: number;
  readonly signal: AbortSignal;
  /** The origin by which the caller reaches the service, such as `https://social.example`. */
  readonly origin: string;
} & BodyPart<Operation> &
  AcceptPart<Operation['responses']>;

/** The body that a handler gives a reply, by its media type. */
type Written<Name, Value> = {
  json: Value;
  'json-lines': Iterable<Value> | AsyncIterable<Value>;
  'event-stream': Iterable<Value> | AsyncIterable<Value> | ServerSentEvents;
  form: never;
  multipart: never;
  text: string;
  binary: Blob | Uint8Array | AsyncIterable<Uint8Array>;
}[MediaKindOf<Name & string>];

type HandlerHeaders<Values, IsConditional> = {
  [
    Name in keyof Named<Values> as Lowercase<Name & string> extends
      | FrameHeader
      | (IsConditional extends true ? 'etag' : never)
      ? never
      : Name
  ]: Named<Values>[Name];
};
type HeaderPart<Values> = [keyof Values] extends [never]
  ? { readonly headers?: Readonly<Record<string, never>> }
  : Record<never, never> extends Values
    ? { readonly headers?: Values }
    : { readonly headers: Values };
type ContentPart<Content> = [Content] extends [never]
  ? { readonly body?: undefined; readonly contentType?: undefined }
  : {
      [Name in keyof Content]: { readonly body: Written<Name, Content[Name]> } & (IsUnion<keyof Content> extends true
        ? { readonly contentType: Concrete<Name> }
        : Name extends `${string}/*`
          ? { readonly contentType: Concrete<Name> }
          : { readonly contentType?: Name });
    }[keyof Content];
type ReplyWith<Response, AnyStatus, IsConditional> = AnyStatus extends number
  ? { readonly status: AnyStatus } & HeaderPart<
      HandlerHeaders<Response extends { headers: infer Values } ? Values : unknown, IsConditional>
    > &
      ContentPart<Contents<Response>>
  : never;

/** A response of a described operation: one of those that the contract declares, with the headers that the server does not set itself. */
export type ReplyOf<Operation extends DescribedOperation> = {
  [Key in keyof Operation['responses']]: ReplyWith<
    Operation['responses'][Key],
    Exclude<StatusOf<Key, keyof Operation['responses']>, 304>,
    304 extends keyof Operation['responses'] ? true : false
  >;
}[keyof Operation['responses']];

type JsonOf<Content> = {
  [Name in keyof Content]: MediaKindOf<Name & string> extends 'json' ? Content[Name] : never;
}[keyof Content];
/** The body of the one success that a plain operation has. */
type PlainBody<Operation extends DescribedOperation, Entry> = Entry extends {
  readonly success: infer Key extends number;
}
  ? Key extends keyof Operation['responses']
    ? JsonOf<Contents<Operation['responses'][Key]>>
    : never
  : never;
/** What a handler of a described operation returns. */
export type ResultOf<Operation extends DescribedOperation, Entry> = Entry extends { readonly success: number }
  ? PlainBody<Operation, Entry>
  : ReplyOf<Operation>;

type OperationTable = typeof operations;

/** The query of an operation after validation: parameters with a default are always present. */
export type Query<Id extends OperationId> = Call<Id>['query'];
/** The response body of an operation that has one success with a JSON body. */
export type Answer<Id extends OperationId> = PlainBody<Operations[Id], OperationTable[Id]>;

/**
 * The validated input of a handler, without Express and sockets. `signal` aborts when the caller closes the connection.
 */
export type Call<Id extends OperationId> = CallOf<Operations[Id], OperationTable[Id]>;

/** A response of an operation: status, headers and body. */
export type Reply<Id extends OperationId> = ReplyOf<Operations[Id]>;

type Result<Id extends OperationId> = ResultOf<Operations[Id], OperationTable[Id]>;
/**
 * Answers an operation, or throws a ServiceError. An operation with one success, which has a JSON body and no header that the
 * handler must set, returns this body; any other returns a `Reply`.
 */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Result<Id> | Promise<Result<Id>>;
/** One handler for each operation. A missing or additional handler does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
