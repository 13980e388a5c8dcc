/** The contract for a client: parameters, responses and links of each operation, each with its JSON Pointer. */
import { openApiMethods, normaliseDocument } from '../../../server/contract/plain-document.ts';
import { escapeKey } from '../../spec/pointer.ts';
import { valueAt, within, type SchemaNode } from '../arbitrary/schema.ts';
import { isObject } from '../../../server/text/object.ts';

/** The document is not a usable contract. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly node: SchemaNode;
  /** Whether the parameter has a syntax that its schema does not describe, so that the server may reject valid values. */
  readonly hasSyntax: boolean;
  readonly example: string | undefined;
  readonly pointer: string;
}
export interface Body {
  readonly required: boolean;
  /** By media type, in lower case. */
  readonly content: ReadonlyMap<string, SchemaNode>;
  readonly maxBytes: number | undefined;
  readonly pointer: string;
}
export interface Header {
  readonly required: boolean;
  readonly node: SchemaNode;
  readonly pointer: string;
}
export interface DeclaredResponse {
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<string, Header>;
  /** By media type, in lower case; empty where there is no body. */
  readonly content: ReadonlyMap<string, SchemaNode>;
  readonly pointer: string;
}
export interface Link {
  readonly name: string;
  readonly target: string;
  /** Constants and runtime expressions by parameter. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly requestBody: unknown;
  readonly pointer: string;
}
export interface Operation {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly exactlyOneOf: readonly string[];
  readonly atLeastOneOf: readonly string[];
  readonly requires: Readonly<Record<string, readonly string[]>>;
  readonly body: Body | undefined;
  /** By status. */
  readonly responses: ReadonlyMap<number, DeclaredResponse>;
  readonly links: readonly Link[];
  /** The member of a page that holds its items. */
  readonly items: string | undefined;
  /** Whether a call changes data. */
  readonly writes: boolean;
  /** Whether a successful call has a cost or is irreversible. */
  readonly costs: boolean;
  /** The response timeout, if it is longer than the default. */
  readonly timeoutSeconds: number | undefined;
  readonly pointer: string;
}
/** A location of the API key in a request. */
export type KeyLocation = { readonly in: 'header' | 'query'; readonly name: string; readonly prefix: string };

export interface Contract {
  readonly document: object;
  readonly operations: readonly Operation[];
  readonly keyLocations: readonly KeyLocation[];
}

/** A parameter of an operation by name. Throws a RangeError for an unknown name. */
export function parameterOf({ id, parameters }: Operation, name: string): Parameter {
  const parameter = parameters.get(name);
  if (parameter === undefined) throw new RangeError(`${id} has no parameter ${name}`);
  return parameter;
}

/** The first media type of the request body, with its schema. Throws a RangeError when there is none. */
export function mediaTypeOf({ id, body }: Operation): { readonly type: string; readonly node: SchemaNode } {
  for (const [type, node] of body?.content ?? []) return { type, node };
  throw new RangeError(`${id} has no request body`);
}

/** Any operation, for what all operations share. Throws a RangeError for an empty contract. */
export function anyOperation({ operations }: Contract): Operation {
  const [operation] = operations;
  if (operation === undefined) throw new RangeError('the contract has no operations');
  return operation;
}

/** An operation by id. Throws a RangeError for an unknown id. */
export function operationOf({ operations }: Contract, id: string): Operation {
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) throw new RangeError(`the contract has no operation ${id}`);
  return operation;
}

