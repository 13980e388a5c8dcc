/** The JSON Schemas of tools: those of the contract, each complete in itself, in JSON Schema 2020-12, which both OpenAPI 3.1 and MCP use. */
import { DirectedSchemas, type Direction } from '../../contract/direction.ts';
import { resolve } from '../../contract/plain-document.ts';
import { isObject } from '../../text/object.ts';

/** A schema of a tool: its arguments, or its result. */
export interface ToolSchema extends Readonly<Record<string, unknown>> {
  readonly type: 'object';
}

/** The keywords of OpenAPI that JSON Schema does not have. */
const foreign = new Set(['discriminator', 'xml', 'externalDocs', 'example']);
/** The keywords whose members are schemas by name, which can have the names of keywords. */
const maps = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas', 'definitions']);
/** The keywords whose value is data and no schema. */
const data = new Set(['default', 'const', 'enum', 'examples', 'required']);

/** Copies schemas of a document, and collects the components that they refer to. */
export class SchemaCopier {
  readonly #document: object;
  readonly #directed: DirectedSchemas;
  readonly #definitions = new Map<string, unknown>();

  /** `direction`: without the members that are only for the other one. */
  constructor(document: object, direction: Direction) {
    this.#document = document;
    this.#directed = new DirectedSchemas(document, direction, 'omit');
  }

  /** The copy of a schema, with references to `$defs` instead of components. */
  copy(schema: unknown): unknown {
    return this.#copied(this.#directed.convert(schema));
  }

  #copied(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((each) => this.#copied(each));
    if (!isObject(schema)) return schema;
    return Object.fromEntries(
      Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
        if (name === '$ref') return [['$ref', this.#reference(String(value))]];
        if (name === 'example') return schema.examples === undefined ? [['examples', [value]]] : [];
        if (foreign.has(name) || name.startsWith('x-')) return [];
        if (data.has(name)) return [[name, value]];
        if (maps.has(name) && isObject(value))
          return [[name, Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#copied(each)]))]];
        return [[name, this.#copied(value)]];
      }),
    );
  }

  /** The definitions of the copies, as a member of the schema that has them. */
  definitions(): { readonly $defs?: Readonly<Record<string, unknown>> } {
    return this.#definitions.size === 0 ? {} : { $defs: Object.fromEntries(this.#definitions) };
  }

  #reference($ref: string): string {
    const name = $ref.replace('#/components/schemas/', '').replaceAll(/[^\w.-]+/g, '.');
    if (!this.#definitions.has(name)) {
      // Before the copy: a schema can refer to itself.
      this.#definitions.set(name, true);
      this.#definitions.set(name, this.copy(resolve<unknown>(this.#document, { $ref })));
    }
    return `#/$defs/${name}`;
  }
}
