/** The assistant: handles one question about a tweet, from the caller's parameters to the complete response. */
import type { Logger } from 'pino';
import type { Query, Schemas } from '../contract/operations.ts';
import { badRequest, unavailable } from '../contract/service-error.ts';
import type { AccountPool } from '../ports/account-pool.ts';
import {
  defaultModel,
  type ArchiveReader,
  type Provider,
  type Reply,
  type Subject,
} from '../ports/assistant-provider.ts';
import type { Conversation, Conversations } from '../ports/conversations.ts';
import type { CallOptions } from '../ports/platform.ts';
import type { TokenName, TokenResolver } from '../ports/token-resolver.ts';
import { AccountCaller, type QuestionCaller } from './account-caller.ts';
import type { CostLedger } from './cost-ledger.ts';
import { withDeadline } from './deadline.ts';

export interface AssistantParts {
  readonly pool: AccountPool;
  readonly provider: Provider;
  readonly conversations: Conversations;
  readonly resolver: TokenResolver;
  /** A tweet with its context. Throws ServiceError 404. */
  readonly subjectOf: (tweetId: string, options: CallOptions) => Promise<Subject>;
  /** Reads the archive for one question. */
  readonly archiveFor: (options: CallOptions) => ArchiveReader;
  readonly logger: Pick<Logger, 'warn'>;
  /** Maximum number of concurrent questions, including those that wait for their conversation. */
  readonly maxConcurrent?: number;
  /** Refuses questions when the budget is spent; absent: no budget. */
  readonly costs?: Pick<CostLedger, 'check'>;
}

/** The parameters of explainTweet, the id of the caller's key, and the caller. */
export interface AssistantCall extends Partial<Query<'explainTweet'>>, QuestionCaller {
  readonly keyId: string;
}

export interface Assistant {
  /**
   * Answers a question. Throws ServiceError: 400 for contradictory parameters or a question that the provider rejects;
   * 404, 409 and 429 like `Conversations`; 502 and 504 for upstream failures; 503 if no account is free, too many
   * questions are active, or the budget of the day is spent.
   */
  explain(call: AssistantCall): Promise<Schemas['AssistantAnswer']>;
  status(): Schemas['PoolStatus'];
}

/**
 * A question can take minutes. The limit is a quarter of the concurrent requests, so slow answers do not block fast
 * operations.
 */
const defaultMaxConcurrent = 250;
const busySeconds = 5;
/** Maximum time to resolve the token, in milliseconds. */
const resolveMs = 5_000;

export const createAssistant = (parts: AssistantParts): Assistant => new AccountAssistant(parts);

/** The assistant whose answers come from the accounts of the pool. */
class AccountAssistant implements Assistant {
  readonly #parts: AssistantParts;
  readonly #accounts: AccountCaller;
  readonly #maxConcurrent: number;
  #activeQuestions = 0;

  constructor(parts: AssistantParts) {
    this.#parts = parts;
    this.#accounts = new AccountCaller(parts.pool, parts.provider, parts.logger);
    this.#maxConcurrent = parts.maxConcurrent ?? defaultMaxConcurrent;
  }

  status(): Schemas['PoolStatus'] {
    return this.#parts.pool.status();
  }

  async explain(call: AssistantCall): Promise<Schemas['AssistantAnswer']> {
    checkRules(call);
    this.#parts.costs?.check();
    if (this.#activeQuestions >= this.#maxConcurrent)
      throw unavailable(
        `the assistant has ${this.#maxConcurrent} open questions; retry in ${busySeconds} s`,
        busySeconds,
      );
    this.#activeQuestions++;
    try {
      return await this.#answer(call);
    } finally {
      this.#activeQuestions--;
    }
  }

  async #answer(call: AssistantCall): Promise<Schemas['AssistantAnswer']> {
    const conversation = await this.#open(call);
    try {
      return await this.#answerIn(conversation, call);
    } finally {
      conversation.release();
    }
  }

  /** Starts a conversation about the tweet, or resumes the conversation of the call. */
  async #open({ keyId, signal, conversation_id, tweet_id }: AssistantCall): Promise<Conversation> {
    const { conversations } = this.#parts;
    if (conversation_id !== undefined) return conversations.resume(keyId, conversation_id, signal);
    if (tweet_id === undefined) throw missingTweet();
    return conversations.start(keyId, tweet_id);
  }

  async #answerIn(conversation: Conversation, call: AssistantCall): Promise<Schemas['AssistantAnswer']> {
    const { signal, model = defaultModel, suggest = null, prompt = null } = call;
    const extract = call.extract !== undefined;
    const subject = await this.#subject(conversation, call);
    const reply = await this.#accounts.ask(
      { subject, archive: this.#parts.archiveFor(call), turns: conversation.turns, prompt, model, suggest, extract },
      call,
    );
    const extracted = reply.extracted ?? nothingExtracted;
    const [token] = await Promise.all([
      extract ? resolveToken(this.#parts.resolver, extracted, signal) : null,
      conversation.append({ prompt, answer: reply.summary }),
    ]);
    return {
      ...answerOf(conversation, reply),
      ...(suggest === null ? {} : { tickers: [...(reply.tickers ?? [])] }),
      ...(extract ? { extracted, token } : {}),
    };
  }

  #subject({ tweetId }: Conversation, call: AssistantCall): Promise<Subject> {
    const { tweet_id: requestedId } = call;
    if (requestedId !== undefined && requestedId !== tweetId) {
      throw badRequest(
        `'tweet_id' must be ${tweetId}, the tweet of this conversation; to start a new conversation, leave out 'conversation_id'`,
      );
    }
    return this.#parts.subjectOf(tweetId, call);
  }
}

/** The members that do not depend on the parameters. */
const answerOf = (
  { id, tweetId }: Conversation,
  { summary, citations, citedTweets, model }: Reply,
): Omit<Schemas['AssistantAnswer'], 'tickers' | 'extracted' | 'token'> => ({
  tweet_id: tweetId,
  summary,
  citations: [...citations],
  ...(citedTweets === undefined ? {} : { cited_tweets: [...citedTweets] }),
  model,
  conversation_id: id,
});

const missingTweet = () => badRequest("send 'tweet_id', or 'conversation_id' with 'prompt'");

/** Checks the rules between parameters; each parameter alone is already valid. */
function checkRules({ tweet_id, conversation_id, prompt, suggest }: AssistantCall): void {
  if (tweet_id === undefined && conversation_id === undefined) throw missingTweet();
  if (conversation_id !== undefined && prompt === undefined) throw badRequest("'conversation_id' requires 'prompt'");
  for (const [name, value] of Object.entries({ prompt, suggest }))
    if (value?.trim() === '') throw badRequest(`parameter '${name}' is blank`);
}

const nothingExtracted: Schemas['Extracted'] = { ticker: null, name: null, contract: null, chain: null };

/**
 * Resolves the token on-chain, by contract if the post names one. Null if it is not found in time, and for any error.
 */
async function resolveToken(
  resolver: TokenResolver,
  { ticker, contract, chain }: Schemas['Extracted'],
  caller: AbortSignal,
): Promise<Schemas['Token'] | null> {
  const name: TokenName | undefined =
    contract !== null ? { address: contract } : ticker !== null ? { symbol: ticker } : undefined;
  if (name === undefined) return null;
  try {
    const found = await withDeadline(resolveMs, caller, (signal) => resolver.resolve(name, chain ?? undefined, signal));
    return (
      found && {
        address: found.address,
        chain: found.chain,
        liquidity: found.liquidity_usd,
        market_cap: found.market_cap,
      }
    );
  } catch {
    return null;
  }
}
