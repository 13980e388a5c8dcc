/** The contract as the generators read it. */
import { normaliseDocument, resolve } from '../../server/contract/plain-document.ts';
import type { ClientOperation, Placed } from './client-operation.ts';
import { exampleOf, type Answering, type Answers, type Example } from './generate-mocks.ts';

/** The first lines of every generated module. */
export const banner = '// Written by `npm run generate` from spec/. Do not edit.\n';

export type Parameter = {
  name: string;
  in: string;
  required?: boolean;
  schema?: Record<string, unknown>;
  example?: unknown;
};
type Body = { content?: Record<string, { example?: unknown; examples?: Record<string, Example | { $ref: string }> }> };
export type Operation = ClientOperation &
  Answering['operation'] & {
    parameters?: (Parameter | { $ref: string })[];
    requestBody?: Body | { $ref: string };
  };
/** The contract as the scripts read it. The lint checks this structure. */
export type Document = {
  'x-scopes'?: Record<string, string>;
  /** How the client names its methods by paths, such as `/social/{group}/{name}`. */
  'x-method-names'?: string;
  paths: Record<string, Record<string, Operation>>;
  components: Answers & { schemas?: Record<string, Message> };
};
type Constant = { const?: unknown };
/** A schema that may be a union of messages. */
export type Message = {
  $ref?: string;
  properties?: { type?: Constant; kind?: Constant };
  required?: string[];
  oneOf?: (Message | { $ref: string })[];
};

/** Every operation with its path, method and resolved references. */
export function placed(contract: Document): (Placed & { operation: Operation; parameters: Parameter[] })[] {
  const document = normaliseDocument(contract);
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method,
      path,
      operation,
      parameters: (operation.parameters ?? []).map((parameter) => resolve<Parameter>(document, parameter)),
      body: operation.requestBody && exampleOf(document, resolve<Body>(document, operation.requestBody).content),
    })),
  );
}
