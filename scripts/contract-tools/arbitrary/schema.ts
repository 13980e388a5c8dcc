/** Access to the schemas of an OpenAPI 3.1 document for the generators of values. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import { keysOf } from '../files/pointer.ts';
import { namesInherited } from '../../../server/contract/schema-compiler.ts';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** The keywords that the generators use; other keywords only filter the values. */
export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly contains?: Schema;
  readonly minContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly not?: Schema;
  readonly if?: Schema;
  readonly then?: Schema;
  readonly else?: Schema;
  /** Valid values. Of a schema with `x-syntax` no others are generated. */
  readonly examples?: unknown;
  /** Where a syntax is explained that the schema does not describe. */
  readonly 'x-syntax'?: string;
}
export const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;
export type TypeName = (typeof typeNames)[number];

/** A document whose references are local. */
export type SchemaDocument = object;

/** A schema and its JSON Pointer in the document. */
export interface SchemaNode {
  readonly schema: Schema;
  readonly pointer: string;
}

/** The value at a JSON Pointer; undefined when there is none. */
export const valueAt = (document: unknown, pointer: string): unknown =>
  keysOf(pointer).reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[key] : undefined),
    document,
  );

/** The schema at a JSON Pointer. Throws an Error when there is none. */
export function schemaAt(document: SchemaDocument, pointer: string): SchemaNode {
  const schema = valueAt(document, pointer);
  if ((typeof schema !== 'object' && typeof schema !== 'boolean') || schema === null)
    throw new Error(`the document has no schema at ${pointer}`);
  return { schema: schema as Schema, pointer };
}

/** Follows `$ref`s to the schema that has none. Ignores the keywords beside a `$ref`. */
export function follow(document: SchemaDocument, node: SchemaNode): SchemaNode {
  const { $ref } = node.schema;
  return $ref === undefined ? node : follow(document, schemaAt(document, decodeURIComponent($ref.replace(/^#/, ''))));
}

/** A schema nested in this one, by its keys. */
export const within = ({ pointer }: SchemaNode, schema: Schema, ...keys: readonly (string | number)[]): SchemaNode => ({
  schema,
  pointer: [pointer, ...keys.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/'),
});

/** The examples of a schema with a syntax that it does not describe: other values may violate the syntax. */
export const syntaxExamples = ({ 'x-syntax': syntax, examples }: Schema): readonly Json[] | undefined =>
  syntax === undefined || !Array.isArray(examples) || examples.length === 0 ? undefined : (examples as Json[]);

/** The types that a schema permits; all types without `type`. */
export function typesOf({
  type,
  enum: values,
  const: only,
  properties,
  patternProperties,
  items,
  prefixItems,
}: Schema): readonly TypeName[] {
  if (typeof type === 'string') return [type];
  if (type !== undefined) return type;
  if (only !== undefined) return [typeOf(only)];
  if (values !== undefined) return [...new Set(values.map(typeOf))];
  if (properties !== undefined || patternProperties !== undefined) return ['object'];
  return items === undefined && prefixItems === undefined ? typeNames : ['array'];
}

/** The type of a value; a whole number is an integer. */
export function typeOf(value: Json): TypeName {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value as 'boolean' | 'string' | 'object';
}

/** A JSON Pointer as the fragment of a URI. */
export const fragmentOf = (pointer: string): string => encodeURI(pointer).replaceAll('#', '%23');

/** The validator of the schema at a pointer. Ajv finds no place whose name has a percent sign, so that such a schema is compiled itself. */
function compiledAt(ajv: Ajv2020, document: SchemaDocument, pointer: string): ValidateFunction {
  if (!pointer.includes('%')) return ajv.compile({ $ref: `document#${fragmentOf(pointer)}` });
  const text = JSON.stringify(valueAt(document, pointer), (name, value: unknown) =>
    name === '$ref' && typeof value === 'string' ? `document${value}` : value,
  );
  return ajv.compile(JSON.parse(text) as object | boolean);
}

const engines = new WeakMap<
  SchemaDocument,
  { readonly ajv: Ajv2020; readonly compiled: Map<string, ValidateFunction> }
>();

/** Whether a value satisfies the schema at a pointer of the document. Schemas are compiled once. */
export function satisfies(document: SchemaDocument, { pointer }: SchemaNode, value: Json): boolean {
  let engine = engines.get(document);
  if (engine === undefined) {
    const ownProperties = namesInherited(document);
    const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, ownProperties });
    ajvFormats.default(ajv);
    engine = { ajv: ajv.addSchema(document, 'document'), compiled: new Map() };
    engines.set(document, engine);
  }
  let check = engine.compiled.get(pointer);
  if (check === undefined) {
    check = compiledAt(engine.ajv, document, pointer);
    engine.compiled.set(pointer, check);
  }
  return check(value);
}
