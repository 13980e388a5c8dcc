/** Prometheus metrics of the archive. */
import { Counter, Gauge, type Registry } from '../../observability/metrics-library.ts';

import type { WriteFaults } from './write-faults.ts';

/** How many objects an archive has. */
export interface ObjectCounts {
  readonly tweets: number;
  readonly users: number;
  readonly communities: number;
  readonly spaces: number;
  /** Of removed tweets. */
  readonly tombstones: number;
  /** Whether a count is an estimate: an exact one would read a large table. */
  readonly isEstimated: boolean;
}

/** What the metrics read of an archive. */
export interface MeasuredArchive {
  /** A rejection leaves the metric without values. */
  counts(): Promise<ObjectCounts>;
  /** The number of records that could not be applied. */
  deadLetters(): number;
  /** Increases with each change of the archive; with tables, with each transaction. */
  revision(): number;
  /** The share of the rows that a new version of the tables has filled, from 0 to 1. */
  backfilled(): number;
  /** Why changes have failed. */
  readonly writeFaults: Pick<WriteFaults, 'collect'>;
}

/** Registers the metrics. */
export function measureArchive(
  registry: Registry,
  { counts, deadLetters, revision, backfilled, writeFaults }: MeasuredArchive,
): void {
  new Gauge({
    name: 'archive_objects',
    help: 'Objects in the archive. With tables, an estimate above 50,000.',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      this.reset();
      const found = await counts().catch(() => undefined);
      if (found === undefined) return;
      const { isEstimated: _, ...objects } = found;
      for (const [kind, count] of Object.entries(objects)) this.set({ kind }, count);
    },
  });
  new Gauge({
    name: 'archive_records_set_aside',
    help: 'Records that could not be applied; they are in set-aside.json, not in the archive.',
    registers: [registry],
    collect() {
      this.set(deadLetters());
    },
  });
  new Gauge({
    name: 'archive_backfilled_ratio',
    help: 'Share of the rows that the background work after an upgrade of the tables has filled; 1 when it is complete.',
    registers: [registry],
    collect() {
      this.set(backfilled());
    },
  });
  new Counter({
    name: 'archive_write_failures_total',
    help: 'Changes of the archive that could not be stored: callers got 503.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      writeFaults.collect(this);
    },
  });
  new Counter({
    name: 'archive_changes_total',
    help: 'Changes of the archive since its creation, such as imported records and unlikes. With tables: transactions that changed it.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(revision());
    },
  });
}
