/** How deep the smallest value of a schema is, so that the generators end with recursive schemas, and name those that never end. */
import { schemaAt, typesOf, within, type Schema, type SchemaDocument, type SchemaNode } from './schema.ts';

/** No value satisfies a schema, or the generator found none. */
export class UnsatisfiableSchema extends Error {
  override readonly name = 'UnsatisfiableSchema';
  /** The JSON Pointer of the schema. */
  readonly pointer: string;

  constructor(pointer: string, reason: string) {
    super(`${reason} (#${pointer})`);
    this.pointer = pointer;
  }
}

const highest = (heights: readonly number[]): number => Math.max(0, ...heights);

/** The heights of the schemas of one document. */
export class Heights {
  readonly #document: SchemaDocument;
  readonly #known = new Map<Schema | boolean, number>();
  readonly #recursive = new Map<string, boolean>();

  constructor(document: SchemaDocument) {
    this.#document = document;
  }

  /**
   * The number of nested schemas of the smallest value; infinite where every value contains itself, or the schema is `false`.
   * Keywords that only filter do not count.
   */
  of(node: SchemaNode): number {
    const known = this.#known.get(node.schema);
    if (known !== undefined && known < Infinity) return known;
    // Each round finds the heights of schemas that depend on those of the round before.
    for (let before = -1; before !== this.#finite();) {
      before = this.#finite();
      this.#visit(node, new Set());
    }
    return this.#known.get(node.schema) ?? Infinity;
  }

  #finite(): number {
    return [...this.#known.values()].filter((height) => height < Infinity).length;
  }

  /** Whether a value of a component can contain another value of it. */
  isRecursive(pointer: string): boolean {
    let found = this.#recursive.get(pointer);
    if (found === undefined) {
      found = this.#reaches(schemaAt(this.#document, pointer).schema, pointer, new Set());
      this.#recursive.set(pointer, found);
    }
    return found;
  }

  #reaches(value: unknown, pointer: string, seen: Set<string>): boolean {
    if (typeof value !== 'object' || value === null) return false;
    const { $ref } = value as Schema;
    if (typeof $ref === 'string') {
      const target = $ref.replace(/^#/, '');
      if (target === pointer) return true;
      if (!seen.has(target)) {
        seen.add(target);
        if (this.#reaches(schemaAt(this.#document, target).schema, pointer, seen)) return true;
      }
    }
    return Object.values(value).some((inner) => this.#reaches(inner, pointer, seen));
  }

  #visit(node: SchemaNode, active: Set<unknown>): number {
    const { schema } = node;
    const known = this.#known.get(schema);
    if (known !== undefined && known < Infinity) return known;
    if (active.has(schema)) return Infinity;
    active.add(schema);
    const height = this.#height(node, active);
    active.delete(schema);
    this.#known.set(schema, height);
    return height;
  }

  #height(node: SchemaNode, active: Set<unknown>): number {
    const schema = node.schema as Schema | boolean;
    if (typeof schema === 'boolean') return schema ? 0 : Infinity;
    const inner = (each: Schema, ...keys: (string | number)[]): number =>
      this.#visit(within(node, each, ...keys), active) + 1;
    const { $ref, allOf = [], anyOf, oneOf } = schema;
    const parts = allOf.map((part, index) => inner(part, 'allOf', index));
    if ($ref !== undefined)
      parts.push(this.#visit(schemaAt(this.#document, decodeURIComponent($ref.replace(/^#/, ''))), active) + 1);
    for (const [name, union] of Object.entries({ anyOf, oneOf }))
      if (union !== undefined) parts.push(Math.min(...union.map((part, index) => inner(part, name, index))));
    if (schema.const !== undefined || schema.enum !== undefined) return highest(parts);
    return Math.max(highest(parts), this.#ownHeight(schema, inner));
  }

  /** The height by the keywords of lists and objects. */
  #ownHeight(schema: Schema, inner: (each: Schema, ...keys: (string | number)[]) => number): number {
    const { properties = {}, required = [], items, prefixItems = [], minItems = 0 } = schema;
    const heights = typesOf(schema).map((type) => {
      if (type === 'object')
        return highest(
          required.flatMap((name) =>
            Object.hasOwn(properties, name) ? inner(properties[name]!, 'properties', name) : [],
          ),
        );
      if (type !== 'array' || minItems === 0) return 0;
      const tuple = prefixItems.slice(0, minItems).map((each, index) => inner(each, 'prefixItems', index));
      return highest(items === undefined || prefixItems.length >= minItems ? tuple : [...tuple, inner(items, 'items')]);
    });
    return Math.min(...heights);
  }
}
