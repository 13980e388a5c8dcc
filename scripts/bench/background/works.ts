/** What the server does beside the requests: each work runs from its start to its end, and again while the measurement needs more requests. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../service.ts';

/** The server and the files that a work needs. */
export interface WorkPlace {
  readonly directory: string;
  readonly dataDir: string;
  readonly port: number;
  /** Tweets of the archive and more of them, one record per line. */
  readonly newRecords: string;
  /** The number of tweets in the archive. */
  readonly tweets: number;
  /** The duration of a work that has no end. */
  readonly seconds: number;
  /** Resolves when the server has logged a message again since the last such call. */
  logged(message: string): Promise<void>;
}

interface Work {
  readonly name: string;
  /** PURGE_WITHIN of the server: with 0, the server compacts its journal after each deletion. */
  readonly purgeWithin: string;
  /** `repetition` starts at 0. */
  run(place: WorkPlace, repetition: number): Promise<unknown>;
}

const caller = 'scripts/bench/background/caller.ts';

/** In this order, because the later ones change the archive. */
export const works: readonly Work[] = [
  {
    ...{ name: 'compaction of the journal', purgeWithin: '0' },
    async run({ dataDir, logged }, repetition) {
      const tweet = 10 * repetition;
      await runCommand(caller, ['delete', dataDir, String(tweet), String(tweet + 1)], {});
      await logged('removed records that the archive does not need');
    },
  },
  {
    ...{ name: 'backup', purgeWithin: '24h' },
    async run({ directory, dataDir }) {
      const backup = join(directory, 'backup');
      await runCommand('scripts/cli/backup.ts', [backup], { DATA_DIR: dataDir });
      await rm(backup, { recursive: true });
    },
  },
  {
    name: 'Top searches, one after the other',
    purgeWithin: '24h',
    run: ({ port, seconds }) => runCommand(caller, ['search', String(port), String(seconds)], {}),
  },
  {
    ...{ name: 'import', purgeWithin: '24h' },
    run: ({ dataDir, newRecords }) => runCommand('scripts/cli/import.ts', [newRecords], { DATA_DIR: dataDir }),
  },
  {
    ...{ name: 'deletion of a tenth', purgeWithin: '24h' },
    run: ({ dataDir, tweets }, repetition) =>
      runCommand(caller, ['delete', dataDir, String(1 + (repetition % 9)), String(tweets)], {}),
  },
];
