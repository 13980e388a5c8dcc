/** The assistant: one question about a tweet, from the caller's parameters to the whole answer. */
import type { Logger } from 'pino';
import type { Query, Schemas } from '../contract/operations.ts';
import { badRequest, notFound, ServiceError, unavailable } from '../contract/service-error.ts';
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
  /** A tweet and what surrounds it; undefined where it is not known. */
  readonly subjectOf: (tweetId: string) => Subject | undefined;
  readonly logger: Pick<Logger, 'warn'>;
  /** Questions that are being answered at once, those that wait for their conversation included. */
  readonly maxConcurrent?: number;
}

/** The parameters of explainTweet, who calls, and where pieces of the answer go as they come. */
export interface AssistantCall extends Partial<Query<'explainTweet'>> {
  readonly keyId: string;
  /** Aborts when the caller hangs up. */
  readonly signal: AbortSignal;
  readonly onText?: ((piece: string) => void) | undefined;
}

export interface Assistant {
  /**
   * Answers. Throws ServiceError: 400 for parameters that do not go together or a question that the provider refuses, 404, 409 and 429
   * as conversations do, 502 and 504 for what went wrong upstream, 503 where no account is free or too many questions are being answered.
   */
  explain(call: AssistantCall): Promise<Schemas['AssistantAnswer']>;
  status(): Schemas['PoolStatus'];
}

/** How often a question that was surely not counted is put to another account. */
const mostRetries = 2;
/** A question may take minutes. A quarter of the requests that may be in flight: slow answers never keep the quick ones out. */
const mostQuestions = 250;
const busySeconds = 5;
/** How long the answer may be held up to find its token. */
const resolveMs = 5_000;

export function createAssistant({
  pool,
  provider,
  conversations,
  resolver,
  subjectOf,
  logger,
  maxConcurrent: mostAtOnce = mostQuestions,
}: AssistantParts): Assistant {
  let underWay = 0;

  /** Puts the question to accounts until one answers, or it may have been counted. Throws ServiceError. */
  async function ask(question: Question, { signal, onText }: AssistantCall): Promise<Reply> {
    const cost = question.extract ? 2 : 1;
    const tried = new Set<string>();
    let failure: ProviderError | undefined;
    for (;;) {
      const lease = await reserve(cost, tried, failure);
      try {
        return await put(question, lease, signal, onText);
      } catch (error) {
        failure = asProviderError(error, lease);
        logger.warn(
          { account: lease.account.id, fault: failure.fault, counted: failure.counted, reason: failure.message },
          'the assistant gave no answer',
        );
        tried.add(lease.account.id);
        const another = failure.counted === 0 && retried.has(failure.fault) && tried.size <= mostRetries;
        if (!another || signal.aborted) throw told(failure, pool, cost);
      }
    }
  }

  /** Throws the failure of the account before where there is no other one. */
  async function reserve(cost: number, tried: ReadonlySet<string>, failure: ProviderError | undefined): Promise<Lease> {
    try {
      return await pool.reserve(cost, tried);
    } catch (error) {
      throw failure === undefined ? error : told(failure, pool, cost);
    }
  }

  async function put(
    question: Question,
    lease: Lease,
    caller: AbortSignal,
    onText: AssistantCall['onText'],
  ): Promise<Reply> {
    let said = false;
    const pass =
      onText &&
      ((piece: string): void => {
        said = true;
        onText(piece);
      });
    const { questions } = lease;
    try {
      if (caller.aborted) throw new ProviderError('aborted', 'the caller hung up before the question was put', 0);
      const reply = await withDeadline(lease.remainingMs(), caller, (signal) =>
        provider.ask(lease.account, question, { signal, questions, onText: pass }),
      );
      lease.settle({ outcome: 'answered', counted: questions });
      return reply;
    } catch (error) {
      const end = leaseResultOf(error, questions);
      lease.settle(said ? { ...end, counted: Math.max(1, end.counted) } : end);
      throw error;
    }
  }

  return {
    status: () => pool.status(),

    async explain(call) {
      checkRules(call);
      if (underWay >= mostAtOnce)
        throw unavailable(
          `the assistant has ${mostAtOnce} questions to answer already; retry in ${busySeconds} s`,
          busySeconds,
        );
      underWay++;
      try {
        return await answer(call);
      } finally {
        underWay--;
      }
    },
  };

  async function answer(call: AssistantCall): Promise<Schemas['AssistantAnswer']> {
    const { keyId, signal, conversation_id, model = defaultModel, suggest = null, prompt = null } = call;
    const extract = call.extract !== undefined;
    const conversation =
      conversation_id === undefined
        ? conversations.begin(keyId, call.tweet_id!)
        : await conversations.resume(keyId, conversation_id, signal);
    try {
      const subject = subjectFor(conversation, call.tweet_id);
      const reply = await ask({ subject, turns: conversation.turns, prompt, model, suggest, extract }, call);
      const [token] = await Promise.all([
        extract ? resolveToken(resolver, reply.extracted ?? nothing, signal) : null,
        conversation.add({ prompt, answer: reply.summary }),
      ]);
      return {
        tweet_id: conversation.tweetId,
        summary: reply.summary,
        citations: [...reply.citations],
        model: reply.model,
        conversation_id: conversation.id,
        ...(suggest === null ? {} : { tickers: [...(reply.tickers ?? [])] }),
        ...(extract ? { extracted: reply.extracted ?? nothing, token } : {}),
      };
    } finally {
      conversation.done();
    }
  }

  function subjectFor({ tweetId }: Conversation, given: string | undefined): Subject {
    if (given !== undefined && given !== tweetId) {
      throw badRequest(
        `'tweet_id' is not the tweet of this conversation, which is ${tweetId}; leave it out, or begin a new conversation without 'conversation_id'`,
      );
    }
    const subject = subjectOf(tweetId);
    if (subject === undefined) throw notFound(`tweet ${tweetId}`);
    return subject;
  }
}

/** The faults for which another account may do better. */
const retried = new Set<ProviderError['fault']>(['limited', 'unreached', 'unauthorized']);

/** The rules that hold between parameters; each one alone was validated before. */
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

/** What the caller is told: never the provider's own words, which may hold anything. */
function told(failure: ProviderError, pool: AccountPool, cost: number): ServiceError {
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

const nothing: Schemas['Extracted'] = { ticker: null, name: null, contract: null, chain: null };

/** The token on-chain, by its contract where the post names one; null where it is not found in time, or for whatever goes wrong. */
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
