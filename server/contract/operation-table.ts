/** Which operations a contract has: the table that `npm run generate` writes down, and that a document says as it stands. */
import { methods, normaliseDocument, resolve, type Method } from './plain-document.ts';

export { methods, openApiMethods, resolve, type Method } from './plain-document.ts';

interface Reference {
  readonly $ref: string;
}
interface QueryParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  /** None where the value is described by a media type. */
  readonly schema?: { readonly default?: unknown } | boolean;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly (QueryParameter | Reference)[];
  readonly requestBody?: unknown;
  readonly 'x-exactly-one-of'?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
/** A document, as far as the table needs it. */
export interface DocumentWithOperations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

/** Where an operation is, and what its query parameters are. */
export interface OperationEntry {
  readonly method: Method;
  readonly path: string;
  /** The names of its query parameters. */
  readonly parameters: readonly string[];
  readonly required: readonly string[];
  /** What parameters are when they are left out. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Parameters of which exactly one must be given. */
  readonly exactlyOneOf: readonly string[];
  /** Whether it takes a body. */
  readonly body: boolean;
  /** What a key must have been made for: the role that each way of `security` demands. Left out where any key will do. */
  readonly scope?: string;
}

/** The one role that all ways to identify oneself demand. Throws where they demand more, or different ones: a key has no ways. */
function scopeOf({ operationId, security = [] }: DescribedOperation): { scope?: string } {
  const roles = new Set(security.map((way) => Object.values(way).flat().join(', ')));
  const [scope = ''] = roles;
  if (roles.size > 1 || scope.includes(','))
    throw new Error(`${operationId} must demand one scope, the same for every security scheme`);
  return scope === '' ? {} : { scope };
}

/** Every operation of the document, by operationId, in its order. */
export function operationTable(contract: DocumentWithOperations): Record<string, OperationEntry> {
  const document = normaliseDocument(contract);
  const rows = Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method): [string, OperationEntry] => {
        const described = item[method]!;
        const { operationId, parameters = [], requestBody, 'x-exactly-one-of': exactlyOneOf = [] } = described;
        const all = parameters.map((parameter) => resolve<QueryParameter>(document, parameter));
        const query = all.filter((parameter) => parameter.in === 'query');
        const defaults = query.flatMap(({ name, schema }) =>
          typeof schema === 'object' && 'default' in schema ? [[name, schema.default] as const] : [],
        );
        return [
          operationId,
          {
            method,
            path,
            parameters: query.map(({ name }) => name),
            required: query.filter(({ required }) => required).map(({ name }) => name),
            defaults: Object.fromEntries(defaults),
            exactlyOneOf,
            body: requestBody !== undefined,
            ...scopeOf(described),
          },
        ];
      }),
  );
  return Object.fromEntries(rows);
}
