/** Requests while the server does something else: a backup, searches by engagement, an import, and deletions. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { authorsOf, idOf, vocabulary, wordOf, writeTweets } from '../sample/many-tweets.ts';
import { createRandom } from '../sample/random.ts';
import { atFixedRate, send, type Call } from './fixed-rate.ts';
import type { Command } from './options.ts';
import { ourRow, type Outcome, type Row } from './result.ts';
import { importFile, runCommand, startService } from './service.ts';
import { percentile } from './table.ts';

const perSecond = 100;

/** The server and the files that a work needs. */
interface Scene {
  readonly directory: string;
  readonly variables: { readonly DATA_DIR: string };
  readonly url: string;
  /** The tweets of the archive, and half as many new ones. */
  readonly moreTweets: string;
  readonly tweets: number;
  /** The shortest duration of a measurement. A shorter work is repeated. */
  readonly seconds: number;
}

/** Sends heavy searches by engagement, one after the other, for a time. */
async function searchTop({ url, seconds }: Scene): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const end = performance.now() + seconds * 1000;
  for (let first = 1; performance.now() < end; first = 1 + (first % 50)) {
    const query = Array.from({ length: 10 }, (_, index) => wordOf(first + index)).join('%20OR%20');
    await send(agent, url, { path: `/social/tweet/advanced_search?query_type=Top&query=${query}&limit=100` });
  }
  agent.destroy();
}

/** Deletes every tenth tweet by an import of their deletions. */
async function deleteTenth({ directory, variables, tweets }: Scene, first: number): Promise<void> {
  const file = join(directory, 'deletions.jsonl');
  const count = Math.ceil((tweets - first) / 10);
  const records = Array.from({ length: count }, (_, index) => ({ kind: 'delete', tweet_id: idOf(first + 10 * index) }));
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  await importFile(file, variables);
}

type Work = (scene: Scene, repetition: number) => Promise<unknown>;

/** In this order, because the later ones change the archive. */
const works: Readonly<Record<string, Work>> = {
  async backup({ directory, variables }) {
    const backup = join(directory, 'backup');
    await runCommand(['scripts/cli/backup.ts', backup], variables);
    await rm(backup, { recursive: true });
  },
  'Top searches, one after the other': searchTop,
  import: ({ moreTweets, variables }) => importFile(moreTweets, variables),
  'deletion of a tenth': (scene, repetition) => deleteTenth(scene, 1 + (repetition % 9)),
};

/** Half searches for two words, half pages of an author, each with new parameters. */
function createCalls(authors: number): (number: number) => Call {
  const random = createRandom(7);
  return (number) => {
    if (number % 2 === 0) return { path: `/social/user/last_tweets?username=user_${random.integer(0, authors - 1)}` };
    const words = [1, 2].map(() => wordOf(random.integer(1, vocabulary)));
    return { path: `/social/tweet/advanced_search?query=${words.join('%20OR%20')}&limit=20` };
  };
}

function within(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}

/** The latencies of one round in milliseconds, and the duration of the first run of the work in seconds. */
interface Measured {
  readonly during: readonly number[];
  readonly without: readonly number[];
  readonly seconds: number;
}

/** Measures requests beside a work, which is repeated until the time has passed, and before and after it. */
async function measureWork(scene: Scene, next: (number: number) => Call, run: Work): Promise<Measured> {
  const { url, seconds } = scene;
  const quiet = (): Promise<number[]> => atFixedRate({ url, perSecond, next, isOn: within(seconds / 2) });
  const before = await quiet();
  let isRunning = true;
  const work = async (): Promise<number> => {
    const [isOn, startedAt] = [within(seconds), performance.now()];
    await run(scene, 0);
    const duration = (performance.now() - startedAt) / 1000;
    for (let repetition = 1; isOn(); repetition++) await run(scene, repetition);
    return duration;
  };
  const [during, duration] = await Promise.all([
    atFixedRate({ url, perSecond, next, isOn: () => isRunning }),
    work().finally(() => (isRunning = false)),
  ]);
  return { during, without: [...before, ...(await quiet())], seconds: duration };
}

/** Runs all works on a new archive. */
async function measureRound(files: Pick<Scene, 'directory' | 'moreTweets'>, tweets: number, seconds: number) {
  const dataDir = await mkdtemp(join(files.directory, 'data-'));
  const variables = { DATA_DIR: dataDir };
  await importFile(join(files.directory, 'tweets.jsonl'), variables);
  const server = await startService({ ...variables, LOG_LEVEL: 'warn' });
  try {
    const scene = { ...files, variables, url: server.url, tweets, seconds };
    const next = createCalls(authorsOf(tweets));
    // The first requests of a process compile its code.
    await atFixedRate({ url: server.url, perSecond, next, isOn: within(seconds / 2) });
    const measured = new Map<string, Measured>();
    for (const [name, run] of Object.entries(works)) measured.set(name, await measureWork(scene, next, run));
    return measured;
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const p99 = (times: readonly number[]): number => percentile(times, 0.99);

function rowsOf(name: string, rounds: readonly Measured[]): Row[] {
  return [
    ourRow(
      `p99 during: ${name}`,
      'ms',
      rounds.map(({ during }) => p99(during)),
    ),
    ourRow(
      `p99 without: ${name}`,
      'ms',
      rounds.map(({ without }) => p99(without)),
    ),
    ourRow(
      `p99 during / without: ${name}`,
      'times',
      rounds.map((each) => p99(each.during) / p99(each.without)),
    ),
    // That of the searches is given.
    ...(works[name] === searchTop
      ? []
      : [
          ourRow(
            `first run: ${name}`,
            's',
            rounds.map(({ seconds }) => seconds),
          ),
        ]),
  ];
}

export async function benchBackground(command: Command): Promise<Outcome> {
  const tweets = command.number('tweets');
  const rounds = command.number('rounds');
  const directory = await mkdtemp(join(tmpdir(), 'bench-background-'));
  const moreTweets = join(directory, 'more.jsonl');
  try {
    await writeTweets(join(directory, 'tweets.jsonl'), tweets);
    // With the same number of authors, the first tweets are the same.
    await writeTweets(moreTweets, Math.ceil(tweets * 1.5), authorsOf(tweets));
    const measured: ReadonlyMap<string, Measured>[] = [];
    for (let round = 1; round <= rounds; round++) {
      console.error(`background: round ${round} of ${rounds}`);
      // A p99 needs a thousand requests.
      measured.push(await measureRound({ directory, moreTweets }, tweets, 4 * command.number('seconds')));
    }
    const rows = Object.keys(works).flatMap((name) =>
      rowsOf(
        name,
        measured.flatMap((round) => round.get(name) ?? []),
      ),
    );
    return { rows };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
