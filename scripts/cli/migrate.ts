/** `npm run migrate`: copies a data directory into a database that several instances can share, and back. */
import { parseArgs } from 'node:util';
import { readConfig, type Config } from '../../server/config/config.ts';
import { copyDatabase, migrateToDatabase } from '../../server/maintenance/migrate.ts';
import { fail, UsageError } from './failure.ts';
import { StepsProgress } from './progress-bar.ts';

const usage = `Usage: npm run migrate -- [--to URL]
       npm run migrate -- --from URL [--to DIR]

Copies everything of DATA_DIR (./data) into the tables of an empty PostgreSQL database: tweets, events, keys, secrets, accounts,
quotas and conversations. Stop the server before. Keys, page cursors and event cursors stay valid. DATA_DIR stays as it is. After an
interruption, repeat the command: it goes on with what is missing. --from copies a database into a new data directory in the same way; stop all instances before.
A DATA_DIR of version 1.2 is upgraded first. The folder media of DATA_DIR is not copied: keep it, or copy it to the other folder.

  --to URL    the database, such as postgres://user:password@host/database; where it is left out: DATABASE_URL, which does not
              show the password in the list of processes
  --from URL  copies from this database; --from env takes the URL in DATABASE_URL
  --to DIR    the folder of the copy, which does not exist yet or is empty; where it is left out: DATA_DIR
  --help      shows this

Exit code: 0 for success, 1 for a failure, 2 for invalid arguments.`;

const describe = (records: Readonly<Record<string, number>>): string =>
  Object.entries(records)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ');

/** The configuration with another URL of the database. Throws ConfigError, and UsageError where there is none. */
function settings(url: string | undefined): Pick<Config, 'dataDir'> & { readonly databaseUrl: string } {
  const { dataDir, databaseUrl } = readConfig({
    ...process.env,
    ...(url === undefined || url === 'env' ? {} : { DATABASE_URL: url }),
    ...{ FOLLOW: '', FILL: '' },
  });
  if (databaseUrl === undefined) throw new UsageError('expected a database: --to URL, --from URL, or DATABASE_URL');
  return { dataDir, databaseUrl };
}

async function toDatabase(url: string | undefined): Promise<void> {
  const { dataDir, databaseUrl } = settings(url);
  const progress = new StepsProgress();
  const copied = await migrateToDatabase(dataDir, databaseUrl, { onProgress: progress.update }).finally(() =>
    progress.stop(),
  );
  console.log(`copied the records of ${describe(copied)}; start the service with DATABASE_URL`);
}

async function toFolder(url: string, folder: string | undefined): Promise<void> {
  const { dataDir, databaseUrl } = settings(url);
  const progress = new StepsProgress();
  const target = folder ?? dataDir;
  const options = { isBackup: false, onProgress: progress.update };
  const { tweets, users } = await copyDatabase(databaseUrl, target, options).finally(() => progress.stop());
  console.log(`copied ${describe({ tweets, users })}; start the service with DATA_DIR=${target}`);
}

try {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, from: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
  });
  if (values.help) console.log(usage);
  else if (values.from === undefined) await toDatabase(values.to);
  else await toFolder(values.from, values.to);
} catch (error) {
  fail(error, 'migrate');
}
