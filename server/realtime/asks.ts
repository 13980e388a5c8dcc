/**
 * Assistant questions over a WebSocket connection: streams each answer, and caches it for a retry with the same
 * idempotency key.
 */
import type { Assistant } from '../assistant/assistant.ts';
import type { Schemas } from '../contract/operations.ts';
import { errorMessage, MessageError, type ServerMessage } from './messages.ts';

/** The connection that asks a question. */
export interface AskCaller {
  readonly keyId: string;
  readonly connectionId: string;
  readonly send: (message: ServerMessage) => void;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
}

export interface Asks {
  /**
   * Asks a question and streams the answer to the caller. Throws MessageError for a duplicate id or too many open
   * questions.
   */
  ask(command: Schemas['WsAsk'], caller: AskCaller): void;
  /** Cancels an open question. Throws MessageError when the caller has no open question with this id. */
  cancel(id: string, caller: AskCaller): void;
}

/** How long an answer is cached under its idempotency key, in milliseconds. */
export const answerRetentionMs = 600_000;
const maxCachedAnswers = 1_000;

type Outcome = { readonly result: Schemas['AssistantAnswer'] } | { readonly error: unknown };

interface CachedAnswer {
  readonly params: string;
  readonly at: number;
  readonly outcome: Promise<Outcome>;
}

/**
 * Creates the question service of all connections. `maxOpen`: open questions for each connection. `reportFault`:
 * called for an internal error.
 */
export function createAsks(
  assistant: Assistant,
  maxOpen: number,
  reportFault: (what: string, detail: unknown) => void,
): Asks {
  const openQuestions = new Map<string, AbortController>();
  const openPerConnection = new Map<string, number>();
  const cache = new Map<string, CachedAnswer>();

  function evictExpired(now: number): void {
    for (const [cacheKey, { at }] of cache) {
      if (now - at < answerRetentionMs && cache.size <= maxCachedAnswers) return;
      cache.delete(cacheKey);
    }
  }

  async function callAssistant(
    { params }: Schemas['WsAsk'],
    keyId: string,
    signal: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<Outcome> {
    try {
      return { result: await assistant.explain({ ...params, keyId, signal, onText }) };
    } catch (error) {
      return { error };
    }
  }

  /** Asks a question, or returns the cached outcome of the same question with the same idempotency key. */
  function cachedOrNewOutcome(
    command: Schemas['WsAsk'],
    { keyId, signal }: AskCaller,
    cancelled: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<Outcome> {
    const { id, idempotency_key: idempotencyKey } = command;
    // Without an idempotency key, no retry can read the answer after the connection has closed.
    if (idempotencyKey === undefined)
      return callAssistant(command, keyId, AbortSignal.any([signal, cancelled]), onText);
    const now = performance.now();
    evictExpired(now);
    const cacheKey = `${keyId} ${idempotencyKey}`;
    const params = JSON.stringify(Object.entries(command.params).toSorted());
    const cached = cache.get(cacheKey);
    if (cached === undefined) {
      const outcome = callAssistant(command, keyId, cancelled, onText);
      cache.set(cacheKey, { params, at: now, outcome });
      return outcome;
    }
    if (cached.params !== params)
      throw new MessageError('bad_params', 422, "this 'idempotency_key' was used for another question", id);
    return cached.outcome;
  }

  return {
    ask(command, caller) {
      const { id } = command;
      const { connectionId, send, signal } = caller;
      const name = `${connectionId} ${id}`;
      if (openQuestions.has(name))
        throw new MessageError(
          'duplicate_id',
          409,
          `'${id}' is open on this connection: use another id for each question`,
          id,
        );
      const count = openPerConnection.get(connectionId) ?? 0;
      if (count >= maxOpen)
        throw new MessageError(
          'too_many_requests',
          429,
          `this connection has ${maxOpen} open questions, the maximum: wait for an answer`,
          id,
          { retry_after_s: 1 },
        );

      const cancelled = new AbortController();
      const isAborted = (): boolean => cancelled.signal.aborted || signal.aborted;
      let n = 0;
      const outcome = cachedOrNewOutcome(command, caller, cancelled.signal, (delta) => {
        if (!isAborted() && delta !== '') send({ type: 'answer', id, n: n++, delta });
      });
      openQuestions.set(name, cancelled);
      openPerConnection.set(connectionId, count + 1);
      void outcome.then((settled) => {
        openQuestions.delete(name);
        const remaining = openPerConnection.get(connectionId)! - 1;
        if (remaining === 0) openPerConnection.delete(connectionId);
        else openPerConnection.set(connectionId, remaining);
        if (isAborted()) return;
        if ('result' in settled) return send({ type: 'answered', id, result: settled.result });
        const message = errorMessage(settled.error, id, 'bad_params');
        if (message.code === 'internal') reportFault('a question failed', settled.error);
        send(message);
      });
    },

    cancel(id, { connectionId, send }) {
      const controller = openQuestions.get(`${connectionId} ${id}`);
      if (controller === undefined)
        throw new MessageError('bad_params', 404, `this connection has no open question '${id}'`, id);
      controller.abort();
      send({ type: 'cancelled', id });
    },
  };
}
