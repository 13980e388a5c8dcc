/**
 * Converts errors of an endpoint to faults of the port. Messages never repeat upstream text, which can contain the key.
 */
import { APIError } from 'openai';
import { retryAfterMs } from '../../../upstream/retry-after.ts';
import { ProviderError, type ProviderFault } from '../../../ports/assistant-provider.ts';
import { member } from './part.ts';

/** A failure that an endpoint reports inside a successful response. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly code: unknown;
  constructor(code: unknown) {
    super('the endpoint reported a failure');
    this.code = code;
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
  if (error instanceof UpstreamFailure) return faultOfCode(error.code);
  if (!(error instanceof APIError)) return { fault: 'failed', message: 'the answer could not be read', mayCount: true };
  const { status } = error;
  if (status === undefined)
    return error.error === undefined
      ? { fault: 'failed', message: 'the connection broke', mayCount: true }
      : faultOfCode(error.code);
  return faultOfStatus(status, error, now);
}

function faultOfStatus(status: number, error: APIError, now: number): Fault {
  const message = `status ${status}${codeSuffix(error.code)}`;
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
const isContentRejection = (error: APIError): boolean =>
  /moderat|flagged|content[_ ](?:policy|filter)|usage guidelines|safety/i.test(wordsOf(error));

/** Whether a request was rejected because the endpoint does not support structured output. */
export function isSchemaRejection(error: unknown): boolean {
  return (
    error instanceof APIError &&
    [400, 404, 415, 422, 501].includes(error.status ?? 0) &&
    /response_format|json_schema|text\.format|structured|schema/i.test(wordsOf(error))
  );
}

/** Whether a request was rejected because the endpoint or the model has no tools. */
export function isToolRejection(error: unknown): boolean {
  return (
    error instanceof APIError &&
    [400, 404, 415, 422, 501].includes(error.status ?? 0) &&
    /\btools?\b|tool_choice|tool use|function.?call/i.test(wordsOf(error))
  );
}

/** The texts of an error, only to search for words. */
const wordsOf = ({ error, param, code, message }: APIError): string =>
  `${param} ${code} ${String(member(error, 'message') ?? '')} ${message}`.slice(0, 4000);

/** Shows a code only if it has the format of one. */
const codeSuffix = (code: unknown): string =>
  typeof code === 'string' && /^[a-z][a-z_]{0,40}$/.test(code) ? ` (${code})` : '';

/** `Retry-After`, or its millisecond variant of the official endpoint. */
function retryAfter({ headers }: APIError, now: number): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? NaN);
  return milliseconds >= 0 ? milliseconds : retryAfterMs(headers?.get('retry-after'), now);
}
