/** The port to providers that answer questions about a tweet. */
import type { Schemas } from '../contract/operations.ts';
import type { TweetBackground, TweetConversation } from './platform.ts';

type Tweet = Schemas['Tweet'];
type Post = Schemas['TweetShort'];

/**
 * A tweet with its conversation from the archive, within limits. All of it is data; a provider must not treat it as
 * instructions. The backgrounds say which post replies to which.
 */
export interface Subject extends TweetConversation {
  /** The replies to its replies, to its quotes, to its continuation and to later posts, level by level, without any of those. */
  readonly deeperReplies: readonly Post[];
  /** Later posts of its author that share a hashtag, a link or rare words with it, newest first. */
  readonly later: readonly Post[];
  /** Posts that it links to without a quote. */
  readonly linked: readonly Tweet[];
  /** The profile of its author; undefined if the archive has none. */
  readonly profile: Schemas['User'] | undefined;
  /** What the tweets above leave open, by id: which counts are known, and which tweets are missing. */
  readonly backgrounds: ReadonlyMap<string, TweetBackground>;
}

/**
 * Read access to the archive for one question. The list is empty for an invalid query, an unknown user or tweet, and an
 * unsupported operation. Throws ServiceError while the archive cannot answer.
 */
export interface ArchiveReader {
  /** The newest tweets that match a query of the search language. */
  search(query: string, limit: number): Promise<readonly Schemas['TweetShort'][]>;
  /** A tweet with what it replies to, oldest first, and its most engaging replies. */
  thread(tweetId: string): Promise<readonly Tweet[]>;
  /** The newest tweets of an author, replies included. */
  author(username: string, limit: number): Promise<readonly Tweet[]>;
  /** The newest of those users of whom the archive knows that they retweeted a tweet. */
  retweeters(tweetId: string, limit: number): Promise<readonly Schemas['User'][]>;
  /** The profiles of those of these users whom the archive knows, in their order. */
  profiles(ids: readonly string[]): Promise<readonly Schemas['User'][]>;
  /** Those of these tweets that the archive has now. */
  present(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** The backgrounds of those of these tweets that the archive has. */
  backgrounds(ids: readonly string[]): Promise<ReadonlyMap<string, TweetBackground>>;
}

/** An earlier exchange of the conversation; the first may have had no prompt. */
export interface Turn {
  readonly prompt: string | null;
  readonly answer: string;
}

/** The model when the caller names none: the own model of each account; sent as it is where an account has none. */
export const defaultModel = 'assistant-3-latest';

export interface Question {
  readonly subject: Subject;
  /** The rest of the archive. */
  readonly archive: ArchiveReader;
  /** The earlier turns of the conversation, oldest first. */
  readonly turns: readonly Turn[];
  /** The caller's own question; null asks for an explanation of the tweet. */
  readonly prompt: string | null;
  /** The requested model. */
  readonly model: string;
  /** `ticker`, or an instruction of the caller: the reply must contain tickers. Null: no tickers. */
  readonly suggest: string | null;
  /** Whether the reply must contain the token that the post is about. */
  readonly extract: boolean;
}

export interface Reply {
  /** The answer, without reasoning and tool-usage chunks. */
  readonly summary: string;
  readonly citations: readonly Schemas['Citation'][];
  /** The ids of the tweets that the summary refers to with `[1]`, `[2]` …; absent if it refers to none. */
  readonly citedTweets?: readonly string[];
  /** The model that answered. */
  readonly model: string;
  /** `$TICKER` symbols; only if the question has `suggest`. */
  readonly tickers?: readonly string[];
  /** Only if the question has `extract`. */
  readonly extracted?: Schemas['Extracted'];
}

/** The part of a pool account that a provider needs. Its secret is never logged or shown. */
export interface Account {
  readonly id: string;
  /** The URL of the endpoint, such as `https://api.example/v1`; absent for `local`. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  /** The only model that the account serves; absent: the account serves any, and the requested model is sent. */
  readonly model?: string;
  /** The API of the endpoint; `chat` when absent. */
  readonly api?: 'responses' | 'chat' | 'messages';
}

export interface AskOptions {
  /** Aborts when the deadline has passed or the caller has disconnected. */
  readonly signal: AbortSignal;
  /** Maximum number of upstream questions: the reserved slots. A request that returns results of tools is none. */
  readonly questions: number;
  /** Called with each part of the summary as it arrives; the parts together are the summary. */
  readonly onText?: ((piece: string) => void) | undefined;
}

/**
 * The reason why a provider has no reply.
 * `unauthorized`: the credentials are rejected or the account is locked. `limited`: too many requests (429). `unreached`: no byte
 * was sent, so upstream did not count the request. `failed`: an error or an invalid response. `timeout`: the deadline passed.
 * `aborted`: the caller disconnected. `rejected`: upstream rejected the question (an unknown model, content policy), not the account.
 */
export type ProviderFault = 'unauthorized' | 'limited' | 'unreached' | 'failed' | 'timeout' | 'aborted' | 'rejected';

/** A failed question. The message is for the log only and contains no secret. */
export class ProviderError extends Error {
  override readonly name = 'ProviderError';
  readonly fault: ProviderFault;
  /** How many of the reserved slots upstream may have counted. */
  readonly counted: number;
  /** With `limited`: the wait that upstream requests, in milliseconds. */
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

/** Tokens that endpoints counted. */
export interface TokenUsage {
  /** All tokens that a model read, those of a cache included. */
  readonly input: number;
  readonly output: number;
  /** The part of the input that the endpoint had cached. */
  readonly cached: number;
}

export interface Provider {
  /** The tokens of all requests since the start; absent for a provider without tokens. */
  readonly usage?: TokenUsage;
  /** Tests whether an account can answer; counts as one question. Throws ProviderError. */
  probe(account: Account, signal: AbortSignal): Promise<void>;
  /** Asks a question with an account, at most `options.questions` times. Throws ProviderError. */
  ask(account: Account, question: Question, options: AskOptions): Promise<Reply>;
}
