/**
 * Converts errors of an endpoint to faults of the port. Messages never repeat upstream text, which can contain the key.
 */
import { retryAfterMs } from '../../../upstream/retry-after.ts';
import { ProviderError, type ProviderFault } from '../../../ports/assistant-provider.ts';
import type { ReportedError } from './error-body.ts';
import type { Feature } from './form.ts';

/** The endpoint did not answer, or the connection broke before its status. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** The endpoint answered with a status that is no success. */
export class StatusError extends Error {
  override readonly name = 'StatusError';
  readonly status: number;
  readonly reported: ReportedError;
  readonly headers: Headers;
  constructor(status: number, reported: ReportedError, headers: Headers) {
    super(`the endpoint answered with status ${status}`);
    this.status = status;
    this.reported = reported;
    this.headers = headers;
  }
}

/** A failure that an endpoint reports inside a successful response. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly code: unknown;
  /** What the endpoint says about it, only to search in. */
  readonly words: string;
  constructor(code: unknown, words = '') {
    super('the endpoint reported a failure');
    this.code = code;
    this.words = words;
  }
}

/** The endpoint refused a part of the request, which another request can leave out. */
export class FeatureRefusal extends Error {
  override readonly name = 'FeatureRefusal';
  readonly feature: Feature;
  constructor(feature: Feature, cause: unknown) {
    super(`the endpoint refused: ${feature}`, { cause });
    this.feature = feature;
  }
}

/** The fault of a failed request, and whether upstream may have counted the request. */
export interface Fault {
  readonly fault: ProviderFault;
  readonly message: string;
  readonly mayCount: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The fault of an error; `now` is in milliseconds since the epoch. */
export function faultOf(error: unknown, now: number): Fault {
  if (error instanceof ProviderError)
    return { fault: error.fault, message: error.message, mayCount: true, retryAfterMs: error.retryAfterMs };
  if (error instanceof FeatureRefusal) return faultOf(error.cause, now);
  if (error instanceof UpstreamFailure) return faultOfFailure(error.code, now);
  if (error instanceof ConnectionError) return { fault: 'failed', message: 'the connection broke', mayCount: true };
  if (error instanceof StatusError) return faultOfStatus(error, now);
  return { fault: 'failed', message: 'the answer could not be read', mayCount: true };
}

const noDetails: ReportedError = { words: '', code: undefined, param: undefined };

/** The fault of a failure in a successful response. Some endpoints give the status as its code. */
const faultOfFailure = (code: unknown, now: number): Fault =>
  typeof code === 'number' && code >= 400 && code < 600
    ? { ...faultOfStatus(new StatusError(code, noDetails, new Headers()), now), mayCount: true }
    : faultOfCode(code);

function faultOfStatus(error: StatusError, now: number): Fault {
  const { status, reported } = error;
  const message = `status ${status}${codeSuffix(reported.code)}`;
  if (status === 401) return { fault: 'unauthorized', message, mayCount: false };
  if (status === 403)
    return { fault: isContentRejection(error) ? 'rejected' : 'unauthorized', message, mayCount: true };
  if (status === 402) return { fault: 'unauthorized', message, mayCount: false };
  if (status === 429) return { fault: 'limited', message, mayCount: false, retryAfterMs: retryAfter(error, now) };
  // A timeout of upstream is not the local deadline. A redirect is not followed, so the key goes to no other host.
  if (status === 408 || status === 409 || status === 425 || status >= 500 || status < 400)
    return { fault: 'failed', message, mayCount: true };
  return { fault: 'rejected', message, mayCount: true };
}

/** The fault of an error code without a status. */
function faultOfCode(code: unknown): Fault {
  const fault = /rate_?limit|quota|too_many/i.test(String(code))
    ? 'limited'
    : /invalid_prompt|content|policy|safety/i.test(String(code))
      ? 'rejected'
      : 'failed';
  return { fault, message: `failed in the middle of its answer${codeSuffix(code)}`, mayCount: true };
}

/**
 * Some endpoints reject content with 403, the status for unauthorized accounts. Such a post must not disable accounts.
 */
const isContentRejection = ({ reported }: StatusError): boolean => contentRejection.test(wordsOf(reported));
export const contentRejection =
  /moderat|flagged|content[_ ](?:policy|filter|management)|responsible ?ai|usage guidelines|safety/i;

/** The texts of an error, only to search for words. */
export const wordsOf = ({ param, code, words }: ReportedError): string =>
  `${String(param)} ${String(code)} ${words}`.slice(0, 4000);

/** Shows a code only if it has the format of one. */
const codeSuffix = (code: unknown): string =>
  typeof code === 'string' && /^[a-z][a-z_]{0,40}$/.test(code) ? ` (${code})` : '';

/** `Retry-After`, or its millisecond variant of the official endpoint. */
function retryAfter({ headers }: StatusError, now: number): number | undefined {
  const milliseconds = Number(headers.get('retry-after-ms') ?? NaN);
  return milliseconds >= 0 ? milliseconds : retryAfterMs(headers.get('retry-after'), now);
}
