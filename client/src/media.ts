/** Writes request bodies, and reads response bodies, of other media types than JSON objects. Loaded with openapi-fetch. */
import { abortError, onAbort } from './abort.ts';
import type { MediaKind } from '../../server/contract/media-type.ts';
import type { Wire } from './contract.ts';
import { DecodeError, type Failed, SocialDataError, UsageError, connectionError } from './failure.ts';

type Kinds = Readonly<Record<string, MediaKind>>;
type Members = Readonly<Record<string, unknown>>;

/** A media type without parameters, in lower case. */
const withoutParameters = (type: string): string => type.split(';', 1)[0]!.trim().toLowerCase();

/** The kind of a media type: that of the same type, else of the range that contains it. */
function kindOf(kinds: Kinds, given: string): MediaKind | undefined {
  const type = withoutParameters(given);
  const known = Object.entries(kinds).map(([each, kind]) => [withoutParameters(each), kind] as const);
  for (const wanted of [type, `${type.split('/', 1)[0]}/*`, '*/*'])
    for (const [each, kind] of known) if (each === wanted) return kind;
  return undefined;
}

/** A member of an object, but none that every object has. */
const ownOf = <Value>(values: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;
const isRange = (type: string): boolean => type.includes('*');
const isBlob = (value: unknown): value is Blob => value instanceof Blob;
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** A body as `fetch` sends it, and its media type; that of a multipart form has its boundary, which `fetch` sets. */
export interface Written {
  readonly body: BodyInit;
  readonly type: string | undefined;
}

/** The values of a member of a form: those of a list one by one, without those that are not given. */
const valuesOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter((each) => each !== undefined && each !== null);

function multipart(value: Members, { encoding = {} }: Wire): FormData {
  const form = new FormData();
  for (const [name, member] of Object.entries(value)) {
    const [type = ''] = ownOf(encoding, name) ?? [];
    const isJson = /[/+]json\b/.test(type);
    for (const each of isJson ? [member] : valuesOf(member)) {
      if (each === undefined) continue;
      if (isBlob(each)) form.append(name, each);
      else if (isJson || typeof each === 'object')
        form.append(name, new Blob([JSON.stringify(each)], { type: type || 'application/json' }));
      else if (type === '' || isRange(type) || type.includes(',')) form.append(name, String(each));
      else form.append(name, new Blob([String(each)], { type }));
    }
  }
  return form;
}

/** How the members of a form with a style are written: by the serialisers of parameters. */
export type WriteMember = (name: string, value: unknown, style: string, explode: boolean) => string;

function urlEncoded(value: Members, { encoding = {} }: Wire, write: WriteMember): string {
  const pairs = Object.entries(value).flatMap(([name, member]) => {
    if (member === undefined || member === null) return [];
    const [type = '', style, explode = true] = ownOf(encoding, name) ?? [];
    if (style !== undefined) return write(name, member, style, explode);
    const values = /[/+]json\b/.test(type) ? [JSON.stringify(member)] : valuesOf(member).map(textOf);
    return values.map((each) => `${encodeURIComponent(name)}=${encodeURIComponent(each)}`);
  });
  return pairs.filter((pair) => pair !== '').join('&');
}

/** A body in the media type that the caller names, else in the first one of the contract. Throws a UsageError. */
export function written(value: unknown, wire: Wire, named: string | null, write: WriteMember, failed: Failed): Written {
  const kinds = wire.body ?? { 'application/json': 'json' };
  const [first = ''] = Object.keys(kinds);
  const type = named ?? (isBlob(value) && value.type !== '' && kindOf(kinds, value.type) ? value.type : first);
  const isObject = typeof value === 'object' && value !== null;
  const kind = kindOf(kinds, type) ?? 'json';
  switch (kind) {
    case 'multipart':
      if (isObject)
        return { body: value instanceof FormData ? value : multipart(value as Members, wire), type: undefined };
      break;
    case 'form':
      if (isObject) return { body: urlEncoded(value as Members, wire, write), type };
      break;
    case 'json':
      return { body: JSON.stringify(value), type };
    case 'binary':
      if (isBlob(value)) return { body: value, type: isRange(type) ? value.type || 'application/octet-stream' : type };
      return { body: value as BodyInit, type: isRange(type) ? 'application/octet-stream' : type };
    default:
      if (typeof value === 'string') return { body: value, type: isRange(type) ? 'text/plain' : type };
  }
  throw new UsageError(`the body must be ${isObject ? 'a text' : 'an object'} for the media type ${type}`, failed);
}

/** The call that a response belongs to. */
interface Reading {
  readonly failed: Failed;
  readonly signal: AbortSignal | null | undefined;
}

const line = /\r\n|\n|\r/;
const blankLine = /(?:\r\n|\n|\r(?!\n)){2}/;

/** The lines of a stream, or its events, which end with a blank line; one that the stream does not complete is none. */
async function* textsOf(body: ReadableStream<Uint8Array>, isEvents: boolean): AsyncGenerator<string, void, undefined> {
  const separator = isEvents ? blankLine : line;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      // A carriage return at the end may be the first half of a line end.
      const isOpen = !done && rest.endsWith('\r');
      const parts = (isOpen ? rest.slice(0, -1) : rest).split(separator);
      const last = parts.pop() ?? '';
      yield* parts;
      if (done) return isEvents ? undefined : yield last;
      rest = isOpen ? `${last}\r` : last;
    }
  } finally {
    // Also when the loop of the caller ends early: it closes the connection.
    await reader.cancel().catch(() => {});
  }
}

