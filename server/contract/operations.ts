/** The contract as types: what each operation takes and answers, derived from generated/ so that nothing can drift. */
import type { components, operations as Operations } from '../../generated/types.ts';
import { operations } from '../../generated/operations.ts';

export type Schemas = components['schemas'];
export type OperationId = keyof Operations;
export const operationIds = Object.keys(operations) as OperationId[];

type Table = typeof operations;
type Given<Id extends OperationId> = Operations[Id]['parameters'] extends { query?: infer Query }
  ? NonNullable<Query>
  : Record<never, never>;
type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** The query of an operation after validation: parameters with a default are always there. */
export type Query<Id extends OperationId> = Given<Id> &
  Required<Pick<Given<Id>, keyof Table[Id]['defaults'] & keyof Given<Id>>>;
export type Body<Id extends OperationId> = Operations[Id] extends { requestBody: infer Request }
  ? Json<Request>
  : undefined;
/** The body of an operation's 200 answer. */
export type Answer<Id extends OperationId> = Json<Operations[Id]['responses'][200]>;

/** A validated call: no Express, no sockets. `signal` aborts when the caller hangs up. */
export interface Call<Id extends OperationId> {
  readonly query: Query<Id>;
  readonly body: Body<Id>;
  readonly keyId: string;
  readonly signal: AbortSignal;
}

/** Answers an operation, or throws a ServiceError. */
export type Handler<Id extends OperationId> = (call: Call<Id>) => Answer<Id> | Promise<Answer<Id>>;
/** One handler for each operation: a missing one, and one too many, do not compile. */
export type Handlers = { readonly [Id in OperationId]: Handler<Id> };
