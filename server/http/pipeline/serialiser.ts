/**
 * Serialises response bodies, and validates them against the contract. Each frozen object in a body is validated and
 * serialised only once: it cannot change, so its JSON stays valid.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { OperationId } from '../../contract/operations.ts';
import { lazy } from '../../collections/lazy.ts';
import { detachedCopy } from '../../collections/detached-copy.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import { resolve, type OperationMetadataMap, type OpenApiDocument, type Schema } from '../../contract/openapi.ts';
import { ContractBreach } from './contract-breach.ts';
import { operationEntries } from './operation-entries.ts';
import { hasMembers, isObject, memberOf } from '../../text/object.ts';

/**
 * Serialises a response body as JSON in UTF-8. Throws ContractBreach when the body does not conform to the contract.
 */
export type Serialise = (answer: unknown) => Buffer;

/** Serialises objects of one schema. The JSON of a frozen object is cached until the object is garbage collected. */
class Component {
  readonly #validator: () => ValidateFunction;
  readonly #cache = new WeakMap<object, Buffer>();

  constructor(validator: () => ValidateFunction) {
    this.#validator = validator;
  }

  /**
   * Returns the JSON of a value with a trailing comma, as in a list: bytes if cached, else a string. Returns the
   * validation errors if the value is invalid.
   */
  write(value: unknown): Buffer | string | ErrorObject[] {
    const object = hasMembers(value) ? value : undefined;
    const cached = object && this.#cache.get(object);
    if (cached !== undefined) return cached;
    const isValid = this.#validator();
    if (!isValid(value)) return isValid.errors ?? [];
    const text = `${JSON.stringify(value)},`;
    if (object === undefined || !Object.isFrozen(object)) return text;
    const bytes = detachedCopy(Buffer.from(text));
    this.#cache.set(object, bytes);
    return bytes;
  }
}

/** A property of a response body whose value, or each item of it, is a component. */
interface Part {
  readonly component: Component;
  readonly isList: boolean;
}

/** The keywords of a schema that say nothing about values. */
const annotations = new Set(['description', 'title', 'deprecated', 'example', 'examples', 'default', '$comment']);

/** Whether a schema is a reference and nothing else that restricts values. */
const isReference = (schema: unknown): schema is { readonly $ref: string } =>
  isObject(schema) &&
  typeof schema.$ref === 'string' &&
  Object.keys(schema).every((name) => name === '$ref' || name.startsWith('x-') || annotations.has(name));

/**
 * The reference to the component that a property, or each item of a list, refers to; undefined unless the component is
 * an object, and nothing beside the reference restricts it.
 */
function componentAt(document: OpenApiDocument, schema: Schema): string | undefined {
  const isList = schema.type === 'array' && !('prefixItems' in schema);
  const reference: unknown = isList ? schema.items : schema;
  return isReference(reference) && memberOf(resolve<unknown>(document, reference), 'type') === 'object'
    ? reference.$ref
    : undefined;
}

/** Joins the JSON of the members of a body: text, and bytes of components. */
class BodyWriter {
  readonly #id: OperationId;
  readonly #chunks: Buffer[] = [];
  #text = '{';
  #separator = '';

  constructor(id: OperationId) {
    this.#id = id;
  }

  /** Adds a member. Throws ContractBreach for an invalid component. */
  member(name: string, value: unknown, part: Part | undefined): void {
    this.#text += `${this.#separator}${JSON.stringify(name)}:`;
    this.#separator = ',';
    if (part === undefined) this.#text += JSON.stringify(value);
    else if (!part.isList || !Array.isArray(value)) this.#component(value, part, name, true);
    else {
      const items: readonly unknown[] = value;
      this.#text += '[';
      for (let index = 0; index < items.length; index++)
        this.#component(items[index], part, name, index === items.length - 1);
      this.#text += ']';
    }
  }

