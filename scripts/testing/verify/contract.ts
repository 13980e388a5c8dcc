/** The contract for a client: parameters, responses and links of each operation, each with its JSON Pointer. */
import { openApiMethods, normaliseDocument } from '../../../server/contract/plain-document.ts';
import { escapeKey } from '../../spec/pointer.ts';
import { valueAt, within, type Place } from '../arbitrary/schema.ts';

/** The document is not a usable contract. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

export interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly place: Place;
  /** The parameter has its own syntax, so the server may reject values that are valid by the schema. */
  readonly ownSyntax: boolean;
  readonly example: string | undefined;
  readonly pointer: string;
}
export interface Body {
  readonly required: boolean;
  /** By media type, in lower case. */
  readonly content: ReadonlyMap<string, Place>;
  readonly maxBytes: number | undefined;
  readonly pointer: string;
}
export interface Header {
  readonly required: boolean;
  readonly place: Place;
  readonly pointer: string;
}
export interface Declared {
  /** By name, in lower case. */
  readonly headers: ReadonlyMap<string, Header>;
  /** By media type, in lower case; empty where there is no body. */
  readonly content: ReadonlyMap<string, Place>;
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
  readonly responses: ReadonlyMap<number, Declared>;
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
export type KeyWay = { readonly in: 'header' | 'query'; readonly name: string; readonly prefix: string };

export interface Contract {
  readonly document: object;
  readonly operations: readonly Operation[];
  readonly keyWays: readonly KeyWay[];
}

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const entries = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

/** The document in the form of `plainDocument`. Throws a ContractError instead of its errors. */
function plain(document: Json): Json {
  try {
    return normaliseDocument(document);
  } catch (error) {
    throw new ContractError((error as Error).message, { cause: error });
  }
}

/** Reads an OpenAPI 3.1 document. Throws a ContractError that names the missing part. */
export function readContract(given: unknown): Contract {
  if (!isObject(given) || typeof given.openapi !== 'string' || !given.openapi.startsWith('3.1')) {
    throw new ContractError('the contract is not an OpenAPI 3.1 document');
  }
  const document = plain(given);

  const resolve = (value: unknown, pointer: string): { at: Json; pointer: string } => {
    if (!isObject(value)) throw new ContractError(`${pointer} is not an object`);
    if (typeof value.$ref !== 'string') return { at: value, pointer };
    const target = value.$ref.replace(/^#/, '');
    return resolve(valueAt(document, target), target);
  };
  const schemaOf = (holder: Json, pointer: string): Place =>
    within({ schema: {}, pointer }, holder.schema ?? {}, 'schema');
  const media = (content: unknown, pointer: string): Map<string, Place> =>
    new Map(
      entries(content).map(([type, value]) => [
        type.toLowerCase(),
        schemaOf(value as Json, `${pointer}/content/${escapeKey(type)}`),
      ]),
    );

  const parameterOf = (value: unknown, where: string): Parameter | undefined => {
    const { at, pointer } = resolve(value, where);
    if (at.in !== 'query') {
      if (at.in === 'path' || at.required === true)
        throw new ContractError(`${pointer}: parameters in ${String(at.in)} are not known here`);
      return undefined;
    }
    return {
      name: String(at.name),
      required: at.required === true,
      place: schemaOf(at, pointer),
      ownSyntax: at['x-syntax'] !== undefined,
      example: at.example === undefined ? undefined : String(at.example),
      pointer,
    };
  };
  const responseOf = (value: unknown, where: string): Declared => {
    const { at, pointer } = resolve(value, where);
    const headers = entries(at.headers).map(([name, inner]): [string, Header] => {
      const header = resolve(inner, `${pointer}/headers/${escapeKey(name)}`);
      return [
        name.toLowerCase(),
        { required: header.at.required === true, place: schemaOf(header.at, header.pointer), pointer: header.pointer },
      ];
    });
    return { headers: new Map(headers), content: media(at.content, pointer), pointer };
  };
  const linksOf = (response: unknown, where: string): Link[] => {
    const { at, pointer: from } = resolve(response, where);
    return entries(at.links).flatMap(([name, value]) => {
      const { at: link, pointer } = resolve(value, `${from}/links/${escapeKey(name)}`);
      // A link with `operationRef` may reference another document.
      if (typeof link.operationId !== 'string') return [];
      const parameters = (link.parameters ?? {}) as Json;
      return [{ name, target: link.operationId, parameters, requestBody: link.requestBody, pointer }];
    });
  };
  const operationOf = (path: string, method: string, at: Json): Operation => {
    const pointer = `/paths/${escapeKey(path)}/${method}`;
    const parameters = ((at.parameters ?? []) as unknown[]).flatMap(
      (value, index) => parameterOf(value, `${pointer}/parameters/${index}`) ?? [],
    );
    const body = at.requestBody === undefined ? undefined : resolve(at.requestBody, `${pointer}/requestBody`);
    const statuses = entries(at.responses).filter(([status]) => /^\d{3}$/.test(status));
    const writes = !['get', 'head', 'options'].includes(method);
    return {
      id: String(at.operationId ?? `${method.toUpperCase()} ${path}`),
      method: method.toUpperCase(),
      path,
      parameters: new Map(parameters.map((parameter) => [parameter.name, parameter])),
      exactlyOneOf: (at['x-exactly-one-of'] ?? []) as string[],
      atLeastOneOf: (at['x-at-least-one-of'] ?? []) as string[],
      requires: (at['x-requires'] ?? {}) as Record<string, string[]>,
      body: body && {
        required: body.at.required === true,
        content: media(body.at.content, body.pointer),
        maxBytes: body.at['x-max-bytes'] as number | undefined,
        pointer: body.pointer,
      },
      responses: new Map(
        statuses.map(([status, value]) => [Number(status), responseOf(value, `${pointer}/responses/${status}`)]),
      ),
      links: statuses
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([status, value]) => linksOf(value, `${pointer}/responses/${status}`)),
      items: at['x-items'] as string | undefined,
      writes,
      costs: !writes && at['x-repeat'] === 'refused',
      timeoutSeconds: at['x-timeout-seconds'] as number | undefined,
      pointer,
    };
  };
  const operations = entries(document.paths).flatMap(([path, item]) =>
    openApiMethods.flatMap((method) =>
      isObject(item) && isObject(item[method]) ? [operationOf(path, method, item[method])] : [],
    ),
  );
  if (operations.length === 0) throw new ContractError('the contract has no operations');
  for (const { links } of operations) {
    for (const { target, pointer } of links) {
      if (!operations.some(({ id }) => id === target))
        throw new ContractError(`${pointer} leads to ${target}, which is no operation`);
    }
  }
  return { document, operations, keyWays: keyWaysOf(document) };
}

/** The alternative security schemes. Throws a ContractError for a scheme that is not an API key. */
function keyWaysOf(document: Json): KeyWay[] {
  return ((document.security ?? []) as Json[])
    .flatMap((way) => Object.keys(way))
    .map((name): KeyWay => {
      const schema = (valueAt(document, `/components/securitySchemes/${escapeKey(name)}`) ?? {}) as Json;
      if (schema.type === 'http' && schema.scheme === 'bearer')
        return { in: 'header', name: 'authorization', prefix: 'Bearer ' };
      if (schema.type === 'apiKey' && (schema.in === 'header' || schema.in === 'query'))
        return { in: schema.in, name: String(schema.name), prefix: '' };
      throw new ContractError(
        `/components/securitySchemes/${name} is neither an API key in a header or the query, nor a bearer token`,
      );
    });
}