/** The data of a server-sent event (HTML standard, "Interpreting an event stream"); undefined for one without data. */
function dataOf(event: string): string | undefined {
  const lines = event.split(line).flatMap((field) => {
    const match = /^data(?:: ?(.*))?$/s.exec(field);
    return match === null ? [] : [match[1] ?? ''];
  });
  return lines.length === 0 ? undefined : lines.join('\n');
}

/** The items of a stream. Rejects with a ConnectionError when it breaks, and with an AbortError when the caller aborts. */
async function* itemsOf(
  body: ReadableStream<Uint8Array> | null,
  kind: MediaKind,
  { failed, signal }: Reading,
): AsyncGenerator<unknown, void, undefined> {
  if (body === null) return;
  const texts = textsOf(body, kind === 'event-stream');
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(abortError('stream', failed, signal?.reason));
    if (signal?.aborted) abort();
    else onAbort(signal, abort);
  });
  aborted.catch(() => {});
  try {
    for (;;) {
      const next = await Promise.race([texts.next(), aborted]);
      if (next.done) return;
      const text = kind === 'event-stream' ? dataOf(next.value) : next.value;
      if (text?.trim()) yield parsed(text, failed);
    }
  } catch (error) {
    throw error instanceof SocialDataError ? error : connectionError(failed, error);
  } finally {
    void texts.return();
  }
}

function parsed(text: string, failed: Failed): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new DecodeError('the response body is not JSON', failed, cause);
  }
}

/** The value of a success response; undefined where it has no body. Rejects with a DecodeError for another media type. */
export async function valueOf(response: Response, kinds: Kinds, reading: Reading): Promise<unknown> {
  const { status, headers } = response;
  const types = Object.keys(kinds);
  if (status === 204 || status === 205 || types.length === 0) {
    await response.body?.cancel();
    return undefined;
  }
  const type = headers.get('content-type');
  const kind = type === null ? (types.length === 1 ? kinds[types[0]!] : undefined) : kindOf(kinds, type);
  if (kind === undefined && type === null && headers.get('content-length') === '0') return undefined;
  if (kind === undefined)
    throw new DecodeError(
      `the response has the media type ${type ?? '(none)'}, not ${types.join(' or ')}`,
      reading.failed,
    );
  if (kind === 'binary') return response.blob();
  if (kind === 'json-lines' || kind === 'event-stream') return itemsOf(response.body, kind, reading);
  const text = await response.text();
  return kind === 'json' ? parsed(text, reading.failed) : text;
}
