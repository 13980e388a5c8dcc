/** What went wrong at an endpoint, as faults of the port. Messages never repeat what upstream says: it may hold the key. */
import { APIError } from 'openai';
import { retryAfterMs } from '../../../upstream/retry-after.ts';
import { ProviderError, type ProviderFault } from '../../../ports/assistant-provider.ts';
import { member } from './part.ts';

/** A failure that an endpoint reports inside an answer that began well. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  readonly code: unknown;
  constructor(code: unknown) {
    super('the endpoint reported a failure');
    this.code = code;
  }
}

/** How a failed request ended, and whether upstream may have counted it. */
export interface Fault {
  readonly fault: ProviderFault;
  readonly message: string;
  readonly mayCount: boolean;
  readonly retryAfterMs?: number | undefined;
}

/** The fault of what a request threw; `now` is in milliseconds since the epoch. */
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
  // The time that upstream itself allowed is no deadline of ours, and a redirect is not followed: the key goes to nobody else.
  if (status === 408 || status === 409 || status === 425 || status >= 500 || status < 400)
    return { fault: 'failed', message, mayCount: true };
  return { fault: 'rejected', message, mayCount: true };
}

/** A failure told by its code alone. */
function faultOfCode(code: unknown): Fault {
  const fault = /rate_?limit|quota|too_many/i.test(String(code))
    ? 'limited'
    : /invalid_prompt|content|policy|safety/i.test(String(code))
      ? 'rejected'
      : 'failed';
  return { fault, message: `failed in the middle of its answer${codeSuffix(code)}`, mayCount: true };
}

/** Some endpoints refuse a question for its content by the status for accounts that may not ask; a post must not cost accounts. */
const isContentRejection = (error: APIError): boolean =>
  /moderat|flagged|content[_ ](?:policy|filter)|usage guidelines|safety/i.test(wordsOf(error));

/** Whether a request was refused because the endpoint does not know structured output. */
export function isSchemaRejection(error: unknown): boolean {
  return (
    error instanceof APIError &&
    [400, 404, 415, 422, 501].includes(error.status ?? 0) &&
    /response_format|json_schema|text\.format|structured|schema/i.test(wordsOf(error))
  );
}

/** Everything that an error says, only to look for words in it. */
const wordsOf = ({ error, param, code, message }: APIError): string =>
  `${param} ${code} ${String(member(error, 'message') ?? '')} ${message}`.slice(0, 4000);

/** A code is shown only where it looks like one. */
const codeSuffix = (code: unknown): string =>
  typeof code === 'string' && /^[a-z][a-z_]{0,40}$/.test(code) ? ` (${code})` : '';

/** `Retry-After`, or the millisecond form that the official endpoint adds. */
function retryAfter({ headers }: APIError, now: number): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? NaN);
  return milliseconds >= 0 ? milliseconds : retryAfterMs(headers?.get('retry-after'), now);
}
