/** A soak: the service as it is started, under load for minutes, with a look at its own figures every few seconds. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { writeTweets } from '../tweets.ts';
import { key, runLoad, type Tally } from './load.ts';

export interface SoakBench {
  readonly minutes: number;
  /** Requests a second. */
  readonly rate: number;
  readonly listeners: number;
  readonly tweets: number;
  readonly progress: (text: string) => void;
}

/** What the service told of itself. */
export interface Sample {
  /** Minutes from the beginning of the load. */
  readonly at: number;
  /** Bytes. */
  readonly resident: number;
  readonly heap: number;
  readonly external: number;
  readonly openFiles: number;
  /** Handles of the event loop: sockets, timers. */
  readonly handles: number;
  /** Milliseconds, p99 and the longest since the look before. */
  readonly delay: number;
  readonly longestDelay: number;
  /** Requests answered since the start. */
  readonly requests: number;
  /** Requests refused because of the load since the start. */
  readonly shed: number;
}

export interface SoakResults {
  readonly options: Omit<SoakBench, 'progress'>;
  readonly samples: readonly Sample[];
  readonly tally: Tally;
  /** Lines of the service's log that tell of a fault. */
  readonly logged: readonly string[];
}

/**
 * How the service is started, beside its defaults: what V8 takes for garbage is bounded, as in a small container. Without a bound it takes
 * more with each collection that a busy machine delays, for longer than a soak, and hides whether the service holds more.
 */
export const v8Options = ['--max-old-space-size=160', '--max-semi-space-size=16'];

const root = new URL('../../../', import.meta.url).pathname;
const everyMs = 5_000;

/** The sum of a metric over its labels. */
function sumOf(text: string, name: string): number {
  return Array.from(text.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm')), ([, value]) =>
    Number(value),
  ).reduce((sum, value) => sum + value, 0);
}

async function look(url: string, began: number): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const of = (name: string): number => sumOf(text, name);
  return {
    at: (performance.now() - began) / 60_000,
    resident: of('process_resident_memory_bytes'),
    heap: of('nodejs_heap_size_used_bytes'),
    external: of('nodejs_external_memory_bytes'),
    openFiles: of('process_open_fds'),
    handles: of('nodejs_active_handles_total'),
    delay: of('nodejs_eventloop_lag_p99_seconds') * 1000,
    longestDelay: of('nodejs_eventloop_lag_max_seconds') * 1000,
    requests: of('http_requests_total'),
    shed: of('http_shed_total'),
  };
}

export async function measureSoak({ progress, ...options }: SoakBench): Promise<SoakResults> {
  const { minutes, rate, listeners, tweets } = options;
  const folder = await mkdtemp(join(tmpdir(), 'bench-soak-'));
  const [dataDir, recordsFile] = [join(folder, 'data'), join(folder, 'records.jsonl')];
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: '0',
    LOG_LEVEL: 'warn',
    TOKEN_RESOLVER: 'off',
    API_KEYS: key,
    RATE_LIMIT: 'off',
    FAILED_KEYS: 'off',
    // What is kept for a time or up to a number is so few that the bound is reached before the memory is looked at.
    ASSISTANT_QUOTA: '10000',
    CONVERSATION_TTL: '10',
    EVENT_LIMIT: '10000',
    WS_CONNECTIONS: String(10 * listeners),
  };
  try {
    progress(`${tweets.toLocaleString('en')} tweets …`);
    await writeTweets(recordsFile, tweets);
    const imported = spawn(process.execPath, ['scripts/cli/import.ts', recordsFile], {
      cwd: root,
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = (await once(imported, 'exit')) as [number];
    if (code !== 0) throw new Error(`the import ended with ${code}`);

    const logged: string[] = [];
    const child = spawn(process.execPath, [...v8Options, 'server/main.ts'], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = once(child, 'exit') as Promise<[number | null]>;
    // However this ends, it does not stay behind.
    const stop = (): void => void child.kill();
    process.once('exit', stop);
    child.stderr
      .setEncoding('utf8')
      .on(
        'data',
        (text: string) =>
          void (logged.length < 1_000 && logged.push(...text.split('\n').filter((line) => line !== ''))),
      );
    let output = '';
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const found = /^listening on (http:\S+)$/m.exec(output)?.[1];
        if (found !== undefined) resolve(found);
      });
      void ended.then(([status]) =>
        reject(new Error(`the service ended with code ${status}: ${output}${logged.join('\n')}`)),
      );
    });

    const over = new AbortController();
    const tally: Tally = { done: {}, faults: {} };
    const began = performance.now();
    const load = runLoad({ url, dataDir, recordsFile, tweets, rate, listeners, signal: over.signal }, tally);
    const samples: Sample[] = [];
    while (performance.now() - began < minutes * 60_000 && child.exitCode === null) {
      await pause(everyMs);
      const sample = await look(url, began);
      samples.push(sample);
      if (samples.length % 12 === 0) {
        progress(
          `${sample.at.toFixed(0)} of ${minutes} min: ${sample.requests.toLocaleString('en')} requests, ${(sample.resident / 1e6).toFixed(0)} MB resident, faults: ${JSON.stringify(tally.faults)}`,
        );
      }
    }
    over.abort();
    await load;
    child.kill('SIGTERM');
    const [status] = await ended;
    process.off('exit', stop);
    if (status !== 0) tally.faults[`the service ended with ${status}`] = 1;
    return { options, samples, tally, logged };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
