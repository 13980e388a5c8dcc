/** Words the constraints of a JSON Schema for error messages. No message contains a regular expression. */
import { nearest } from '../text/nearest-name.ts';

/** The keywords of a schema that constrain a value. */
export interface ValueConstraints {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  /** A noun phrase that describes the values that `pattern` allows, such as `a username: 1–15 letters, digits or _`. */
  readonly 'x-expected'?: string;
  readonly title?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

/** Each type as a noun phrase. */
export const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
  null: 'null',
};
/** The usual formats as noun phrases. */
export const formatNames: Readonly<Record<string, string>> = {
  'date-time': "a time such as '2026-03-04T05:06:07.000Z' (RFC 3339)",
  date: "a date such as '2026-03-04'",
  time: "a time of day such as '05:06:07Z' (RFC 3339)",
  email: 'an e-mail address',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  uri: 'a URL',
  uuid: 'a UUID',
};

/** Words as alternatives: `a, b or c`. */
export const alternatives = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const quantity = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A number of things within limits, of which at least one is defined: `1 to 4 characters`. */
export function span(min: number | undefined, max: number | undefined, noun: string): string {
  if (min !== undefined && max !== undefined)
    return min === max ? quantity(min, noun) : `${min} to ${quantity(max, noun)}`;
  return max === undefined ? `at least ${quantity(min ?? 0, noun)}` : `at most ${quantity(max, noun)}`;
}

/** The limits of a number: `from 1 to 100`; empty where it has none. */
export function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ValueConstraints): string {
  if (minimum !== undefined && maximum !== undefined) return `from ${minimum} to ${maximum}`;
  const bounds = [
    ...(minimum === undefined ? [] : [`at least ${minimum}`]),
    ...(exclusiveMinimum === undefined ? [] : [`greater than ${exclusiveMinimum}`]),
    ...(maximum === undefined ? [] : [`at most ${maximum}`]),
    ...(exclusiveMaximum === undefined ? [] : [`less than ${exclusiveMaximum}`]),
  ];
  return bounds.join(' and ');
}

function typeWords(schema: ValueConstraints): string {
  const words = alternatives([schema.type ?? []].flat().map((type) => typeNames[type] ?? type));
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  return isNumber ? `${words} ${range(schema)}`.trimEnd() : words;
}

/** Whether the pattern only requires one character that is not white space. */
const requiresText = ({ pattern }: ValueConstraints): boolean => pattern === '\\S';

/**
 * Describes the pattern of a schema with `x-expected`, else `title`, and with the example. If the schema has neither,
 * the text refers to the documentation.
 */
function patternWords(schema: ValueConstraints, example: unknown = schema.example ?? schema.examples?.[0]): string {
  if (requiresText(schema)) return 'must not be blank';
  const exampleWords = example === undefined ? '' : `such as ${quoted(example)}`;
  const words = schema['x-expected'] ?? schema.title;
  if (words !== undefined) return `must be ${words}${exampleWords === '' ? '' : `, ${exampleWords}`}`;
  return exampleWords === ''
    ? 'has an invalid format: see the documentation'
    : `has an invalid format: send a value ${exampleWords}`;
}

function enumWords(allowed: readonly unknown[], value: unknown): string {
  const suggestion =
    typeof value === 'string'
      ? nearest(
          value,
          allowed.filter((each) => typeof each === 'string'),
        )
      : undefined;
  return `must be ${alternatives(allowed.map(quoted))}${suggestion === undefined || allowed.length === 1 ? '' : `: did you mean '${suggestion}'?`}`;
}

/** Describes the requirement that a value violates, from an error of Ajv in verbose mode. */
export const requirementOf = ({
  keyword,
  parentSchema,
  data,
  message = 'is not valid',
}: {
  readonly keyword: string;
  readonly parentSchema?: object;
  readonly data?: unknown;
  readonly message?: string;
}): string => requirement(keyword, { ...parentSchema }, data, message);

/**
 * Describes the requirement of a schema keyword as the end of a sentence: `must be from 1 to 100`. `otherwise`
 * is the message of the validator, used for keywords without words here. `example` is an example from outside the
 * schema.
 */
export function requirement(
  keyword: string,
  schema: ValueConstraints,
  value: unknown,
  fallback: string,
  example?: unknown,
): string {
  switch (keyword) {
    case 'type':
      return schema.type === undefined ? fallback : `must be ${typeWords(schema)}${value === null ? ', not null' : ''}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return range(schema) === '' ? fallback : `must be ${range(schema)}`;
    case 'multipleOf':
      return `must be a multiple of ${schema.multipleOf}`;
    case 'minLength':
    case 'maxLength':
      if (value === '') return 'must not be empty';
      return `must have ${span(schema.minLength, schema.maxLength, 'character')}${typeof value === 'string' ? `, not ${[...value].length}` : ''}`;
    case 'minItems':
    case 'maxItems':
      return `must have ${span(schema.minItems, schema.maxItems, 'item')}${Array.isArray(value) ? `, not ${value.length}` : ''}`;
    case 'uniqueItems':
      return 'must not have duplicate items';
    case 'pattern':
      return patternWords(schema, example);
    case 'format':
      return `must be ${formatNames[schema.format ?? ''] ?? `in the format '${schema.format}'`}`;
    case 'enum':
      return schema.enum === undefined ? fallback : enumWords(schema.enum, value);
    case 'const':
      return `must be ${quoted(schema.const)}`;
    default:
      return fallback;
  }
}
