/** How the method of an operation takes its input and sends it, and what its success responses have. */
import { withoutCsvOfItems } from '../../server/contract/item-columns.ts';
import { mediaKind, type MediaKind } from '../../server/contract/media-type.ts';
import { resolve } from '../../server/contract/plain-document.ts';
import type { Encoding, OperationRow, ParameterForm } from '../../client/src/contract.ts';
import type { Placed } from './client-operation.ts';
import { escapeKey } from '../contract-tools/files/index.ts';
import { SpecError } from './spec-error.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly readOnly?: boolean;
  readonly patternProperties?: object;
  readonly additionalProperties?: unknown;
  readonly allOf?: readonly (Schema | boolean)[];
  readonly anyOf?: readonly (Schema | boolean)[];
  readonly oneOf?: readonly (Schema | boolean)[];
}
interface Media {
  readonly schema?: Schema | boolean;
  readonly encoding?: Readonly<Record<string, { contentType?: string; style?: string; explode?: boolean }>>;
}
type Content = Readonly<Record<string, Media>>;

/** A parameter as the argument of a method has it. */
export interface CallParameter {
  /** The member of the argument. */
  readonly key: string;
  /** The name in the contract. */
  readonly name: string;
  readonly in: 'path' | 'query' | 'header' | 'cookie';
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly 'x-sunset'?: string | undefined;
  readonly schema?: Record<string, unknown> | undefined;
  readonly example?: unknown;
  /** How it is written; undefined for a single value in the path or the query. */
  readonly form: ParameterForm | undefined;
}

/** The body as the argument of a method has it. */
export interface CallBody {
  readonly required: boolean;
  /** The names of its members, which the argument has; undefined if the argument has the whole body as its member `body`. */
  readonly members: ReadonlySet<string> | undefined;
  /** The names of the members that every body has; none if the body may be left out. */
  readonly needed: ReadonlySet<string>;
  /** The kinds of its media types, in the order of the contract. */
  readonly kinds: Readonly<Record<string, MediaKind>>;
  readonly encoding: Readonly<Record<string, Encoding>>;
}

/** A success response: its status or range, and its media types. */
interface Success {
  readonly status: string;
  readonly content: Content;
}

/** What the argument of a method has. */
export interface CallShape {
  readonly parameters: readonly CallParameter[];
  readonly body: CallBody | undefined;
  readonly successes: readonly Success[];
}

/** The headers that the client sets by itself. OpenAPI says the same of Accept, Content-Type and Authorization. */
const ownHeaders = ['accept', 'content-type', 'authorization', 'if-none-match', 'x-event-cursor'];

/** The members of an object in a request. */
interface Members {
  readonly names: ReadonlySet<string>;
  /** The names of those that every object has. */
  readonly required: ReadonlySet<string>;
  /** The names of those that are only in responses. */
  readonly excluded: readonly string[];
  /** Whether it can have others. */
  readonly isOpen: boolean;
}

/** Reads the types of schemas of one document. */
class SchemaReader {
  readonly #document: object;
  constructor(document: object) {
    this.#document = document;
  }

