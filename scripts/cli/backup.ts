/** `npm run backup -- FOLDER`: copies the data directory or the database, with or without a running server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig, type Config } from '../../server/config/config.ts';
import { ConfigError } from '../../server/config/variables.ts';
import { requireUpgraded } from '../../server/maintenance/data-directory.ts';
import { MediaFiles, mediaFolder } from '../../server/media/media-files.ts';
import { lowerProcessPriority } from '../../server/process/thread-priority.ts';
import { codeOf } from '../../server/text/error-text.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { fail, UsageError } from './failure.ts';
import { ProgressBar } from './progress-bar.ts';

const usage = `Usage: npm run backup -- FOLDER

Copies what must not be lost of DATA_DIR, or of the database with DATABASE_URL, to FOLDER, which must not exist yet or be empty, and
checks the copy. The server may run meanwhile: the copy has all that was acknowledged before. It holds secrets, as the original does.
To restore it, stop the server, and put it in place of DATA_DIR; npm run migrate copies it into an empty database. A restored server
begins a new epoch of its events, so its listeners receive a gap.

  --help  shows this

Exit code: 0 for success, 1 for a failure, 2 for invalid arguments.`;

/** Copies a data directory with a database file, or a database. Returns the line that says what was copied, and the number of removals. */
async function backUpData(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  folder: string,
): Promise<{ line: string; removals: number }> {
  let bar: ProgressBar | undefined;
  let files = 0;
  const copyMore = async (to: string): Promise<void> =>
    void (files = await new MediaFiles(mediaFolder(dataDir)).copyTo(mediaFolder(to)));
  const startedAt = performance.now();
  const onProgress = (copied: number, total?: number): void =>
    (bar ??= new ProgressBar(total === undefined ? 'records' : 'pages', total)).update(copied);
  const copying =
    databaseUrl === undefined
      ? import('../../server/maintenance/file-backup.ts').then(({ backUpFile }) =>
          backUpFile(dataDir, folder, { onProgress, copyMore }),
        )
      : import('../../server/maintenance/migrate.ts').then(({ copyDatabase }) =>
          copyDatabase(databaseUrl, folder, { isBackup: true, onProgress, copyMore }),
        );
  const { bytes, tweets, users, removals } = await copying.finally(() => bar?.stop());
  const seconds = (performance.now() - startedAt) / 1000;
  const counts = Object.entries({ tweets, users, 'media files': files })
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
  const line = `${folder}: ${(bytes / 1e6).toFixed(1)} MB, checked, in ${seconds.toFixed(1)} s; ${counts.join(', ')}`;
  return { line, removals };
}

try {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) console.log(usage);
  else {
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) throw new UsageError('expected one folder');
    const config = readConfig(process.env);
    lowerProcessPriority();
    if (config.databaseUrl === undefined) await requireUpgraded(config.dataDir);
    const { line, removals } = await backUpData(config, folder);
    console.log(line);
    if (removals > 0)
      console.error(
        `note: the archive holds ${removals.toLocaleString('en')} deletions. Backups from before a deletion still hold the text: delete them in time, and after a restore erase again (/docs/operations#erasure)`,
      );
    if (existsSync(join(folder, 'follow-tokens.json')))
      console.error('note: the copy contains the tokens of live platforms (follow-tokens.json): keep it secret');
  }
} catch (error) {
  const expected =
    error instanceof ConfigError ||
    error instanceof StoreError ||
    error instanceof UsageError ||
    codeOf(error) !== undefined;
  if (!expected) throw error;
  fail(error, 'backup');
}
