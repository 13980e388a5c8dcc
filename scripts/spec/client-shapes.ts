/** The shapes of response bodies, which the client's `validate` checks. */
import type { Shape } from '../../client/src/shape.ts';
import { mediaKind } from '../../server/contract/media-type.ts';
import { resolve } from '../../server/contract/plain-document.ts';
import { callShape } from './client-call.ts';
import type { Placed } from './client-operation.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly required?: readonly string[];
  readonly writeOnly?: boolean;
  readonly anyOf?: readonly (Schema | boolean)[];
  readonly oneOf?: readonly (Schema | boolean)[];
  readonly allOf?: readonly (Schema | boolean)[];
}

const prefix = '#/components/schemas/';
const types = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Collects the schemas that shapes refer to. */
class Shapes {
  readonly named: Record<string, Shape> = {};
  readonly #document: object;

  constructor(document: object) {
    this.#document = document;
  }

  /** The shape of a schema. What a shape cannot say is left out, so that it permits more than the schema. */
  of(schema: Schema | boolean): Shape {
    if (typeof schema === 'boolean') return schema ? {} : { enum: [] };
    const { $ref, ...others } = schema;
    const reference = $ref === undefined ? undefined : this.#reference($ref);
    const rules = this.#rules(others);
    if (reference === undefined) return rules;
    return typeof rules === 'object' && Object.keys(rules).length === 0 ? reference : { all: [reference, rules] };
  }

  #reference($ref: string): Shape {
    const name = $ref.startsWith(prefix) ? $ref.slice(prefix.length) : '';
    // A name that is a type, or has the separator of names, is written out.
    if (!/^\w+$/.test(name) || types.includes(name)) return this.of(resolve<Schema>(this.#document, { $ref }));
    if (this.named[name] === undefined) {
      // Schemas may refer to themselves.
      this.named[name] = '';
      this.named[name] = this.of(resolve<Schema>(this.#document, { $ref }));
    }
    return name;
  }

  #rules(schema: Schema): Shape {
    const { type, anyOf, oneOf, allOf, items, minimum, maximum } = schema;
    const union = (anyOf ?? oneOf)?.map((each) => this.of(each));
    const areNames = type === undefined && (union?.every((each) => typeof each === 'string') ?? false);
    const members = this.#members(schema);
    const rules = {
      type: areNames ? union?.join('|') : type === undefined ? undefined : [type].flat().join('|'),
      enum: schema.enum ?? ('const' in schema ? [schema.const] : undefined),
      pattern: schema.pattern,
      format: schema.format === 'date-time' ? schema.format : undefined,
      min: minimum,
      max: maximum,
      minSize: schema.minLength ?? schema.minItems,
      maxSize: schema.maxLength ?? schema.maxItems,
      unique: schema.uniqueItems || undefined,
      // Behind the items of a tuple.
      items: items === undefined || schema.prefixItems !== undefined ? undefined : this.of(items),
      members: Object.keys(members).length === 0 ? undefined : members,
      any: areNames ? undefined : union,
      all: allOf?.map((each) => this.of(each)),
    };
    const given = Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
    return Object.keys(given).length === 1 && rules.type !== undefined ? rules.type : (given as Shape);
  }

  #members({ properties = {}, required = [] }: Schema): Record<string, Shape> {
    // No response has a member that callers only write.
    const isSent = (schema: Schema | boolean): boolean =>
      typeof schema === 'boolean' || resolve<Schema>(this.#document, schema as Schema).writeOnly !== true;
    const sent = Object.entries(properties).filter(([, schema]) => isSent(schema));
    const named = sent.map(([name, schema]) => [required.includes(name) ? name : `${name}?`, this.of(schema)]);
    const others = required.filter((name) => !Object.hasOwn(properties, name)).map((name) => [name, {}]);
    return Object.fromEntries([...named, ...others]) as Record<string, Shape>;
  }
}

/** The module with the shapes of the success responses in JSON. */
export function shapeModule(banner: string, operations: readonly Placed[], document: object): string {
  const shapes = new Shapes(document);
  const answers = operations.flatMap((placed) => {
    const schemas = callShape(document, placed).successes.flatMap(({ content }) =>
      Object.entries(content).flatMap(([type, { schema }]) =>
        mediaKind(type) === 'json' && schema !== undefined ? [schema as Schema | boolean] : [],
      ),
    );
    const [first, ...others] = schemas.map((schema) => shapes.of(schema));
    if (first === undefined) return [];
    return [[`${placed.method} ${placed.path}`, others.length === 0 ? first : { any: [first, ...others] }]];
  });
  return `${banner}import type { Shape } from '../client/src/shape.ts';

/** The shapes with a name. */
export const shapes: Readonly<Record<string, Shape>> = ${JSON.stringify(shapes.named, null, 1)};

/** The shape of the response body for success, by method and path. */
export const answers: Readonly<Record<string, Shape>> = ${JSON.stringify(Object.fromEntries(answers), null, 1)};
`;
}
