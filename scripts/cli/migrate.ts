/** `npm run migrate -- --to URL`: copies the data directory into a database that several instances can share. */
import { parseArgs } from 'node:util';
import { ConfigError, readConfig } from '../../server/config/config.ts';
import { migrateToDatabase } from '../../server/maintenance/migrate.ts';
import { faultText } from '../../server/process/file-fault.ts';
import { ProgressBar } from './progress-bar.ts';

const usage = `Usage: npm run migrate -- [--to URL]

Copies everything of DATA_DIR (./data) into an empty PostgreSQL database: tweets, events, keys, secrets, accounts, quotas and
conversations. Stop the server before. Keys, page cursors and event cursors stay valid. DATA_DIR stays as it is. After an
interruption, repeat the command.

  --to URL  the database, such as postgres://user:password@host/database; where it is left out: DATABASE_URL, which does not
            show the password in the list of processes
  --help    shows this`;

try {
  const { values } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } });
  if (values.help) console.log(usage);
  else {
    const { dataDir, databaseUrl } = readConfig({
      ...process.env,
      ...(values.to === undefined ? {} : { DATABASE_URL: values.to }),
      ...{ FOLLOW: '', FILL: '' },
    });
    if (databaseUrl === undefined) throw new ConfigError([`expected a database\n\n${usage}`]);
    const bar = new ProgressBar('records', undefined);
    const copied = await migrateToDatabase(dataDir, databaseUrl, (records) => bar.update(records)).finally(() =>
      bar.stop(),
    );
    const counts = Object.entries(copied).map(([name, count]) => `${name} ${count.toLocaleString('en')}`);
    console.log(`copied the records of ${counts.join(', ')}; start the service with DATABASE_URL`);
  }
} catch (error) {
  console.error(faultText(error));
  process.exitCode = 1;
}
