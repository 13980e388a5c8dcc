/** Reads the examples of a document: by response, and by component. */
import { follow, satisfies, schemaAt, within, type Json, type SchemaNode, type Schema } from '../arbitrary/schema.ts';
import { parameterOf, type Parameter } from '../../../server/contract/openapi.ts';
import { escapeKey } from '../files/pointer.ts';

interface Reference {
  readonly $ref: string;
}
interface Media {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, object>>;
}
interface Header {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly content?: Readonly<Record<string, Media>>;
}
interface Response {
  readonly headers?: Readonly<Record<string, Header | Reference>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface DeclaredHeader {
  readonly example: unknown;
  readonly schema: SchemaNode | undefined;
  /** How it is written. */
  readonly parameter: Parameter;
}
/** A body that the document declares. */
interface DeclaredBody {
  readonly mediaType: string;
  /** Undefined for a body without a schema. */
  readonly schema: SchemaNode | undefined;
  /** By name; one without a name is `example`. */
  readonly examples: ReadonlyMap<string, unknown>;
}
/** A response that the document declares. */
export interface Declared {
  readonly status: number;
  readonly headers: ReadonlyMap<string, DeclaredHeader>;
  /** By media type, JSON first. */
  readonly bodies: readonly DeclaredBody[];
}

/** Whether a media type is JSON, or a kind of it (RFC 6839 §3.1). */
export const isJson = (mediaType: string): boolean => /^application\/(.+\+)?json\b/i.test(mediaType);

/** A child of a place, with references resolved. */
const childOf = (document: object, { pointer }: SchemaNode, ...keys: readonly string[]): SchemaNode =>
  follow(document, schemaAt(document, [pointer, ...keys.map(escapeKey)].join('/')));

/** The declared responses of an operation. */
export class DeclaredAnswers {
  readonly #byName: ReadonlyMap<string, Declared>;

  /** By status, range such as `4XX`, and `default`. */
  constructor(byName: ReadonlyMap<string, Declared>) {
    this.#byName = byName;
  }

  /** The response of a status, also by its range and by `default`. */
  get(status: number): Declared | undefined {
    const found = [String(status), `${Math.floor(status / 100)}XX`, 'default'].flatMap(
      (name) => this.#byName.get(name) ?? [],
    )[0];
    return found && { ...found, status };
  }

  /** The status of a call that succeeds: the lowest declared one, or else the first status. */
  get usual(): number {
    const statuses = [...this.#byName.keys()].filter((name) => /^\d{3}$/.test(name)).map(Number);
    const success = statuses.toSorted((a, b) => a - b).find((status) => status >= 200 && status < 300);
    return success ?? (this.get(200) === undefined ? (statuses[0] ?? 500) : 200);
  }

  /** What the document names: statuses, ranges and `default`. */
  get names(): string[] {
    return [...this.#byName.keys()];
  }

  get all(): Declared[] {
    return [...this.#byName.values()];
  }
}

/** The responses of an operation. */
export function declaredAnswers(document: object, path: string, method: string): DeclaredAnswers {
  const responses = childOf(document, { schema: {}, pointer: '' }, 'paths', path, method, 'responses');
  const names = Object.keys(responses.schema).filter((name) => /^[1-5](?:\d\d|XX)$|^default$/.test(name));
  return new DeclaredAnswers(
    new Map(
      names.map((name) => [name, declaredAnswer(document, Number(name) || 500, childOf(document, responses, name))]),
    ),
  );
}

const schemaIn = (document: object, place: SchemaNode): SchemaNode | undefined =>
  (place.schema as Media).schema === undefined ? undefined : childOf(document, place, 'schema');

function declaredBody(document: object, place: SchemaNode, mediaType: string): DeclaredBody {
  const media = place.schema as Media;
  const examples = new Map<string, unknown>(media.example === undefined ? [] : [['example', media.example]]);
  for (const name of Object.keys(media.examples ?? {})) {
    const { value } = childOf(document, place, 'examples', name).schema as { value?: unknown };
    if (value !== undefined) examples.set(name, value);
  }
  return { mediaType, schema: schemaIn(document, place), examples };
}

function declaredHeader(document: object, place: SchemaNode, name: string): DeclaredHeader {
  const header = place.schema as Header;
  const [type] = Object.keys(header.content ?? {});
  const described = type === undefined ? place : childOf(document, place, 'content', type);
  return {
    example: header.example ?? (described.schema as Media).example,
    schema: schemaIn(document, described),
    parameter: parameterOf(document, { ...header, name, in: 'header' } as never),
  };
}

function declaredAnswer(document: object, status: number, response: SchemaNode): Declared {
  const { headers = {}, content = {} } = response.schema as Response;
  const types = Object.keys(content).toSorted((one, other) => Number(isJson(other)) - Number(isJson(one)));
  return {
    status,
    headers: new Map(
      Object.keys(headers).map((name) => [
        name,
        declaredHeader(document, childOf(document, response, 'headers', name), name),
      ]),
    ),
    bodies: types.map((type) => declaredBody(document, childOf(document, response, 'content', type), type)),
  };
}

/**
 * The values of each component in the examples, by its name: the author in the example of a tweet is an author. Generated
 * values contain them, so that they look realistic.
 */
export function shownValues(document: object, answers: Iterable<Declared>): Map<string, unknown[]> {
  const shown = new Map<string, Map<string, unknown>>();
  const visit = (place: SchemaNode, value: unknown): void => {
    if (value === undefined) return;
    const [, name] = /^\/components\/schemas\/([^/]+)$/.exec(place.pointer) ?? [];
    if (name !== undefined) {
      if (!satisfies(document, place, value as Json)) return;
      shown.set(name, (shown.get(name) ?? new Map<string, unknown>()).set(JSON.stringify(value), value));
    }
    const { schema } = place;
    const inside = (part: Schema | undefined, at: unknown, ...keys: readonly (string | number)[]): void => {
      if (typeof part === 'object') visit(follow(document, within(place, part, ...keys)), at);
    };
    for (const union of ['anyOf', 'oneOf', 'allOf'] as const)
      schema[union]?.forEach((part, index) => inside(part, value, union, index));
    if (Array.isArray(value)) for (const item of value) inside(schema.items, item, 'items');
    else if (typeof value === 'object' && value !== null) {
      for (const [member, part] of Object.entries(schema.properties ?? {}))
        inside(part, (value as Record<string, unknown>)[member], 'properties', member);
    }
  };
  for (const { bodies } of answers)
    for (const { schema, examples } of bodies)
      if (schema !== undefined) for (const value of examples.values()) visit(schema, value);
  return new Map(Array.from(shown, ([name, known]) => [name, [...known.values()]]));
}
