/** Notes in the event log whenever the figures of the assistant's pool are others, also when only time has changed them. */
import type { AccountPool } from '../assistant/pool.ts';
import type { EventLog } from './event-log.ts';

const pollMs = 1_000;
/** Changes so close to each other are told as one: an event tells the figures as they are, not the step. */
const debounceMs = 50;

/** Ends by the function that is returned. */
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
