/** The operations of a contract as the generators of the client, its commands and its mocks read them. */

interface Example {
  readonly name: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Record<string, unknown>;
  readonly example?: unknown;
}
type Content = Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
export interface Answering {
  readonly content?: Content;
}

/** What the client needs to know of an operation. */
export interface ClientOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly 'x-sunset'?: string;
  readonly 'x-repeat'?: string;
  readonly 'x-items'?: string;
  readonly 'x-timeout-seconds'?: number;
  readonly 'x-exactly-one-of'?: readonly string[];
  readonly responses?: Readonly<Record<string, Answering | { readonly $ref: string }>>;
  readonly requestBody?: Answering | { readonly $ref: string };
}

/** An operation where it stands in the document, with its parameters and the example of its body. */
export interface Placed {
  readonly method: string;
  readonly path: string;
  readonly operation: ClientOperation;
  readonly parameters: readonly Example[];
  readonly body: unknown;
}
