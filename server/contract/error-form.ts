/** The bodies of the errors that the server itself sends, in the form that the contract's schema of an error has. */
import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { ValidateFunction } from 'ajv';
import { isObject } from '../text/object.ts';
import { mediaKind } from './media-type.ts';
import type { Media, ResponseMetadata, Schema } from './openapi.ts';
import { resolve } from './plain-document.ts';

/** Writes errors in one form. */
export interface ErrorForm {
  /** The media type; undefined where the contract gives the error no body. */
  readonly mediaType: string | undefined;
  /** The value of the body; undefined where it does not conform to the contract, or there is no body. */
  readonly body: (status: number, message: string) => unknown;
}

/** The statuses of errors that the server sends without a handler, whatever the operation is. */
export const frameStatuses: readonly number[] = [400, 401, 403, 406, 413, 415, 429, 500, 503];

type Write = (status: number, message: string) => unknown;
type Json = Readonly<Record<string, unknown>>;

const title = (status: number): string => STATUS_CODES[status] ?? 'Error';
const word = (status: number): string =>
  title(status)
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '_');

const common: readonly Write[] = [
  (_status, message) => ({ error: message }),
  (status, message) => ({ type: 'about:blank', title: title(status), status, detail: message }),
  (_status, message) => ({ message }),
  (status, message) => ({ code: status, message }),
  (_status, message) => ({ error: { message } }),
  (_status, message) => message,
];

/** The members that can say what is wrong, and those that say of which kind the error is. */
const messageNames =
  /^(message|error|errors|detail|details|description|reason|msg|error_?message|error_?description)$/i;
const kindNames = /^(code|status|status_?code|type|title|error_?code|name)$/i;
/** Maximum depth of an error: a recursive schema has no end. */
const maxDepth = 5;

/** Builds an error from what its schema says: the names, types and constants of its members. */
class ErrorBuilder {
  readonly #document: object;
  readonly #status: number;
  readonly #message: string;
  /** Whether optional members that fit are written too. */
  readonly #isFull: boolean;

  constructor(document: object, status: number, message: string, isFull: boolean) {
    this.#document = document;
    this.#status = status;
    this.#message = message;
    this.#isFull = isFull;
  }

  build(described: unknown, name: string, depth = 0): unknown {
    const schema = resolve<unknown>(this.#document, described as Json);
    if (!isObject(schema) || depth > maxDepth) return this.#message;
    if ('const' in schema) return schema.const;
    if (Array.isArray(schema.enum)) return this.#constant(schema.enum);
    const parts = [schema.oneOf, schema.anyOf].find(Array.isArray) as unknown[] | undefined;
    if (parts !== undefined && schema.properties === undefined) return this.build(parts[0], name, depth + 1);
    const types = [schema.type ?? []].flat();
    if (types.includes('object') || schema.properties !== undefined || schema.allOf !== undefined)
      return this.#object(schema, depth);
    if (types.includes('array')) return [this.build(schema.items, name, depth + 1)];
    if (types.includes('string')) return this.#text(schema, name);
    if (types.includes('integer') || types.includes('number')) return this.#status;
    if (types.includes('boolean')) return false;
    return types.includes('null') ? null : this.#message;
  }

  #constant(values: readonly unknown[]): unknown {
    const fits = (value: unknown): boolean =>
      value === this.#status ||
      value === String(this.#status) ||
      (typeof value === 'string' && value.toLowerCase().replaceAll(/[^a-z]+/g, '_') === word(this.#status));
    return values.find(fits) ?? values[0];
  }

  #text({ format }: Json, name: string): string {
    if (format === 'date-time') return new Date().toISOString();
    if (format === 'date') return new Date().toISOString().slice(0, 10);
    if (format === 'uuid') return randomUUID();
    if (format === 'uri' || format === 'uri-reference') return 'about:blank';
    if (/^title$/i.test(name)) return title(this.#status);
    return kindNames.test(name) ? word(this.#status) : this.#message;
  }

  #object(schema: Json, depth: number): unknown {
    const properties = new Map<string, unknown>();
    const required = new Set<string>();
    const collect = (described: unknown, level: number): void => {
      const part = resolve<unknown>(this.#document, described as Json);
      if (!isObject(part) || level > maxDepth) return;
      for (const [name, property] of Object.entries(isObject(part.properties) ? part.properties : {}))
        properties.set(name, property);
      for (const name of Array.isArray(part.required) ? part.required : []) required.add(String(name));
      for (const each of Array.isArray(part.allOf) ? part.allOf : []) collect(each, level + 1);
    };
    collect(schema, 0);
    const names = [...new Set([...required, ...properties.keys()])].filter(
      (name) => required.has(name) || (this.#isFull && (messageNames.test(name) || kindNames.test(name))),
    );
    return Object.fromEntries(names.map((name) => [name, this.build(properties.get(name), name, depth + 1)]));
  }
}

/** The statuses that a response stands for, as far as the server sends them. */
const statusesOf = (key: string): readonly number[] =>
  /^\d+$/.test(key)
    ? [Number(key)]
    : frameStatuses.filter((status) => key === 'default' || key.startsWith(String(status)[0]!));

const sample = 'What is wrong, and what to do.';

/** The media type of an error that is written best: JSON, else text. */
const mediaOf = (content: ReadonlyMap<string, Media>): Media | undefined =>
  [...content.values()].find(({ kind }) => kind === 'json') ??
  [...content.values()].find(({ mediaType }) => mediaType.startsWith('text/'));

/**
 * The form of the errors of a response; undefined where the server can write no body that its schema allows. `compile` compiles a
 * schema of the document.
 */
export function errorForm(
  document: object,
  response: ResponseMetadata,
  compile: (schema: Schema) => ValidateFunction,
): ErrorForm | undefined {
  if (response.content.size === 0) return { mediaType: undefined, body: () => undefined };
  const media = mediaOf(response.content);
  if (media === undefined) return undefined;
  const { mediaType, schema = {} } = media;
  if (mediaKind(mediaType) === 'text') return { mediaType, body: (_status, message) => message };
  const isValid = compile(schema);
  const built =
    (isFull: boolean): Write =>
    (status, message) =>
      new ErrorBuilder(document, status, message, isFull).build(schema, '');
  const write = [...common, built(true), built(false)].find((each) =>
    statusesOf(response.key).every((status) => isValid(each(status, sample))),
  );
  if (write === undefined) return undefined;
  const body: Write = (status, message) => {
    const value = write(status, message);
    return isValid(value) ? value : undefined;
  };
  return { mediaType, body };
}
