/**
 * Following a platform: frames of a stream through the Bluesky source into a durable archive, all events published; beside a
 * bare `ws` loop that parses the same frames as JSON.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { createBlueskySource } from '../../server/follow/bluesky/source.ts';
import type { SourceObserver } from '../../server/ports/live-source.ts';
import { openServiceArchive } from '../../test/support/stored-archive.ts';
import { measureLatency } from './follow/latency.ts';
import type { Platform } from './follow/server.ts';
import { dids } from './follow/workload.ts';
import { ourselves, type Outcome, type Row } from './report/result.ts';
import { cpuTime, startProcess } from './stream/calls.ts';
import { markdownTable, median, milliseconds, percentile } from './table.ts';

interface Measured {
  readonly cpuSeconds: number;
  readonly seconds: number;
}

/** What the source and the archive made of the frames. */
interface Followed extends Measured {
  readonly tweets: number;
  readonly published: number;
  readonly rejected: number;
}

async function timed<Result extends object>(work: () => Promise<Result>): Promise<Result & Measured> {
  globalThis.gc?.();
  const [cpu, start] = [cpuTime(), performance.now()];
  const result = await work();
  return { ...result, cpuSeconds: (cpuTime() - cpu) / 1e6, seconds: (performance.now() - start) / 1000 };
}

/** The peer: reads and parses the frames, and does nothing with them. */
const bareLoop = (port: number, last: number): Promise<Measured> =>
  timed(async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
    await once(socket, 'open');
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.on('message', (data: Buffer) => {
      if ((JSON.parse(data.toString()) as { time_us: number }).time_us === last) resolve();
    });
    socket.send('{}');
    await promise;
    socket.terminate();
    return {};
  });

async function follow(port: number, last: number): Promise<Followed> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-follow-'));
  const { sink, held, log, content, close } = await openServiceArchive(dataDir, { isThread: true });
  try {
    let rejected = 0;
    const observer: SourceObserver = {
      connected() {},
      alive() {},
      requested() {},
      rejected: () => void rejected++,
      gap() {},
    };
    const source = createBlueskySource({
      streamUrls: [`ws://127.0.0.1:${port}`],
      apiUrl: `http://127.0.0.1:${port}`,
      ...{ held, observer },
    });
    const target = { target: source.parse('alice.example.com'), title: '', accounts: dids };
    const abort = new AbortController();
    return await timed(async () => {
      const request = { targets: [target], position: undefined, failures: 0, signal: abort.signal };
      for await (const { records, position, at = 0 } of source.stream(request)) {
        await sink.follow(source.name, position === undefined ? undefined : { position, at }, records);
        if (Number(position) >= last) abort.abort();
      }
      return { tweets: content.tweets, published: log.head, rejected };
    });
  } finally {
    await close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const rounded = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** Measures `rounds` times both ways in turn, after one round that is not counted. */
export async function benchFollow(events: number, rounds: number): Promise<Outcome> {
  const platform = await startProcess<Platform>('../follow/server.ts');
  try {
    const port = await platform.call('port');
    const last = await platform.call('prepare', { count: events, from: Date.now() - events });
    const [ours, bare]: [Followed[], Measured[]] = [[], []];
    for (let round = 0; round <= rounds; round++) {
      bare.push(await bareLoop(port, last));
      ours.push(await follow(port, last));
    }
    const counted = { ours: ours.slice(1), bare: bare.slice(1) };
    print(events, counted.ours, counted.bare);
    const times = await measureLatency(platform, 100);
    const at = (share: number): string => milliseconds(percentile(times, share));
    console.log(`from a frame to the event on /ws, ms: p50 ${at(0.5)}, p95 ${at(0.95)}`);
    const delays: Row[] = [0.5, 0.95].map((share) => ({
      metric: `from a frame to the event on /ws, p${share * 100}`,
      ...{ subject: ourselves, unit: 'ms', better: 'lower', values: [percentile(times, share)] },
    }));
    const rows = [...rowsOf(events, ourselves, counted.ours), ...rowsOf(events, 'bare ws', counted.bare), ...delays];
    return { rows, details: { events, ...counted, delays: times } };
  } finally {
    await platform.end();
  }
}

function rowsOf(events: number, subject: string, runs: readonly Measured[]): Row[] {
  const row = (metric: string, unit: string, values: readonly number[]): Row => ({
    ...{ metric, subject, unit, better: 'higher', values },
  });
  return [
    row(
      'events a CPU second',
      'events/s CPU',
      runs.map(({ cpuSeconds }) => events / cpuSeconds),
    ),
    row(
      'events a second',
      'events/s',
      runs.map(({ seconds }) => events / seconds),
    ),
  ];
}

function print(events: number, ours: readonly Followed[], bare: readonly Measured[]): void {
  const perCpu = (runs: readonly Measured[]): number => median(runs.map(({ cpuSeconds }) => events / cpuSeconds));
  const perSecond = (runs: readonly Measured[]): number => median(runs.map(({ seconds }) => events / seconds));
  const ratio = median(ours.map(({ cpuSeconds }, round) => (bare[round]?.cpuSeconds ?? 0) / cpuSeconds));
  const [{ tweets, published, rejected } = { tweets: 0, published: 0, rejected: 0 }] = ours;
  console.log(`\nFollowing: ${rounded(events)} frames into a durable archive, all events published\n`);
  console.log(
    markdownTable([
      {
        '': 'events a CPU second',
        archive: rounded(perCpu(ours)),
        'bare ws': rounded(perCpu(bare)),
        ratio: rounded(ratio, 3),
      },
      { '': 'events a second', archive: rounded(perSecond(ours)), 'bare ws': rounded(perSecond(bare)), ratio: '' },
    ]),
  );
  console.log(
    `\n${rounded(tweets)} tweets, ${rounded(published)} events published, ${rounded(rejected)} frames rejected`,
  );
}
