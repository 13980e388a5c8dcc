/**
 * The interface of openapi-fetch: `client.GET` and the other verbs, and hooks. The client loads this module at the
 * first use of one of the two.
 */
import type { Attempt } from './attempt.ts';
import type { KeyPlace, Operation, OperationRow, ParameterForm, paths, Wire } from './contract.ts';
import { DecodeError, type Failed, UsageError } from './failure.ts';
import type { Call, Names, Reply, Sent } from './exchange.ts';
import { emptyMembers, inputOf } from './input.ts';
import { valueOf, written } from './media.ts';
import {
  createQuerySerializer,
  openapiFetch,
  serializeArrayParam,
  serializeObjectParam,
  serializePrimitiveParam,
  type Client,
  type Middleware,
} from './openapi-fetch.ts';
import type { CallOptions, Settings } from './options.ts';

/** The interface of openapi-fetch for the paths of a contract. */
export type FetchClientOf<Paths extends object> = Client<Paths, `${string}/${string}`>;
export type FetchClient = FetchClientOf<paths>;

// In CommonJS of Node the import is the module object, and the function is its member `default`.
const createFetchClient = (openapiFetch as unknown as { default?: typeof openapiFetch }).default ?? openapiFetch;

/** `request` of openapi-fetch for any method and path. */
type AnyRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/** The client for each set of hooks. */
const requests = new WeakMap<readonly Middleware[], AnyRequest>();

function requestWith(middleware: readonly Middleware[], baseUrl: string): AnyRequest {
  let request = requests.get(middleware);
  if (request === undefined) {
    const client = createFetchClient<paths>({ baseUrl });
    client.use(...middleware);
    requests.set(middleware, (request = client.request as AnyRequest));
  }
  return request;
}

type Members = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null;

/** An object whose names are written as they are in a URL; openapi-fetch does not encode them. */
const withEncodedNames = (value: Members): Members =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => (each === undefined ? [] : [[encodeURIComponent(name), each]])),
  );

/** A parameter, or the member of a form, in a style of OpenAPI; '' where it has no value. */
function inStyle(name: string, value: unknown, style: string, explode: boolean): string {
  const key = encodeURIComponent(name);
  const options = { style: style as 'form', explode };
  if (Array.isArray(value)) return value.length === 0 ? '' : serializeArrayParam(key, value, options);
  // openapi-fetch writes no objects in these styles.
  const delimiter = { spaceDelimited: '%20', pipeDelimited: '|' }[style];
  if (isObject(value) && delimiter !== undefined)
    return `${key}=${Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .flat()
      .map((each) => encodeURIComponent(String(each)))
      .join(delimiter)}`;
  if (isObject(value))
    return serializeObjectParam(key, withEncodedNames(value), options as { style: 'form'; explode: boolean });
  if (style === 'simple' || style === 'label')
    return `${style === 'label' ? '.' : ''}${encodeURIComponent(value as string)}`;
  return `${style === 'matrix' ? ';' : ''}${serializePrimitiveParam(key, value as string)}`;
}

/** The parameters of an operation that are no single values, by place and name. */
const formsOf = ({ parameters = {} }: Wire): ReadonlyMap<string, ParameterForm> =>
  new Map(Object.entries(parameters).map(([key, form]) => [`${form[0]} ${form[3] ?? key}`, form]));

const inQuery = createQuerySerializer();

/** JSON in ASCII: a header has no other characters. */
const inAscii = (json: string): string =>
  json.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The text of a header in the style `simple`, which encodes nothing, or of a cookie in the style `form`. */
function plainText(value: unknown, [, style, explode]: ParameterForm, encode: (text: string) => string): string {
  if (style === 'json') return encode(inAscii(JSON.stringify(value)));
  if (Array.isArray(value)) return value.map((each) => encode(String(each))).join(',');
  if (!isObject(value)) return encode(String(value));
  return Object.entries(value)
    .map(([name, each]) => `${encode(name)}${explode ? '=' : ','}${encode(String(each))}`)
    .join(',');
}

interface Places {
  readonly path?: Members;
  readonly query?: Members;
  readonly header?: Members;
  readonly cookie?: Members;
}

