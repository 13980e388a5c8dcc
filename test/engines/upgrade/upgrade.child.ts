/** Upgrades a data directory in small transactions, in a process that can be killed. */
import { pino } from 'pino';
import { upgradeDirectory } from '../../../server/engines/upgrade/upgrade-directory.ts';

await upgradeDirectory(process.argv[2]!, { logger: pino({ level: 'silent' }), transactionRecords: 100 });
