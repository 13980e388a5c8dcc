/** The process of a backup: its arguments are the data directory and the new folder. It prints what it has copied. */
import { backUp } from '../maintenance/backup.ts';
import { lowerProcessPriority } from '../process/thread-priority.ts';

const [dataDir = '', folder = ''] = process.argv.slice(2);
lowerProcessPriority();
console.log((await backUp({ dataDir, databaseUrl: undefined }, folder)).line);
