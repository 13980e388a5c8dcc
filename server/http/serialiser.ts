/**
 * Answers as bytes that the contract allows. What an answer is made of is validated and written once: a frozen object cannot
 * change any more, so neither can its text, and what was valid stays so.
 */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { OperationId } from '../contract.ts';
import { compilerWithin } from '../schemas.ts';
import { resolve, type Facts, type OpenApiDocument, type OperationFacts, type Schema } from './openapi.ts';
import { ContractBreach } from './validation.ts';

/** The JSON of an answer. Throws ContractBreach when the contract does not allow it. */
export type Serialise = (answer: unknown) => Buffer;

/** Objects of one schema: those that are frozen are validated and written only once, as long as somebody holds them. */
class Component {
  readonly #isValid: ValidateFunction;
  readonly #written = new WeakMap<object, Buffer>();

  constructor(isValid: ValidateFunction) {
    this.#isValid = isValid;
  }

  /** Their JSON and a comma, as in a list, or what is wrong with them. */
  write(value: unknown): Buffer | ErrorObject[] {
    const known = this.#written.get(value as object);
    if (known !== undefined) return known;
    if (!this.#isValid(value)) return this.#isValid.errors!;
    const bytes = Buffer.from(`${JSON.stringify(value)},`);
    if (Object.isFrozen(value)) this.#written.set(value as object, bytes);
    return bytes;
  }
}

/** Of the JSON and a comma. */
const withoutComma = (bytes: Buffer): Buffer => bytes.subarray(0, -1);
const bytesOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** The name of the component that is an object and stands here by reference, alone or as the items of a list. */
function componentAt(document: OpenApiDocument, schema: Schema): string | undefined {
  const $ref = schema.type === 'array' ? schema.items?.$ref : schema.$ref;
  return $ref !== undefined && resolve<Schema>(document, { $ref }).type === 'object' ? $ref : undefined;
}

/** Makes the serialisers of all operations that answer in JSON; compiles everything now, so that the first request need not. */
export function createSerialisers(document: OpenApiDocument, facts: Facts): ReadonlyMap<OperationId, Serialise> {
  const compile = compilerWithin(document);

  const components = new Map<string, Component>();
  function component($ref: string): Component {
    const known = components.get($ref) ?? new Component(compile({ $ref }));
    components.set($ref, known);
    return known;
  }

  function serialiser(id: OperationId, schema: Schema): Serialise {
    const answer = resolve<Schema>(document, schema);
    const parts = new Map<string, { component: Component; isList: boolean }>();
    // The parts are checked by themselves: to the rest of the answer they are anything.
    const rest: Record<string, Schema> = { ...answer.properties };
    for (const [name, property] of Object.entries(answer.type === 'object' ? rest : {})) {
      const $ref = componentAt(document, property);
      if ($ref === undefined) continue;
      const isList = property.type === 'array';
      parts.set(name, { component: component($ref), isList });
      rest[name] = isList ? { ...property, items: {} } : {};
    }
    const isValid = compile({ ...answer, properties: rest });

    const pieceOf = (value: unknown, { component }: { component: Component }, name: string): Buffer => {
      const written = component.write(value);
      if (Array.isArray(written)) throw breach(id, written, `/${name}`);
      return written;
    };

    /** Joins the parts with what stands between them. */
    function joined(value: object): Buffer {
      const chunks: Buffer[] = [];
      let text = '{';
      for (const [name, member] of Object.entries(value)) {
        if (member === undefined) continue;
        text += `${text === '{' ? '' : ','}${JSON.stringify(name)}:`;
        const part = parts.get(name);
        if (part === undefined) {
          text += JSON.stringify(member);
          continue;
        }
        chunks.push(Buffer.from(part.isList ? `${text}[` : text));
        const items = part.isList ? (member as readonly unknown[]) : [member];
        const last = items.length - 1;
        for (let place = 0; place <= last; place++) {
          const piece = pieceOf(items[place], part, name);
          chunks.push(place === last ? withoutComma(piece) : piece);
        }
        text = part.isList ? ']' : '';
      }
      chunks.push(Buffer.from(`${text}}`));
      return Buffer.concat(chunks);
    }

    return (value) => {
      if (value === undefined || value === null) throw new ContractBreach(id, `${id}: response body required`);
      if (!isValid(value)) throw breach(id, isValid.errors!);
      return parts.size === 0 ? bytesOf(value) : joined(value as object);
    };
  }

  const all = Object.entries(facts) as [OperationId, OperationFacts][];
  return new Map(all.flatMap(([id, { answer }]) => (answer === undefined ? [] : [[id, serialiser(id, answer)]])));
}

/** `within`: the pointer of the part that the errors are of. */
function breach(id: OperationId, errors: readonly ErrorObject[], within = ''): ContractBreach {
  const findings = errors.map(({ instancePath, message, params }) => `${within}${instancePath} ${message} ${JSON.stringify(params)}`);
  return new ContractBreach(id, `${id}: ${findings.join(', ')}`, errors);
}
