/** What is known of a call on its way: the call, the request, and the reply. */
import type { Operation } from './contract.ts';
import type { Failed } from './failure.ts';
import type { ApiError } from './error-of.ts';
import type { CallOptions } from './options.ts';

/** A call: its operation, and its parameters, or what a caller passed to a verb of openapi-fetch. */
export interface Call {
  readonly path: string;
  readonly operation: Operation;
  readonly options: CallOptions;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  readonly init?: Readonly<Record<string, unknown>> | undefined;
}
/** A response with its body. */
export interface Reply {
  readonly response: Response;
  /** Whether `data` is the body of a success response, also of one that is known by its ETag. */
  readonly isOk: boolean;
  readonly data?: unknown;
  /** The text of the body. Of a success response it can be undefined. */
  readonly text?: string | undefined;
  /** The body of an error response, as openapi-fetch returns it. */
  readonly error?: unknown;
}

/** Headers by name. */
export type Names = Record<string, string>;
/** The second argument of `fetch`. */
export type Init = RequestInit & { readonly headers: Names };

/** A reply with the context for errors. */
export type Sent = Reply & {
  readonly failed: Failed;
  /** The error of a response that is no success. */
  readonly failure?: ApiError | undefined;
};

/** A finished call: the response body, the response and the context for errors. */
export interface Completed<Data> {
  readonly data: Data;
  readonly response: Response;
  readonly failed: Failed;
}
