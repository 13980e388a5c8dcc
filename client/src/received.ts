/** Reads what a client has sent, for the mocks: the reverse of the styles and media types that the client writes. */
import type { MediaKind } from '../../server/contract/media-type.ts';
import type { OperationRow, ParameterForm } from './contract.ts';
import { namesIn } from './input.ts';

/** How a text of a URL or form becomes a value: its type, the type of its items in a list, or those of its members. */
export type TextType = string | readonly [TextType] | { readonly [name: string]: TextType };

/** The argument of a method, as generated/mocks.ts describes it. */
export interface MockedInput {
  /** The names of its members. */
  readonly names: readonly string[];
  readonly required: readonly string[];
  readonly exactlyOneOf: readonly string[];
  /** The types of the parameters that are no texts. */
  readonly types?: Readonly<Record<string, TextType>>;
  /** The types of the members of a form. */
  readonly form?: TextType;
}

/** A success response, as generated/mocks.ts describes it. */
export interface MockedReply {
  readonly status: number;
  readonly type?: string;
  readonly kind?: MediaKind;
  readonly headers?: Readonly<Record<string, string>>;
}

type Members = Record<string, unknown>;

/** A text as a value of its type. */
function valueOf(text: string, type: TextType = 'string'): unknown {
  if (type === 'string' || typeof type !== 'string') return text;
  if (type !== 'number' && (text === 'true' || text === 'false')) return text === 'true';
  return type !== 'boolean' && text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

const itemType = (type: TextType | undefined): TextType => (Array.isArray(type) ? (type[0] as TextType) : 'string');
const memberType = (type: TextType | undefined, name: string): TextType =>
  typeof type === 'object' && !Array.isArray(type) ? ((type as Record<string, TextType>)[name] ?? 'string') : 'string';
const isList = (type: TextType | undefined): boolean => Array.isArray(type);
const isMembers = (type: TextType | undefined): boolean => typeof type === 'object' && !Array.isArray(type);

/** The value of a parameter whose parts are separated, such as `a,b` or `name,a`; the parts are not decoded yet. */
function fromParts(
  parts: readonly string[],
  type: TextType | undefined,
  explode: boolean,
  decode: (text: string) => string,
): unknown {
  if (isList(type)) return parts.map((part) => valueOf(decode(part), itemType(type)));
  const pairs = explode
    ? parts.map((part) => part.split('='))
    : parts.flatMap((_, index) => (index % 2 === 0 ? [[parts[index], parts[index + 1]]] : []));
  return Object.fromEntries(
    pairs.map(([name = '', value = '']) => [decode(name), valueOf(decode(value), memberType(type, decode(name)))]),
  );
}

const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '));
const separators: Readonly<Record<string, string | RegExp>> = { spaceDelimited: /%20|\+/, pipeDelimited: /\||%7C/i };

/** The names and values of a query, as they are in the URL. */
const pairsOf = (query: string): [name: string, value: string][] =>
  query
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), pair.slice(at + 1)];
    });

type Types = Readonly<Record<string, TextType>>;

/** The parameters of a query; names that no parameter has stay as they are. */
function queryOf(search: string, forms: Readonly<Record<string, ParameterForm>>, types: Types): Members {
  let pairs = pairsOf(search);
  const found: Members = {};
  const take = (isTaken: (name: string) => boolean): [string, string][] => {
    const taken = pairs.filter(([name]) => isTaken(name));
    pairs = pairs.filter(([name]) => !isTaken(name));
    return taken;
  };
  for (const [key, [place, style, explode, name = key]] of Object.entries(forms)) {
    if (place !== 'query') continue;
    const type = types[key];
    const members = isMembers(type) ? Object.keys(type as object) : [];
    if (style === 'deepObject' || (explode && isMembers(type) && style !== 'json')) {
      const inner = (given: string): string | undefined =>
        style === 'deepObject'
          ? /^(.*)\[(.*)\]$/.exec(given)?.slice(1).join('\n').replace(`${name}\n`, '')
          : members.find((each) => each === given);
      const taken = take((given) => (style === 'deepObject' ? given.startsWith(`${name}[`) : members.includes(given)));
      if (taken.length > 0)
        found[key] = Object.fromEntries(
          taken.map(([given, value]) => [
            inner(given) ?? given,
            valueOf(decoded(value), memberType(type, inner(given) ?? given)),
          ]),
        );
      continue;
    }
    const taken = take((given) => given === name);
    const [first] = taken;
    if (first === undefined) continue;
    if (style === 'json') found[key] = JSON.parse(decoded(first[1])) as unknown;
    else if (explode && isList(type)) found[key] = taken.map(([, value]) => valueOf(decoded(value), itemType(type)));
    else if (isList(type) || isMembers(type))
      found[key] = fromParts(first[1].split(separators[style] ?? ','), type, false, decoded);
    else found[key] = valueOf(decoded(first[1]), type);
  }
  for (const [name, value] of pairs) found[name] = valueOf(decoded(value), types[name]);
  return found;
}

