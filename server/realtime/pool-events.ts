/** Notes in the event log whenever the figures of the assistant's pool are others, also when only time has changed them. */
import type { AccountPool } from '../assistant/pool.ts';
import type { EventLog } from './event-log.ts';

const lookMs = 1_000;
/** Changes so close to each other are told as one: an event tells the figures as they are, not the step. */
const gatherMs = 50;

/** Ends by the function that is returned. */
export function publishPoolStatus(
  pool: Pick<AccountPool, 'status' | 'onChange'>,
  log: Pick<EventLog, 'note'>,
): () => void {
  let last = JSON.stringify(pool.status());
  let gathering: NodeJS.Timeout | undefined;
  const look = (): void => {
    gathering = undefined;
    const now = JSON.stringify(pool.status());
    if (now === last) return;
    last = now;
    void log.note('pool.status');
  };
  const timer = setInterval(look, lookMs).unref();
  const ignore = pool.onChange(() => void (gathering ??= setTimeout(look, gatherMs).unref()));
  return () => {
    clearInterval(timer);
    clearTimeout(gathering);
    ignore();
  };
}
