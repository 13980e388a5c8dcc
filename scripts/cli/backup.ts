/** `npm run backup -- FOLDER`: copies the data directory, with or without a running server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../../server/config/config.ts';
import { backUp } from '../../server/storage/lowdb/backup.ts';
import { faultText } from '../../server/process/file-fault.ts';
import { StoreError } from '../../server/ports/storage.ts';

const usage = `Usage: npm run backup -- FOLDER

Copies what must not be lost of DATA_DIR to FOLDER, which must not exist yet or be empty, and reads every line of the copy back. The server
may run meanwhile: the copy has all that was acknowledged before. It holds secrets, as the original does. To restore it, stop the server,
and put it in place of DATA_DIR. The backup omits the event log, so listeners of a restored server receive a gap.

  --help  shows this`;

/** Whether a record of the archive's journal removes a tweet or an account. The kind is its first member. */
const isRemoval = (record: Buffer): boolean => /^\{"kind":"(?:delete|withdraw)"/.test(record.toString('latin1', 0, 32));

try {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) console.log(usage);
  else {
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) throw new ConfigError([`expected one folder\n\n${usage}`]);
    const { dataDir, databaseUrl } = readConfig(process.env);
    if (databaseUrl !== undefined)
      throw new ConfigError(['DATABASE_URL is set: back up the database, with pg_dump or its write-ahead log']);
    let removals = 0;
    const { bytes, records, setAside } = await backUp(dataDir, folder, (journal, record) => {
      if (journal === 'archive' && isRemoval(record)) removals++;
    });
    const counts = Object.entries(records).map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
    console.log(`${folder}: ${(bytes / 1e6).toFixed(1)} MB, read back; records: ${counts.join(', ')}`);
    if (removals > 0)
      console.error(
        `note: the archive holds ${removals.toLocaleString('en')} deletions. Backups from before a deletion still hold the text: delete them in time, and after a restore erase again (/docs/operations#erasure)`,
      );
    if (existsSync(join(folder, 'follow-tokens.json')))
      console.error('note: the copy contains the tokens of live platforms (follow-tokens.json): keep it secret');
    if (setAside > 0)
      console.error(
        `warning: ${setAside.toLocaleString('en')} of the records of the archive could not be applied: set-aside.json lists them with their reasons`,
      );
  }
} catch (error) {
  const expected =
    error instanceof ConfigError || error instanceof StoreError || (error as NodeJS.ErrnoException).code !== undefined;
  console.error(expected ? faultText(error) : error);
  process.exitCode = 1;
}
