/** The contract for a client: parameters, responses and links of each operation, each with its JSON Pointer. */
import { mediaKind } from '../../../server/contract/media-type.ts';
import { openApiMethods, normaliseDocument } from '../../../server/contract/plain-document.ts';
import { escapeKey } from '../files/pointer.ts';
import { valueAt, within, type SchemaNode } from '../arbitrary/schema.ts';
import { directedDocument } from './directed.ts';
import { formOf, type ParameterForm } from './parameter-form.ts';
import { securityOf, type KeyLocation } from './security.ts';
import { isStream } from './stream-items.ts';
import { parameterOf as describedParameter } from '../../../server/contract/openapi.ts';
import { isObject } from '../../../server/contract/values.ts';

/** The document is not a usable contract. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  /** How it is written, where it is no single value in the path or the query, and no list in the usual way. */
  readonly form?: ParameterForm;
  readonly required: boolean;
  /** A list that is written as one value with commas. Undefined for any other. */
  readonly list?: 'commas';
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
  /** How it is written. */
  readonly form: ParameterForm;
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
/** The declared responses of an operation. */
export class Responses {
  readonly #exact: ReadonlyMap<number, DeclaredResponse>;
  readonly #others: ReadonlyMap<string, DeclaredResponse>;

  /** `others` are those of ranges, such as `4XX`, and `default`. */
  constructor(exact: ReadonlyMap<number, DeclaredResponse>, others: ReadonlyMap<string, DeclaredResponse>) {
    this.#exact = exact;
    this.#others = others;
  }

  /** The declared response of a status, also by its range and by `default`. */
  get(status: number): DeclaredResponse | undefined {
    return this.#exact.get(status) ?? this.#others.get(`${Math.floor(status / 100)}XX`) ?? this.#others.get('default');
  }

  /** Whether the contract names this status itself. */
  has(status: number): boolean {
    return this.#exact.has(status);
  }

