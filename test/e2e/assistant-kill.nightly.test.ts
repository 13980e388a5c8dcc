/** The server is killed between reservation and answer, again and again, while an endpoint that is no part of it counts. */
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { accountOf } from '../../server/assistant/accounts.ts';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { openSqliteStore } from '../../server/engines/sqlite/sqlite-store.ts';
import { isProbe, startLoopback, type Arrived, type Loopback } from '../assistant/loopback.ts';
import { inTurn, isFull, rounds } from '../support/rounds.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { buildTweet, importSmallArchive } from '../support/small-archive.ts';

/** Side by side in a full run. */
const chains = isFull ? 2 : 1;
/** What is killed, how often, and how many of them side by side, each with a data folder and accounts of its own. */
const victims = [
  { name: 'server', what: 'the server', script: 'server/main.ts', kills: chains * rounds(2, 1) },
  {
    name: 'assistant',
    what: 'the assistant alone, which starts faster,',
    script: 'test/e2e/assistant.child.ts',
    kills: chains * rounds(6, 3),
  },
];
const accounts = 3;
const quota = 30;
const all = accounts * quota;
/** Questions under way when the server is killed. */
const atOnce = 3;
const key = 'a-key-for-kill-tests';
const day = 24 * 60 * 60 * 1000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let upstream: Loopback;
beforeAll(async () => {
  folder = await temporaryFolder();
  upstream = await startLoopback();
  await importSmallArchive(folder.path, join(folder.path, 'template'));
});
afterAll(async () => {
  await upstream?.close();
  await folder?.dispose();
});

const headers = { 'x-api-key': key };
const ask = ({ url }: RunningServer): Promise<Response> =>
  fetch(`${url}/social/tweet/assistant?tweet_id=${buildTweet.id}`, { headers });
const statusOf = async ({ url }: RunningServer): Promise<Schemas['PoolStatus']> =>
  (await (await fetch(`${url}/social/assistant/status`, { headers })).json()) as Schemas['PoolStatus'];

test.each(inTurn(victims, 1))(
  '$what killed $kills times: no account exceeds its quota, the status is consistent, and no slot leaks',
  async ({ name, script, kills }) => {
    const keysOf = (chain: number): string[] =>
      Array.from({ length: accounts }, (_, n) => `sk-kill-${name}-${chain}-${n}`);
    /** What each chain does with the questions that arrive; probes are answered. */
    const reactions = new Map<string, (request: Arrived) => void>();
    upstream.react((request) => {
      if (isProbe(request)) request.answer('{"ok": true}');
      else reactions.get(request.key)!(request);
    });

    async function chainOfKills(chain: number): Promise<void> {
      const dataDir = join(folder.path, `data-${name}-${chain}`);
      const file = join(folder.path, `accounts-${name}-${chain}.json`);
      await cp(join(folder.path, 'template'), dataDir, { recursive: true });
      await writeFile(file, JSON.stringify(keysOf(chain).map((api_key) => ({ base_url: upstream.url, api_key }))), {
        mode: 0o600,
      });
      const start = (): Promise<RunningServer> =>
        startServer(
          dataDir,
          {
            API_KEYS: key,
            DEMO: '0',
            ASSISTANT: 'openai',
            ASSISTANT_ACCOUNTS: file,
            ASSISTANT_QUOTA: String(quota),
            RATE_LIMIT: 'off',
          },
          [],
          script,
        );
      const counted = (): number => keysOf(chain).reduce((sum, each) => sum + upstream.counted(each), 0);
      const react = (reaction: (request: Arrived) => void): void =>
        keysOf(chain).forEach((each) => reactions.set(each, reaction));

      let server = await start();
      while ((await statusOf(server)).capable < accounts) await sleep(5);
      let asked = accounts;

      for (let n = 0; n < kills / chains; n++) {
        const held: Arrived[] = [];
        const enough = Promise.withResolvers<void>();
        react((request) => {
          held.push(request);
          if (held.length > n % atOnce) enough.resolve();
        });
        const calls = Array.from({ length: atOnce }, () =>
          ask(server).then(
            ({ status }) => status,
            () => 'cut off',
          ),
        );
        asked += atOnce;
        // In turn: when one, two, all have reached the endpoint; when one was answered; at a moment of chance.
        if (n % 5 === 4) await sleep(Math.random() * 20);
        else await enough.promise;
        if (n % 5 === 3) {
          held[0]!.answer('Fine.');
          expect(await Promise.race(calls)).toBe(200);
        }
        await server.end('SIGKILL');
        expect((await Promise.all(calls)).filter((status) => status !== 'cut off' && status !== 200)).toEqual([]);

        server = await start();
        const { capable, available, cooling, untested, incapable, capacity } = await statusOf(server);
        expect([capable, available + cooling, untested, incapable]).toEqual([accounts, accounts, 0, 0]);
        expect([capacity.daily_capacity, capacity.used_24h + capacity.remaining_now]).toEqual([all, all]);
        // Whatever the endpoint counted is charged, and nothing that was never asked.
        expect(capacity.used_24h).toBeGreaterThanOrEqual(counted());
        expect(capacity.used_24h).toBeLessThanOrEqual(asked);
      }

      // What is left can be asked for, and no more.
      const { remaining_now } = (await statusOf(server)).capacity;
      react((request) => request.answer('Fine.'));
      const last = await Promise.all(Array.from({ length: all }, () => ask(server)));
      expect(last.filter(({ status }) => status === 200).length).toBe(remaining_now);
      const refused = last.filter(({ status }) => status === 503);
      expect(refused.length).toBe(all - remaining_now);
      for (const { headers: answered } of refused) {
        expect(Number(answered.get('retry-after'))).toBeGreaterThan(0);
        expect(Number(answered.get('retry-after'))).toBeLessThanOrEqual(day / 1000 + 120);
      }
      for (const each of keysOf(chain)) expect(upstream.counted(each)).toBeLessThanOrEqual(quota);
      expect(await server.end()).toBe(0);

      // A day, the deadline of a question and the margin later all of it is free again.
      const store = await openSqliteStore(dataDir);
      const began = Date.now() + day + 2 * 60_000 - performance.now();
      const later = await openAccountPool({ store, quota, deadlineMs: 60_000, now: () => began + performance.now() });
      for (const api_key of keysOf(chain)) later.add(accountOf({ base_url: upstream.url, api_key }), 'untested');
      expect(later.status().capacity).toMatchObject({ daily_capacity: all, remaining_now: all });
      await store.close();
    }

    await Promise.all(Array.from({ length: chains }, (_, chain) => chainOfKills(chain)));
  },
  600_000 + rounds(120_000),
);
