/** Prometheus metrics of a shared database, as this instance sees it. */
import { Gauge, Histogram, type Registry } from '@prometheus-io/client';
import { gaugesIn } from '../observability/gauge.ts';
import type { Journal } from '../ports/storage.ts';
import type { DatabaseState } from './database-state.ts';

/** The time of waiting for the lock of a log. */
export const createLockWait = (): Histogram<'journal'> =>
  new Histogram({
    name: 'journal_lock_wait_seconds',
    help: 'Time that a write waits for the writes of other instances.',
    labelNames: ['journal'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [],
  });

/** Registers the metrics. */
export function measureDatabase(
  registry: Registry,
  database: DatabaseState,
  journals: ReadonlyMap<string, Journal>,
): void {
  const registers = [registry];
  const gauge = gaugesIn(registry);
  gauge('database_silent_seconds', 'Time since the last contact with the database.', () => database.silentMs / 1000);
  gauge('database_listening', '1 while notices of the database arrive.', () => Number(database.isListening));
  gauge('database_writable', '1 while the database takes writes.', () => Number(database.writeFault === undefined));
  gauge('instance_leader', '1 while this instance performs the tasks of one instance.', () =>
    Number(database.isLeader),
  );
  gauge('instances_others', 'Other instances that are alive.', () => database.others);
  measureSize(registry, 'database_log_bytes', 'Size of the logs in the database.', () => database.logBytes());
  registry.registerMetric(database.lockWait);
  for (const journal of journals.keys()) database.lockWait.zero({ journal });
  new Gauge({
    name: 'journal_lag_records',
    help: 'Records that other instances have appended and that this instance has not applied.',
    labelNames: ['journal'],
    registers,
    collect() {
      for (const journal of journals.keys()) this.set({ journal }, database.lagOf(journal));
    },
  });
}

/** Registers a gauge that keeps its value while the database is away. */
function measureSize(registry: Registry, name: string, help: string, read: () => Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const size = await read().catch(() => undefined);
      if (size !== undefined) this.set(size);
    },
  });
}
