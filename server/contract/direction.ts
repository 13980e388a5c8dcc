/** The schemas of one direction: without the members that are only for the other one (`readOnly`, `writeOnly`). */
import { isObject } from '../text/object.ts';
import { resolve } from './plain-document.ts';

export type Direction = 'request' | 'response';

type Json = Record<string, unknown>;

/** The keywords whose values are schemas, lists of schemas, and schemas by name. */
const single = ['items', 'additionalProperties', 'contains', 'not', 'if', 'then', 'else', 'propertyNames'];
const others = ['unevaluatedItems', 'unevaluatedProperties', 'contentSchema'];
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const maps = ['properties', 'patternProperties', '$defs', 'dependentSchemas', 'definitions'];

/** The keyword that excludes a member from a direction. */
const keywordOf: Readonly<Record<Direction, string>> = { request: 'readOnly', response: 'writeOnly' };

/** Whether any schema of a value has members for one direction only. */
export function hasDirections(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.includes('"readOnly":true') || text.includes('"writeOnly":true');
}

/** Maximum depth of the search for members through references. */
const maxDepth = 20;

/** Converts schemas of a document for a direction. */
export class DirectedSchemas {
  readonly #document: object;
  readonly #keyword: string;
  /** Whether an excluded member is forbidden; otherwise it is left out, so that types do not have it. */
  readonly #forbids: boolean;

  constructor(document: object, direction: Direction, how: 'forbid' | 'omit') {
    this.#document = document;
    this.#keyword = keywordOf[direction];
    this.#forbids = how === 'forbid';
  }

  /** Whether a member with this schema is excluded. */
  #isExcluded(schema: unknown, depth = 0): boolean {
    if (!isObject(schema) || depth > maxDepth) return false;
    if (schema[this.#keyword] === true) return true;
    if (typeof schema.$ref === 'string' && this.#isExcluded(this.#target(schema.$ref), depth + 1)) return true;
    return Array.isArray(schema.allOf) && schema.allOf.some((part) => this.#isExcluded(part, depth + 1));
  }

  #target($ref: string): unknown {
    try {
      return resolve<unknown>(this.#document, { $ref });
    } catch {
      return undefined;
    }
  }

  /** The names of the excluded members of a schema and its parts. */
  #excluded(schema: unknown, depth = 0): string[] {
    if (!isObject(schema) || depth > maxDepth) return [];
    const own = Object.entries(isObject(schema.properties) ? schema.properties : {})
      .filter(([, property]) => this.#isExcluded(property))
      .map(([name]) => name);
    const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => (Array.isArray(schema[name]) ? schema[name] : []));
    const target = typeof schema.$ref === 'string' ? [this.#target(schema.$ref)] : [];
    return [...own, ...[...parts, ...target].flatMap((part) => this.#excluded(part, depth + 1))];
  }

  /** A schema for the direction. `inherited`: excluded members of the schema that it is a part of. */
  convert(schema: unknown, inherited: readonly string[] = []): unknown {
    if (!isObject(schema)) return schema;
    const excluded = [...inherited, ...this.#excluded(schema)];
    const converted: Json = { ...schema };
    for (const name of [...single, ...others]) if (name in schema) converted[name] = this.convert(schema[name]);
    for (const name of maps)
      if (isObject(schema[name])) converted[name] = this.#members(schema[name], name === 'properties');
    for (const name of lists)
      if (Array.isArray(schema[name]))
        converted[name] = schema[name].map((part) => this.convert(part, name === 'prefixItems' ? [] : excluded));
    if (Array.isArray(schema.required)) {
      const required = schema.required.filter((name) => !excluded.includes(String(name)));
      if (required.length > 0) converted.required = required;
      else delete converted.required;
    }
    return converted;
  }

  #members(schemas: Json, areMembers: boolean): Json {
    const entries = Object.entries(schemas).flatMap(([name, schema]): [string, unknown][] => {
      if (!areMembers || !this.#isExcluded(schema)) return [[name, this.convert(schema)]];
      return this.#forbids ? [[name, false]] : [];
    });
    return Object.fromEntries(entries);
  }
}
