/** Questions to the assistant whose answer arrives in parts, over the connection of the event streams. */
import { abortError, onAbort } from './abort.ts';
import type { AssistantAnswer } from '../../generated/types.ts';
import { AbortError, type Failed, connectionError } from './failure.ts';
import { errorResponses } from './on-demand.ts';
import type { Lost } from './event-stream.ts';
import type { Delivered, Hub, Link, Member } from './link.ts';

/** Options of a question whose answer arrives in parts. */
export interface AskOptions {
  /** Cancels the question. Default: none. */
  readonly signal?: AbortSignal | null | undefined;
  /** The maximum number of consecutive connection failures. Default 5. */
  readonly retries?: number | undefined;
}

/**
 * The parts of an answer as text. Together they are the `summary` of `answer()`. `break` or `cancel()` cancels the question; a
 * question that the service has started counts.
 */
export interface AnswerStream extends AsyncIterator<string, void, undefined> {
  /** The complete answer. The parts need not be read. */
  answer(): Promise<AssistantAnswer>;
  /** Cancels the question; the iteration ends without an error, and `answer()` rejects with an AbortError. */
  cancel(): void;
  /** The stream itself. */
  [Symbol.asyncIterator](): AnswerStream;
}

/**
 * An idempotency key, which is unique among the questions of the caller's key, and no secret. `crypto.randomUUID` does not exist on a page
 * over plain HTTP (Web Cryptography API, 10.1), and React Native has no `crypto`.
 */
const randomKey = (): string => Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('');

/** One question. After a lost connection it is sent again with its idempotency key, and costs nothing more. */
class Question implements Member, AnswerStream {
  readonly #params: object;
  readonly options: AskOptions;
  readonly #key = randomKey();
  readonly #hub: Hub;
  readonly #parts: string[] = [];
  #text = '';
  #attempts = 1;
  /** Whether the question was sent again: its parts repeat, so only the complete answer counts. */
  #isRepeated = false;
  #link: Link | undefined;
  #answer: AssistantAnswer | undefined;
  #error: unknown;
  #isEnded = false;
  #wake: (() => void)[] = [];
  readonly #forget: () => void;

  constructor(hub: Hub, params: object, options: AskOptions) {
    const { signal } = options;
    this.#hub = hub;
    this.#params = params;
    this.options = options;
    const abort = (): void => this.fail(abortError('question', this.context(), signal?.reason));
    this.#forget = onAbort(signal, abort);
    if (signal?.aborted) abort();
    else this.#link = hub.add(this);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<string, void>> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined) return { done: false, value: part };
      if (this.#error !== undefined && !(this.#error instanceof Cancelled)) throw this.#error;
      if (this.#isEnded) return { done: true, value: undefined };
      await this.#change();
    }
  }

  return(): Promise<IteratorResult<string, void>> {
    this.cancel();
    return Promise.resolve({ done: true, value: undefined });
  }

  async answer(): Promise<AssistantAnswer> {
    while (!this.#isEnded) await this.#change();
    if (this.#answer === undefined) throw this.#error;
    return this.#answer;
  }

  /** Ends the question. The connection sends `cancel`. */
  cancel(): void {
    this.#parts.length = 0;
    this.fail(new Cancelled('the question was cancelled', this.context()));
  }

  command(): object {
    return { type: 'ask', params: this.#params, idempotency_key: this.#key };
  }

  endCommand(id: string): object {
    return { type: 'cancel', id };
  }

  receive(message: Delivered): void {
    if (message.type === 'answer' && !this.#isRepeated) this.#add(message.delta);
    else if (message.type === 'answered') {
      const { summary } = (this.#answer = message.result);
      if (summary.startsWith(this.#text)) this.#add(summary.slice(this.#text.length));
      this.#end();
    } else if (message.type === 'cancelled') this.cancel();
    else if (message.type === 'error') void this.#refuse(message);
  }

  /** Ends the question with the error that the response of REST would be. */
  async #refuse(message: Extract<Delivered, { type: 'error' }>): Promise<void> {
    const { retry_after_s: delay, status } = message;
    const headers = new Headers(delay === undefined ? {} : { 'retry-after': String(delay) });
    try {
      const { errorOf } = await errorResponses();
      this.fail(errorOf({ status, headers }, JSON.stringify(message), this.context()));
    } catch (error) {
      this.fail(error);
    }
  }

  lost({ failures }: Lost): void {
    this.#attempts = failures + 1;
    this.#isRepeated = true;
    if (failures > (this.options.retries ?? 5)) this.fail(connectionError(this.context()));
  }

  fail(error: unknown): void {
    if (this.#isEnded) return;
    this.#error = error;
    this.#end();
  }

  #add(part: string): void {
    if (part === '') return;
    this.#text += part;
    this.#parts.push(part);
    this.#notify();
  }

  #end(): void {
    this.#isEnded = true;
    this.#forget();
    this.#link?.leave(this);
    this.#notify();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  #notify(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  context(): Failed {
    return this.#hub.context('events ask', this.#attempts);
  }
}

/** The error of a question that its caller cancelled: it ends the iteration without an error. */
class Cancelled extends AbortError {}

/** Sends a question at once. */
export const openQuestion = (hub: Hub, params: object, options: AskOptions): AnswerStream =>
  new Question(hub, params, options);
