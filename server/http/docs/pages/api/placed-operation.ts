/** The operations of the contract as the API reference reads them. */
import type { Deprecatable } from '../../../../contract/deprecation.ts';

export type Schema = Readonly<Record<string, unknown>>;
export interface Reference {
  readonly $ref: string;
}
export interface Parameter extends Deprecatable {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly content?: Response['content'];
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}
export interface Response {
  readonly description: string;
  readonly content?: Readonly<
    Record<string, { readonly schema?: Schema; readonly examples?: Readonly<Record<string, unknown>> }>
  >;
}
export interface Operation extends Deprecatable {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly content: NonNullable<Response['content']> } | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
}
/** An operation at its place in the contract, with references resolved. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
  readonly parameters: readonly Parameter[];
  /** The media type of the request body; undefined for an operation without one. */
  readonly bodyType: string | undefined;
  /** An example of the request body, for operations that have one. */
  readonly body: unknown;
  /** An example of the response. */
  readonly answer: unknown;
}
