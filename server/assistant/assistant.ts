/** The assistant: handles one question about a tweet, from the caller's parameters to the complete response. */
import type { Logger } from 'pino';
import type { Query, Schemas } from '../contract/operations.ts';
import { badRequest, notFound, unavailable, type ServiceError } from '../contract/service-error.ts';
import type { AccountPool } from '../ports/account-pool.ts';
import { defaultModel, type ArchiveReader, type Provider, type Subject } from '../ports/assistant-provider.ts';
import { conversationExpired, type Conversation, type Conversations } from '../ports/conversations.ts';
import type { CallOptions } from '../ports/platform.ts';
import type { TokenName, TokenResolver } from '../ports/token-resolver.ts';
import type { DeletedIds, TweetDataHolder } from '../ports/tweet-data-holder.ts';
import { AccountCaller, type ProvidedReply, type QuestionCaller } from './account-caller.ts';
import type { CostLedger } from './cost-ledger.ts';
import { withDeadline } from './deadline.ts';
import { notingReader, postsOf, UsedPosts } from './used-posts.ts';

export interface AssistantParts {
  readonly pool: AccountPool;
  readonly provider: Provider;
  readonly conversations: Conversations;
  readonly resolver: TokenResolver;
  /** Throws ServiceError 404 where the tweet is unknown. */
  readonly requireTweet: (tweetId: string, options: CallOptions) => Promise<unknown>;
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
  /** Gets the posts that the answer uses, for a caller that keeps the answer. */
  readonly used?: UsedPosts;
}

export interface Assistant {
  /**
   * Answers a question. Throws ServiceError: 400 for contradictory parameters or a question that the provider rejects;
   * 404, 409 and 429 like `Conversations`; 502 and 504 for upstream failures; 503 if no account is free, too many
   * questions are active, the budget of the day is spent, or a post that the answer used was removed meanwhile.
   */
  explain(call: AssistantCall): Promise<Schemas['AssistantAnswer']>;
  status(): Schemas['PoolStatus'];
}

/** An assistant that holds the texts of tweets in conversations and open questions. */
export interface HoldingAssistant extends Assistant, TweetDataHolder {}

/**
 * A question can take minutes. The limit is a quarter of the concurrent requests, so slow answers do not block fast
 * operations.
 */
/** Questions at the same time. */
export const defaultMaxConcurrent = 250;
const busySeconds = 5;
/** Maximum time to resolve the token, in milliseconds. */
const resolveMs = 5_000;

export const createAssistant = (parts: AssistantParts): HoldingAssistant => new AccountAssistant(parts);

/** The assistant whose answers come from the accounts of the pool. */
class AccountAssistant implements HoldingAssistant {
  readonly #parts: AssistantParts;
  readonly #accounts: AccountCaller;
  readonly #maxConcurrent: number;
  /** What each active question has used so far. */
  readonly #questions = new Set<UsedPosts>();

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
    if (this.#questions.size >= this.#maxConcurrent)
      throw unavailable(
        `the assistant has ${this.#maxConcurrent} open questions; retry in ${busySeconds} s`,
        busySeconds,
      );
    const { used = new UsedPosts() } = call;
    this.#questions.add(used);
    try {
      return await this.#answer(call, used);
    } finally {
      this.#questions.delete(used);
    }
  }

  /** Whether no question is open and there is no conversation. */
  get isEmpty(): boolean {
    return this.#questions.size === 0 && this.#parts.conversations.isEmpty;
  }

  /** Ends the conversations and the open questions that have used one of these tweets. */
  drop(removed: DeletedIds): void {
    // If any tweet may be removed, each question finds it out before its end, and each conversation before it continues.
    if (!(removed instanceof Set)) return;
    for (const used of this.#questions) used.remove(removed);
    void this.#endConversations(removed);
  }

  /** Ends the conversations that have used one of these tweets. Where that cannot be stored, the housekeeping repeats it. */
  async #endConversations(tweetIds: ReadonlySet<string>): Promise<void> {
    const { conversations, logger } = this.#parts;
    try {
      await conversations.endUsing({ tweetIds, userIds: new Set() });
    } catch (error) {
      logger.warn({ err: error }, 'the end of conversations could not be stored');
    }
  }

