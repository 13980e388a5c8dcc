/**
 * Parameters that are no single values in the path or the query: lists and objects in the styles of OpenAPI, headers, cookies, and
 * parameters with a media type. They are written by the rules of OpenAPI, independently of the client.
 */
import type { Parameter as Described } from '../../../server/contract/openapi.ts';
import {
  belongsTo,
  fieldValues,
  pathValues,
  queryValues,
  shapeOf,
  type RawPair,
  type Shape,
} from '../../../server/contract/parameter-value.ts';
import { headersOf, queryOf, type Call } from './call.ts';

/** How a parameter is written, and what its schema says about types. */
export interface ParameterForm {
  readonly described: Described;
  readonly shape: Shape;
  /** The names that an object with any members does not take from the query. */
  readonly others: ReadonlySet<string>;
}

export const formOf = (
  document: object,
  described: Described,
  others: ReadonlySet<string> = new Set(),
): ParameterForm => ({
  described,
  shape: shapeOf(document, described.schema),
  others,
});

const same = (text: string): string => text;
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The pairs of the query of a call, as they were sent. */
function pairsOf(call: Call): RawPair[] {
  const pairs = queryOf(call).split('&');
  return pairs.flatMap((pair) => {
    const equals = pair.indexOf('=');
    if (pair === '') return [];
    return equals < 0
      ? { name: decode(pair), raw: '' }
      : { name: decode(pair.slice(0, equals)), raw: pair.slice(equals + 1) };
  });
}

/** Whether a name of the query belongs to the parameter. */
export function takes({ described, shape, others }: ParameterForm, name: string): boolean {
  const { in: place, mediaType, style, explode } = described;
  if (place !== 'query') return false;
  if (mediaType !== undefined) return name === described.name;
  const takesAny = style === 'form' && explode && shape.types.has('object') && shape.isOpen && !others.has(name);
  return takesAny || belongsTo(described, shape, name);
}

/**
 * The values that a server can read from a call, the most special first; `absent` where the call does not have the parameter.
 */
export function readValues(form: ParameterForm, call: Call): readonly unknown[] | 'absent' {
  const { described, shape } = form;
  const { in: place, name, mediaType } = described;
  const texts = rawTexts(form, call);
  if (texts.length === 0) return 'absent';
  const [first] = texts;
  if (mediaType !== undefined)
    return texts.length > 1 ? [] : parsed(place === 'header' ? first!.raw : decode(first!.raw));
  if (place === 'query') return queryValues(described, shape, texts, decode) ?? [];
  if (place === 'path') return pathValues(described, shape, first!.raw, decodeURIComponent) ?? [];
  return fieldValues({ ...described, name }, shape, first!.raw, place === 'header' ? same : decode);
}

/** Whether a server may read a parameter in another way: it is empty, or a header or cookie occurs more than once. */
export function isOddText(form: ParameterForm, call: Call): boolean {
  const texts = rawTexts(form, call);
  return texts.some(({ raw }) => raw === '') || (form.described.in !== 'query' && texts.length > 1);
}

/** The values that a header of a response can mean, the most special first. */
export const readField = ({ described, shape }: ParameterForm, text: string): readonly unknown[] =>
  described.mediaType === undefined ? fieldValues(described, shape, text, same) : parsed(text);

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}

function rawTexts(form: ParameterForm, call: Call): RawPair[] {
  const { in: place, name } = form.described;
  if (place === 'query') return pairsOf(call).filter((pair) => takes(form, pair.name));
  if (place === 'path') {
    const part = call.query.find((each) => 'name' in each && each.name === name);
    return part !== undefined && 'value' in part ? [{ name, raw: part.encoded ?? encode(part.value) }] : [];
  }
  const headers = headersOf({ ...call, keys: [] }, '');
  const values = headers.filter(
    ([each]) => each.toLowerCase() === (place === 'header' ? name.toLowerCase() : 'cookie'),
  );
  if (place === 'header') return values.map(([, raw]) => ({ name, raw: raw.trim() }));
  return values
    .flatMap(([, text]) => text.split(';'))
    .flatMap((cookie) =>
      cookie.trim().startsWith(`${name}=`) ? [{ name, raw: cookie.trim().slice(name.length + 1) }] : [],
    );
}
