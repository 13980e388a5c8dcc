/** The whole server follows Bluesky and X as their stand-ins serve them. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { AppViewServer } from '../support/bluesky/app-view.ts';
import { JetstreamServer } from '../support/bluesky/jetstream-server.ts';
import { World } from '../support/bluesky/world.ts';
import { startServer, temporaryFolder } from '../support/server.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { XStandIn } from '../support/x/stand-in.ts';

const key = 'a-platforms-test-key';

test('one line of variables follows both platforms into the answers, and a stop and a start continue', async () => {
  const folder = await temporaryFolder();
  const world = new World(() => Date.now());
  const did = world.account('alice.example.com', 'Alice');
  world.post(did, 'an old post of alice');
  const [jetstream, appView] = [await JetstreamServer.start(world), await AppViewServer.start(world)];
  const clock = new ManualClock(Date.now());
  const x = await XStandIn.start(clock);
  x.user('11', 'bob');
  const ticking = setInterval(() => {
    clock.jump(Date.now() - clock.now());
    x.heartbeat();
  }, 20);
  const env = {
    API_KEYS: key,
    FOLLOW: 'bluesky:alice.example.com,x:bob',
    FOLLOW_BLUESKY_STREAM: jetstream.url,
    FOLLOW_BLUESKY_API: appView.url,
    FOLLOW_X_API: x.url,
    X_BEARER_TOKEN: x.token,
    X_READS_PER_DAY: '100000',
  };
  const dataDir = join(folder.path, 'data');
  let server = await startServer(dataDir, env);
  const found = async (query: string): Promise<number> => {
    const path = `/social/tweet/advanced_search?query=${encodeURIComponent(query)}`;
    const response = await fetch(server.url + path, { headers: { 'x-api-key': key } });
    return ((await response.json()) as { tweets: unknown[] }).tweets.length;
  };
  const until = async (query: string): Promise<void> => {
    while ((await found(query)) === 0) await sleep(20);
  };
  try {
    await until('old from:alice.example.com');
    world.post(did, 'a fresh post of alice');
    await until('fresh');
    while (x.streams.size === 0) await sleep(20);
    x.post('11', 'a post of bob');
    await until('bob');
    while (!/^following 1 account on X/m.test(server.output())) await sleep(20);
    expect(server.output()).toMatch(/^following 1 account on Bluesky/m);
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toMatch(/^follow_connected\{source="bluesky"\} 1$/m);
    expect(metrics).toMatch(/^follow_reads_left\{source="x"\} \d+$/m);
    expect(await server.end()).toBe(0);
    world.post(did, 'posted while nobody listened');
    server = await startServer(dataDir, env);
    await until('nobody');
    expect(server.output() + server.errors()).not.toContain(x.token);
    expect(await server.end()).toBe(0);
    expect([x.violations, appView.faults]).toEqual([[], []]);
  } finally {
    clearInterval(ticking);
    await server.end('SIGKILL');
    await Promise.all([jetstream.close(), appView.close(), x.stop(), folder.dispose()]);
  }
});
