/** The response headers that the server itself sets: a handler cannot set them, whether the contract declares them or not. */

const frameHeaders = [
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
  'x-event-cursor',
  'deprecation',
  'sunset',
  'vary',
  'date',
  'connection',
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
] as const;

/** The names of these headers in lower case. `etag` is one where the operation can be 304. */
export type FrameHeader = (typeof frameHeaders)[number];

const names: ReadonlySet<string> = new Set(frameHeaders);

/** Whether the server sets a header of an operation. `conditional`: whether the operation can be 304. */
export const isFrameHeader = (name: string, conditional: boolean): boolean =>
  names.has(name.toLowerCase()) || (conditional && name.toLowerCase() === 'etag');

/** The request headers that are no parameters, whatever the contract declares (OpenAPI 3.1, "Parameter Object"). */
const ignoredHeaders = ['accept', 'content-type', 'authorization'] as const;
/** The request headers that a handler does not get: those, and what the server itself reads. */
const readHeaders = ['if-none-match', 'x-event-cursor'] as const;
export type FrameRequestHeader = (typeof ignoredHeaders)[number] | (typeof readHeaders)[number];

/** Whether a header of a request is no parameter. */
export const isIgnoredHeader = (name: string): boolean =>
  (ignoredHeaders as readonly string[]).includes(name.toLowerCase());

/** Whether a handler does not get a header of a request. */
export const isFrameRequestHeader = (name: string): boolean =>
  isIgnoredHeader(name) || (readHeaders as readonly string[]).includes(name.toLowerCase());
