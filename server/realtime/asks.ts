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
  send(message: ServerMessage): void;
  /** Aborts when the connection closes. */
  readonly signal: AbortSignal;
}

/** How long an answer is cached under its idempotency key, in milliseconds. */
export const answerRetentionMs = 600_000;
const maxCachedAnswers = 1_000;

type AnswerOutcome = { readonly result: Schemas['AssistantAnswer'] } | { readonly error: unknown };

interface CachedAnswer {
  readonly params: string;
  readonly at: number;
  readonly outcome: Promise<AnswerOutcome>;
}

/** Answers by API key and idempotency key. */
class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();

  /** The cached outcome of a question, or the outcome of `ask`. Throws MessageError for a key of another question. */
  getOrAsk(
    { id, params, idempotency_key: idempotencyKey }: Schemas['WsAsk'],
    keyId: string,
    ask: () => Promise<AnswerOutcome>,
  ): Promise<AnswerOutcome> {
    const now = performance.now();
    this.#evictExpired(now);
    const name = `${keyId} ${idempotencyKey}`;
    const question = JSON.stringify(Object.entries(params).toSorted());
    const cached = this.#answers.get(name);
    if (cached === undefined) {
      const outcome = ask();
      this.#answers.set(name, { params: question, at: now, outcome });
      return outcome;
    }
    if (cached.params !== question)
      throw new MessageError('bad_params', 422, "this 'idempotency_key' was used for another question", id);
    return cached.outcome;
  }

  #evictExpired(now: number): void {
    for (const [name, { at }] of this.#answers) {
      if (now - at < answerRetentionMs && this.#answers.size <= maxCachedAnswers) return;
      this.#answers.delete(name);
    }
  }
}

/** The question service of all connections. */
export class Asks {
  readonly #assistant: Pick<Assistant, 'explain'>;
  readonly #maxOpen: number;
  readonly #reportFault: (what: string, detail: unknown) => void;
  /** The open questions by connection, and in it by the id of the question. */
  readonly #open = new Map<string, Map<string, AbortController>>();
  readonly #cache = new AnswerCache();

  /** `maxOpen`: open questions for each connection. `reportFault`: called for an internal error. */
  constructor(
    assistant: Pick<Assistant, 'explain'>,
    maxOpen: number,
    reportFault: (what: string, detail: unknown) => void,
  ) {
    this.#assistant = assistant;
    this.#maxOpen = maxOpen;
    this.#reportFault = reportFault;
  }

  /**
   * Asks a question and streams the answer to the caller. Throws MessageError for a duplicate id or too many open
   * questions.
   */
  ask(command: Schemas['WsAsk'], caller: AskCaller): void {
    const { id } = command;
    this.#checkLimits(id, caller);
    const cancelled = new AbortController();
    const isAborted = (): boolean => cancelled.signal.aborted || caller.signal.aborted;
    let n = 0;
    const outcome = this.#outcomeOf(command, caller, cancelled.signal, (delta) => {
      if (!isAborted() && delta !== '') caller.send({ type: 'answer', id, n: n++, delta });
    });
    const open = this.#open.get(caller.connectionId) ?? new Map<string, AbortController>();
    this.#open.set(caller.connectionId, open.set(id, cancelled));
    void outcome.then((settled) => {
      open.delete(id);
      if (open.size === 0) this.#open.delete(caller.connectionId);
      if (!isAborted()) this.#sendOutcome(id, settled, caller);
    });
  }

  /** Cancels an open question. Throws MessageError when the caller has no open question with this id. */
  cancel(id: string, caller: AskCaller): void {
    const controller = this.#open.get(caller.connectionId)?.get(id);
    if (controller === undefined)
      throw new MessageError('bad_params', 404, `this connection has no open question '${id}'`, id);
    controller.abort();
    caller.send({ type: 'cancelled', id });
  }

  #checkLimits(id: string, { connectionId }: AskCaller): void {
    const open = this.#open.get(connectionId);
    if (open?.has(id) === true)
      throw new MessageError(
        'duplicate_id',
        409,
        `'${id}' is open on this connection: use another id for each question`,
        id,
      );
    if ((open?.size ?? 0) >= this.#maxOpen)
      throw new MessageError(
        'too_many_requests',
        429,
        `this connection has ${this.#maxOpen} open questions, the maximum: wait for an answer`,
        id,
        { retry_after_s: 1 },
      );
  }

  /** Asks a question, or returns the cached outcome of the same question with the same idempotency key. */
  #outcomeOf(
    command: Schemas['WsAsk'],
    { keyId, signal }: AskCaller,
    cancelled: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<AnswerOutcome> {
    // Without an idempotency key, no retry can read the answer after the connection has closed.
    if (command.idempotency_key === undefined)
      return this.#explain(command, keyId, AbortSignal.any([signal, cancelled]), onText);
    return this.#cache.getOrAsk(command, keyId, () => this.#explain(command, keyId, cancelled, onText));
  }

  async #explain(
    { params }: Schemas['WsAsk'],
    keyId: string,
    signal: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<AnswerOutcome> {
    try {
      return { result: await this.#assistant.explain({ ...params, keyId, signal, onText }) };
    } catch (error) {
      return { error };
    }
  }

  #sendOutcome(id: string, outcome: AnswerOutcome, caller: AskCaller): void {
    if ('result' in outcome) return caller.send({ type: 'answered', id, result: outcome.result });
    const message = errorMessage(outcome.error, id, 'bad_params');
    if (message.code === 'internal') this.#reportFault('a question failed', outcome.error);
    caller.send(message);
  }
}