  /** The statuses that the contract names; of a range of successes the first one. */
  statuses(): number[] {
    const hasSuccess = [...this.#exact.keys()].some((status) => status >= 200 && status < 300);
    return [...this.#exact.keys(), ...(!hasSuccess && this.get(200) !== undefined ? [200] : [])];
  }

  /** What the contract names, for reports. */
  names(): string[] {
    return [...[...this.#exact.keys()].map(String), ...this.#others.keys()];
  }
}

export interface Operation {
  readonly id: string;
  /** In upper case. */
  readonly method: string;
  readonly path: string;
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly exactlyOneOf: readonly string[];
  readonly atLeastOneOf: readonly string[];
  readonly requires: ReadonlyMap<string, readonly string[]>;
  readonly body: Body | undefined;
  readonly responses: Responses;
  /** The alternative locations of its credentials; empty where it needs none. */
  readonly keyLocations: readonly KeyLocation[];
  /** Whether a call without credentials is valid too. */
  readonly isPublic: boolean;
  readonly links: readonly Link[];
  /** The member of a page that holds its items. */
  readonly items: string | undefined;
  /** Whether a call changes data. */
  readonly writes: boolean;
  /** Whether a successful call has a cost or is irreversible. */
  readonly costs: boolean;
  /** Whether the body of a success is a stream, so that a call holds a connection. */
  readonly streams: boolean;
  /** The response timeout, if it is longer than the default. */
  readonly timeoutSeconds: number | undefined;
  readonly pointer: string;
}
/** A part of the contract that this client does not support; its operation is not checked. */
export interface Unsupported {
  readonly operation: string;
  readonly pointer: string;
  readonly message: string;
}

export interface Contract {
  readonly document: object;
  /** The document as requests have it: without members that are `readOnly`. Schemas of parameters and bodies are from it. */
  readonly requests: object;
  /** The document as responses have it: without members that are `writeOnly`. */
  readonly responses: object;
  readonly operations: readonly Operation[];
  readonly unsupported: readonly Unsupported[];
  /**
   * Whether the server promises what this project promises beyond OpenAPI: it rejects unknown parameters and more than one
   * key, and declares every header. A contract with `x-scopes` does.
   */
  readonly isStrict: boolean;
}

/** A parameter of an operation by name. Throws a RangeError for an unknown name. */
export function parameterOf({ id, parameters }: Operation, name: string): Parameter {
  const parameter = parameters.get(name);
  if (parameter === undefined) throw new RangeError(`${id} has no parameter ${name}`);
  return parameter;
}

/** Whether a media type without parameters is JSON. */
export const isJsonType = (type: string): boolean => /^application\/(?:.+\+)?json$/i.test(type);

/** The media type in which a body is sent: JSON where the contract has it, else the first one. Throws a RangeError when there is none. */
export function mediaTypeOf({ id, body }: Operation): { readonly type: string; readonly node: SchemaNode } {
  const content = [...(body?.content ?? [])];
  const [type, node] = content.find(([each]) => isJsonType(each)) ?? content[0] ?? [];
  if (type === undefined || node === undefined) throw new RangeError(`${id} has no request body`);
  return { type, node };
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

/** Parameters by name; of two with one name the later one has its place before its name. */
function byName(parameters: readonly Parameter[]): Map<string, Parameter> {
  const found = new Map<string, Parameter>();
  for (const parameter of parameters) {
    const name = found.has(parameter.name) ? `${parameter.in} ${parameter.name}` : parameter.name;
    found.set(name, { ...parameter, name });
  }
  return found;
}

/** A part of an operation that this client does not support. */
class UnsupportedError extends Error {
  readonly pointer: string;

  constructor(message: string, pointer: string) {
    super(message);
    this.pointer = pointer;
  }
}

const idOf = (path: string, method: string, { operationId }: Json): string =>
  String(operationId ?? `${method.toUpperCase()} ${path}`);

/** The headers that callers set by another way than a parameter. */
const ownHeaders = ['accept', 'content-type', 'authorization', 'if-none-match', 'x-event-cursor'];

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
  readonly unsupported: Unsupported[] = [];
  readonly requests: object;
  readonly responses: object;
  readonly #document: Json;

  constructor(document: Json) {
    this.#document = document;
    this.requests = directedDocument(document, 'request');
    this.responses = directedDocument(document, 'response');
  }

  operations(): Operation[] {
    return entries(this.#document.paths).flatMap(([path, item]) =>
      openApiMethods.flatMap((method) =>
        isObject(item) && isObject(item[method]) ? (this.#supported(path, method, item[method]) ?? []) : [],
      ),
    );
  }

  /** The operation; undefined where this client does not support it. */
  #supported(path: string, method: string, object: Json): Operation | undefined {
    try {
      return this.#operation(path, method, object);
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      const { pointer, message } = error;
      this.unsupported.push({ operation: idOf(path, method, object), pointer, message });
      return undefined;
    }
  }

  #operation(path: string, method: string, object: Json): Operation {
    const pointer = `/paths/${escapeKey(path)}/${method}`;
    const security = securityOf(this.#document, object.security ?? this.#document.security);
    if ('pointer' in security) throw new UnsupportedError(security.message, security.pointer);
    const list: unknown[] = Array.isArray(object.parameters) ? object.parameters : [];
    const inQuery = new Set(
      list.flatMap((value) => {
        const { object: parameter } = this.#resolve(value, pointer);
        return parameter.in === 'query' ? [String(parameter.name)] : [];
      }),
    );
    const { securitySchemes } = isObject(this.#document.components) ? this.#document.components : {};
    for (const [, scheme] of entries(securitySchemes)) {
      const { object: described } = this.#resolve(scheme, '/components/securitySchemes');
      // A client may send a key to every operation.
      if (described.type === 'apiKey' && described.in === 'query') inQuery.add(String(described.name));
    }
    const parameters = list.flatMap(
      (value, index) => this.#parameter(value, `${pointer}/parameters/${index}`, inQuery) ?? [],
    );
    const responses = entries(object.responses).map(
      ([status, value]) => [status, this.#response(value, `${pointer}/responses/${status}`)] as const,
    );
    const exact = responses.flatMap(([status, response]) =>
      /^\d{3}$/.test(status) ? [[Number(status), response] as const] : [],
    );
    const others = responses.filter(([status]) => /^[1-5]XX$|^default$/.test(status));
    const writes = !['get', 'head', 'options'].includes(method);
    return {
      id: idOf(path, method, object),
      method: method.toUpperCase(),
      path,
      parameters: byName(parameters),
      exactlyOneOf: textsOf(object['x-exactly-one-of']),
      atLeastOneOf: textsOf(object['x-at-least-one-of']),
      requires: new Map(entries(object['x-requires']).map(([name, names]) => [name, textsOf(names)])),
      body: object.requestBody === undefined ? undefined : this.#body(object.requestBody, `${pointer}/requestBody`),
      responses: new Responses(new Map(exact), new Map(others)),
      keyLocations: security.locations,
      isPublic: security.isOptional,
      links: entries(object.responses)
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, value]) => this.#links(value, `${pointer}/responses/${status}`)),
      items: typeof object['x-items'] === 'string' ? object['x-items'] : undefined,
      writes,
      streams: exact.some(
        ([status, { content }]) =>
          status >= 200 && status < 300 && content.size > 0 && [...content.keys()].every(isStream),
      ),
      costs: !writes && object['x-repeat'] === 'refused',
      timeoutSeconds: numberOf(object['x-timeout-seconds']),
      pointer,
    };
  }

  /** A parameter; undefined for a header that the client sets by itself. */
  #parameter(value: unknown, at: string, inQuery: ReadonlySet<string>): Parameter | undefined {
    const { object, pointer } = this.#resolve(value, at);
    const { in: given, name, required, style, explode, content } = object;
    const place = String(given) as Parameter['in'];
    // OpenAPI says that these are ignored; the others are of this project.
    if (place === 'header' && ownHeaders.includes(String(name).toLowerCase())) return undefined;
    const node =
      content === undefined ? this.#schema(object, pointer, this.requests) : this.#contentNode(content, pointer);
    const types = this.#typesOf(node);
    const plainStyle = place === 'path' ? 'simple' : 'form';
    const isSingle = types.every((type) => ['string', 'integer', 'number', 'boolean'].includes(String(type)));
    const commas = place === 'path' || explode === false;
    // Elsewhere the delimiter is not encoded.
    const isList =
      commas &&
      isObject(this.#document['x-scopes']) &&
      types.length === 1 &&
      types[0] === 'array' &&
      this.#hasSingleItems(node);
    const isUsual =
      (place === 'path' || place === 'query') && content === undefined && (style ?? plainStyle) === plainStyle;
    return {
      name: String(name),
      in: place,
      required: required === true || place === 'path',
      ...(isList && isUsual && { list: 'commas' as const }),
      ...(!(isUsual && ((isSingle && types.length === 1) || isList)) && {
        form: formOf(this.#document, describedParameter(this.#document, object as never), inQuery),
      }),
      node,
      hasSyntax:
        object['x-syntax'] !== undefined || this.#resolve(node.schema, node.pointer).object['x-syntax'] !== undefined,
      example: object.example === undefined || typeof object.example === 'object' ? undefined : String(object.example),
      pointer,
    };
  }

  #contentNode(content: unknown, pointer: string): SchemaNode {
    const [[type, node] = []] = [...this.#content(content, pointer, this.requests)];
    if (type === undefined || node === undefined)
      throw new UnsupportedError('a parameter without a media type', pointer);
    if (mediaKind(type) !== 'json') throw new UnsupportedError(`a parameter in ${type}`, pointer);
    return node;
  }

  /** Whether the items of a list have one type, which is no list and no object. */
  #hasSingleItems(node: SchemaNode): boolean {
    const { object } = this.#resolve(node.schema, node.pointer);
    if (!isObject(object.items) || object.prefixItems !== undefined) return false;
    const types = this.#typesOf({ schema: object.items, pointer: `${node.pointer}/items` });
    return types.length === 1 && ['string', 'integer', 'number', 'boolean'].includes(String(types[0]));
  }

  /** The types that a schema names. */
  #typesOf(node: SchemaNode): readonly unknown[] {
    const { object } = this.#resolve(node.schema, node.pointer);
    return object.type === undefined && object.properties !== undefined ? ['object'] : [object.type].flat();
  }

  #body(value: unknown, at: string): Body {
    const { object, pointer } = this.#resolve(value, at);
    const types = entries(object.content).map(([type]) => type);
    const refused = types.find((type) => ['json-lines', 'event-stream'].includes(mediaKind(type)));
    if (types.length === 0 || refused !== undefined || types.some((type) => /^multipart\/(?!form-data)/i.test(type)))
      throw new UnsupportedError(`a body in ${types.join(', ') || 'no media type'}`, pointer);
    return {
      required: object.required === true,
      content: this.#content(object.content, pointer, this.requests),
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
          form: formOf(
            this.#document,
            describedParameter(this.#document, { ...header.object, name, in: 'header' } as never),
          ),
          node:
            this.#content(header.object.content, header.pointer, this.responses).values().next().value ??
            this.#schema(header.object, header.pointer, this.responses),
          pointer: header.pointer,
        },
      ];
    });
    return { headers: new Map(headers), content: this.#content(object.content, pointer, this.responses), pointer };
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

  #content(content: unknown, pointer: string, document: object): Map<string, SchemaNode> {
    return new Map(
      entries(content).map(([type, value]) => [
        type.toLowerCase(),
        this.#schema(isObject(value) ? value : {}, `${pointer}/content/${escapeKey(type)}`, document),
      ]),
    );
  }

  #schema(holder: Json, pointer: string, document: object): SchemaNode {
    return within({ schema: {}, pointer }, valueAt(document, `${pointer}/schema`) ?? holder.schema ?? {}, 'schema');
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
  const reader = new ContractReader(document);
  const operations = reader.operations();
  const { unsupported } = reader;
  if (operations.length === 0) throw new ContractError('the contract has no operations that can be checked');
  const ids = new Set(operations.map(({ id }) => id));
  // The lint names a link that leads to no operation.
  const known = operations.map((operation) => ({
    ...operation,
    links: operation.links.filter(({ target }) => ids.has(target)),
  }));
  const { requests, responses } = reader;
  return { document, requests, responses, operations: known, unsupported, isStrict: isObject(document['x-scopes']) };
}
