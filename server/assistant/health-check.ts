/**
 * Tests whether accounts can answer: new accounts, accounts after a cooldown, and accounts that the operator names.
 */
import type { Logger } from 'pino';
import { withDeadline } from './deadline.ts';
import { leaseResultOf, type AccountPool } from './pool.ts';
import type { Provider } from '../ports/assistant-provider.ts';

export interface HealthCheck {
  /** Starts the background checks at the times that the pool determines. */
  start(): void;
  /** Tests an account after the pending checks; false if the account does not exist or has no free slot. */
  probe(id: string): Promise<boolean>;
  /** Starts no more checks and aborts the running one. */
  stop(): Promise<void>;
}

/** Time limit of a check in milliseconds. */
const probeMs = 30_000;
/** Maximum timer length, because timers are not exact over days. */
const maxTimerMs = 60 * 60 * 1000;
/** Delay after a check that could not be written: the state did not change, so the check is due again immediately. */
const retryDelayMs = 60_000;

/** Creates a health check that tests one account at a time. */
export function createHealthCheck(
  pool: AccountPool,
  provider: Provider,
  logger: Pick<Logger, 'info' | 'warn'>,
): HealthCheck {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let pendingProbes = 0;
  let background = false;
  let notBefore = 0;

  async function run(id: string): Promise<boolean> {
    if (stopping.signal.aborted) return false;
    const lease = await pool.reserveProbe(id);
    if (lease === undefined) return false;
    try {
      await withDeadline(Math.min(probeMs, lease.remainingMs()), stopping.signal, (signal) =>
        provider.probe(lease.account, signal),
      );
      lease.settle({ outcome: 'answered', counted: 1 });
      logger.info({ account: id }, 'the assistant account can answer');
    } catch (error) {
      lease.settle(leaseResultOf(error, 1));
      if (!stopping.signal.aborted)
        logger.warn({ account: id, reason: (error as Error).message }, 'the assistant account failed a health check');
    }
    return true;
  }

  function probe(id: string): Promise<boolean> {
    pendingProbes++;
    const done = running
      .catch(() => {})
      .then(() => run(id))
      .catch((error: unknown) => {
        notBefore = pool.now() + retryDelayMs;
        throw error;
      })
      .finally(() => {
        pendingProbes--;
        schedule();
      });
    running = done;
    return done;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!background || pendingProbes > 0 || stopping.signal.aborted) return;
    const due = pool.nextProbe();
    if (due === undefined) return;
    const at = Math.max(due.at, notBefore);
    const wait = Math.min(Math.max(0, at - pool.now()), maxTimerMs);
    timer = setTimeout(() => {
      // The time is not reached if the timer was cut to the maximum length.
      if (pendingProbes > 0 || at > pool.now()) schedule();
      else
        probe(due.id).catch((error: Error) =>
          logger.warn({ account: due.id, reason: error.message }, 'the health check of the assistant account failed'),
        );
    }, wait).unref();
  }

  const unsubscribe = pool.onChange(schedule);
  return {
    probe,
    start() {
      background = true;
      schedule();
    },
    async stop() {
      stopping.abort();
      unsubscribe();
      clearTimeout(timer);
      await running.catch(() => {});
    },
  };
}
