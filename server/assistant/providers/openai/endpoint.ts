/** The connection of one account to its endpoint for one question. It sends requests and counts them. */
import type { Schemas } from '../../../contract/operations.ts';
import { isTimeout } from '../../deadline.ts';
import { traceHeaders } from '../../../observability/trace-context.ts';
import { ProviderError, type Account, type TokenUsage } from '../../../ports/assistant-provider.ts';
import { distinct } from '../../sources.ts';
import { valuesOf } from './answer-body.ts';
import { chat } from './chat.ts';
import { adaptedTo, canStream, sentFeatures, type EndpointMemories, type EndpointMemory } from './endpoint-memory.ts';
import { errorIn, isError, reportedError } from './error-body.ts';
import { ConnectionError, faultOf, FeatureRefusal, StatusError, UpstreamFailure } from './faults.ts';
import type { ApiDialect, Feature, ModelRequest } from './form.ts';
import { messages } from './messages.ts';
import type { FinishReason, Part, ToolCall } from './part.ts';
import { refusedFeature } from './refusals.ts';
import { responses } from './responses.ts';
import { visibleText } from './visible-text.ts';

/** What a model answered to one request. */
export interface ModelAnswer {
  readonly text: string;
  readonly citations: readonly Schemas['Citation'][];
  readonly model: string;
  /** The tools that the model calls before it answers; then the text may be empty. */
  readonly calls: readonly ToolCall[];
  /** Whether the text had calls, which a server should have taken out of it. */
  readonly hasCallsInText: boolean;
}

export interface Endpoint {
  /** Asks one question. Throws an error for `faultOf`, or ProviderError for an unusable answer. */
  send(asking: ModelRequest, onText?: (piece: string) => void): Promise<ModelAnswer>;
  /** Continues the last question with the results of tools, which is no other question. Throws like `send`. */
  resume(asking: ModelRequest, onText?: (piece: string) => void): Promise<ModelAnswer>;
  /** The number of questions that may still be asked. */
  readonly remaining: () => number;
  /** Converts an error to a ProviderError with the number of requests that may have been counted. */
  readonly failure: (error: unknown) => ProviderError;
}

type OnText = ((piece: string) => void) | undefined;

/** Maximum response size, above the longest stream of a reasoning model. A longer response fails. */
const maxBytes = 8 * 1024 * 1024;
/** Maximum length of an answer in UTF-16 units. The rest is left out. */
const maxAnswerLength = 64_000;

const dialects: Readonly<Record<NonNullable<Account['api']>, ApiDialect>> = { chat, responses, messages };

/** What is read beside the text of the answers of an endpoint. */
export interface Listeners {
  /** Receives the tokens that the endpoint counts for a request to a model. */
  readonly onUsage: (usage: TokenUsage, model: string) => void;
  /** Whether streams ask for the tokens; some endpoints do not know the member for it. */
  readonly asksUsage?: boolean;
  /** Receives the pages that the endpoint names as its sources. */
  readonly onSource?: (source: Schemas['Citation']) => void;
}

export function endpointOf(
  account: Account,
  questions: number,
  signal: AbortSignal,
  memories: EndpointMemories,
  listeners: Listeners,
): Endpoint {
  let sent = 0;
  let counted = 0;
  let unreached = false;
  let callNumber = 0;

  const api = account.api ?? 'chat';
  const dialect = dialects[api];
  const callId = (): string => `call${String(++callNumber).padStart(5, '0')}`;

  const attempt = async (asking: ModelRequest, onText: OnText): Promise<ModelAnswer> => {
    if (signal.aborted) throw signal.reason;
    unreached = false;
    const body = dialect.bodyOf(asking, onText !== undefined);
    const response = await post(account, dialect.path, body, { signal, onUnreached: () => (unreached = true) });
    return await collectAnswer(dialect.partsOf(answersOf(response)), asking, onText, {
      ...listeners,
      callId,
      memory: memories.of(account, asking.model),
    });
  };

  const request = (asking: ModelRequest, onText: OnText): Promise<ModelAnswer> =>
    askAdapted(api, memories.of(account, asking.model).refused, { ...asking, asksUsage: listeners.asksUsage }, onText, {
      attempt,
      hasEnded: () => signal.aborted,
    });

  return {
    remaining: () => questions - sent,
    resume: request,
    async send(asking, onText) {
      if (signal.aborted) throw signal.reason;
      if (sent >= questions) throw new Error('more questions than were reserved');
      sent++;
      counted++;
      try {
        return await request(asking, onText);
      } catch (error) {
        if (unreached || (!signal.aborted && !faultOf(error, Date.now()).mayCount)) counted--;
        throw error;
      }
    },
    failure: (error) => failureOf(error, signal, unreached, counted),
  };
}

function failureOf(error: unknown, signal: AbortSignal, unreached: boolean, counted: number): ProviderError {
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
}

interface Attempts {
  attempt(asking: ModelRequest, onText: OnText): Promise<ModelAnswer>;
  hasEnded(): boolean;
}

/**
 * Asks again without what the endpoint refuses, once for each part of the request, and adds it to `refused`. Throws
 * FeatureRefusal for tools, because without them the instructions are others too.
 */
