/**
 * Assistant questions over a WebSocket connection: streams each answer, and caches it for a retry with the same
 * idempotency key.
 */
import type { Assistant } from '../assistant/assistant.ts';
import { UsedPosts } from '../assistant/used-posts.ts';
import type { Schemas } from '../contract/operations.ts';
import { notFound } from '../contract/service-error.ts';
import type { DeletedIds, TweetDataHolder } from '../ports/tweet-data-holder.ts';
import { unknownTweets, type Deletions } from './deletions.ts';
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
  /** The tweet of the question, unknown until the answer for a question of a conversation; and the cited tweets. */
  tweetIds: readonly string[];
  readonly used: UsedPosts;
}

/** Answers by API key and idempotency key. */
class AnswerCache {
  readonly #answers = new Map<string, CachedAnswer>();

  get size(): number {
    return this.#answers.size;
  }

  /** The cached outcome of a question, or the outcome of `ask`. Throws MessageError for a key of another question. */
  getOrAsk(
    { id, params, idempotency_key: idempotencyKey }: Schemas['WsAsk'],
    keyId: string,
    ask: (used: UsedPosts) => Promise<AnswerOutcome>,
  ): Promise<AnswerOutcome> {
    const now = performance.now();
    this.#evictExpired(now);
    const name = `${keyId} ${idempotencyKey}`;
    const question = JSON.stringify(Object.entries(params).toSorted());
    const cached = this.#answers.get(name);
    if (cached === undefined) {
      const used = new UsedPosts();
      const answer: CachedAnswer = { params: question, at: now, outcome: ask(used), tweetIds: idsOf(params), used };
      this.#answers.set(name, answer);
      void answer.outcome.then((outcome) => {
        if ('result' in outcome) answer.tweetIds = [...idsOf(outcome.result), ...(outcome.result.cited_tweets ?? [])];
      });
      return answer.outcome;
    }
    if (cached.params !== question)
      throw new MessageError('bad_params', 422, "this 'idempotency_key' was used for another question", id);
    return cached.outcome;
  }

  /** Drops the answers about these tweets, and those that have used one of them. */
  drop(deleted: DeletedIds): void {
    for (const [name, { tweetIds, used }] of this.#answers)
      if ([...tweetIds, ...used.tweetIds].some((id) => deleted.has(id))) this.#answers.delete(name);
  }

  #evictExpired(now: number): void {
    for (const [name, { at }] of this.#answers) {
      if (now - at < answerRetentionMs && this.#answers.size <= maxCachedAnswers) return;
      this.#answers.delete(name);
    }
  }
}

const idsOf = ({ tweet_id: id }: { readonly tweet_id?: string }): string[] => (id === undefined ? [] : [id]);

interface OpenQuestion {
  readonly caller: AskCaller;
  readonly cancelled: AbortController;
  /** Undefined for a question of a conversation. */
  readonly tweetId: string | undefined;
}

/** The question service of all connections. */
export class Asks implements TweetDataHolder {
  readonly #assistant: Pick<Assistant, 'explain'>;
  readonly #maxOpen: number;
  readonly #reportFault: (what: string, detail: unknown) => void;
  /** The open questions by connection, and in it by the id of the question. */
  readonly #open = new Map<string, Map<string, OpenQuestion>>();
  readonly #cache = new AnswerCache();
  readonly #deletions: Deletions;

  /** `maxOpen`: open questions for each connection. `reportFault`: called for an internal error. */
  constructor(
    assistant: Pick<Assistant, 'explain'>,
    maxOpen: number,
    reportFault: (what: string, detail: unknown) => void,
    deletions: Deletions,
  ) {
    this.#assistant = assistant;
    this.#maxOpen = maxOpen;
    this.#reportFault = reportFault;
    this.#deletions = deletions;
    deletions.add(this);
  }

  get isEmpty(): boolean {
    return this.#open.size === 0 && this.#cache.size === 0;
  }

  /** Drops the answers about deleted tweets, and ends the open questions about them with 404. */
  drop(deleted: DeletedIds): void {
    this.#cache.drop(deleted);
    if (deleted === unknownTweets) return;
    for (const questions of this.#open.values()) {
      for (const [id, { caller, cancelled, tweetId }] of questions) {
        if (tweetId === undefined || cancelled.signal.aborted || !deleted.has(tweetId)) continue;
        cancelled.abort();
        if (!caller.signal.aborted) this.#sendOutcome(id, { error: notFound(`tweet ${tweetId}`) }, caller);
      }
    }
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
    const open = this.#open.get(caller.connectionId) ?? new Map<string, OpenQuestion>();
    this.#open.set(caller.connectionId, open.set(id, { caller, cancelled, tweetId: command.params.tweet_id }));
    void outcome.then((settled) => {
      open.delete(id);
      if (open.size === 0) this.#open.delete(caller.connectionId);
      if (!isAborted()) this.#sendOutcome(id, settled, caller);
    });
  }

  /** Cancels an open question. Throws MessageError when the caller has no open question with this id. */
  cancel(id: string, caller: AskCaller): void {
    const question = this.#open.get(caller.connectionId)?.get(id);
    if (question === undefined)
      throw new MessageError('bad_params', 404, `this connection has no open question '${id}'`, id);
    question.cancelled.abort();
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
    const ask = (used: UsedPosts) => this.#explain(command, keyId, cancelled, onText, used);
    return this.#cache.getOrAsk(command, keyId, ask);
  }

  async #explain(
    { params }: Schemas['WsAsk'],
    keyId: string,
    signal: AbortSignal,
    onText: (piece: string) => void,
    used = new UsedPosts(),
  ): Promise<AnswerOutcome> {
    const watch = this.#deletions.watch();
    try {
      const result = await this.#assistant.explain({ ...params, keyId, signal, onText, used });
      // A question of a conversation does not name its tweet before the answer.
      const gone = [result.tweet_id, ...(result.cited_tweets ?? [])].find((each) => watch.has(each));
      if (gone !== undefined) throw notFound(`tweet ${gone}`);
      return { result };
    } catch (error) {
      return { error };
    } finally {
      watch.stop();
    }
  }

  #sendOutcome(id: string, outcome: AnswerOutcome, caller: AskCaller): void {
    if ('result' in outcome) return caller.send({ type: 'answered', id, result: outcome.result });
    const message = errorMessage(outcome.error, id, 'bad_params');
    if (message.code === 'internal') this.#reportFault('a question failed', outcome.error);
    caller.send(message);
  }
}
