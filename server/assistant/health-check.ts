/**
 * Tests whether accounts can answer: new accounts, accounts after a cooldown, and accounts that the operator names.
 */
import type { Logger } from 'pino';
import type { AccountPool } from '../ports/account-pool.ts';
import type { Provider } from '../ports/assistant-provider.ts';
import { withDeadline } from './deadline.ts';
import { leaseResultOf } from './pool-errors.ts';
import { messageOf } from '../text/error-text.ts';

/** Time limit of a check in milliseconds. */
const probeMs = 30_000;
/** Maximum timer length, because timers are not exact over days. */
const maxTimerMs = 60 * 60 * 1000;
/** Delay after a check that could not be written: the state did not change, so the check is due again immediately. */
const retryDelayMs = 60_000;

/** Delay after which a process that does not perform the checks asks again whether it does. */
const othersMs = 1_000;

/** A health check that tests one account at a time. */
export class HealthCheck {
  readonly #pool: AccountPool;
  readonly #provider: Provider;
  readonly #logger: Pick<Logger, 'info' | 'warn'>;
  readonly #stopping = new AbortController();
  readonly #unsubscribe: () => void;
  #running: Promise<unknown> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #pendingProbes = 0;
  #background = false;
  #mayRun: () => boolean = () => true;
  #notBefore = 0;

  constructor(pool: AccountPool, provider: Provider, logger: Pick<Logger, 'info' | 'warn'>) {
    this.#pool = pool;
    this.#provider = provider;
    this.#logger = logger;
    this.#unsubscribe = pool.onChange(() => this.#schedule());
  }

  /**
   * Starts the background checks at the times that the pool determines. `mayRun`: whether this process performs them; other
   * processes may share the accounts.
   */
  start(mayRun: () => boolean = () => true): void {
    this.#mayRun = mayRun;
    this.#background = true;
    this.#schedule();
  }

  /** Tests an account after the pending checks; false if the account does not exist or has no free slot. */
  probe(id: string): Promise<boolean> {
    this.#pendingProbes++;
    const done = this.#running
      .catch(() => {})
      .then(() => this.#run(id))
      .catch((error: unknown) => {
        this.#notBefore = this.#pool.now() + retryDelayMs;
        throw error;
      })
      .finally(() => {
        this.#pendingProbes--;
        this.#schedule();
      });
    this.#running = done;
    return done;
  }

  /** Starts no more checks and aborts the running one. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#running.catch(() => {});
  }

  async #run(id: string): Promise<boolean> {
    const { signal: stopping } = this.#stopping;
    if (stopping.aborted) return false;
    const lease = await this.#pool.reserveProbe(id);
    if (lease === undefined) return false;
    try {
      await withDeadline(Math.min(probeMs, lease.remainingMs()), stopping, (signal) =>
        this.#provider.probe(lease.account, signal),
      );
      lease.settle({ outcome: 'answered', counted: 1 });
      this.#logger.info({ account: id }, 'the assistant account can answer');
    } catch (error) {
      lease.settle(leaseResultOf(error, 1));
      if (!stopping.aborted)
        this.#logger.warn({ account: id, reason: messageOf(error) }, 'the assistant account failed a health check');
    }
    return true;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#background || this.#pendingProbes > 0 || this.#stopping.signal.aborted) return;
    const due = this.#pool.nextProbe();
    if (due === undefined) return;
    const at = Math.max(due.at, this.#notBefore);
    const wait = Math.min(Math.max(0, at - this.#pool.now()), maxTimerMs);
    this.#timer = setTimeout(() => this.#runDue(due.id, at), wait).unref();
  }

  #runDue(id: string, at: number): void {
    // The time is not reached if the timer was cut to the maximum length.
    if (this.#pendingProbes > 0 || at > this.#pool.now()) return this.#schedule();
    if (!this.#mayRun()) {
      this.#timer = setTimeout(() => this.#schedule(), othersMs).unref();
      return;
    }
    this.probe(id).catch((error: unknown) =>
      this.#logger.warn({ account: id, reason: messageOf(error) }, 'the health check of the assistant account failed'),
    );
  }
}
