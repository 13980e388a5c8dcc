/** The connection of one account to its endpoint for one question. It sends requests and counts them. */
import OpenAI from 'openai';
import type { Schemas } from '../../../contract/operations.ts';
import { isTimeout } from '../../deadline.ts';
import { ProviderError, type Account, type TokenUsage } from '../../../ports/assistant-provider.ts';
import { distinct } from '../../sources.ts';
import { chat } from './chat.ts';
import { faultOf } from './faults.ts';
import type { ApiDialect, ModelRequest } from './form.ts';
import { messages } from './messages.ts';
import type { FinishReason, Part } from './part.ts';
import { responses } from './responses.ts';
import { visibleText } from './visible-text.ts';

export interface ModelAnswer {
  readonly text: string;
  readonly citations: readonly Schemas['Citation'][];
  readonly model: string;
}

export interface Endpoint {
  /** Sends one request. Throws an error for `faultOf`, or ProviderError for an unusable answer. */
  send(asking: ModelRequest, onText?: (piece: string) => void): Promise<ModelAnswer>;
  /** The number of requests that may still be sent. */
  readonly remaining: () => number;
  /** Converts an error to a ProviderError with the number of requests that may have been counted. */
  readonly failure: (error: unknown) => ProviderError;
}

/** Maximum response size, above the longest stream of a reasoning model. A longer response fails. */
const maxBytes = 8 * 1024 * 1024;
/** Maximum length of an answer in UTF-16 units. The rest is left out. */
const maxAnswerLength = 64_000;

const dialects: Readonly<Record<NonNullable<Account['api']>, ApiDialect>> = { chat, responses, messages };

/** `onUsage` receives the tokens that the endpoint counts. */
export function endpointOf(
  account: Account,
  questions: number,
  signal: AbortSignal,
  onUsage: (usage: TokenUsage) => void,
): Endpoint {
  let sent = 0;
  let counted = 0;
  let unreached = false;

  const client = new OpenAI({
    baseURL: account.baseUrl!,
    // The client requires a key; for an endpoint without a key the header is removed. No setting comes from the
    // environment.
    apiKey: account.apiKey ?? 'none',
    adminAPIKey: null,
    organization: null,
    project: null,
    defaultHeaders: headersOf(account),
    // Each request counts as one question, so the client must not retry.
    maxRetries: 0,
    logLevel: 'off',
    async fetch(url, init) {
      try {
        return limitBody(await fetch(url, { ...init, redirect: 'manual' }));
      } catch (error) {
        unreached = failedToConnect(error);
        throw error;
      }
    },
  });

  return {
    remaining: () => questions - sent,
    async send(asking, onText) {
      if (signal.aborted) throw signal.reason;
      if (sent >= questions) throw new Error('more requests than questions were reserved');
      sent++;
      counted++;
      unreached = false;
      try {
        const form = dialects[account.api ?? 'chat'];
        const parts =
          onText === undefined ? await form.whole(client, asking, signal) : form.stream(client, asking, signal);
        return await collectAnswer(parts, asking.model, onText, onUsage);
      } catch (error) {
        if (unreached || (!signal.aborted && !faultOf(error, Date.now()).mayCount)) counted--;
        throw error;
      }
    },
    failure(error) {
      if (signal.aborted) {
        const late = isTimeout(signal);
        return new ProviderError(
          late ? 'timeout' : 'aborted',
          late ? 'no response in time' : 'the caller hung up',
          counted,
        );
      }
      if (unreached) return new ProviderError('unreached', 'the endpoint could not be reached', counted);
      const { fault, message, retryAfterMs } = faultOf(error, Date.now());
      return new ProviderError(fault, message, counted, { retryAfterMs });
    },
  };
}

/** The version of the messages API that `messages.ts` reads. */
const messagesVersion = '2023-06-01';

/** The headers of an account: the messages API takes the key in a header of its own. */
function headersOf({ api, apiKey }: Account): Record<string, string | null> {
  if (api !== 'messages') return apiKey === undefined ? { Authorization: null } : {};
  const version = { Authorization: null, 'anthropic-version': messagesVersion };
  return apiKey === undefined ? version : { ...version, 'x-api-key': apiKey };
}

/** Joins the parts of an answer. Throws ProviderError if there is no answer or if it is incomplete. */
async function collectAnswer(
  parts: Iterable<Part> | AsyncIterable<Part>,
  requestedModel: string,
  onText: ((piece: string) => void) | undefined,
  onUsage: (usage: TokenUsage) => void,
): Promise<ModelAnswer> {
  const visible = visibleText();
  const citations: Schemas['Citation'][] = [];
  let text = '';
  let model = requestedModel;
  let end: FinishReason | undefined;
  const emit = (piece: string): void => {
    const said = wholePrefix(piece, maxAnswerLength - text.length);
    text += said;
    if (said !== '') onText?.(said);
  };
  for await (const part of parts) {
    if ('text' in part) emit(visible.push(part.text));
    else if ('source' in part) citations.push(part.source);
    else if ('model' in part) model = part.model;
    else if ('usage' in part) onUsage(part.usage);
    else end = part.end;
  }
  if (end === 'refused') throw new ProviderError('rejected', 'the endpoint refused to answer', 0);
  if (end === undefined) throw new ProviderError('failed', 'the answer is incomplete', 0);
  emit(visible.end());
  if (text === '') throw new ProviderError('failed', 'the answer has no text', 0);
  return { text, citations: distinct(citations), model };
}

/** A prefix of a text that does not split a surrogate pair. */
const wholePrefix = (text: string, limit: number): string =>
  text.length <= limit ? text : text.slice(0, Math.max(0, limit)).replace(/[\ud800-\udbff]$/, '');

/** The same response with a body that fails beyond the maximum size. */
function limitBody(response: Response): Response {
  if (response.body === null) return response;
  let bytes = 0;
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.length;
        if (bytes > maxBytes) controller.error(new Error('the answer is too long'));
        else controller.enqueue(chunk);
      },
    }),
  );
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

/** Error codes of `fetch` for failures before a connection exists. */
const connectErrorCodes = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_HAS_EXPIRED',
]);

function failedToConnect(error: unknown): boolean {
  const { cause } = error as { cause?: { code?: string; syscall?: string; errors?: readonly { syscall?: string }[] } };
  if (cause === undefined) return false;
  const failures = cause.errors ?? [cause];
  return (
    connectErrorCodes.has(cause.code ?? '') ||
    (failures.length > 0 && failures.every(({ syscall }) => syscall === 'connect' || syscall === 'getaddrinfo'))
  );
}
