/** What differs between the values of PLATFORM for tests of several instances. */
import type { ImportSink } from '../../server/ports/import-sink.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { openPostgresStore } from '../../server/storage/postgres/postgres-store.ts';
import { openArchiveAt } from '../support/stored-archive.ts';

/** An import by the process of another host. */
export interface RemoteImport {
  readonly sink: Pick<ImportSink, 'apply'>;
  close(): Promise<void>;
}

export interface ClusterPlatform {
  /** The environment of its instances. */
  readonly env: Readonly<Record<string, string>>;
  /** The log whose order is that of the changes. */
  readonly log: string;
  /** Whether instances answer reads without the database. */
  readonly readsWithoutDatabase: boolean;
  /** Opens the database as the process of another host does. */
  open(url: string): Promise<RemoteImport>;
}

export const inMemory: ClusterPlatform = {
  env: {},
  log: 'archive',
  readsWithoutDatabase: true,
  async open(url) {
    const store = await openPostgresStore({ url });
    return { sink: await openArchive(store), close: () => store.close() };
  },
};

export const inTables: ClusterPlatform = {
  env: { PLATFORM: 'postgres' },
  log: 'tables',
  readsWithoutDatabase: false,
  open: openArchiveAt,
};
