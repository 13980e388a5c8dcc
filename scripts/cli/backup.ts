/** `npm run backup -- FOLDER`: copies the data directory or the database, with or without a running server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '../../server/config/config.ts';
import { ConfigError } from '../../server/config/variables.ts';
import { backUp } from '../../server/maintenance/backup.ts';
import { lowerProcessPriority } from '../../server/process/thread-priority.ts';
import { codeOf } from '../../server/text/error-text.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { fail, UsageError } from './failure.ts';
import { StepsProgress } from './progress-bar.ts';

const usage = `Usage: npm run backup -- FOLDER

Copies what must not be lost of DATA_DIR, or of the database with DATABASE_URL, to FOLDER, which must not exist yet or be empty, and
checks the copy. The server may run meanwhile: the copy has all that was acknowledged before. It holds secrets, as the original does.
To restore it, stop the server, and put it in place of DATA_DIR; npm run migrate copies it into an empty database. A restored server
begins a new epoch of its events, so its listeners receive a gap.

  --help  shows this

Exit code: 0 for success, 1 for a failure, 2 for invalid arguments.`;

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
    const progress = new StepsProgress();
    const { line, removals } = await backUp(config, folder, progress.update).finally(() => progress.stop());
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
