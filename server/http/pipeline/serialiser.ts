/**
 * Answers as bytes that the contract allows. What an answer is made of is validated and written once: a frozen object cannot
 * change any more, so neither can its text, and what was valid stays so.
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

/** The JSON of an answer. Throws ContractBreach when the contract does not allow it. */
export type Serialise = (answer: unknown) => Buffer;

/** Objects of one schema: those that are frozen are validated and written only once, as long as somebody holds them. */
class Component {
  readonly #validator: () => ValidateFunction;
  readonly #written = new WeakMap<object, Buffer>();

  constructor(validator: () => ValidateFunction) {
    this.#validator = validator;
  }

  /** Their JSON and a comma, as in a list: bytes where they are kept, else a text; or what is wrong with them. */
  write(value: unknown): Buffer | string | ErrorObject[] {
    const known = this.#written.get(value as object);
    if (known !== undefined) return known;
    const isValid = this.#validator();
    if (!isValid(value)) return isValid.errors!;
    const text = `${JSON.stringify(value)},`;
    if (!Object.isFrozen(value)) return text;
    const bytes = detachedCopy(Buffer.from(text));
    this.#written.set(value as object, bytes);
    return bytes;
  }
}

/** A property of an answer whose value, or each item of it, is a component. */
interface Part {
  readonly component: Component;
  readonly isList: boolean;
}

/** The name of the component that is an object and stands here by reference, alone or as the items of a list. */
function componentAt(document: OpenApiDocument, schema: Schema): string | undefined {
  const $ref = schema.type === 'array' ? schema.items?.$ref : schema.$ref;
  return $ref !== undefined && resolve<Schema>(document, { $ref }).type === 'object' ? $ref : undefined;
}

/**
 * Makes the serialisers of all operations that answer in JSON. Each schema is compiled for the first answer that needs it, in some milliseconds:
 * to compile all of them would take a tenth of the time that the service starts in.
 */
export function createSerialisers(
  document: OpenApiDocument,
  facts: OperationMetadataMap,
): ReadonlyMap<OperationId, Serialise> {
  const compile = compilerWithin(document);

  const components = new Map<string, Component>();
  function component($ref: string): Component {
    const known = components.get($ref) ?? new Component(lazy(() => compile({ $ref })));
    components.set($ref, known);
    return known;
  }

  function serialiser(id: OperationId, schema: Schema): Serialise {
    const answer = resolve<Schema>(document, schema);
    const parts = new Map<string, Part>();
    // The parts are checked by themselves: to the rest of the answer they are anything.
    const rest: Record<string, Schema> = { ...answer.properties };
    for (const [name, property] of Object.entries(answer.type === 'object' ? rest : {})) {
      const $ref = componentAt(document, property);
      if ($ref === undefined) continue;
      const isList = property.type === 'array';
      parts.set(name, { component: component($ref), isList });
      rest[name] = isList ? { ...property, items: {} } : {};
    }
    const validator = lazy(() => compile({ ...answer, properties: rest }));

    /** Joins the parts with what stands between them. */
    function joined(value: Record<string, unknown>): Buffer {
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
          for (let place = 0; place < items.length; place++) add(items[place], part, name, place === items.length - 1);
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
      return parts.size === 0 ? Buffer.from(JSON.stringify(value)) : joined(value as Record<string, unknown>);
    };
  }

  const all = Object.entries(facts) as [OperationId, OperationMetadata][];
  return new Map(all.flatMap(([id, { answer }]) => (answer === undefined ? [] : [[id, serialiser(id, answer)]])));
}

/** `within`: the pointer of the part that the errors are of. */
function breach(id: OperationId, errors: readonly ErrorObject[], within = ''): ContractBreach {
  const findings = errors.map(
    ({ instancePath, message, params }) => `${within}${instancePath} ${message} ${JSON.stringify(params)}`,
  );
  return new ContractBreach(id, `${id}: ${findings.join(', ')}`, errors);
}
