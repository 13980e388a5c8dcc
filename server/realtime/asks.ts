/** Questions to the assistant over a connection: answered piece by piece, and kept for a while for one who has to ask again. */
import type { Assistant } from '../assistant/assistant.ts';
import type { Schemas } from '../contract/operations.ts';
import { errorMessage, MessageError, type ServerMessage } from './messages.ts';

/** The connection that asks. */
export interface AskCaller {
  readonly keyId: string;
  readonly connectionId: string;
  readonly send: (message: ServerMessage) => void;
  /** Aborts when the connection is over. */
  readonly signal: AbortSignal;
}

export interface Asks {
  /** Asks; the answer goes to the asker in pieces. Throws MessageError for what cannot be asked now. */
  ask(command: Schemas['WsAsk'], asker: AskCaller): void;
  /** Throws MessageError where nothing of this id is being answered. */
  cancel(id: string, asker: AskCaller): void;
}

/** How long an answer is kept under its idempotency key, and how many are. */
export const answerRetentionMs = 600_000;
const mostKept = 1_000;

type Outcome = { readonly result: Schemas['AssistantAnswer'] } | { readonly error: unknown };

interface Kept {
  readonly params: string;
  readonly at: number;
  readonly outcome: Promise<Outcome>;
}

/** `most`: how many questions a connection may have open. `broken` is told of faults of ours. */
export function createAsks(assistant: Assistant, most: number, broken: (what: string, detail: unknown) => void): Asks {
  const open = new Map<string, AbortController>();
  const openOf = new Map<string, number>();
  const kept = new Map<string, Kept>();

  function forgetOld(now: number): void {
    for (const [name, { at }] of kept) {
      if (now - at < answerRetentionMs && kept.size <= mostKept) return;
      kept.delete(name);
    }
  }

  async function answer(
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

  /** The answer to a question, or to the same one that was put before under its idempotency key. */
  function outcomeOf(
    command: Schemas['WsAsk'],
    { keyId, signal }: AskCaller,
    cancelled: AbortSignal,
    onText: (piece: string) => void,
  ): Promise<Outcome> {
    const { id, idempotency_key: idempotencyKey } = command;
    // Who cannot come back for the answer needs none when the connection is over.
    if (idempotencyKey === undefined) return answer(command, keyId, AbortSignal.any([signal, cancelled]), onText);
    const now = performance.now();
    forgetOld(now);
    const name = `${keyId} ${idempotencyKey}`;
    const params = JSON.stringify(Object.entries(command.params).toSorted());
    const before = kept.get(name);
    if (before === undefined) {
      const outcome = answer(command, keyId, cancelled, onText);
      kept.set(name, { params, at: now, outcome });
      return outcome;
    }
    if (before.params !== params)
      throw new MessageError('bad_params', 422, "this 'idempotency_key' was used for another question", id);
    return before.outcome;
  }

  return {
    ask(command, asker) {
      const { id } = command;
      const { connectionId, send, signal } = asker;
      const name = `${connectionId} ${id}`;
      if (open.has(name))
        throw new MessageError(
          'duplicate_id',
          409,
          `'${id}' is being answered on this connection: give each question an id of its own`,
          id,
        );
      const count = openOf.get(connectionId) ?? 0;
      if (count >= most)
        throw new MessageError(
          'too_many_requests',
          429,
          `${most} questions of this connection are being answered, which is the most: wait for one`,
          id,
          { retry_after_s: 1 },
        );

      const cancelled = new AbortController();
      const isOver = (): boolean => cancelled.signal.aborted || signal.aborted;
      let n = 0;
      const outcome = outcomeOf(command, asker, cancelled.signal, (delta) => {
        if (!isOver() && delta !== '') send({ type: 'answer', id, n: n++, delta });
      });
      open.set(name, cancelled);
      openOf.set(connectionId, count + 1);
      void outcome.then((ended) => {
        open.delete(name);
        const left = openOf.get(connectionId)! - 1;
        if (left === 0) openOf.delete(connectionId);
        else openOf.set(connectionId, left);
        if (isOver()) return;
        if ('result' in ended) return send({ type: 'answered', id, result: ended.result });
        const message = errorMessage(ended.error, id, 'bad_params');
        if (message.code === 'internal') broken('a question that failed', ended.error);
        send(message);
      });
    },

    cancel(id, { connectionId, send }) {
      const controller = open.get(`${connectionId} ${id}`);
      if (controller === undefined)
        throw new MessageError('bad_params', 404, `no question '${id}' is being answered on this connection`, id);
      controller.abort();
      send({ type: 'cancelled', id });
    },
  };
}
