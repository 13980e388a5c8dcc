/** The server stopped under load: nobody who had a connection is let down. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent, get, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { rounds } from '../support/rounds.ts';
import { run, startServer, temporaryFolder } from '../support/server.ts';
import { listener } from '../support/stream.ts';
import { nightlyTest } from '../support/nightly.ts';

const key = 'a-key-for-stop-tests';
const callers = 32;
/** A stop that would wait for its deadline never ends. */
const patient = { NODE_OPTIONS: `--import=${fileURLToPath(new URL('preload/no-stop-deadline.ts', import.meta.url))}` };

interface Call {
  readonly path: string;
  /** Undefined for a failure. */
  readonly status: number | undefined;
  readonly reused: boolean;
  readonly failure?: string;
  /** The server said that it is overloaded, as it may where other programs take the processor for seconds. */
  readonly refused?: boolean;
}

/** Calls over one connection that stays open, until no new one is taken. */
async function hammer(url: string, calls: Call[], begun: { count: number }): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const paths = [
    '/social/user/last_tweets?username=mira_codes&limit=2',
    '/social/tweet/advanced_search?query=coffee',
    '/social/assistant/status',
  ];
  for (let n = 0; ; n++) {
    const path = paths[n % paths.length]!;
    const call = await new Promise<Call>((resolve) => {
      const sent = get(url + path, { agent, headers: { 'x-api-key': key } }, (response) => {
        const done = (failure?: string): void =>
          resolve({
            path,
            status: failure === undefined ? response.statusCode : undefined,
            reused: sent.reusedSocket,
            ...(failure === undefined ? {} : { failure }),
          });
        let body = '';
        response.setEncoding('utf8').on('data', (text: string) => (body += text));
        response.once('end', () => {
          if (!body.includes('the server is overloaded')) return done();
          resolve({ path, status: response.statusCode, reused: sent.reusedSocket, refused: true });
        });
        response.once('error', (error) => done(error.message));
      });
      sent.once('error', (error: NodeJS.ErrnoException) =>
        resolve({ path, status: undefined, reused: sent.reusedSocket, failure: error.code ?? error.message }),
      );
    });
    if (call.failure !== undefined && !call.reused) break;
    begun.count++;
    calls.push(call);
    // As a caller that has something else to do between two calls: some connections are idle at any moment.
    if (n % 4 === 3) await sleep(n % 40);
  }
  agent.destroy();
}

test.each(Array.from({ length: rounds(10, 1) }, (_, index) => index + 1))(
  'SIGTERM under load: no request fails, event streams get going_away, no deadline passes (%i)',
  async () => {
    const folder = await temporaryFolder();
    const env = { API_KEYS: key, RATE_LIMIT: 'off', ASSISTANT_QUOTA: '5000', ...patient };
    const server = await startServer(folder.path, env);
    const listeners = await Promise.all([1, 2, 3, 4].map(() => listener(server.url, key)));
    await Promise.all(
      listeners.map((each) =>
        each.ask({ type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'coffee' } }),
      ),
    );
    const calls: Call[] = [];
    const begun = { count: 0 };
    const hammering = Array.from({ length: callers }, () => hammer(server.url, calls, begun));
    while (begun.count < callers * 4) await sleep(10);
    const before = begun.count;
    const code = await server.end('SIGTERM');
    await Promise.all(hammering);
    expect(calls.filter(({ status, refused }) => status !== (refused ? 503 : 200))).toEqual([]);
    expect(calls.length).toBeGreaterThan(before);
    expect(code).toBe(0);
    for (const each of listeners) {
      expect((await each.closed).code).toBe(4200);
      expect(each.of('going_away')).toHaveLength(1);
    }
    await folder.dispose();
  },
);

nightlyTest(
  'SIGTERM during an import: the current batch is stored, the server ends, and the same command resumes',
  async () => {
    const folder = await temporaryFolder();
    const dataDir = join(folder.path, 'data');
    const file = join(folder.path, 'tweets.jsonl');
    const count = 12_000;
    const tweet = (n: number): string =>
      JSON.stringify({
        kind: 'tweet',
        tweet: { id: String(1000 + n), text: `tweet ${n}`, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
      });
    await writeFile(file, Array.from({ length: count }, (_, n) => tweet(n)).join('\n'));
    const server = await startServer(dataDir, { API_KEYS: key, DEMO: '0', ...patient });
    const importing = run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });
    const head = async (): Promise<number> =>
      Number(/^event_log_head (\d+)/m.exec(await (await fetch(`${server.url}/metrics`)).text())![1]);
    while ((await head()) === 0) await sleep(5);
    expect(await server.end('SIGTERM')).toBe(0);
    const stopped = await importing;
    if (stopped.code !== 0) expect(stopped.stderr).toContain('the server ended before it responded');
    const again = await run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir });
    expect(again).toMatchObject({ code: 0 });
    if (stopped.code !== 0) expect(Number(/taken by an earlier run (\d+)/.exec(again.stdout)![1])).toBeGreaterThan(0);
    await folder.dispose();
  },
);

nightlyTest('serves a request with a slow body during the shutdown', async () => {
  const folder = await temporaryFolder();
  const server = await startServer(folder.path, { API_KEYS: key, ...patient });
  const body = '{"tweet_id":"1890000000000000001"}';
  const sent = request(`${server.url}/social/tweet/unlike`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
      expect: '100-continue',
    },
  });
  const answered = new Promise<number | undefined>((resolve, reject) =>
    sent.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject),
  );
  const begun = once(sent, 'continue');
  sent.write(body.slice(0, 10));
  await begun;
  const ended = server.end('SIGTERM');
  // The server has begun to stop when it takes no more connections.
  while (
    await fetch(`${server.url}/healthz`).then(
      () => true,
      () => false,
    )
  )
    await sleep(20);
  sent.end(body.slice(10));
  expect(await answered).toBe(200);
  expect(await ended).toBe(0);
  await folder.dispose();
});
