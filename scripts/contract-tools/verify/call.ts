/** A call as plain data, in parts that the reduction can remove one by one. */
import type { KeyLocation } from './security.ts';
import { parametersOfPath } from '../../../server/contract/path-template.ts';

/** The placeholder of the API key in reports. */
export const keyPlaceholder = '$API_KEY';

export interface Call {
  readonly method: string;
  /** The encoded path, or the template of a path. */
  readonly path: string;
  /** The parameters of the query, and those of the template: the first one with the name of each. */
  readonly query: readonly QueryPart[];
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The API keys of the request, in order. */
  readonly keys: readonly KeyUse[];
  /** Bytes as a latin1 string, so that a call is plain data. */
  readonly body?: string;
}
/** A query parameter, or raw bytes. */
export type QueryPart =
  | {
      readonly name: string;
      /** The text of the value; JSON where the parameter is no single value. */
      readonly value: string;
      /** Where it is sent; default: in the path where the template has its name, else in the query. */
      readonly place?: 'path' | 'query' | 'header' | 'cookie';
      /** The value as it is sent; default: the encoded text. Of the query with the name, of a header without. */
      readonly encoded?: string;
      /** The name of the header. */
      readonly header?: string;
    }
  | { readonly raw: string };
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

/** A call whose path has the values of its parameters, which the query then lacks. A missing value is an empty one. */
function settled<Of extends Pick<Call, 'path' | 'query'>>(call: Of): Of {
  let { path } = call;
  const query = [...call.query];
  for (const name of parametersOfPath(path)) {
    const index = query.findIndex((part) => 'name' in part && part.name === name && (part.place ?? 'path') === 'path');
    const [part] = index < 0 ? [] : query.splice(index, 1);
    path = path.replace(`{${name}}`, () =>
      part !== undefined && 'value' in part ? (part.encoded ?? encode(part.value)) : '',
    );
  }
  return { ...call, path, query };
}

/** The request target, with `key` in place of the API key. */
export function targetOf(call: Call, key: string): string {
  const { path, query, keys } = settled(call);
  const own = query.flatMap((part) => {
    if ('raw' in part) return part.raw;
    if (part.place === 'header' || part.place === 'cookie' || part.encoded === '') return [];
    return part.encoded ?? `${encode(part.name)}=${encode(part.value)}`;
  });
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
export function headersOf({ headers, keys, query }: Call, key: string): [string, string][] {
  const keyFields = keys
    .filter(({ location: way }) => way.in !== 'query')
    .map(({ location: way, replacement: instead }): [string, string] => {
      const text = instead ?? key;
      if (way.in === 'cookie') return ['cookie', `${way.name}=${encodeURIComponent(text)}`];
      return [way.name, way.prefix + (way.basic ? Buffer.from(text).toString('base64') : text)];
    });
  const fields = query.flatMap((part): [string, string][] => {
    if ('raw' in part || part.encoded === undefined) return [];
    if (part.place === 'header') return [[part.header ?? part.name, part.encoded]];
    return part.place === 'cookie' ? [['cookie', part.encoded]] : [];
  });
  return [...keyFields, ...fields, ...headers.map(([name, value]): [string, string] => [name, value])];
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
export const queryOf = (call: Call): string => targetOf({ ...call, keys: [] }, '').slice(settled(call).path.length + 1);

/** The parameters of the path and the query by name, as a server parses them, each with all its values. */
export function parametersOf(call: Call): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const name of parametersOfPath(call.path)) {
    const part = call.query.find((each) => 'name' in each && each.name === name);
    values.set(name, [part !== undefined && 'value' in part ? part.value : '']);
  }
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
