/** The time from a frame of the platform to the event on a WebSocket of the service, which runs as a separate process. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { startService } from '../service.ts';
import type { Process } from '../stream/calls.ts';
import type { Platform } from './server.ts';
import { dids } from './workload.ts';

const apiKey = 'bench-follow-key';

/** The settings of a service in an empty data directory that follows the first account of the platform. */
const variablesOf = (dataDir: string, port: number): Readonly<Record<string, string>> => ({
  DATA_DIR: dataDir,
  API_KEYS: apiKey,
  FOLLOW: `bluesky:${dids[0]}`,
  FOLLOW_BLUESKY_STREAM: `ws://127.0.0.1:${port}/subscribe`,
  FOLLOW_BLUESKY_API: `http://127.0.0.1:${port}`,
});

/** Posts one after the other; returns the milliseconds from each to its event. */
export async function measureLatency(platform: Process<Platform>, posts: number): Promise<number[]> {
  const port = await platform.call('port');
  await platform.call('prepare', { count: 0, from: Date.now() });
  const before = await platform.call('subscribers');
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-follow-'));
  const service = await startService(variablesOf(dataDir, port));
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
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
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
