/** What the server does beside the requests: each work runs once, from its start to its end. */
import { Agent } from 'node:http';
import { join } from 'node:path';
import { connectControl } from '../../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { controlSink } from '../../../server/import/control-sink.ts';
import { runCommand } from '../cluster/measure.ts';
import { idOf, wordOf } from '../tweets.ts';
import { send } from './requests.ts';

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
  /** Resolves when the server has logged a message. */
  logged(message: string): Promise<void>;
}

interface Work {
  readonly name: string;
  /** PURGE_WITHIN of the server: with 0, the server compacts its journal after each deletion. */
  readonly purgeWithin: string;
  run(place: WorkPlace): Promise<unknown>;
}

/** Deletes tweets as an import does, a thousand at a time. */
async function deleteTweets(dataDir: string, ids: readonly string[]): Promise<void> {
  const sink = await connectControl(dataDir);
  if (sink === undefined) throw new Error('the server has no control socket');
  const { apply } = controlSink(sink);
  for (let from = 0; from < ids.length; from += 1000) {
    const records = ids.slice(from, from + 1000).map((tweet_id): ArchiveRecord => ({ kind: 'delete', tweet_id }));
    await apply('bench', { values: 0, done: false }, records);
  }
  sink.close();
}

/** One search after the other for ten of the most frequent words, by engagement. */
async function searchTop({ port, seconds }: WorkPlace): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  for (let first = 1; performance.now() < end; first = 1 + (first % 50)) {
    const words = Array.from({ length: 10 }, (_, index) => wordOf(first + index));
    await send(agent, port, `/social/tweet/advanced_search?query_type=Top&query=${words.join('%20OR%20')}&limit=100`);
  }
  agent.destroy();
}

const deletedOfTen = 3;

/** In this order, because the later ones change the archive. */
export const works: readonly Work[] = [
  {
    ...{ name: 'compaction of the journal', purgeWithin: '0' },
    async run({ dataDir, logged }) {
      await deleteTweets(dataDir, [idOf(0)]);
      await logged('removed records that the archive does not need');
    },
  },
  {
    ...{ name: 'backup', purgeWithin: '24h' },
    run: ({ directory, dataDir }) =>
      runCommand('scripts/cli/backup.ts', [join(directory, 'backup')], { DATA_DIR: dataDir }),
  },
  { name: 'Top searches, one after the other', purgeWithin: '24h', run: searchTop },
  {
    ...{ name: 'import', purgeWithin: '24h' },
    run: ({ dataDir, newRecords }) => runCommand('scripts/cli/import.ts', [newRecords], { DATA_DIR: dataDir }),
  },
  {
    ...{ name: 'deletion of a tenth', purgeWithin: '24h' },
    run: ({ dataDir, tweets }) =>
      deleteTweets(
        dataDir,
        Array.from({ length: Math.floor(tweets / 10) }, (_, index) => idOf(10 * index + deletedOfTen)),
      ),
  },
];
