/** A checked copy of what must not be lost: of a data directory, or of a database. */
import type { Config } from '../config/config.ts';
import { MediaFiles, mediaFolder } from '../storage/media-files.ts';
import { requireUpgraded } from './data-directory.ts';
import type { OnCopyProgress } from './fill-tables.ts';

/** What was copied. */
export interface Backup {
  /** One line for people. */
  readonly line: string;
  /** The number of deletions in the archive: older backups still hold their texts. */
  readonly removals: number;
}

/**
 * Copies the data to a folder that does not exist or is empty, with or without a running server. Rejects with StoreError, and with an error of the file system.
 */
export async function backUp(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  folder: string,
  onProgress: OnCopyProgress = () => {},
): Promise<Backup> {
  let files = 0;
  const copyMore = async (to: string): Promise<void> =>
    void (files = await new MediaFiles(mediaFolder(dataDir)).copyTo(mediaFolder(to)));
  const startedAt = performance.now();
  const copied = await (databaseUrl === undefined ? ofDirectory(dataDir) : ofDatabase(databaseUrl));
  const { bytes, tweets, users, removals } = copied;
  const seconds = (performance.now() - startedAt) / 1000;
  const counts = Object.entries({ tweets, users, 'media files': files })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
  const line = `${folder}: ${(bytes / 1e6).toFixed(1)} MB, checked, in ${seconds.toFixed(1)} s; ${counts.join(', ')}`;
  return { line, removals };

  async function ofDirectory(directory: string) {
    await requireUpgraded(directory);
    const { backUpFile } = await import('./file-backup.ts');
    return backUpFile(directory, folder, {
      copyMore,
      onProgress: (done, total) => onProgress({ unit: 'pages', done, total }),
    });
  }
  async function ofDatabase(url: string) {
    const { copyDatabase } = await import('./migrate.ts');
    return copyDatabase(url, folder, { copyMore, onProgress, isBackup: true });
  }
}
