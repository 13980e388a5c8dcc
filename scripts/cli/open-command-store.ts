/** Opens the documents for a command while no server of this data directory runs. */
import { openDocuments, type Documents } from '../../server/storage/lowdb/documents.ts';

export interface CommandSettings {
  readonly dataDir: string;
  /** The URL of a shared database, whose servers may run; undefined: the data directory. */
  readonly databaseUrl: string | undefined;
}

/** Rejects with StoreError. */
export async function openCommandDocuments({ dataDir, databaseUrl }: CommandSettings): Promise<Documents> {
  if (databaseUrl === undefined) return openDocuments(dataDir);
  const { openPostgresStore } = await import('../../server/engines/postgres/store/postgres-store.ts');
  return openPostgresStore({ url: databaseUrl });
}
