/** A call as data: what is sent, in parts that can be left out one by one. */
import type { KeyWay } from './contract.ts';

/** Stands for the key, which no report may show. */
export const keyPlaceholder = '$API_KEY';

export interface Call {
  readonly method: string;
  /** The path as it goes out, encoded. */
  readonly path: string;
  readonly query: readonly QueryPart[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Every key that is given, in order. */
  readonly keys: readonly KeyUse[];
  /** Bytes as a string of characters up to U+00FF, so that a call is plain data. */
  readonly body?: string;
}
/** A parameter, or bytes that are no parameter. */
export type QueryPart = { readonly name: string; readonly value: string } | { readonly raw: string };
export interface KeyUse {
  readonly way: KeyWay;
  /** What is given in place of the key; the key itself when left out. */
  readonly instead?: string;
}

/** A value as the text of a parameter. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Text as the bytes of its UTF-8. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The request target, with `key` wherever the key belongs. */
export function targetOf({ path, query, keys }: Call, key: string): string {
  const own = query.map((part) => ('raw' in part ? part.raw : `${encode(part.name)}=${encode(part.value)}`));
  const given = keys
    .filter(({ way }) => way.in === 'query')
    .map(({ way, instead }) => `${encode(way.name)}=${instead === undefined ? key : encode(instead)}`);
  const all = [...own, ...given];
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
}

/** The header fields, each as often as it is sent. */
export function headersOf({ headers, keys }: Call, key: string): [string, string][] {
  const given = keys
    .filter(({ way }) => way.in === 'header')
    .map(({ way, instead }): [string, string] => [way.name, way.prefix + (instead ?? key)]);
  return [...given, ...headers.map(([name, value]): [string, string] => [name, value])];
}

/** Percent-encoding undone where it can be. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The query without the key, as it goes out. */
export const queryOf = (call: Call): string => targetOf({ ...call, keys: [] }, '').slice(call.path.length + 1);

/** The parameters that a server finds in the query by name, each with all its values. */
export function parametersOf(call: Call): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const pair of queryOf(call)
    .split('&')
    .filter((each) => each !== '')) {
    const equals = pair.indexOf('=');
    const [name, value] =
      equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))];
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return values;
}

/** The call with this parameter once, in place of any other value of it. */
export const withParameter = (call: Call, name: string, value: string): Call => ({
  ...call,
  query: [...call.query.filter((part) => !('name' in part) || part.name !== name), { name, value }],
});
/** The call with one more header. */
export const withHeader = (call: Call, name: string, value: string): Call => ({
  ...call,
  headers: [...call.headers, [name, value]],
});
