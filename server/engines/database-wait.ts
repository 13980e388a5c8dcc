/** The start of a service waits for its database, as a running service does. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { StoreError } from '../ports/storage.ts';

/** The time between two attempts, and between two lines of the log, in milliseconds. */
const retryMs = 500;
const reportMs = 10_000;

/**
 * Opens something of a database, again and again while a cause can pass by itself: the database starts, fails over, cannot be reached, or
 * has no connection to spare. Rejects as `open` does: for any other cause at once, otherwise after `limitMs` milliseconds.
 */
export async function waitForDatabase<Opened>(
  open: () => Promise<Opened>,
  { limitMs, logger }: { readonly limitMs: number; readonly logger: Pick<Logger, 'warn' | 'info'> },
): Promise<Opened> {
  const began = performance.now();
  let reportAt = 0;
  for (;;) {
    try {
      const opened = await open();
      if (reportAt > 0) logger.info('the database answers: the start continues');
      return opened;
    } catch (error) {
      if (!(error instanceof StoreError && error.isPassing)) throw error;
      const waited = performance.now() - began;
      if (waited + retryMs > limitMs) throw error;
      if (waited >= reportAt) {
        reportAt = waited + reportMs;
        const seconds = { waited: Math.round(waited / 1000), limit: Math.round(limitMs / 1000) };
        logger.warn({ reason: error.message, seconds }, 'the start waits for the database');
      }
      await sleep(retryMs);
    }
  }
}
