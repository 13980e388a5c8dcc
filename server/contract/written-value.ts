/** Writes the values of parameters by the rules of OpenAPI ("Style Values"): lists and objects in all styles, headers, cookies, media types. */
import { isObject } from './values.ts';
import type { Parameter } from './openapi.ts';

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
const same = (text: string): string => text;
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The members of a value as texts: those of an object by name, those of a list without. */
const membersOf = (
  value: unknown,
  code: (text: string) => string,
): (readonly [name: string | undefined, text: string])[] => {
  if (Array.isArray(value)) return (value as unknown[]).map((each) => [undefined, code(plain(each))] as const);
  if (isObject(value)) return Object.entries(value).map(([name, each]) => [code(name), code(plain(each))] as const);
  return [[undefined, code(plain(value))]];
};

/** Members in one text; `between` separates them. */
const joined = (members: ReturnType<typeof membersOf>, between: string, explode: boolean): string =>
  members.map(([name, text]) => (name === undefined ? text : `${name}${explode ? '=' : between}${text}`)).join(between);

function inPath({ name, style, explode }: Parameter, value: unknown): string {
  const members = membersOf(value, encode);
  if (style === 'label') return `.${joined(members, explode ? '.' : ',', explode)}`;
  if (style !== 'matrix') return joined(members, ',', explode);
  if (!explode || members.length === 0) return `;${encode(name)}=${joined(members, ',', false)}`;
  return members.map(([member, text]) => `;${member ?? encode(name)}=${text}`).join('');
}

function inQuery({ name, style, explode }: Parameter, value: unknown): string {
  const members = membersOf(value, encode);
  const key = encode(name);
  if (style === 'deepObject' && isObject(value))
    return members.map(([member, text]) => `${key}%5B${member}%5D=${text}`).join('&');
  if (style === 'form' && explode) return members.map(([member, text]) => `${member ?? key}=${text}`).join('&');
  const between = { spaceDelimited: '%20', pipeDelimited: '|' }[style as string] ?? ',';
  return `${key}=${joined(members, between, false)}`;
}

/**
 * The text of a value on the wire: a segment of the path, pairs of the query, a header, or a cookie. The query has no text for an
 * empty list or object that is exploded.
 */
export function writtenValue(parameter: Parameter, value: unknown): string {
  const { in: place, name, mediaType, explode } = parameter;
  if (mediaType !== undefined) {
    const text = JSON.stringify(value);
    return place === 'header' ? text : place === 'path' ? encode(text) : `${encode(name)}=${encode(text)}`;
  }
  if (place === 'path') return inPath(parameter, value);
  if (place === 'query') return inQuery(parameter, value);
  if (place === 'header') return joined(membersOf(value, same), ',', explode);
  return `${name}=${joined(membersOf(value, encode), ',', false)}`;
}
