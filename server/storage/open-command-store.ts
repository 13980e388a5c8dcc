/** Opens the store for a command while no server of this data directory runs. */
import type { Store } from '../ports/storage.ts';
import { requireNoDatabaseFile } from './database-file.ts';
import { openLowdbStore } from './lowdb/lowdb-store.ts';

export interface CommandSettings {
  readonly dataDir: string;
  /** The URL of a shared database, whose servers may run; undefined: the data directory. */
  readonly databaseUrl: string | undefined;
}

/** Throws StoreError. */
export async function openCommandStore({ dataDir, databaseUrl }: CommandSettings): Promise<Store> {
  if (databaseUrl === undefined) {
    await requireNoDatabaseFile(dataDir);
    return openLowdbStore(dataDir);
  }
  const { openPostgresStore } = await import('./postgres/postgres-store.ts');
  return openPostgresStore({ url: databaseUrl });
}
