/**
 * `@social-data/client/validate` checks response bodies against the contract. Members that the contract does not have are
 * permitted, because a newer version of the service may have added them.
 */
import { answers, shapes } from '../../generated/shapes.ts';
import type { Validate } from './options.ts';
import type { Shape } from './shape.ts';

/** The maximum depth of a body; those of the contract have less than ten levels. */
const maxDepth = 50;
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

/** What stands where: a value and its name. */
interface Place {
  readonly value: unknown;
  /** Such as `tweets[0].author`. */
  readonly at: string;
  readonly depth: number;
}

function hasType(name: string, value: unknown): boolean {
  if (name === 'array') return Array.isArray(value);
  if (name === 'integer') return Number.isInteger(value);
  if (name === 'null' || name === 'object')
    return (value === null ? 'null' : typeof value) === name && !Array.isArray(value);
  return typeof value === name;
}

const expressions = new Map<string, RegExp>();

function matches(pattern: string, value: string): boolean {
  let expression = expressions.get(pattern);
  if (expression === undefined) expressions.set(pattern, (expression = new RegExp(pattern, 'u')));
  return expression.test(value);
}

/** What a place is called in a message. */
const named = ({ at }: Place): string => (at === '' ? 'the body' : `'${at}'`);

type Rules = Exclude<Shape, string>;

/** The fault of a value that is one of several types or shapes. */
function nameFault(names: string, place: Place): string | undefined {
  let fault: string | undefined;
  for (const name of names.split('|')) {
    const shape = shapes[name];
    if (shape === undefined) {
      if (hasType(name, place.value)) return undefined;
      continue;
    }
    const found = faultOf(shape, place);
    if (found === undefined) return undefined;
    fault ??= found;
  }
  return fault ?? `${named(place)} must be ${names.replaceAll('|', ' or ')}`;
}

function textFault({ pattern, format, minSize = 0, maxSize = Infinity }: Rules, value: string): string | undefined {
  if (pattern !== undefined && !matches(pattern, value)) return `match ${pattern}`;
  if (format !== undefined && (!dateTime.test(value) || Number.isNaN(Date.parse(value)))) return 'be a date and time';
  const length = minSize > 0 || maxSize < Infinity ? [...value].length : 0;
  return length < minSize || length > maxSize ? `have ${minSize} to ${maxSize} characters` : undefined;
}

function listFault({ minSize = 0, maxSize = Infinity, unique }: Rules, value: readonly unknown[]): string | undefined {
  if (value.length < minSize || value.length > maxSize) return `have ${minSize} to ${maxSize} items`;
  const isRepeated = unique && new Set(value.map((each) => JSON.stringify(each))).size < value.length;
  return isRepeated ? 'have no item twice' : undefined;
}

/** What a value must be by the rules for itself, without its members. */
function ownFault(rules: Rules, value: unknown): string | undefined {
  const { min = -Infinity, max = Infinity } = rules;
  if (rules.enum?.includes(value) === false) return `be one of ${JSON.stringify(rules.enum)}`;
  if (typeof value === 'string') return textFault(rules, value);
  if (typeof value === 'number' && !(value >= min && value <= max))
    return max === Infinity ? `be at least ${min}` : `be from ${min} to ${max}`;
  return Array.isArray(value) ? listFault(rules, value) : undefined;
}

/** The fault of the first invalid member or item. */
function partFault({ items, members = {} }: Rules, { value, at, depth }: Place): string | undefined {
  const isList = Array.isArray(value);
  if (isList && items !== undefined)
    for (const [index, item] of value.entries()) {
      const fault = faultOf(items, { value: item, at: `${at}[${index}]`, depth: depth + 1 });
      if (fault !== undefined) return fault;
    }
  if (isList || typeof value !== 'object' || value === null) return undefined;
  for (const [key, shape] of Object.entries(members)) {
    const name = key.replace(/\?$/, '');
    const place = at === '' ? name : `${at}.${name}`;
    if (Object.hasOwn(value, name)) {
      const fault = faultOf(shape, { value: value[name as keyof typeof value], at: place, depth: depth + 1 });
      if (fault !== undefined) return fault;
    } else if (name === key) return `'${place}' is missing`;
  }
  return undefined;
}

/** What is wrong with a value; undefined for a valid one. */
function faultOf(shape: Shape, place: Place): string | undefined {
  if (place.depth > maxDepth) return 'the body is nested too deeply';
  if (typeof shape === 'string') return nameFault(shape, place);
  const { type, any, all = [] } = shape;
  const typeFault = type === undefined ? undefined : nameFault(type, place);
  if (typeFault !== undefined) return typeFault;
  const own = ownFault(shape, place.value);
  if (own !== undefined) return `${named(place)} must ${own}`;
  for (const each of all) {
    const fault = faultOf(each, place);
    if (fault !== undefined) return fault;
  }
  const faults = any?.map((each) => faultOf(each, place));
  return faults?.every((fault) => fault !== undefined) ? faults[0] : partFault(shape, place);
}

/**
 * The value of the client option `validate`: checks each success response against the contract. A call with an invalid one
 * rejects with a DecodeError that names the first invalid member, but not its value.
 *
 * @example
 * ```ts
 * import { validate } from '@social-data/client/validate';
 *
 * const client = createClient({ baseUrl, apiKey, validate });
 * ```
 */
export const validate: Validate = (path, method, body) => {
  const shape = answers[`${method} ${path}`];
  return shape === undefined ? undefined : faultOf(shape, { value: body, at: '', depth: 0 });
};
