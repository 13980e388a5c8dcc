/** The time from a frame of the platform to the event on a WebSocket of the service, which runs as a process of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Process } from '../stream/calls.ts';
import type { Platform } from './server.ts';
import { dids } from './workload.ts';

const apiKey = 'bench-follow-key';

interface Service {
  readonly url: string;
  end(): Promise<void>;
}

/** Starts the service in an empty data directory; it follows the first account of the platform. */
async function startService(port: number): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-follow-'));
  const env = {
    ...process.env,
    ...{ DATA_DIR: dataDir, PORT: '0', DEMO: '0', LOG_LEVEL: 'error', TOKEN_RESOLVER: 'off', API_KEYS: apiKey },
    FOLLOW: `bluesky:${dids[0]}`,
    FOLLOW_BLUESKY_STREAM: `ws://127.0.0.1:${port}/subscribe`,
    FOLLOW_BLUESKY_API: `http://127.0.0.1:${port}`,
  };
  const root = new URL('../../../', import.meta.url).pathname;
  const child = spawn(process.execPath, ['server/main.ts'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    url: await listeningAt(child),
    async end() {
      child.kill('SIGTERM');
      await once(child, 'close');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Resolves when the service listens. Its output stays open. */
async function listeningAt(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let output = '';
  child.stdout?.on('data', (text: Buffer) => {
    output += text.toString();
    const url = /^listening on (http:\S+)$/m.exec(output)?.[1];
    if (url !== undefined) resolve(url);
  });
  child.once('close', () => reject(new Error('the service ended')));
  return promise;
}

/** Posts one after the other; returns the milliseconds from each to its event. */
export async function measureLatency(platform: Process<Platform>, posts: number): Promise<number[]> {
  const port = await platform.call('port');
  await platform.call('prepare', { count: 0, from: Date.now() });
  const before = await platform.call('subscribers');
  const service = await startService(port);
  try {
    const socket = new WebSocket(`${service.url.replace('http', 'ws')}/ws?api_key=${apiKey}`);
    await once(socket, 'open');
    const params = { query: '-nothing' };
    socket.send(JSON.stringify({ type: 'subscribe', id: 'all', channel: 'search:tweets', params }));
    while ((await platform.call('subscribers')) === before) await sleep(50);
    const times: number[] = [];
    for (let index = 0; index < posts; index++) times.push(await timeOf(socket, platform, `post number ${index}`));
    socket.terminate();
    // The first post brings the profile, and the code is not compiled yet.
    return times.slice(Math.ceil(posts / 10));
  } finally {
    await service.end();
  }
}

async function timeOf(socket: WebSocket, platform: Process<Platform>, text: string): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const onMessage = (data: Buffer): void => {
    const message = JSON.parse(data.toString()) as { type: string; data?: { text?: string } };
    if (message.type === 'event' && message.data?.text === text) resolve(performance.now());
  };
  socket.on('message', onMessage);
  const start = performance.now();
  await platform.call('post', text);
  const end = await promise;
  socket.off('message', onMessage);
  await sleep(20);
  return end - start;
}