  async #answer(call: AssistantCall, used: UsedPosts): Promise<Schemas['AssistantAnswer']> {
    const conversation = await this.#open(call);
    try {
      return await this.#answerIn(conversation, call, used);
    } catch (error) {
      // The provider only knows that the question was aborted.
      throw used.removed.aborted ? removalError(conversation, used) : error;
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

  async #answerIn(
    conversation: Conversation,
    call: AssistantCall,
    used: UsedPosts,
  ): Promise<Schemas['AssistantAnswer']> {
    const { model = defaultModel, suggest = null, prompt = null } = call;
    const extract = call.extract !== undefined;
    const { tweetId, turns } = conversation;
    if (call.tweet_id !== undefined && call.tweet_id !== tweetId) throw otherTweet(tweetId);
    // Nothing is reserved for a tweet that does not exist. That a follow-up is possible is found out while it is read.
    if (turns.length === 0) await this.#parts.requireTweet(tweetId, call);
    const reply = await this.#accounts.ask(
      { prompt, model, suggest, extract },
      () => this.#read(conversation, call, used),
      whilePresent(call, used),
    );
    used.removed.throwIfAborted();
    const extracted = reply.extracted ?? nothingExtracted;
    const [token] = await Promise.all([
      extract ? resolveToken(this.#parts.resolver, extracted, call.signal) : null,
      conversation.append({ prompt, answer: reply.summary }, used),
    ]);
    // After the turn is stored: a removal from now on finds the conversation.
    await this.#requireAll(used, call);
    return {
      ...answerOf(conversation, reply),
      ...(suggest === null ? {} : { tickers: [...(reply.tickers ?? [])] }),
      ...(extract ? { extracted, token } : {}),
    };
  }

  /** Reads what a question is about. */
  async #read({ tweetId, turns, used: before }: Conversation, call: AssistantCall, used: UsedPosts) {
    if (turns.length > 0) {
      used.addUsed(before);
      await this.#requireAll(used, call);
    }
    const subject = await this.#parts.subjectOf(tweetId, call);
    used.add(postsOf(subject));
    return { subject, archive: notingReader(this.#parts.archiveFor(call), used), turns };
  }

  /** Ends the conversations that have used posts which the archive has no more, and throws if the question has used one. */
  async #requireAll(used: UsedPosts, call: CallOptions): Promise<void> {
    const ids = [...used.tweetIds];
    const present = await this.#parts.archiveFor(call).present(ids);
    const tweetIds = new Set(ids.filter((id) => !present.has(id)));
    if (tweetIds.size > 0) {
      used.remove(tweetIds);
      await this.#endConversations(tweetIds);
    }
    used.removed.throwIfAborted();
  }
}

/** The caller of a question, who hears nothing more from the moment when a used post is removed. */
const whilePresent = ({ signal, onText }: QuestionCaller, { removed }: UsedPosts): QuestionCaller => ({
  signal: AbortSignal.any([signal, removed]),
  onText:
    onText &&
    ((piece) => {
      if (!removed.aborted) onText(piece);
    }),
});

/** What a caller gets whose question has used a post that was removed. */
function removalError({ tweetId, turns, used: before }: Conversation, used: UsedPosts): ServiceError {
  if (turns.length > 0 && used.isRemoved(before.tweetIds)) return conversationExpired();
  if (used.isRemoved(new Set([tweetId]))) return notFound(`tweet ${tweetId}`);
  return unavailable('a post that the answer used was removed meanwhile; ask again', 1);
}

/** The members that do not depend on the parameters. */
const answerOf = (
  { id, tweetId }: Conversation,
  { summary, citations, citedTweets, provider, model }: ProvidedReply,
): Omit<Schemas['AssistantAnswer'], 'tickers' | 'extracted' | 'token'> => ({
  tweet_id: tweetId,
  summary,
  citations: [...citations],
  ...(citedTweets === undefined ? {} : { cited_tweets: [...citedTweets] }),
  provider,
  model,
  conversation_id: id,
});

const otherTweet = (tweetId: string): ServiceError =>
  badRequest(
    `'tweet_id' must be ${tweetId}, the tweet of this conversation; to start a new conversation, leave out 'conversation_id'`,
  );
const missingTweet = () => badRequest("send 'tweet_id', or 'conversation_id' with 'prompt'");

/** Checks the rules between parameters; each parameter alone is already valid. Throws 400. */
export function checkRules({
  tweet_id,
  conversation_id,
  prompt,
  suggest,
}: Pick<AssistantCall, 'tweet_id' | 'conversation_id' | 'prompt' | 'suggest'>): void {
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