async function askAdapted(
  api: NonNullable<Account['api']>,
  refused: Set<Feature>,
  asking: ModelRequest,
  onText: OnText,
  { attempt, hasEnded }: Attempts,
): Promise<ModelAnswer> {
  let hasText = false;
  const listen = onText && ((piece: string): void => ((hasText = true), onText(piece)));
  for (;;) {
    const adapted = adaptedTo(refused, asking);
    const streams = onText !== undefined && !refused.has('stream');
    try {
      const answer = await attempt(adapted, streams ? listen : undefined);
      if (!streams && answer.text !== '') onText?.(answer.text);
      return answer;
    } catch (error) {
      const feature = hasEnded() || hasText ? undefined : refusedFeature(error, sentFeatures(api, adapted, streams));
      if (feature === undefined) throw error;
      refused.add(feature);
      if (feature === 'tools') throw new FeatureRefusal(feature, error);
    }
  }
}

/** The values of an answer. Throws UpstreamFailure for an error that comes with a status of success. */
async function* answersOf(response: Response): AsyncGenerator<unknown> {
  for await (const value of valuesOf(response)) {
    if (isError(value)) {
      const { code, words } = errorIn(value);
      throw new UpstreamFailure(code, words);
    }
    yield value;
  }
}

/**
 * Sends a request. Each one counts as a question, so none is repeated. `onUnreached`: called if it fails before a connection exists.
 * Rejects with ConnectionError, and with StatusError for a response without success.
 */
async function post(
  account: Account,
  path: string,
  body: object,
  { signal, onUnreached }: { readonly signal: AbortSignal; readonly onUnreached: () => void },
): Promise<Response> {
  const url = `${account.baseUrl?.replace(/\/$/, '')}${path}`;
  const sent = { method: 'POST', headers: headersOf(account), body: JSON.stringify(body), signal };
  // A redirect is not followed, so that the key goes to no other host.
  const response = await fetch(url, { ...sent, redirect: 'manual' }).catch((error: unknown) => {
    if (failedToConnect(error)) onUnreached();
    throw new ConnectionError('the endpoint did not answer', { cause: error });
  });
  const limited = limitBody(response);
  if (response.ok) return limited;
  throw new StatusError(response.status, reportedError(await limited.text().catch(() => '')), response.headers);
}

/** The version of the messages API that `messages.ts` reads. */
const messagesVersion = '2023-06-01';

/** The headers of a request: the messages API takes the key in a separate header. */
function headersOf({ api, apiKey }: Account): Record<string, string> {
  const common = {
    ...{ 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'social-data' },
    ...traceHeaders(),
  };
  if (api !== 'messages') return apiKey === undefined ? common : { ...common, authorization: `Bearer ${apiKey}` };
  const versioned = { ...common, 'anthropic-version': messagesVersion };
  return apiKey === undefined ? versioned : { ...versioned, 'x-api-key': apiKey };
}

/** Joins the parts of an answer. Throws ProviderError if there is no answer or if it is incomplete. */
async function collectAnswer(
  parts: AsyncIterable<Part>,
  { model: requestedModel, tools, schema }: ModelRequest,
  onText: OnText,
  { onUsage, onSource, callId, memory }: Listeners & { readonly callId: () => string; readonly memory: EndpointMemory },
): Promise<ModelAnswer> {
  const visible = visibleText(canStream(memory));
  const citations: Schemas['Citation'][] = [];
  const calls: ToolCall[] = [];
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
    else if ('source' in part) {
      citations.push(part.source);
      onSource?.(part.source);
    } else if ('model' in part) model = part.model;
    else if ('usage' in part) onUsage(part.usage, requestedModel);
    else if ('call' in part) calls.push(withId(part.call, calls, callId));
    else end = part.end;
  }
  if (end === 'refused') throw new ProviderError('rejected', 'the endpoint refused to answer', 0);
  if (end === undefined) throw new ProviderError('failed', 'the answer is incomplete', 0);
  const rest = visible.end();
  const { found } = visible;
  const hadReasoned = memory.hasReasoned;
  memory.hasReasoned ||= found.reasoning;
  if (found.leaked) throw new ProviderError('failed', 'the model gave reasoning as its answer', 0);
  // A model that only marks the end of its reasoning, and was cut before it.
  if (end === 'cut' && hadReasoned && !found.reasoning)
    throw new ProviderError('failed', 'the answer was cut in its reasoning', 0);
  emit(rest);
  // A model can call only a tool that the request offers.
  const called = tools?.choice === 'auto' ? calls : [];
  const hasCallsInText = tools !== undefined && found.call;
  if (text === '' && called.length === 0 && !hasCallsInText)
    throw new ProviderError('failed', 'the answer has no text', 0);
  if (end === 'whole' && schema === undefined && calls.length === 0 && text !== '') memory.plainAnswers++;
  return { text, citations: distinct(citations), model, calls: called, hasCallsInText };
}

/** A call with an id that no other call of the answer has, so that each result belongs to one call. */
const withId = (call: ToolCall, others: readonly ToolCall[], callId: () => string): ToolCall =>
  call.id === '' || others.some(({ id }) => id === call.id) ? { ...call, id: callId() } : call;

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
