/** Records changes of the account pool's status in the event log, including changes that only time causes. */
import type { AccountPool } from '../ports/account-pool.ts';
import type { EventLog } from '../ports/event-log.ts';

const pollMs = 1_000;
/**
 * Changes within this time become one event, in milliseconds: an event reports the current status, not a difference.
 */
const debounceMs = 250;

/**
 * Starts to record status changes. Returns the function that stops it. `mayRun`: whether this process records them; other
 * processes may share the pool.
 */
export function publishPoolStatus(
  pool: Pick<AccountPool, 'status' | 'onChange'>,
  log: Pick<EventLog, 'append'>,
  mayRun: () => boolean = () => true,
): () => void {
  let last = JSON.stringify(pool.status());
  let pendingCheck: NodeJS.Timeout | undefined;
  let isRecording = false;
  const recordIfChanged = (): void => {
    pendingCheck = undefined;
    // While the log cannot be written, one waiting event is enough: the timer checks again afterwards.
    if (isRecording) return;
    const current = JSON.stringify(pool.status());
    if (current === last) return;
    last = current;
    if (!mayRun()) return;
    isRecording = true;
    void log.append([{ event: 'pool.status' }]).finally(() => (isRecording = false));
  };
  const timer = setInterval(recordIfChanged, pollMs).unref();
  const unsubscribe = pool.onChange(() => void (pendingCheck ??= setTimeout(recordIfChanged, debounceMs).unref()));
  return () => {
    clearInterval(timer);
    clearTimeout(pendingCheck);
    unsubscribe();
  };
}
