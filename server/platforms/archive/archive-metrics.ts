/** Prometheus metrics of the archive. */
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Archive } from './archive.ts';

/** Registers the metrics. `setAside` returns the number of journal records that the archive could not apply. */
export function measureArchive(registry: Registry, archive: Archive, setAside: () => number): void {
  new Gauge({
    name: 'archive_objects',
    help: 'Objects in the archive.',
    labelNames: ['kind'],
    registers: [registry],
    collect() {
      const { tweets, users, communities, spaces } = archive;
      for (const [kind, { size }] of Object.entries({ tweets, users, communities, spaces })) this.set({ kind }, size);
      this.set({ kind: 'tombstones' }, archive.removals.tombstones);
    },
  });
  new Gauge({
    name: 'archive_records_set_aside',
    help: 'Records of the journal that could not be applied; they are in set-aside.json, not in the archive.',
    registers: [registry],
    collect() {
      this.set(setAside());
    },
  });
  new Counter({
    name: 'archive_changes_total',
    help: 'Changes of the archive since its creation, such as imported records and unlikes.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(archive.revision);
    },
  });
}