/** The parameters of an operation as openapi-fetch takes them, with serialisers for the styles of the contract. Throws a UsageError. */
function parameterInit(wire: Wire, { path, query, header = {}, cookie = {} }: Places, failed: Failed): Members {
  const forms = formsOf(wire);
  const headers = emptyMembers() as Names;
  for (const [name, value] of Object.entries(header)) {
    if (value === undefined || value === null) continue;
    const text = plainText(value, forms.get(`header ${name}`) ?? ['header', 'simple', false], String);
    if (/[^\t -~\x80-\xff]/.test(text))
      throw new UsageError(`the header '${name}' has a character that no header can have`, failed);
    headers[name] = text;
  }
  const cookies = Object.entries(cookie).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    return `${name}=${plainText(value, forms.get(`cookie ${name}`) ?? ['cookie', 'form', false], encodeURIComponent)}`;
  });
  if (cookies.length > 0) headers['cookie'] = cookies.join('; ');
  return {
    params: { path, query, header: headers },
    querySerializer: (given: Members) =>
      Object.entries(given)
        .map(([name, value]) => {
          const form = forms.get(`query ${name}`);
          if (form === undefined || value === undefined || value === null)
            return inQuery({ [encodeURIComponent(name)]: value });
          if (form[1] === 'json') return `${encodeURIComponent(name)}=${encodeURIComponent(JSON.stringify(value))}`;
          return inStyle(name, value, form[1], form[2]);
        })
        .filter((part) => part !== '')
        .join('&'),
    pathSerializer: (url: string, given: Members) =>
      Object.entries(given).reduce((text, [name, value]) => {
        const [, style, explode] = forms.get(`path ${name}`) ?? ['path', 'simple', false];
        const part =
          style === 'json' ? encodeURIComponent(JSON.stringify(value)) : inStyle(name, value, style, explode);
        return text.replaceAll(`{${name}}`, () => part);
      }, url),
  };
}

/** The body of an operation as openapi-fetch takes it, with its media type. */
function bodyInit(wire: Wire, body: unknown, headers: Names, failed: Failed): { init: Members; headers: Names } {
  if (body === undefined) return { init: {}, headers };
  const { body: bytes, type } = written(body, wire, headers['content-type'] ?? null, inStyle, failed);
  const { 'content-type': _, ...others } = headers;
  return {
    init: { body, bodySerializer: () => bytes },
    headers: type === undefined ? others : { ...others, 'content-type': type },
  };
}

/** The parts of a request from the argument of a method whose operation says how they are written. */
function partsOf({ call, failed }: Attempt): Places & { readonly body?: unknown } {
  const { operation, parameters = {} } = call;
  const { whole, optional, parameters: forms = {} } = operation.wire ?? {};
  if (Object(parameters) !== parameters || Array.isArray(parameters))
    throw new UsageError('the parameters must be an object', failed);
  const usual = emptyMembers();
  const placed: Record<string, Record<string, unknown>> = {};
  for (const [key, value] of Object.entries(parameters)) {
    const [place = 'usual', , , name = key] = Object.hasOwn(forms, key) ? forms[key]! : [];
    if (whole && key === 'body') continue;
    if (place === 'usual' || place === 'path') usual[name] = value;
    else (placed[place] ??= emptyMembers())[name] = value;
  }
  const { body: _, ...others } = operation;
  const { path, query, body } = inputOf({ ...call, operation: whole ? others : operation, parameters: usual }, failed);
  const isEmpty = optional && Object.keys(body ?? {}).length === 0;
  return {
    ...placed,
    path,
    query: { ...query, ...placed['query'] },
    body: whole ? parameters['body'] : isEmpty ? undefined : body,
  };
}

/** Where the key is sent: as the settings say, or else where the operation takes it; empty for a public operation. */
function keyPlaceOf({ transport, call: { operation } }: Attempt): Partial<KeyPlace> {
  const { keyIn, keyNames } = transport.settings;
  const usual: readonly KeyPlace[] = [[keyIn, keyNames[keyIn as 'header']]];
  const keys = operation.wire?.keys ?? usual;
  return keys.find(([place]) => place === keyIn) ?? keys[0] ?? [];
}

