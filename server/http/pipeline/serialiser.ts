/**
 * Serialises response bodies, and validates them against the contract. Each frozen object in a body is validated and
 * serialised only once: it cannot change, so its JSON stays valid.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { OperationId } from '../../contract/operations.ts';
import { lazy } from '../../collections/lazy.ts';
import { detachedCopy } from '../../collections/detached-copy.ts';
import { compilerWithin } from '../../contract/schema-compiler.ts';
import {
  resolve,
  type OperationMetadataMap,
  type OpenApiDocument,
  type OperationMetadata,
  type Schema,
} from '../../contract/openapi.ts';
import { ContractBreach } from '../express/openapi-validator.ts';

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
    const cached = this.#cache.get(value as object);
    if (cached !== undefined) return cached;
    const isValid = this.#validator();
    if (!isValid(value)) return isValid.errors!;
    const text = `${JSON.stringify(value)},`;
    if (!Object.isFrozen(value)) return text;
    const bytes = detachedCopy(Buffer.from(text));
    this.#cache.set(value as object, bytes);
    return bytes;
  }
}

/** A property of a response body whose value, or each item of it, is a component. */
interface Part {
  readonly component: Component;
  readonly isList: boolean;
}

/**
 * The reference to the component that a property, or each item of a list, refers to; undefined unless the component is
 * an object.
 */
function componentAt(document: OpenApiDocument, schema: Schema): string | undefined {
  const $ref = schema.type === 'array' ? schema.items?.$ref : schema.$ref;
  return $ref !== undefined && resolve<Schema>(document, { $ref }).type === 'object' ? $ref : undefined;
}

/**
 * Creates the serialisers of all operations with a JSON response. Each schema is compiled at the first response that
 * needs it, which takes some milliseconds: to compile all of them at the start would take a tenth of the start time.
 */
export function createSerialisers(
  document: OpenApiDocument,
  metadata: OperationMetadataMap,
): ReadonlyMap<OperationId, Serialise> {
  const compile = compilerWithin(document);

  const components = new Map<string, Component>();
  function component($ref: string): Component {
    const cached = components.get($ref) ?? new Component(lazy(() => compile({ $ref })));
    components.set($ref, cached);
    return cached;
  }

  function serialiser(id: OperationId, schema: Schema): Serialise {
    const bodySchema = resolve<Schema>(document, schema);
    const parts = new Map<string, Part>();
    // The components are validated separately, so this schema accepts any value in their place.
    const properties: Record<string, Schema> = { ...bodySchema.properties };
    for (const [name, property] of Object.entries(bodySchema.type === 'object' ? properties : {})) {
      const $ref = componentAt(document, property);
      if ($ref === undefined) continue;
      const isList = property.type === 'array';
      parts.set(name, { component: component($ref), isList });
      properties[name] = isList ? { ...property, items: {} } : {};
    }
    const validator = lazy(() => compile({ ...bodySchema, properties }));

    /** Joins the JSON of the components with the JSON of the other members. */
    function join(value: Record<string, unknown>): Buffer {
      const chunks: Buffer[] = [];
      let text = '{';
      const add = (item: unknown, { component }: Part, name: string, isLast: boolean): void => {
        const piece = component.write(item);
        if (typeof piece === 'string') text += isLast ? piece.slice(0, -1) : piece;
        else if (Array.isArray(piece)) throw breach(id, piece, `/${name}`);
        else {
          if (text !== '') chunks.push(Buffer.from(text));
          chunks.push(isLast ? piece.subarray(0, -1) : piece);
          text = '';
        }
      };
      let separator = '';
      for (const name of Object.keys(value)) {
        const member = value[name];
        if (member === undefined) continue;
        text += `${separator}${JSON.stringify(name)}:`;
        separator = ',';
        const part = parts.get(name);
        if (part === undefined) text += JSON.stringify(member);
        else if (!part.isList) add(member, part, name, true);
        else {
          const items = member as readonly unknown[];
          text += '[';
          for (let index = 0; index < items.length; index++) add(items[index], part, name, index === items.length - 1);
          text += ']';
        }
      }
      text += '}';
      if (chunks.length === 0) return Buffer.from(text);
      chunks.push(Buffer.from(text));
      return Buffer.concat(chunks);
    }

    return (value) => {
      if (value === undefined || value === null) throw new ContractBreach(id, `${id}: response body required`);
      const isValid = validator();
      if (!isValid(value)) throw breach(id, isValid.errors!);
      return parts.size === 0 ? Buffer.from(JSON.stringify(value)) : join(value as Record<string, unknown>);
    };
  }

  const entries = Object.entries(metadata) as [OperationId, OperationMetadata][];
  return new Map(
    entries.flatMap(([id, { responseSchema }]) =>
      responseSchema === undefined ? [] : [[id, serialiser(id, responseSchema)]],
    ),
  );
}

/** `pointer`: the JSON pointer of the value that the errors refer to. */
function breach(id: OperationId, errors: readonly ErrorObject[], pointer = ''): ContractBreach {
  const messages = errors.map(
    ({ instancePath, message, params }) => `${pointer}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return new ContractBreach(id, `${id}: ${messages.join(', ')}`, errors);
}
