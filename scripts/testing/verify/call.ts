/** A call as plain data, in parts that the reduction can remove one by one. */
import type { KeyLocation } from './contract.ts';

/** The placeholder of the API key in reports. */
export const keyPlaceholder = '$API_KEY';

export interface Call {
  readonly method: string;
  /** The encoded path. */
  readonly path: string;
  readonly query: readonly QueryPart[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The API keys of the request, in order. */
  readonly keys: readonly KeyUse[];
  /** Bytes as a latin1 string, so that a call is plain data. */
  readonly body?: string;
}
/** A query parameter, or raw bytes. */
export type QueryPart = { readonly name: string; readonly value: string } | { readonly raw: string };
export interface KeyUse {
  readonly location: KeyLocation;
  /** A replacement for the key; the key itself by default. */
  readonly replacement?: string;
}

/** A value as the text of a parameter. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Text as the bytes of its UTF-8. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The request target, with `key` in node of the API key. */
export function targetOf({ path, query, keys }: Call, key: string): string {
  const own = query.map((part) => ('raw' in part ? part.raw : `${encode(part.name)}=${encode(part.value)}`));
  const keyFields = keys
    .filter(({ location: way }) => way.in === 'query')
    .map(
      ({ location: way, replacement: instead }) =>
        `${encode(way.name)}=${instead === undefined ? key : encode(instead)}`,
    );
  const all = [...own, ...keyFields];
  return all.length === 0 ? path : `${path}?${all.join('&')}`;
}

/** The header fields, repetitions included. */
export function headersOf({ headers, keys }: Call, key: string): [string, string][] {
  const keyFields = keys
    .filter(({ location: way }) => way.in === 'header')
    .map(({ location: way, replacement: instead }): [string, string] => [way.name, way.prefix + (instead ?? key)]);
  return [...keyFields, ...headers.map(([name, value]): [string, string] => [name, value])];
}

/** Decodes percent-encoding; returns invalid text unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** The encoded query without the key. */
export const queryOf = (call: Call): string => targetOf({ ...call, keys: [] }, '').slice(call.path.length + 1);

/** The query parameters by name, as a server parses them, each with all its values. */
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

/** The call with this parameter set to one value. */
export const withParameter = (call: Call, name: string, value: string): Call => ({
  ...call,
  query: [...call.query.filter((part) => !('name' in part) || part.name !== name), { name, value }],
});
/** The call with an additional header. */
export const withHeader = (call: Call, name: string, value: string): Call => ({
  ...call,
  headers: [...call.headers, [name, value]],
});
