/** Prometheus metrics of a shared database, as this instance sees it. */
import { Counter, Gauge, Histogram, type Registry } from '../observability/metrics-library.ts';
import { gaugesIn } from '../observability/gauge.ts';
import type { Journal } from '../ports/storage.ts';
import type { DatabaseState, StandbyState, Standbys } from './database-state.ts';

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
  if (database.standbys !== undefined) measureStandbys(registers, database.standbys);
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

/** Metrics of the standbys, which have the numbers of their places in the address. */
function measureStandbys(registers: Registry[], standbys: Standbys): void {
  const gauge = (name: string, help: string, value: (standby: StandbyState) => number): Gauge<'standby'> =>
    new Gauge({
      ...{ name, help, registers },
      labelNames: ['standby'],
      collect() {
        for (const [index, state] of standbys.states.entries()) this.set({ standby: String(index + 1) }, value(state));
      },
    });
  gauge('database_standby_in_use', '1 while a standby answers reads.', ({ leftOut }) => Number(leftOut === undefined));
  gauge(
    'database_standby_lag_seconds',
    'For how long a standby lacks a change that this instance knows.',
    ({ lagMs }) => lagMs / 1000,
  );
  gauge(
    'database_standby_lag_commits',
    'Transactions of the archive that a standby lacks.',
    ({ lagCommits }) => lagCommits,
  );
  new Counter({
    name: 'database_reads_total',
    help: 'Reads of the archive by the server that has answered.',
    labelNames: ['server'],
    registers,
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(standbys.counts)) this.inc({ server }, count);
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
