/** The part of a JSON Schema that decides which values can be made of it. */
import { resolve } from '../../server/http/operation-table.ts';

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema | boolean>>;
  readonly required?: readonly string[];
  readonly items?: Schema | boolean;
  readonly prefixItems?: readonly (Schema | boolean)[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly (Schema | boolean)[];
  readonly oneOf?: readonly (Schema | boolean)[];
  readonly allOf?: readonly (Schema | boolean)[];
}

/** How often a component may stand within itself: a tweet in a tweet, and no more. */
const deepest = 2;

/** What stands for a component: the known values of its name, or undefined, where it is to be unfolded. */
export type Known = (name: string) => readonly unknown[] | undefined;

const nameOf = (ref: string): string => ref.split('/').at(-1)!;

/**
 * The schema without references, so that every value of it is finite: what would begin again within itself is cut off, which
 * leaves the other choices. `false` where there is no finite value.
 */
export function unfold(document: object, schema: Schema | boolean, known: Known, within: readonly string[] = []): Schema | false {
  if (schema === false) return false;
  if (schema === true) return {};
  if (schema.$ref !== undefined) return unfoldReference(document, schema, known, within);
  const inner = (part: Schema | boolean): Schema | false => unfold(document, part, known, within);
  const made: { -readonly [Key in keyof Schema]: Schema[Key] } = { ...schema };

  for (const union of ['anyOf', 'oneOf'] as const) {
    if (schema[union] === undefined) continue;
    const choices = schema[union].map(inner).filter((choice) => choice !== false);
    if (choices.length === 0) return false;
    made[union] = choices;
  }
  if (schema.allOf !== undefined) {
    const parts = schema.allOf.map(inner);
    if (parts.includes(false)) return false;
    made.allOf = parts;
  }
  if (schema.properties !== undefined) {
    const members = Object.entries(schema.properties).map(([name, member]) => [name, inner(member)] as const);
    if (members.some(([name, member]) => member === false && schema.required?.includes(name))) return false;
    made.properties = Object.fromEntries(members);
  }
  if (schema.items !== undefined) {
    const items = inner(schema.items);
    if (items === false && (schema.minItems ?? 0) > (schema.prefixItems?.length ?? 0)) return false;
    made.items = items;
    if (items === false) made.maxItems = schema.prefixItems?.length ?? 0;
  }
  if (schema.prefixItems !== undefined) made.prefixItems = schema.prefixItems.map(inner);
  if (typeof schema.additionalProperties === 'object') made.additionalProperties = inner(schema.additionalProperties);
  return made;
}

function unfoldReference(document: object, schema: Schema, known: Known, within: readonly string[]): Schema | false {
  const { $ref, ...rest } = schema;
  const name = nameOf($ref!);
  const values = known(name);
  if (values !== undefined) return { enum: values };
  if (within.filter((outer) => outer === name).length >= deepest) return false;
  const target = unfold(document, resolve<Schema | boolean>(document, { $ref: $ref! }), known, [...within, name]);
  const beside = unfold(document, rest, known, within);
  if (target === false || beside === false) return false;
  // What stands beside a reference holds as well (JSON Schema 2020-12 §8.2.3.1).
  return Object.keys(beside).every((keyword) => keyword === 'description') ? target : { allOf: [target, beside] };
}
