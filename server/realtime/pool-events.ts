/** Records changes of the account pool's status in the event log, including changes that only time causes. */
import type { AccountPool } from '../ports/account-pool.ts';
import type { EventLog } from './event-log.ts';

const pollMs = 1_000;
/**
 * Changes within this time become one event, in milliseconds: an event reports the current status, not a difference.
 */
const debounceMs = 50;

/** Starts to record status changes. Returns the function that stops it. */
export function publishPoolStatus(
  pool: Pick<AccountPool, 'status' | 'onChange'>,
  log: Pick<EventLog, 'record'>,
): () => void {
  let last = JSON.stringify(pool.status());
  let pendingCheck: NodeJS.Timeout | undefined;
  const recordIfChanged = (): void => {
    pendingCheck = undefined;
    const current = JSON.stringify(pool.status());
    if (current === last) return;
    last = current;
    void log.record('pool.status');
  };
  const timer = setInterval(recordIfChanged, pollMs).unref();
  const unsubscribe = pool.onChange(() => void (pendingCheck ??= setTimeout(recordIfChanged, debounceMs).unref()));
  return () => {
    clearInterval(timer);
    clearTimeout(pendingCheck);
    unsubscribe();
  };
}
