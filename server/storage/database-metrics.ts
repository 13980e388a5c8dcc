/** Prometheus metrics of a shared database, as this instance sees it. */
import { Gauge, type Registry } from 'prom-client';
import { gaugesIn } from '../observability/gauge.ts';
import type { Journal } from '../ports/storage.ts';
import type { DatabaseState } from './open-storage.ts';

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
  gauge('instance_leader', '1 while this instance performs the tasks of one instance.', () =>
    Number(database.isLeader),
  );
  gauge('instances_others', 'Other instances that are alive.', () => database.others);
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