type Json = Record<string, unknown>;
const entries = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** The document in the form of `normaliseDocument`. Throws a ContractError instead of its errors. */
function normalised(document: Json): Json {
  try {
    return normaliseDocument(document);
  } catch (error) {
    throw new ContractError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** An object of the document with its references resolved. */
interface Resolved {
  readonly object: Json;
  readonly pointer: string;
}

/** Reads the operations of a document. Throws a ContractError for what this client does not support. */
class ContractReader {
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
  }

  operations(): Operation[] {
    return entries(this.#document.paths).flatMap(([path, item]) =>
      openApiMethods.flatMap((method) =>
        isObject(item) && isObject(item[method]) ? [this.#operation(path, method, item[method])] : [],
      ),
    );
  }

  #operation(path: string, method: string, object: Json): Operation {
    const pointer = `/paths/${escapeKey(path)}/${method}`;
    const list: unknown[] = Array.isArray(object.parameters) ? object.parameters : [];
    const parameters = list.flatMap((value, index) => this.#parameter(value, `${pointer}/parameters/${index}`) ?? []);
    const statuses = entries(object.responses).filter(([status]) => /^\d{3}$/.test(status));
    const writes = !['get', 'head', 'options'].includes(method);
    return {
      id: String(object.operationId ?? `${method.toUpperCase()} ${path}`),
      method: method.toUpperCase(),
      path,
      parameters: new Map(parameters.map((parameter) => [parameter.name, parameter])),
      exactlyOneOf: textsOf(object['x-exactly-one-of']),
      atLeastOneOf: textsOf(object['x-at-least-one-of']),
      requires: Object.fromEntries(entries(object['x-requires']).map(([name, names]) => [name, textsOf(names)])),
      body: object.requestBody === undefined ? undefined : this.#body(object.requestBody, `${pointer}/requestBody`),
      responses: new Map(
        statuses.map(([status, value]) => [Number(status), this.#response(value, `${pointer}/responses/${status}`)]),
      ),
      links: statuses
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, value]) => this.#links(value, `${pointer}/responses/${status}`)),
      items: typeof object['x-items'] === 'string' ? object['x-items'] : undefined,
      writes,
      costs: !writes && object['x-repeat'] === 'refused',
      timeoutSeconds: numberOf(object['x-timeout-seconds']),
      pointer,
    };
  }

  /** A query parameter; undefined for an optional parameter elsewhere. */
  #parameter(value: unknown, at: string): Parameter | undefined {
    const { object, pointer } = this.#resolve(value, at);
    if (object.in !== 'query') {
      if (object.in === 'path' || object.required === true)
        throw new ContractError(`${pointer}: required parameters in ${String(object.in)} are not supported`);
      return undefined;
    }
    return {
      name: String(object.name),
      required: object.required === true,
      node: this.#schema(object, pointer),
      hasSyntax: object['x-syntax'] !== undefined,
      example: object.example === undefined ? undefined : String(object.example),
      pointer,
    };
  }

  #body(value: unknown, at: string): Body {
    const { object, pointer } = this.#resolve(value, at);
    return {
      required: object.required === true,
      content: this.#content(object.content, pointer),
      maxBytes: numberOf(object['x-max-bytes']),
      pointer,
    };
  }

  #response(value: unknown, at: string): DeclaredResponse {
    const { object, pointer } = this.#resolve(value, at);
    const headers = entries(object.headers).map(([name, inner]): [string, Header] => {
      const header = this.#resolve(inner, `${pointer}/headers/${escapeKey(name)}`);
      return [
        name.toLowerCase(),
        {
          required: header.object.required === true,
          node: this.#schema(header.object, header.pointer),
          pointer: header.pointer,
        },
      ];
    });
    return { headers: new Map(headers), content: this.#content(object.content, pointer), pointer };
  }

  #links(response: unknown, at: string): Link[] {
    const { object, pointer: from } = this.#resolve(response, at);
    return entries(object.links).flatMap(([name, value]) => {
      const { object: link, pointer } = this.#resolve(value, `${from}/links/${escapeKey(name)}`);
      // A link with `operationRef` may reference another document.
      if (typeof link.operationId !== 'string') return [];
      const parameters = isObject(link.parameters) ? link.parameters : {};
      return [{ name, target: link.operationId, parameters, requestBody: link.requestBody, pointer }];
    });
  }

  #content(content: unknown, pointer: string): Map<string, SchemaNode> {
    return new Map(
      entries(content).map(([type, value]) => [
        type.toLowerCase(),
        this.#schema(isObject(value) ? value : {}, `${pointer}/content/${escapeKey(type)}`),
      ]),
    );
  }

  #schema(holder: Json, pointer: string): SchemaNode {
    return within({ schema: {}, pointer }, holder.schema ?? {}, 'schema');
  }

  #resolve(value: unknown, pointer: string): Resolved {
    if (!isObject(value)) throw new ContractError(`${pointer} is not an object`);
    if (typeof value.$ref !== 'string') return { object: value, pointer };
    const target = value.$ref.replace(/^#/, '');
    return this.#resolve(valueAt(this.#document, target), target);
  }
}

/** Reads the contract from an OpenAPI 3.1 document. Throws a ContractError for an unusable document. */
export function readContract(input: unknown): Contract {
  if (!isObject(input) || typeof input.openapi !== 'string' || !input.openapi.startsWith('3.1')) {
    throw new ContractError('the contract is not an OpenAPI 3.1 document');
  }
  const document = normalised(input);
  const operations = new ContractReader(document).operations();
  if (operations.length === 0) throw new ContractError('the contract has no operations');
  for (const { target, pointer } of operations.flatMap(({ links }) => links)) {
    if (!operations.some(({ id }) => id === target))
      throw new ContractError(`${pointer} references the unknown operation ${target}`);
  }
  return { document, operations, keyLocations: keyLocationsOf(document) };
}

/** The alternative security schemes. Throws a ContractError for a scheme that is not an API key. */
function keyLocationsOf(document: Json): KeyLocation[] {
  const requirements: unknown[] = Array.isArray(document.security) ? document.security : [];
  return requirements
    .flatMap((requirement) => (isObject(requirement) ? Object.keys(requirement) : []))
    .map((name): KeyLocation => {
      const declared = valueAt(document, `/components/securitySchemes/${escapeKey(name)}`);
      const scheme = isObject(declared) ? declared : {};
      if (scheme.type === 'http' && scheme.scheme === 'bearer')
        return { in: 'header', name: 'authorization', prefix: 'Bearer ' };
      if (scheme.type === 'apiKey' && (scheme.in === 'header' || scheme.in === 'query'))
        return { in: scheme.in, name: String(scheme.name), prefix: '' };
      throw new ContractError(
        `/components/securitySchemes/${name} is neither an API key in a header or the query, nor a bearer token`,
      );
    });
}
