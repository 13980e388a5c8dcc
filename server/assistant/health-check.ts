/** Finds out whether accounts can answer: new ones, ones that were refused and are due again, and those the operator names. */
import type { Logger } from 'pino';
import { withDeadline } from './deadline.ts';
import { leaseResultOf, type AccountPool } from './pool.ts';
import type { Provider } from '../ports/assistant-provider.ts';

export interface HealthCheck {
  /** Probes by itself from now on, as the pool says that probes are due. */
  start(): void;
  /** Tests an account now, after those under way; false where it is unknown or has no question left. */
  probe(id: string): Promise<boolean>;
  /** No probe begins any more; the one under way is aborted. */
  stop(): Promise<void>;
}

/** A probe is a small question. */
const probeMs = 30_000;
/** Timers are not exact over days. */
const longestTimerMs = 60 * 60 * 1000;
/** After a probe that could not be written down: nothing has changed by it, so it is due again at once. */
const unwritableMs = 60_000;

/** Probes one account at a time. */
export function createHealthCheck(
  pool: AccountPool,
  provider: Provider,
  logger: Pick<Logger, 'info' | 'warn'>,
): HealthCheck {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let underWay = 0;
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
        logger.warn(
          { account: id, reason: (error as Error).message },
          'the assistant account could not answer a probe',
        );
    }
    return true;
  }

  function probe(id: string): Promise<boolean> {
    underWay++;
    const done = running
      .catch(() => {})
      .then(() => run(id))
      .catch((error: unknown) => {
        notBefore = pool.now() + unwritableMs;
        throw error;
      })
      .finally(() => {
        underWay--;
        schedule();
      });
    running = done;
    return done;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!background || underWay > 0 || stopping.signal.aborted) return;
    const due = pool.nextProbe();
    if (due === undefined) return;
    const at = Math.max(due.at, notBefore);
    const wait = Math.min(Math.max(0, at - pool.now()), longestTimerMs);
    timer = setTimeout(() => {
      // Not yet where the wait was cut short.
      if (underWay > 0 || at > pool.now()) schedule();
      else
        probe(due.id).catch((error: Error) =>
          logger.warn({ account: due.id, reason: error.message }, 'the assistant account could not be probed'),
        );
    }, wait).unref();
  }

  const unlisten = pool.onChange(schedule);
  return {
    probe,
    start() {
      background = true;
      schedule();
    },
    async stop() {
      stopping.abort();
      unlisten();
      clearTimeout(timer);
      await running.catch(() => {});
    },
  };
}
