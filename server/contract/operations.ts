/** The input and output types of each operation, derived from generated/. */
import type { components, operations as Operations } from '../../generated/types.ts';
import { operations } from '../../generated/operations.ts';
import { keysOf } from '../text/object.ts';

export type Schemas = components['schemas'];
export type OperationId = keyof Operations;
export const operationIds = keysOf(operations);

type OperationTable = typeof operations;
type RawQuery<Id extends OperationId> = Operations[Id]['parameters'] extends { query?: infer Query }
  ? NonNullable<Query>
  : Record<never, never>;
type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** The query of an operation after validation: parameters with a default are always present. */
export type Query<Id extends OperationId> = RawQuery<Id> &
  Required<Pick<RawQuery<Id>, keyof OperationTable[Id]['defaults'] & keyof RawQuery<Id>>>;
/** The parameters in the path of an operation after validation; an empty object without any. */
export type PathParameters<Id extends OperationId> = Operations[Id]['parameters'] extends { path: infer Members }
  ? [Members] extends [never]
    ? Record<never, never>
    : Members
  : Record<never, never>;
export type Body<Id extends OperationId> = Operations[Id] extends { requestBody: infer Request }
  ? Json<Request>
  : undefined;
/** The response body of an operation's 200. */
export type Answer<Id extends OperationId> = Json<Operations[Id]['responses'][200]>;

/**
 * The validated input of a handler, without Express and sockets. `signal` aborts when the caller closes the connection.
 */
export interface Call<Id extends OperationId> {
  readonly path: PathParameters<Id>;
  readonly query: Query<Id>;
  readonly body: Body<Id>;
  readonly keyId: string;
  readonly signal: AbortSignal;
}

/** Returns the response body of an operation, or throws a ServiceError. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Answer<Id> | Promise<Answer<Id>>;
/** One handler for each operation. A missing or additional handler does not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
