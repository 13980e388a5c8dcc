/** A real archive in PostgreSQL without a server. */
import { readConfig } from '../../server/config/config.ts';
import { openStoredArchive, type StoredArchive } from '../../server/open-archive.ts';
import type { UnusableChange } from '../../server/archive/writes/sql-archive.ts';
import { temporaryFolder } from './local-server.ts';

const refuse = ({ change, reason }: UnusableChange): never => {
  throw new Error(`${change.kind}: ${reason}`);
};

/** Opens the archive in the tables of a PostgreSQL database, as the process of another host does. */
export async function openArchiveAt(url: string, onUnusable = refuse): Promise<StoredArchive> {
  const folder = await temporaryFolder();
  try {
    const config = readConfig({ DATA_DIR: folder.path, DATABASE_URL: url, PLATFORM: 'postgres' });
    const opened = await openStoredArchive(config, onUnusable);
    return { ...opened, close: () => opened.close().finally(() => folder.dispose()) };
  } catch (error) {
    await folder.dispose();
    throw error;
  }
}
