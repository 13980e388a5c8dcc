/** The latency of requests to a server, without and during a purge of its journal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { connectControl } from '../../../server/admin/control-client.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { controlSink } from '../../../server/import/control-sink.ts';
import { createRandom } from '../../sample/random.ts';
import { runCommand } from '../cluster/measure.ts';
import { percentile } from '../table.ts';
import { vocabulary, wordOf } from '../tweets.ts';

const key = 'sd_bench_delete_key';
const perSecond = 50;
const root = new URL('../../../', import.meta.url).pathname;

interface Server {
  readonly port: number;
  /** Whether the purges that the server has logged removed at least this number of records. */
  isPurged(records: number): boolean;
  stop(): Promise<void>;
}

/** The records that purges removed, by the log. */
const purgedRecords = (output: string): number =>
  Array.from(output.matchAll(/"records":(\d+).*"msg":"removed records that the archive does not need/g)).reduce(
    (sum, [, records]) => sum + Number(records),
    0,
  );

/** Starts the server on a data directory. `purgeWithin`: when removed texts leave its disk. */
async function startServer(dataDir: string, purgeWithin: string): Promise<Server> {
  const child = spawn(process.execPath, ['--max-old-space-size=8192', 'server/main.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...{
        DATA_DIR: dataDir,
        PORT: '0',
        DEMO: '0',
        API_KEYS: key,
        RATE_LIMIT: 'off',
        PURGE_WITHIN: purgeWithin,
        LOG_LEVEL: 'info',
      },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
  const portOf = (): string | undefined => /^listening on http:\/\/\S+:(\d+)$/m.exec(output)?.[1];
  while (portOf() === undefined) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output}`);
    await pause(20);
  }
  return {
    port: Number(portOf()),
    isPurged: (records) => purgedRecords(output) >= records,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Milliseconds of each search that is sent at a fixed rate, from its scheduled time, while `isOn` holds. */
async function latencies(port: number, isOn: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const random = createRandom(7);
  const times: number[] = [];
  const pending: Promise<void>[] = [];
  const began = performance.now();
  const search = async (scheduled: number): Promise<void> => {
    const words = [1, 2].map(() => wordOf(random.integer(1, vocabulary)));
    const path = `/social/tweet/advanced_search?query=${words.join('%20OR%20')}&limit=20`;
    const call = request({ agent, port, path, host: '127.0.0.1', headers: { 'x-api-key': key } }).end();
    const [response] = (await once(call, 'response')) as [NodeJS.ReadableStream & { statusCode: number }];
    response.resume();
    await once(response, 'end');
    if (response.statusCode !== 200) throw new Error(`a search was answered with ${response.statusCode}`);
    times.push(performance.now() - scheduled);
  };
  for (let number = 0; isOn(); number++) {
    const scheduled = began + (number * 1000) / perSecond;
    await pause(Math.max(0, scheduled - performance.now()));
    pending.push(search(scheduled));
  }
  await Promise.all(pending);
  agent.destroy();
  return times;
}

/**
 * Measures searches on a data directory: `seconds` without a change, then while a command imports a file, both in turns, so that
 * a change of the machine's speed changes both alike.
 */
export async function benchImportRequests(
  dataDir: string,
  file: string,
  seconds: number,
): Promise<Record<string, number>> {
  return measure(dataDir, '24h', async ({ port }) => {
    await latencies(port, within(3));
    const before = await latencies(port, within(seconds));
    let isImported = false;
    const began = performance.now();
    const imported = runCommand('scripts/cli/import.ts', [file], { DATA_DIR: dataDir }).finally(
      () => (isImported = true),
    );
    const during = await latencies(port, () => !isImported);
    await imported;
    const importMs = performance.now() - began;
    const after = await latencies(port, within(seconds));
    const without = [...before, ...after];
    return {
      ...percentiles('without a change', without),
      ...percentiles('during the import', during),
      'search p99, during the import / without': percentile([...during], 0.99) / percentile(without, 0.99),
      'import s, while the server answers': importMs / 1000,
    };
  });
}

/**
 * Measures searches on a data directory: `seconds` without a change, then while the server deletes the tweets, then while a
 * second server purges the journal.
 */
export async function benchRequests(
  dataDir: string,
  ids: readonly string[],
  seconds: number,
): Promise<Record<string, number>> {
  const startedFrom = Date.now();
  let startMs = 0;
  let deletedFrom = 0;
  const deleting = await measure(dataDir, '24h', async ({ port }) => {
    startMs = Date.now() - startedFrom;
    await latencies(port, within(3));
    const before = await latencies(port, within(seconds));
    deletedFrom = Date.now();
    let isDeleted = false;
    const deleted = deleteTweets(dataDir, ids).finally(() => (isDeleted = true));
    const during = await latencies(port, () => !isDeleted);
    await deleted;
    return { ...percentiles('without a change', before), ...percentiles('during the deletes', during) };
  });
  // The first seconds of a process are slower, so the purge starts after them: after nine tenths of this time.
  const purgeWithin = `${Math.ceil((Date.now() - deletedFrom + startMs + 6000) / 0.9 / 60_000)}m`;
  const purging = await measure(dataDir, purgeWithin, async (server) => {
    await latencies(server.port, within(3));
    const during = await latencies(server.port, () => !server.isPurged(ids.length));
    return percentiles('until the end of the purge', during);
  });
  return { ...deleting, ...purging };
}

async function measure<Result>(
  dataDir: string,
  purgeWithin: string,
  use: (server: Server) => Promise<Result>,
): Promise<Result> {
  const server = await startServer(dataDir, purgeWithin);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

const percentiles = (when: string, times: readonly number[]): Record<string, number> => ({
  [`search ms p50, ${when}`]: percentile([...times], 0.5),
  [`search ms p99, ${when}`]: percentile([...times], 0.99),
});

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

function within(seconds: number): () => boolean {
  const end = performance.now() + seconds * 1000;
  return () => performance.now() < end;
}
