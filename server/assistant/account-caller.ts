/** Asks the accounts of the pool: reserves one, sends the question, and tries another one if the question is not lost. */
import type { Logger } from 'pino';
import { badRequest, ServiceError, unavailable } from '../contract/service-error.ts';
import type { AccountPool, Lease } from '../ports/account-pool.ts';
import { defaultModel, ProviderError, type Provider, type Question, type Reply } from '../ports/assistant-provider.ts';
import { withDeadline } from './deadline.ts';
import { providerOf } from './known-endpoints.ts';
import { leaseResultOf, noAccountAvailable } from './pool-errors.ts';

/** Maximum number of retries with another account after a failure that was certainly not counted. */
const maxRetries = 2;
/** Faults after which another account may succeed. */
const retryableFaults = new Set<ProviderError['fault']>(['limited', 'unreached', 'unauthorized']);

/** The caller of a question. */
export interface QuestionCaller {
  /** Aborts when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Receives each part of the answer as it arrives. */
  readonly onText?: ((piece: string) => void) | undefined;
}

/** A reply with the provider that gave it, as callers see it. */
export interface ProvidedReply extends Reply {
  readonly provider: string;
}

/** The members of a question that are known before anything is read. */
type QuestionForm = Pick<Question, 'model' | 'prompt' | 'suggest' | 'extract'>;
type QuestionContent = Omit<Question, keyof QuestionForm>;

export class AccountCaller {
  readonly #pool: AccountPool;
  readonly #provider: Provider;
  readonly #logger: Pick<Logger, 'warn'>;

  constructor(pool: AccountPool, provider: Provider, logger: Pick<Logger, 'warn'>) {
    this.#pool = pool;
    this.#provider = provider;
    this.#logger = logger;
  }

  /**
   * Asks accounts until one answers or until a question may have been counted. `read` reads what the question is about while the first
   * account is reserved. Throws ServiceError: 400 if no account has the model or the provider rejects the question, 502 and 504 for
   * upstream failures, 503 if no account is free or the caller disconnected; and as `read` does, then nothing is counted.
   */
  async ask(form: QuestionForm, read: () => Promise<QuestionContent>, caller: QuestionCaller): Promise<ProvidedReply> {
    const cost = form.extract ? 2 : 1;
    const others = this.#accountsOfOtherModels(form.model);
    const tried = new Set<string>();
    let failure: ProviderError | undefined;
    let [lease, content] = await this.#reserveAndRead(cost, others, read);
    const question = { ...form, ...content };
    for (;;) {
      try {
        return await this.#askAccount(question, lease, caller);
      } catch (error) {
        failure = asProviderError(error, lease);
        this.#logger.warn(
          { account: lease.account.id, fault: failure.fault, counted: failure.counted, reason: failure.message },
          'the assistant gave no answer',
        );
        tried.add(lease.account.id);
        const canRetry = failure.counted === 0 && retryableFaults.has(failure.fault) && tried.size <= maxRetries;
        if (!canRetry || caller.signal.aborted) throw toServiceError(failure, this.#pool, cost);
      }
      lease = await this.#reserveAgain(cost, others.union(tried), failure);
    }
  }

  /** Reserves an account, which waits for the disk, and reads meanwhile. Where no account is free, nothing is read. */
  async #reserveAndRead<Content>(
    cost: number,
    others: ReadonlySet<string>,
    read: () => Promise<Content>,
  ): Promise<[Lease, Content]> {
    const isFree = this.#pool.secondsUntilFree(cost) <= 0;
    const reserving = this.#pool.reserve(cost, others);
    if (!isFree) await reserving;
    try {
      return await Promise.all([reserving, read()]);
    } catch (error) {
      reserving.then(
        (lease) => lease.settle({ outcome: 'aborted', counted: 0 }),
        () => {},
      );
      throw error;
    }
  }

  /**
   * The ids of the accounts that cannot serve a model: those with another model of their own. The default model is the own
   * model of each account. Throws ServiceError 400 if no account can serve it.
   */
  #accountsOfOtherModels(model: string): Set<string> {
    if (model === defaultModel) return new Set();
    const models = [...this.#pool.models()];
    const others = models.filter(([, own]) => own !== undefined && own !== model);
    if (models.length > 0 && others.length === models.length) throw noSuchModel(others.map(([, own]) => own!));
    return new Set(others.map(([id]) => id));
  }

  /** Reserves another account. If none is free, throws the failure of the previous one. */
  async #reserveAgain(cost: number, tried: ReadonlySet<string>, failure: ProviderError): Promise<Lease> {
    try {
      return await this.#pool.reserve(cost, tried);
    } catch {
      throw toServiceError(failure, this.#pool, cost);
    }
  }

  async #askAccount(
    question: Question,
    lease: Lease,
    { signal: caller, onText }: QuestionCaller,
  ): Promise<ProvidedReply> {
    let sentText = false;
    const forward =
      onText &&
      ((piece: string): void => {
        sentText = true;
        onText(piece);
      });
    const { questions } = lease;
    try {
      if (caller.aborted) throw new ProviderError('aborted', 'the caller disconnected before the question was sent', 0);
      const reply = await withDeadline(lease.remainingMs(), caller, (signal) =>
        this.#provider.ask(lease.account, question, { signal, questions, onText: forward }),
      );
      lease.settle({ outcome: 'answered', counted: questions });
      return { ...reply, provider: providerOf(lease.account) };
    } catch (error) {
      const result = leaseResultOf(error, questions);
      lease.settle(sentText ? { ...result, counted: Math.max(1, result.counted) } : result);
      throw error;
    }
  }
}

/** Maximum number of models that a message names. */
const maxNamed = 20;

function noSuchModel(models: readonly string[]): ServiceError {
  const named = [...new Set([defaultModel, ...models.toSorted()])].slice(0, maxNamed);
  return badRequest(`parameter 'model' must be a model of the assistant's accounts: ${named.join(', ')}`);
}

function asProviderError(error: unknown, { questions }: Lease): ProviderError {
  if (error instanceof ProviderError) return error;
  return new ProviderError(
    'failed',
    `not a ProviderError but ${error instanceof Error ? error.name : typeof error}`,
    questions,
    { cause: error },
  );
}

/** The error for the caller. It never contains the provider's own text, which could contain anything. */
function toServiceError(failure: ProviderError, pool: AccountPool, cost: number): ServiceError {
  switch (failure.fault) {
    case 'rejected':
      return badRequest('the assistant rejected this question; change the question or the model');
    case 'timeout':
      return new ServiceError(504, 'the assistant did not answer in time');
    case 'limited':
      return noAccountAvailable(pool.status(), pool.secondsUntilFree(cost));
    case 'aborted':
      return unavailable('the request was aborted', 1);
    case 'failed':
    case 'unreached':
    case 'unauthorized':
      return new ServiceError(502, 'the assistant failed');
  }
}
