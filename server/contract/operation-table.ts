/**
 * The table of operations of a contract. `npm run generate` writes it to generated/; it can also be derived from a
 * document at run time.
 */
import { methods, normaliseDocument, resolve, type Method } from './plain-document.ts';

export { openApiMethods, resolve, type Method } from './plain-document.ts';

interface Reference {
  readonly $ref: string;
}
interface QueryParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  /** Undefined if a media type describes the value. */
  readonly schema?: { readonly default?: unknown } | boolean;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly (QueryParameter | Reference)[];
  readonly requestBody?: unknown;
  readonly 'x-exactly-one-of'?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
/** The part of an OpenAPI document that the table reads. */
export interface DocumentWithOperations {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

/** The method, the path and the query parameters of an operation. */
export interface OperationEntry {
  readonly method: Method;
  readonly path: string;
  /** The names of its query parameters. */
  readonly parameters: readonly string[];
  readonly required: readonly string[];
  /** The default values of parameters. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** Parameters of which a request must contain exactly one. */
  readonly exactlyOneOf: readonly string[];
  /** Whether it has a request body. */
  readonly body: boolean;
  /**
   * The scope that an API key needs: the role that every security requirement of the operation lists. Undefined where
   * every valid key is sufficient.
   */
  readonly scope?: string;
}

/**
 * The role that all security requirements list. Throws where they list several or different roles, because the scope of
 * an operation does not depend on how the key is sent.
 */
function scopeOf({ operationId, security = [] }: DescribedOperation): { scope?: string } {
  const roles = new Set(security.map((requirement) => Object.values(requirement).flat().join(', ')));
  const [scope = ''] = roles;
  if (roles.size > 1 || scope.includes(','))
    throw new Error(`${operationId} must require exactly one scope, the same for every security scheme`);
  return scope === '' ? {} : { scope };
}

/** Every operation of the document by operationId, in the order of the document. */
export function operationTable(contract: DocumentWithOperations): Record<string, OperationEntry> {
  const document = normaliseDocument(contract);
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .flatMap((method) => (item[method] === undefined ? [] : [{ method, described: item[method] }]))
      .map(({ method, described }): [string, OperationEntry] => {
        const { operationId, parameters = [], requestBody, 'x-exactly-one-of': exactlyOneOf = [] } = described;
        const resolved = parameters.map((parameter) => resolve<QueryParameter>(document, parameter));
        const query = resolved.filter((parameter) => parameter.in === 'query');
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
  return Object.fromEntries(entries);
}
