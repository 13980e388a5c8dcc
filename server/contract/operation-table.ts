/**
 * The table of operations of a contract. `npm run generate` writes it to generated/; it can also be derived from a
 * document at run time.
 */
import { memberOf } from '../text/object.ts';
import { withoutCsvOfItems } from './item-columns.ts';
import { isFrameHeader } from './frame-headers.ts';
import { mediaKind } from './media-type.ts';
import { methods, normaliseDocument, resolve, type Method } from './plain-document.ts';

export { openApiMethods, resolve, type Method } from './plain-document.ts';

interface Reference {
  readonly $ref: string;
}
type DescribedSchema = { readonly default?: unknown; readonly $ref?: string } | boolean;
interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  /** Undefined if a media type describes the value. */
  readonly schema?: DescribedSchema;
  readonly content?: Readonly<Record<string, { readonly schema?: DescribedSchema }>>;
}
interface DescribedResponse {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Readonly<Record<string, unknown>>;
}
interface DescribedOperation {
  readonly operationId: string;
  readonly parameters?: readonly (DescribedParameter | Reference)[];
  readonly requestBody?: unknown;
  readonly responses?: Readonly<Record<string, DescribedResponse | Reference>>;
  readonly 'x-exactly-one-of'?: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}
/** The part of an OpenAPI document that the table reads. */
export interface DocumentWithOperations {
  readonly security?: DescribedOperation['security'];
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
  /** The default values of parameters that are headers or cookies; undefined without any. */
  readonly headerDefaults?: Readonly<Record<string, unknown>>;
  readonly cookieDefaults?: Readonly<Record<string, unknown>>;
  /** Whether it has a request body. */
  readonly body: boolean;
  /**
   * The status of the JSON body that its handler returns: that of its only success. Undefined where the handler returns a
   * reply: there are several successes, or one without a JSON body, or one with a header that the handler must set.
   */
  readonly success?: number;
  /**
   * The scope that an API key needs: the role that every security requirement of the operation lists. Undefined where
   * every valid key is sufficient.
   */
  readonly scope?: string;
}

/**
 * The role that all security requirements list, but for the empty one. Undefined where they list several or different roles, which
 * the server refuses, because the scope of an operation does not depend on how the key is sent.
 */
function scopeOf(security: NonNullable<DescribedOperation['security']>): { scope?: string } {
  const demanding = security.filter((requirement) => Object.keys(requirement).length > 0);
  const roles = demanding.map((requirement) => Object.values(requirement).flat());
  const [scope, ...others] = new Set(roles.map((each) => each.join(' ')));
  return scope === undefined || others.length > 0 || roles[0]?.length !== 1 ? {} : { scope };
}

/** The default of a parameter, as `[name, value]`; empty without one. */
function defaultOf(document: object, { name, schema, content }: DescribedParameter): [string, unknown][] {
  const described = schema ?? Object.values(content ?? {})[0]?.schema;
  const target = described === undefined ? undefined : resolve<DescribedSchema>(document, described);
  return typeof target === 'object' && 'default' in target ? [[name, target.default]] : [];
}

/** The status of the JSON body that the handler returns, as `success` says. */
function successOf(document: object, operation: DescribedOperation): { success?: number } {
  const { responses = {} } = operation;
  const successes = Object.keys(responses).filter((key) => /^[123]/.test(key) && key !== '304');
  const [key = ''] = successes;
  if (successes.length !== 1 || !/^2\d\d$/.test(key)) return {};
  const { headers = {}, content = {} } = resolve<DescribedResponse>(document, responses[key]!);
  const [mediaType, ...others] = Object.keys(withoutCsvOfItems(operation, content));
  if (mediaType === undefined || others.length > 0 || mediaKind(mediaType) !== 'json') return {};
  const isConditional = responses['304'] !== undefined;
  const isDemanded = Object.entries(headers).some(
    ([name, header]) =>
      !isFrameHeader(name, isConditional) && memberOf(resolve<unknown>(document, header), 'required') === true,
  );
  return isDemanded ? {} : { success: Number(key) };
}

/** Every operation of the document by operationId, in the order of the document. */
export function operationTable(contract: DocumentWithOperations): Record<string, OperationEntry> {
  const document = normaliseDocument(contract);
  const entries = Object.entries(document.paths).flatMap(([path, item]) =>
    methods
      .flatMap((method) => (item[method] === undefined ? [] : [{ method, described: item[method] }]))
      .map(({ method, described }): [string, OperationEntry] => {
        const { operationId, parameters = [], requestBody, 'x-exactly-one-of': exactlyOneOf = [] } = described;
        const resolved = parameters.map((parameter) => resolve<DescribedParameter>(document, parameter));
        const at = (place: string): DescribedParameter[] => resolved.filter((parameter) => parameter.in === place);
        const defaultsAt = (place: string): Record<string, unknown> =>
          Object.fromEntries(at(place).flatMap((parameter) => defaultOf(document, parameter)));
        const [headerDefaults, cookieDefaults] = [defaultsAt('header'), defaultsAt('cookie')];
        const query = at('query');
        return [
          operationId,
          {
            method,
            path,
            parameters: query.map(({ name }) => name),
            required: query.filter(({ required }) => required).map(({ name }) => name),
            defaults: defaultsAt('query'),
            ...(Object.keys(headerDefaults).length > 0 && { headerDefaults }),
            ...(Object.keys(cookieDefaults).length > 0 && { cookieDefaults }),
            exactlyOneOf,
            body: requestBody !== undefined,
            ...successOf(document, described),
            ...scopeOf(described.security ?? contract.security ?? []),
          },
        ];
      }),
  );
  return Object.fromEntries(entries);
}
