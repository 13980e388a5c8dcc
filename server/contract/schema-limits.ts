/** The limits of a JSON Schema in words, for the documentation of parameters and members. */
import { hasMembers, isObject } from '../text/object.ts';
import { resolve } from './plain-document.ts';
import { alternatives, formatNames, range, span, type ValueConstraints } from './requirement.ts';

type Schema = ValueConstraints & Readonly<Record<string, unknown>>;

/** Schemas in schemas are described to this depth; recursive ones would not end. */
const maxDepth = 3;

/** A value as a caller writes it. */
const written = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? value : (JSON.stringify(value) ?? '');

/** A schema with its reference and the parts of its `allOf` written into it; its own keywords come first. */
function whole(document: object, schema: unknown, depth = 0): Schema {
  if (!isObject(schema) || depth > maxDepth) return {};
  const { $ref, allOf, ...own } = schema;
  const parts = [...(typeof $ref === 'string' ? [resolve<unknown>(document, { $ref })] : []), ...listOf(allOf)];
  return Object.assign({}, ...parts.map((part) => whole(document, part, depth + 1)), own) as Schema;
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** `minimum` and the like: `1 to 100`. */
const rangeWords = (schema: Schema): string => range(schema).replace(/^from /, '');

function lengthWords(min: unknown, max: unknown, noun: string): string {
  const [low, high] = [min, max].map((value) => (typeof value === 'number' ? value : undefined));
  return (low ?? 0) === 0 && high === undefined ? '' : span((low ?? 0) === 0 ? undefined : low, high, noun);
}

/** The sizes of numbers, which matter to programs and not to readers. */
const numberFormats = ['int32', 'int64', 'float', 'double'];

/** What the values of a text are: the words of the contract for a pattern, or else its format and the pattern. */
function textWords({ format, pattern, contentMediaType, 'x-expected': expected }: Schema): string[] {
  if (expected !== undefined) return [expected];
  return [
    ...(format === undefined || numberFormats.includes(format) ? [] : [formatNames[format] ?? `format ${format}`]),
    ...(typeof contentMediaType === 'string' ? [contentMediaType] : []),
    ...(pattern === undefined ? [] : pattern === '\\S' ? ['not blank'] : [`matches ${pattern}`]),
  ];
}

/** The alternatives of `anyOf` and `oneOf`, each in its own words; an alternative without limits is left out. */
function alternativeWords(document: object, schema: Schema, depth: number): string {
  const parts = [...listOf(schema['oneOf']), ...listOf(schema['anyOf'])].map((part) =>
    words(document, part, depth + 1),
  );
  return alternatives([...new Set(parts.filter((part) => part !== ''))]);
}

/** The limits of the items of a list. */
function itemWords(document: object, { items }: Schema, depth: number): string {
  const inner = items === undefined ? '' : words(document, items, depth + 1);
  return inner === '' ? '' : `each ${inner}`;
}

function words(document: object, given: unknown, depth: number): string {
  if (depth > maxDepth) return '';
  const schema = whole(document, given);
  const values = 'const' in schema ? [schema.const] : schema.enum;
  const isNullable = [schema.type].flat().includes('null') && [schema.type].flat().length > 1;
  const limits = [
    ...(values === undefined
      ? [
          ...textWords(schema),
          rangeWords(schema),
          schema.multipleOf === undefined ? '' : `a multiple of ${schema.multipleOf}`,
          // The words of the contract for a pattern name its length.
          schema['x-expected'] === undefined ? lengthWords(schema.minLength, schema.maxLength, 'character') : '',
          lengthWords(schema.minItems, schema.maxItems, 'item'),
          schema['uniqueItems'] === true ? 'no duplicates' : '',
          itemWords(document, schema, depth),
          lengthWords(schema['minProperties'], schema['maxProperties'], 'member'),
        ]
      : [alternatives(values.map(written))]),
    alternativeWords(document, schema, depth),
  ].filter((part) => part !== '');
  const nullable = isNullable && values === undefined && limits.length > 0 && schema['x-expected'] === undefined;
  return limits.join(', ') + (nullable ? ', or null' : '');
}

/**
 * The limits of a schema in one phrase for readers: its values or its range, lengths and format, then its default, such as
 * `1 to 100, default 20` or `at most 50 characters`. Empty where the schema has none. `document` is the contract in which
 * references lead somewhere; throws an Error for a reference without a target.
 */
export function schemaLimits(schema: unknown, document: object = {}): string {
  const limits = words(document, schema, 0);
  const { default: standard } = whole(document, schema) as { default?: unknown };
  if (standard === undefined) return limits;
  const shown = hasMembers(standard) ? JSON.stringify(standard) : written(standard);
  return [limits, `default ${shown}`].filter((part) => part !== '').join(', ');
}