  end(): Buffer {
    this.#text += '}';
    if (this.#chunks.length === 0) return Buffer.from(this.#text);
    this.#chunks.push(Buffer.from(this.#text));
    return Buffer.concat(this.#chunks);
  }

  #component(value: unknown, { component }: Part, name: string, isLast: boolean): void {
    const piece = component.write(value);
    if (typeof piece === 'string') this.#text += isLast ? piece.slice(0, -1) : piece;
    else if (Array.isArray(piece)) throw breach(this.#id, piece, `/${name}`);
    else {
      if (this.#text !== '') this.#chunks.push(Buffer.from(this.#text));
      this.#chunks.push(isLast ? piece.subarray(0, -1) : piece);
      this.#text = '';
    }
  }
}

/** Serialises the bodies of one operation. */
class BodySerialiser {
  readonly #id: OperationId;
  readonly #validator: () => ValidateFunction;
  readonly #parts: ReadonlyMap<string, Part>;

  constructor(id: OperationId, validator: () => ValidateFunction, parts: ReadonlyMap<string, Part>) {
    this.#id = id;
    this.#validator = validator;
    this.#parts = parts;
  }

  serialise(body: unknown): Buffer {
    if (body === undefined) throw new ContractBreach(this.#id, `${this.#id}: response body required`);
    const isValid = this.#validator();
    if (!isValid(body)) throw breach(this.#id, isValid.errors ?? []);
    if (this.#parts.size === 0 || !hasMembers(body)) return Buffer.from(JSON.stringify(body));
    const writer = new BodyWriter(this.#id);
    for (const name of Object.keys(body)) {
      const value = body[name];
      if (value !== undefined) writer.member(name, value, this.#parts.get(name));
    }
    return writer.end();
  }
}

/** Compiles the serialisers of a document. All operations share the components. */
export class SerialiserCompiler {
  readonly #document: OpenApiDocument;
  readonly #compile: (schema: object) => ValidateFunction;
  readonly #components = new Map<string, Component>();

  constructor(document: OpenApiDocument) {
    this.#document = document;
    this.#compile = compilerWithin(document, { direction: 'response' });
  }

  /** Returns the validator of a schema, which is compiled at its first use. */
  validator(schema: Schema): () => ValidateFunction {
    return lazy(() => this.#compile(schema));
  }

  serialiser(id: OperationId, schema: Schema): Serialise {
    // What stands beside a reference restricts the value too.
    const bodySchema = isReference(schema) ? resolve<Schema>(this.#document, schema) : schema;
    const parts = new Map<string, Part>();
    // The components are validated separately, so this schema accepts any value in their place.
    const properties: Record<string, Schema> = { ...bodySchema.properties };
    for (const [name, property] of Object.entries(bodySchema.type === 'object' ? properties : {})) {
      const $ref = componentAt(this.#document, property);
      if ($ref === undefined) continue;
      const isList = property.type === 'array';
      parts.set(name, { component: this.#component($ref), isList });
      properties[name] = isList ? { ...property, items: {} } : {};
    }
    const validator = this.validator(parts.size === 0 ? schema : { ...bodySchema, properties });
    const serialiser = new BodySerialiser(id, validator, parts);
    return (body) => serialiser.serialise(body);
  }

  #component($ref: string): Component {
    const component = this.#components.get($ref) ?? new Component(lazy(() => this.#compile({ $ref })));
    this.#components.set($ref, component);
    return component;
  }
}

/**
 * Creates the serialisers of all operations whose handlers return a JSON body. Each schema is compiled at the first response that
 * needs it, which takes some milliseconds: to compile all of them at the start would take a tenth of the start time.
 */
export function createSerialisers(
  metadata: OperationMetadataMap,
  compiler: SerialiserCompiler,
): ReadonlyMap<OperationId, Serialise> {
  return new Map(
    operationEntries(metadata).flatMap(([id, { entry, responseSchema = {} }]) =>
      entry.success === undefined ? [] : [[id, compiler.serialiser(id, responseSchema)]],
    ),
  );
}

/** The error of a value that violates the contract. `pointer`: the JSON pointer of the value that the errors refer to. */
export function breach(id: OperationId, errors: readonly ErrorObject[], pointer = ''): ContractBreach {
  const messages = errors.map(
    ({ instancePath, message, params }) => `${pointer}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return new ContractBreach(id, `${id}: ${messages.join(', ')}`, errors);
}