/** What openapi-fetch needs for a call: that of the caller of a verb, or the parts of a method's argument. */
function initOf(attempt: Attempt): Members {
  const { call, failed } = attempt;
  const { init, operation } = call;
  const [place, name = ''] = keyPlaceOf(attempt);
  const named = attempt.headers(place === 'header' ? 'query' : place);
  if (place === 'header' && attempt.key !== undefined) named[name] = attempt.key;
  if (init !== undefined && operation.wire === undefined) return { ...init, headers: named };
  const given = init === undefined ? partsOf(attempt) : { ...(init['params'] as Places), body: init['body'] };
  const { body, ...places } = given;
  const { wire = {} } = operation;
  const { init: sent, headers } = bodyInit(wire, body, named, failed);
  const serialised = parameterInit(wire, places, failed);
  // The serialisers of the caller replace those of the contract.
  return { ...serialised, ...init, params: serialised['params'], ...(init?.['bodySerializer'] ? {} : sent), headers };
}

/** Sends an attempt with the hooks. Errors of `fetch` and of the hooks are thrown unchanged. */
export async function sendWithHooks(attempt: Attempt, signal: AbortSignal): Promise<Reply> {
  const { call, transport, failed } = attempt;
  const { path, operation, parameters, init = {} } = call;
  const { baseUrl } = transport.settings;
  const [place, name] = keyPlaceOf(attempt);
  if (place === undefined) attempt.key = undefined;
  const { key } = attempt;
  const answers = operation.wire?.answers;
  const input = initOf(attempt);
  const { params } = input as { params?: { query?: object } };
  const keyed =
    place === 'query' && key !== undefined ? { params: { ...params, query: { ...params?.query, [name!]: key } } } : {};
  const request = requestWith(transport.middleware, baseUrl);
  const { data, error, response } = await request(operation.method, path, {
    ...input,
    ...keyed,
    ...(answers === undefined || init['parseAs'] !== undefined ? {} : { parseAs: 'stream' }),
    signal,
    fetch: (sent: Request) => forward(attempt, sent, signal, init['fetch'] as Settings['fetch']),
  }).catch((thrown: unknown) => {
    if (!(thrown instanceof URIError)) throw thrown;
    throw new UsageError('a parameter has half of a surrogate pair', failed, thrown);
  });
  const isOk = response.ok;
  if (isOk && answers !== undefined && init['parseAs'] === undefined)
    return { response, isOk, data: await valueOf(response, answers, { failed, signal: call.options.signal }) };
  if (parameters !== undefined && isOk && data === undefined)
    throw new DecodeError('the response body is empty', failed);
  const text = typeof error === 'string' || error === undefined ? error : JSON.stringify(error);
  return { response, isOk, data, text, error };
}

/** Sends a call by verb and path, with the parameters of openapi-fetch. */
export async function sendVerb(
  transport: { send(call: Call): Promise<Sent> },
  operations: Readonly<Record<string, OperationRow>>,
  verb: string,
  path: string,
  given: object = {},
): Promise<object> {
  const method = verb.toLowerCase();
  const operation: Operation = { ...(operations[`${method} ${path}`] ?? { repeat: 'refused' }), method };
  const { signal, timeoutMs, retry, headers, fetchOptions, ...init }: CallOptions & Record<string, unknown> = {
    ...given,
  };
  const options = { signal, timeoutMs, retry, headers, fetchOptions };
  const { data, error, response } = await transport.send({ path, operation, options, init });
  return error === undefined ? { data, response } : { error, response };
}

/** Sends a request of openapi-fetch as a URL with options, because libraries do not know the Request of the runtime. */
async function forward(
  attempt: Attempt,
  sent: Request,
  signal: AbortSignal,
  own: Settings['fetch'],
): Promise<Response> {
  const { method, headers, url } = sent;
  const kinds = Object.values(attempt.call.operation.wire?.body ?? {});
  const hasBytes = kinds.some((kind) => kind === 'multipart' || kind === 'binary');
  const body = sent.body === null ? {} : { body: hasBytes ? await sent.arrayBuffer() : await sent.text() };
  return attempt.fetch(url, { method, headers: Object.fromEntries(headers), ...body, signal }, own);
}