/** The value of a segment of a path. */
function segmentOf(text: string, name: string, form: ParameterForm | undefined, type: TextType | undefined): unknown {
  const [, style = 'simple', explode = false] = form ?? [];
  if (style === 'json') return JSON.parse(decodeURIComponent(text)) as unknown;
  const rest = style === 'label' ? text.replace(/^\./, '') : style === 'matrix' ? text.replace(/^;/, '') : text;
  const isPlain = !isList(type) && !isMembers(type);
  const prefix = `${encodeURIComponent(name)}=`;
  const named = style === 'matrix' && (!explode || isPlain) ? rest.replace(prefix, '') : rest;
  if (isPlain) return valueOf(decodeURIComponent(named), type);
  const separator = explode ? ({ label: '.', matrix: ';' }[style] ?? ',') : ',';
  const parts = named.split(separator);
  const values = style === 'matrix' && explode && isList(type) ? parts.map((part) => part.replace(prefix, '')) : parts;
  return fromParts(values, type, explode, decodeURIComponent);
}

/** A form as an object: a name that is given more than once, or whose type is a list, is a list. */
function formOf(pairs: Iterable<[string, unknown]>, type: TextType | undefined): Members {
  const members: Members = {};
  for (const [name, value] of pairs) {
    const own = memberType(type, name);
    const each =
      typeof value !== 'string'
        ? value
        : isMembers(own)
          ? (JSON.parse(value) as unknown)
          : valueOf(value, isList(own) ? itemType(own) : own);
    if (isList(own)) members[name] = [...((members[name] as unknown[] | undefined) ?? []), each];
    else members[name] = each;
  }
  return members;
}

/** The parts of a multipart form; those in JSON as values. */
async function partsOf(form: FormData): Promise<[string, unknown][]> {
  return Promise.all(
    Array.from(form, async ([name, value]): Promise<[string, unknown]> => [
      name,
      typeof value !== 'string' && value.type === 'application/json' ? JSON.parse(await value.text()) : value,
    ]),
  );
}

async function bodyOf(
  request: Request,
  kinds: Readonly<Record<string, MediaKind>>,
  form: TextType | undefined,
): Promise<unknown> {
  const type = (request.headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (request.body === null) return undefined;
  const kind = Object.entries(kinds).find(([each]) => each.split(';', 1)[0] === type)?.[1] ?? Object.values(kinds)[0];
  switch (kind) {
    case 'form':
      return formOf(new URLSearchParams(await request.text()), form);
    case 'multipart':
      return formOf(await partsOf(await request.formData()), form);
    case 'text':
      return request.text();
    case 'binary':
      return request.blob();
    default:
      return request.json();
  }
}

/** The argument of the method that has sent a request. `values` has the values of the path by position, as they are in the URL. */
export async function receivedOf(
  request: Request,
  path: string,
  values: readonly string[],
  { body: hasBody, wire = {} }: OperationRow,
  { types = {}, form }: Partial<MockedInput>,
): Promise<Members> {
  const { parameters: forms = {}, whole, body: kinds = { 'application/json': 'json' } } = wire;
  const parameters = queryOf(new URL(request.url).search, forms, types);
  for (const [index, name] of namesIn(path).entries()) {
    const [key = name, own] =
      Object.entries(forms).find(([each, [place, , , given = each]]) => place === 'path' && given === name) ?? [];
    parameters[key] = segmentOf(values[index] ?? '', name, own, types[key]);
  }
  const cookies = Object.fromEntries(
    (request.headers.get('cookie') ?? '')
      .split('; ')
      .map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
  for (const [key, [place, style, explode, name = key]] of Object.entries(forms)) {
    if (place !== 'header' && place !== 'cookie') continue;
    const text = place === 'header' ? request.headers.get(name) : (cookies[name] ?? null);
    const decode = place === 'header' ? String : decodeURIComponent;
    if (text === null) continue;
    const type = types[key];
    if (style === 'json') parameters[key] = JSON.parse(decode(text)) as unknown;
    else if (isList(type) || isMembers(type))
      parameters[key] = fromParts(text.split(/, ?/), type, explode && isMembers(type), decode);
    else parameters[key] = valueOf(decode(text), type);
  }
  if (!hasBody) return parameters;
  const body = await bodyOf(request.clone(), kinds, form);
  if (whole) return body === undefined ? parameters : { ...parameters, body };
  return { ...parameters, ...(body as Members | undefined) };
}
