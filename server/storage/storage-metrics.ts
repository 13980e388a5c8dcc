/** Prometheus metrics of the data directory, its database file and the logs. */
import { statfs } from 'node:fs/promises';
import { Counter, Gauge, Histogram, type Registry } from '../observability/metrics-library.ts';
import type { Journal } from '../ports/storage.ts';
import type { DatabaseFileState } from './database-file.ts';

/** Records how long writes and checkpoints take, and registers all metrics of the store. */
export interface StoreMetrics {
  synced(journal: string, ms: number): void;
  checkpointed(ms: number): void;
  measure(registry: Registry, directory: string, store: MeasuredStore): void;
}

interface MeasuredStore {
  readonly journals: ReadonlyMap<string, Journal>;
  /** The database file; undefined without one. */
  readonly file: Pick<DatabaseFileState, 'sizes'> | undefined;
}

/** The label of the writes to a database file, in which all logs are. */
const syncName = 'archive';

export function measureStore(): StoreMetrics {
  const syncs = new Histogram({
    name: 'journal_sync_duration_seconds',
    help: 'Time that the disk or the database needs to make a group of records durable.',
    labelNames: ['journal'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [],
  });
  const checkpoints = new Histogram({
    name: 'database_checkpoint_duration_seconds',
    help: 'Time in which the write-ahead log is written to the database file. Changes wait meanwhile.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers: [],
  });
  return {
    synced: (journal, ms) => syncs.observe({ journal }, ms / 1000),
    checkpointed: (ms) => checkpoints.observe(ms / 1000),

    measure(registry, directory, { journals, file }) {
      new Gauge({
        name: 'data_directory_free_bytes',
        help: 'Free bytes on the disk of the data directory.',
        registers: [registry],
        async collect() {
          const { bavail, bsize } = await statfs(directory);
          this.set(bavail * bsize);
        },
      });
      registry.registerMetric(syncs);
      for (const journal of file === undefined ? journals.keys() : [syncName]) syncs.zero({ journal });
      const labelNames = ['journal'] as const;
      const registers = [registry];
      const gauge = (name: string, help: string, read: (journal: Journal) => number): void => {
        new Gauge({
          name,
          help,
          labelNames,
          registers,
          collect() {
            for (const [journal, each] of journals) this.set({ journal }, read(each));
          },
        });
      };
      if (file !== undefined) measureFile(registry, file, checkpoints);
      gauge('journal_pending_bytes', 'Bytes appended that are not durable yet.', ({ pendingBytes }) => pendingBytes);
      gauge('journal_failed', '1 while the journal cannot be written.', ({ failed }) => Number(failed !== undefined));
      new Counter({
        name: 'journal_records_total',
        help: 'Durable records since the creation of the journal.',
        labelNames,
        registers,
        collect() {
          this.reset();
          for (const [journal, { durableSeq }] of journals) this.inc({ journal }, durableSeq);
        },
      });
    },
  };
}

/** Registers what concerns the database file. */
function measureFile(registry: Registry, file: Pick<DatabaseFileState, 'sizes'>, checkpoints: Histogram): void {
  registry.registerMetric(checkpoints);
  new Gauge({
    name: 'database_file_bytes',
    help: 'Size of the database file, and of the write-ahead log beside it.',
    labelNames: ['part'],
    registers: [registry],
    collect() {
      for (const [part, bytes] of Object.entries(file.sizes())) this.set({ part }, bytes);
    },
  });
}