  /** Whether every value of the schema is a single value: a text, a number, true or false. */
  isSingle(schema: Schema | boolean | undefined, depth = 0): boolean {
    if (typeof schema !== 'object' || depth > 20) return false;
    const { type, enum: values, allOf = [], anyOf, oneOf, ...rest } = resolve<Schema>(this.#document, schema as Schema);
    const isValue = (value: unknown): boolean => typeof value !== 'object' || value === null;
    if (type !== undefined) return [type].flat().every((each) => each !== 'object' && each !== 'array');
    if (values !== undefined) return values.every(isValue);
    if ('const' in rest) return isValue(rest.const);
    const inner = (each: Schema | boolean): boolean => this.isSingle(each, depth + 1);
    return allOf.some(inner) || (anyOf?.every(inner) ?? oneOf?.every(inner) ?? false);
  }

  /** Whether a schema, or a part of it, is only for responses. */
  #isReadOnly(schema: unknown, depth = 0): boolean {
    if (typeof schema !== 'object' || schema === null || depth > 20) return false;
    const { readOnly, allOf = [] } = resolve<Schema>(this.#document, schema as Schema);
    return readOnly === true || allOf.some((part) => this.#isReadOnly(part, depth + 1));
  }

  /**
   * The members of an object in a request, those that each has, and whether it can have others; undefined for a schema with other
   * values.
   */
  members(schema: Schema | boolean | undefined, depth = 0): Members | undefined {
    if (typeof schema !== 'object' || depth > 20) return undefined;
    const resolved = resolve<Schema>(this.#document, schema as Schema);
    const { type, properties = {}, patternProperties, additionalProperties: others, enum: values } = resolved;
    if ((type !== undefined && type !== 'object') || values !== undefined || 'const' in resolved) return undefined;
    const written = Object.entries(properties).filter(([, property]) => !this.#isReadOnly(property));
    const excluded = Object.keys(properties).filter((name) => !written.some(([each]) => each === name));
    const names = new Set(written.map(([name]) => name));
    const required = new Set(resolved.required);
    const hasOthers = patternProperties !== undefined || (others !== undefined && others !== false);
    let isOpen = hasOthers;
    let isObject = type === 'object' || Object.keys(properties).length > 0;
    const add = (part: ReturnType<SchemaReader['members']>): void => {
      for (const name of part?.names ?? []) names.add(name);
      for (const name of part?.excluded ?? []) excluded.push(name);
      isOpen ||= part?.isOpen ?? false;
    };
    for (const each of resolved.allOf ?? []) {
      const part = this.members(each, depth + 1);
      isObject ||= part !== undefined;
      for (const name of part?.required ?? []) required.add(name);
      add(part);
    }
    for (const alternatives of [resolved.oneOf, resolved.anyOf]) {
      const parts = alternatives?.map((each) => this.members(each, depth + 1));
      if (parts === undefined) continue;
      if (parts.every((part) => part !== undefined)) isObject = true;
      else if (!isObject) return undefined;
      parts.forEach(add);
    }
    for (const name of excluded) required.delete(name);
    return isObject
      ? { names, required, excluded, isOpen: isOpen || (names.size === 0 && others !== false) }
      : undefined;
  }
}

interface Located {
  readonly name: string;
  readonly in?: string | undefined;
  readonly required?: boolean | undefined;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly 'x-sunset'?: string | undefined;
  readonly style?: string | undefined;
  readonly explode?: boolean | undefined;
  readonly allowReserved?: boolean | undefined;
  readonly schema?: Record<string, unknown> | undefined;
  readonly content?: Content | undefined;
  readonly example?: unknown;
}

const defaultStyles = { path: 'simple', query: 'form', header: 'simple', cookie: 'form' } as const;

/** How a parameter is written; undefined for a single value in the path or the query. */
function formOf(
  reader: SchemaReader,
  parameter: Located,
  place: CallParameter['in'],
  key: string,
): ParameterForm | undefined {
  const { name, content, schema } = parameter;
  const renamed: [] | [name: string] = key === name ? [] : [name];
  if (content !== undefined) return [place, 'json', false, ...renamed];
  const style = parameter.style ?? defaultStyles[place];
  const explode = parameter.explode ?? style === 'form';
  const isSingle = reader.isSingle(schema);
  const isUsual = (place === 'path' || place === 'query') && style === defaultStyles[place];
  return isSingle && isUsual && key === name ? undefined : [place, style, explode, ...renamed];
}

/** The parameters that a method takes. Of two with the same name in different places, the later one has its place before its name. */
function parametersOf(reader: SchemaReader, { parameters }: Placed, taken: Iterable<string>): CallParameter[] {
  const keys = new Set(taken);
  return (parameters as readonly Located[]).flatMap((parameter) => {
    const { name, required = false, in: place = 'query', description, schema, example } = parameter;
    if (place === 'header' && ownHeaders.includes(name.toLowerCase())) return [];
    const key = keys.has(name) ? `${place}_${name}` : name;
    keys.add(key);
    const { deprecated, 'x-sunset': sunset } = parameter;
    const form = formOf(reader, parameter, place as CallParameter['in'], key);
    const known = { key, name, in: place as CallParameter['in'], required, description, schema, example, form };
    return [{ ...known, deprecated, 'x-sunset': sunset }];
  });
}

const kindsOf = (content: Content): Record<string, MediaKind> =>
  Object.fromEntries(Object.keys(content).map((type) => [type, mediaKind(type)]));

/** The members of a form that are not written in the usual way. */
function encodingOf({ encoding = {} }: Media): Record<string, Encoding> {
  return Object.fromEntries(
    Object.entries(encoding).map(([name, { contentType, style, explode }]) => [
      name,
      style === undefined && explode === undefined
        ? ([contentType ?? ''] as const)
        : (['', style ?? 'form', explode ?? (style ?? 'form') === 'form'] as const),
    ]),
  );
}

/** Throws a SpecError for a body that `fetch` does not send. */
function checkMethod({ operation: { operationId }, method, path }: Placed): void {
  if (method !== 'get' && method !== 'head') return;
  throw new SpecError(
    `${operationId}: a request with ${method.toUpperCase()} has no body (RFC 9110, 9.3.1), and \`fetch\` sends none`,
    `/paths/${escapeKey(path)}/${method}/requestBody`,
    'make it a POST, or send the values as parameters.',
  );
}

function bodyOf(document: object, reader: SchemaReader, placed: Placed): CallBody | undefined {
  const { operation, parameters } = placed;
  if (operation.requestBody === undefined) return undefined;
  checkMethod(placed);
  const { content = {}, required = false } = resolve<{ content?: Content; required?: boolean }>(
    document,
    operation.requestBody as { $ref: string },
  );
  const kinds = kindsOf(content);
  const [media = {}, ...others] = Object.values(content);
  const [kind] = Object.values(kinds);
  const hasMembers = others.length === 0 && (kind === 'json' || kind === 'form' || kind === 'multipart');
  const found = hasMembers ? reader.members(media.schema) : undefined;
  const names = parameters.filter((each) => !ownHeaders.includes(each.name.toLowerCase())).map(({ name }) => name);
  const isMixable =
    found !== undefined && (names.length === 0 || !found.isOpen) && names.every((name) => !found.names.has(name));
  const needed = new Set(required ? found?.required : []);
  return { required, members: isMixable ? found.names : undefined, needed, kinds, encoding: encodingOf(media) };
}

/** The success responses: those from 200 to 299, else `default`. */
function successesOf(document: object, { operation }: Placed): Success[] {
  const { responses = {} } = operation;
  const statuses = Object.keys(responses).filter((status) => status.startsWith('2'));
  const chosen = statuses.length === 0 && 'default' in responses ? ['default'] : statuses;
  return chosen.map((status) => {
    const { content = {} } = resolve<{ content?: Content }>(document, responses[status] as { $ref: string });
    return { status, content: withoutCsvOfItems(operation, content) };
  });
}

/** What the argument of the method of an operation has, and what it returns. */
export function callShape(document: object, placed: Placed): CallShape {
  const reader = new SchemaReader(document);
  const body = bodyOf(document, reader, placed);
  const taken = body !== undefined && body.members === undefined ? ['body'] : [];
  return { parameters: parametersOf(reader, placed, taken), body, successes: successesOf(document, placed) };
}

/** Whether the only success response is a JSON object, as `fetch` alone reads it. */
export function isPlainAnswer(document: object, { successes }: CallShape): boolean {
  const [first, ...others] = successes;
  if (first === undefined || others.length > 0 || first.status === 'default') return false;
  const [only, ...more] = Object.entries(first.content);
  if (only === undefined || more.length > 0 || mediaKind(only[0]) !== 'json') return false;
  return new SchemaReader(document).members(only[1].schema) !== undefined;
}

/** The wire format of an operation; undefined for single values in path and query, and JSON objects as body and response. */
export function wireOf(document: object, shape: CallShape): OperationRow['wire'] {
  const { parameters, body, successes } = shape;
  const forms = parameters.flatMap(({ key, form }) => (form === undefined ? [] : [[key, form] as const]));
  const isPlainBody =
    body === undefined || (body.members !== undefined && Object.keys(body.kinds).join() === 'application/json');
  const answers = successes.flatMap(({ content }) => Object.entries(kindsOf(content)));
  const wire = {
    ...(forms.length === 0 ? {} : { parameters: Object.fromEntries(forms) }),
    ...(isPlainBody ? {} : { body: body.kinds }),
    ...(body !== undefined && body.members === undefined ? { whole: true as const } : {}),
    ...(body !== undefined && body.members !== undefined && !body.required ? { optional: true as const } : {}),
    ...(body === undefined || Object.keys(body.encoding).length === 0 ? {} : { encoding: body.encoding }),
    ...(isPlainAnswer(document, shape) ? {} : { answers: Object.fromEntries(answers) }),
  };
  return Object.keys(wire).length === 0 ? undefined : wire;
}
