/** The assistant: handles one question about a tweet, from the caller's parameters to the complete response. */
import type { Logger } from 'pino';
import type { Query, Schemas } from '../contract/operations.ts';
import { badRequest, ServiceError, unavailable } from '../contract/service-error.ts';
import type { CallOptions } from '../ports/platform.ts';
import type { TokenName, TokenResolver } from '../ports/token-resolver.ts';
import type { Conversation, Conversations } from './conversations.ts';
import { withDeadline } from './deadline.ts';
import { leaseResultOf, noAccountAvailable, type Lease, type AccountPool } from './pool.ts';
import {
  defaultModel,
  ProviderError,
  type Provider,
  type Question,
  type Reply,
  type Subject,
} from '../ports/assistant-provider.ts';

export interface AssistantParts {
  readonly pool: AccountPool;
  readonly provider: Provider;
  readonly conversations: Conversations;
  readonly resolver: TokenResolver;
  /** A tweet with its context. Throws ServiceError 404. */
  readonly subjectOf: (tweetId: string, options: CallOptions) => Promise<Subject>;
  readonly logger: Pick<Logger, 'warn'>;
  /** Maximum number of concurrent questions, including those that wait for their conversation. */
  readonly maxConcurrent?: number;
}

/** The parameters of explainTweet, the caller, and the callback for partial text. */
export interface AssistantCall extends Partial<Query<'explainTweet'>> {
  readonly keyId: string;
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  readonly onText?: ((piece: string) => void) | undefined;
}

export interface Assistant {
  /**
   * Answers a question. Throws ServiceError: 400 for contradictory parameters or a question that the provider rejects;
   * 404, 409 and 429 like `Conversations`; 502 and 504 for upstream failures; 503 if no account is free or too many
   * questions are active.
   */
  explain(call: AssistantCall): Promise<Schemas['AssistantAnswer']>;
  status(): Schemas['PoolStatus'];
}

/** Maximum number of retries with another account after a failure that was certainly not counted. */
const maxRetries = 2;
/**
 * A question can take minutes. The limit is a quarter of the concurrent requests, so slow answers do not block fast
 * operations.
 */
const defaultMaxConcurrent = 250;
const busySeconds = 5;
/** Maximum time to resolve the token, in milliseconds. */
const resolveMs = 5_000;

