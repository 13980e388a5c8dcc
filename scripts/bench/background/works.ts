/** What the server does beside the requests: each work runs from its start to its end, and again while the measurement needs more requests. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../service.ts';
import { idOf } from '../tweets.ts';

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
}

interface Work {
  readonly name: string;
  /** Whether it runs for a given time: its duration then says nothing. */
  readonly hasFixedDuration?: boolean;
  /** `repetition` starts at 0. */
  run(place: WorkPlace, repetition: number): Promise<unknown>;
}

const importFile = (dataDir: string, file: string): Promise<unknown> =>
  runCommand('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });

/** Deletes every tenth tweet from one number to another with an import of their deletions. */
async function deleteTenth({ directory, dataDir }: WorkPlace, first: number, end: number): Promise<void> {
  const file = join(directory, `deletions-${first}.jsonl`);
  const count = Math.ceil((end - first) / 10);
  const records = Array.from({ length: count }, (_, index) => ({ kind: 'delete', tweet_id: idOf(first + 10 * index) }));
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  await importFile(dataDir, file);
}

/** In this order, because the later ones change the archive. */
export const works: readonly Work[] = [
  {
    name: 'backup',
    async run({ directory, dataDir }) {
      const backup = join(directory, 'backup');
      await runCommand('scripts/cli/backup.ts', [backup], { DATA_DIR: dataDir });
      await rm(backup, { recursive: true });
    },
  },
  {
    name: 'Top searches, one after the other',
    hasFixedDuration: true,
    run: ({ port, seconds }) => runCommand('scripts/bench/background/caller.ts', [String(port), String(seconds)], {}),
  },
  {
    name: 'import',
    run: ({ dataDir, newRecords }) => importFile(dataDir, newRecords),
  },
  {
    name: 'deletion of a tenth',
    run: (place, repetition) => deleteTenth(place, 1 + (repetition % 9), place.tweets),
  },
];
