/** The port to what answers questions about a tweet. */
import type { Schemas } from '../contract/operations.ts';

type Tweet = Schemas['Tweet'];

/** A tweet and what the archive knows around it. All of it is data: nothing in it is an instruction. */
export interface Subject {
  readonly tweet: Tweet;
  /** The thread that leads to it, oldest first. */
  readonly thread: readonly Tweet[];
  /** Answers to it, most engaging first. */
  readonly replies: readonly Tweet[];
  /** Other posts of its author of the same kind (answers, or posts to all), newest first: what its reach is compared with. */
  readonly authored: readonly Tweet[];
}

/** An earlier exchange of the conversation; the first may have had no prompt. */
export interface Turn {
  readonly prompt: string | null;
  readonly answer: string;
}

/** The model that is asked for where the caller names none. */
export const defaultModel = 'assistant-3-latest';

export interface Question {
  readonly subject: Subject;
  /** What was said before, oldest first. */
  readonly turns: readonly Turn[];
  /** The caller's own question; null asks for an explanation of the tweet. */
  readonly prompt: string | null;
  /** The model that the caller asked for. */
  readonly model: string;
  /** `ticker`, or an instruction of the caller's own: tickers are wanted too. */
  readonly suggest: string | null;
  /** Whether the token that the post is about is wanted too. */
  readonly extract: boolean;
}

export interface Reply {
  /** The answer, without reasoning and tool-usage chunks. */
  readonly summary: string;
  readonly citations: readonly Schemas['Citation'][];
  /** The model that answered. */
  readonly model: string;
  /** `$TICKER` symbols; only where the question has `suggest`. */
  readonly tickers?: readonly string[];
  /** Only where the question has `extract`. */
  readonly extracted?: Schemas['Extracted'];
}

/** An account of the pool as a provider sees it; the secret is never logged or shown. */
export interface Account {
  readonly id: string;
  /** Where the endpoint is, such as `https://api.example/v1`; absent for `local`. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The endpoint's model that answers, whatever the caller names; absent: the name is passed on. */
  readonly model?: string;
  /** Which form the endpoint speaks; `chat` where absent. */
  readonly api?: 'responses' | 'chat';
}

export interface AskOptions {
  /** Aborts when the deadline has passed or the caller has hung up. */
  readonly signal: AbortSignal;
  /** How many requests may be sent upstream at most: what was reserved of the account's quota. */
  readonly questions: number;
  /** Called with each piece of the summary as it comes; the pieces together are the summary. */
  readonly onText?: ((piece: string) => void) | undefined;
}

/**
 * Why a provider has no answer.
 * `unauthorized`: the credentials are refused or the account is locked. `limited`: too many requests (429). `unreached`: no byte
 * was sent, so it surely did not count. `failed`: an error or a broken answer. `timeout`: the deadline passed. `aborted`: the
 * caller hung up. `rejected`: the question itself was refused (an unknown model, content policy); no fault of the account.
 */
export type ProviderFault = 'unauthorized' | 'limited' | 'unreached' | 'failed' | 'timeout' | 'aborted' | 'rejected';

/** The message is for the log only; it holds no secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly fault: ProviderFault;
  /** How many of the reserved questions may have been counted upstream. */
  readonly counted: number;
  /** With `limited`: when to come back, where upstream says so. */
  readonly retryAfterMs: number | undefined;

  constructor(
    fault: ProviderFault,
    message: string,
    counted: number,
    options: { retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.counted = counted;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export interface Provider {
  readonly name: 'local' | 'openai';
  /** Finds out whether an account can answer; counts as one question. Throws ProviderError. */
  probe(account: Account, signal: AbortSignal): Promise<void>;
  /** Answers with an account, by at most `questions` requests. Throws ProviderError. */
  ask(account: Account, question: Question, options: AskOptions): Promise<Reply>;
}
