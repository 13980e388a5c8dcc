/** What a JSON Schema demands of a value, in words for people. No message to callers shows a regular expression. */
import { nearest } from '../text/nearest-name.ts';

/** The members of a schema that tell what a value must be. */
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
  /** A noun phrase for what `pattern` allows, such as `a username: 1–15 letters, digits or _`. */
  readonly 'x-expected'?: string;
  readonly title?: string;
  readonly example?: unknown;
  readonly examples?: readonly unknown[];
}

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'a JSON object',
  array: 'a list',
  null: 'null',
};
const formats: Readonly<Record<string, string>> = {
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

const choice = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
const quoted = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : JSON.stringify(value));
const some = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function span(least: number | undefined, most: number | undefined, noun: string): string {
  if (least !== undefined && most !== undefined)
    return least === most ? some(least, noun) : `${least} to ${some(most, noun)}`;
  return most === undefined ? `at least ${some(least ?? 0, noun)}` : `at most ${some(most, noun)}`;
}

function range({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: ValueConstraints): string {
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
  const words = choice([schema.type ?? []].flat().map((type) => types[type] ?? type));
  const isNumber = schema.type === 'integer' || schema.type === 'number';
  return isNumber ? `${words} ${range(schema)}`.trimEnd() : words;
}

/** Whether the pattern only demands one character that is no white space. */
const demandsText = ({ pattern }: ValueConstraints): boolean => pattern === '\\S';

/**
 * What the pattern of a schema allows: in the words that the schema has for it (`x-expected`, else `title`), with its example;
 * where it has neither words nor example, that the documentation describes it.
 */
function patternWords(schema: ValueConstraints, example: unknown = schema.example ?? schema.examples?.[0]): string {
  if (demandsText(schema)) return 'must not be blank';
  const such = example === undefined ? '' : `such as ${quoted(example)}`;
  const words = schema['x-expected'] ?? schema.title;
  if (words !== undefined) return `must be ${words}${such === '' ? '' : `, ${such}`}`;
  return such === ''
    ? 'has a form that is not allowed: the documentation describes the form'
    : `must have another form, ${such}`;
}

function enumWords(allowed: readonly unknown[], value: unknown): string {
  const best =
    typeof value === 'string'
      ? nearest(
          value,
          allowed.filter((each) => typeof each === 'string'),
        )
      : undefined;
  return `must be ${choice(allowed.map(quoted))}${best === undefined || allowed.length === 1 ? '' : `: did you mean '${best}'?`}`;
}

/**
 * What a value must be to meet a keyword of a schema, as the end of a sentence: `must be from 1 to 100`. `otherwise` is the validator's
 * own message, taken for keywords that have no words here. `example` is one from beside the schema.
 */
export function requirement(
  keyword: string,
  schema: ValueConstraints,
  value: unknown,
  otherwise: string,
  example?: unknown,
): string {
  switch (keyword) {
    case 'type':
      return schema.type === undefined
        ? otherwise
        : `must be ${typeWords(schema)}${value === null ? ', not null' : ''}`;
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return range(schema) === '' ? otherwise : `must be ${range(schema)}`;
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
      return 'must not have the same item twice';
    case 'pattern':
      return patternWords(schema, example);
    case 'format':
      return `must be ${formats[schema.format ?? ''] ?? `in the format '${schema.format}'`}`;
    case 'enum':
      return schema.enum === undefined ? otherwise : enumWords(schema.enum, value);
    case 'const':
      return `must be ${quoted(schema.const)}`;
    default:
      return otherwise;
  }
}