export function createAssistant({
  pool,
  provider,
  conversations,
  resolver,
  subjectOf,
  logger,
  maxConcurrent = defaultMaxConcurrent,
}: AssistantParts): Assistant {
  let activeQuestions = 0;

  /** Asks accounts until one answers or until a question may have been counted. Throws ServiceError. */
  async function ask(question: Question, { signal, onText }: AssistantCall): Promise<Reply> {
    const cost = question.extract ? 2 : 1;
    const tried = new Set<string>();
    let failure: ProviderError | undefined;
    for (;;) {
      const lease = await reserve(cost, tried, failure);
      try {
        return await askAccount(question, lease, signal, onText);
      } catch (error) {
        failure = asProviderError(error, lease);
        logger.warn(
          { account: lease.account.id, fault: failure.fault, counted: failure.counted, reason: failure.message },
          'the assistant gave no answer',
        );
        tried.add(lease.account.id);
        const canRetry = failure.counted === 0 && retryableFaults.has(failure.fault) && tried.size <= maxRetries;
        if (!canRetry || signal.aborted) throw toServiceError(failure, pool, cost);
      }
    }
  }

  /** Reserves an account. If no other account is free, throws the failure of the previous account. */
  async function reserve(cost: number, tried: ReadonlySet<string>, failure: ProviderError | undefined): Promise<Lease> {
    try {
      return await pool.reserve(cost, tried);
    } catch (error) {
      throw failure === undefined ? error : toServiceError(failure, pool, cost);
    }
  }

  async function askAccount(
    question: Question,
    lease: Lease,
    caller: AbortSignal,
    onText: AssistantCall['onText'],
  ): Promise<Reply> {
    let sentText = false;
    const forward =
      onText &&
      ((piece: string): void => {
        sentText = true;
        onText(piece);
      });
    const { questions } = lease;
    try {
      if (caller.aborted) throw new ProviderError('aborted', 'the caller hung up before the question was put', 0);
      const reply = await withDeadline(lease.remainingMs(), caller, (signal) =>
        provider.ask(lease.account, question, { signal, questions, onText: forward }),
      );
      lease.settle({ outcome: 'answered', counted: questions });
      return reply;
    } catch (error) {
      const result = leaseResultOf(error, questions);
      lease.settle(sentText ? { ...result, counted: Math.max(1, result.counted) } : result);
      throw error;
    }
  }

  return {
    status: () => pool.status(),

    async explain(call) {
      checkRules(call);
      if (activeQuestions >= maxConcurrent)
        throw unavailable(
          `the assistant has ${maxConcurrent} questions to answer already; retry in ${busySeconds} s`,
          busySeconds,
        );
      activeQuestions++;
      try {
        return await answer(call);
      } finally {
        activeQuestions--;
      }
    },
  };

  async function answer(call: AssistantCall): Promise<Schemas['AssistantAnswer']> {
    const { keyId, signal, conversation_id, model = defaultModel, suggest = null, prompt = null } = call;
    const extract = call.extract !== undefined;
    const conversation =
      conversation_id === undefined
        ? conversations.start(keyId, call.tweet_id!)
        : await conversations.resume(keyId, conversation_id, signal);
    try {
      const subject = await subjectFor(conversation, call);
      const reply = await ask({ subject, turns: conversation.turns, prompt, model, suggest, extract }, call);
      const [token] = await Promise.all([
        extract ? resolveToken(resolver, reply.extracted ?? nothingExtracted, signal) : null,
        conversation.add({ prompt, answer: reply.summary }),
      ]);
      return {
        tweet_id: conversation.tweetId,
        summary: reply.summary,
        citations: [...reply.citations],
        model: reply.model,
        conversation_id: conversation.id,
        ...(suggest === null ? {} : { tickers: [...(reply.tickers ?? [])] }),
        ...(extract ? { extracted: reply.extracted ?? nothingExtracted, token } : {}),
      };
    } finally {
      conversation.done();
    }
  }

  async function subjectFor({ tweetId }: Conversation, call: AssistantCall): Promise<Subject> {
    const { tweet_id: requestedId } = call;
    if (requestedId !== undefined && requestedId !== tweetId) {
      throw badRequest(
        `'tweet_id' is not the tweet of this conversation, which is ${tweetId}; leave it out, or begin a new conversation without 'conversation_id'`,
      );
    }
    return subjectOf(tweetId, call);
  }
}

/** Faults after which another account may succeed. */
const retryableFaults = new Set<ProviderError['fault']>(['limited', 'unreached', 'unauthorized']);

/** Checks the rules between parameters; each parameter alone is already valid. */
function checkRules({ tweet_id, conversation_id, prompt, suggest }: AssistantCall): void {
  if (tweet_id === undefined && conversation_id === undefined)
    throw badRequest("give 'tweet_id', or 'conversation_id' together with 'prompt'");
  if (conversation_id !== undefined && prompt === undefined) throw badRequest("'conversation_id' requires 'prompt'");
  for (const [name, value] of Object.entries({ prompt, suggest }))
    if (value?.trim() === '') throw badRequest(`parameter '${name}' is blank`);
}

function asProviderError(error: unknown, { questions }: Lease): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError('failed', `not a fault that a provider tells: ${String(error)}`, questions, {
    cause: error,
  });
}

/** The error for the caller. It never contains the provider's own text, which could contain anything. */
function toServiceError(failure: ProviderError, pool: AccountPool, cost: number): ServiceError {
  switch (failure.fault) {
    case 'rejected':
      return badRequest('the assistant refused this question; try other words, or another model');
    case 'timeout':
      return new ServiceError(504, 'the assistant did not answer in time');
    case 'limited':
      return noAccountAvailable(pool.status(), pool.secondsUntilFree(cost));
    case 'aborted':
      return unavailable('the call was given up', 1);
    case 'failed':
    case 'unreached':
    case 'unauthorized':
      return new ServiceError(502, 'the assistant failed');
  }
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
