/** The server with ASSISTANT=openai as a process, in front of an endpoint on this machine that counts what it is asked. */
import { once } from 'node:events';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { idOf } from '../../server/assistant/accounts.ts';
import type { accountCommands } from '../../server/assistant/account-registry.ts';
import type { Schemas } from '../../server/contract/operations.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import { isProbe, startLoopback, type Arrived, type Loopback } from '../assistant/loopback.ts';
import { expectContract } from '../support/contract.ts';
import { closedPort } from '../support/ports.ts';
import { startLocalServer } from '../support/local-server.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { buildTweet, importSmallArchive, tokenTweet } from '../support/small-archive.ts';
import { answer as pairs, pair, solAddress } from '../onchain/pairs.ts';
import { nightlyTest } from '../support/nightly.ts';
import { inTurn } from '../support/rounds.ts';

const key = 'a-key-for-openai-tests';
const tweet_id = buildTweet.id;
/** Every secret that this file gives to an account has this in it. */
const secret = 'sk-e2e-secret';
/** What outsiders and the operator were shown. */
const shown: string[] = [];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
let upstream: Loopback;
let aggregator: Server;
let server: RunningServer;

beforeAll(async () => {
  folder = await temporaryFolder();
  dataDir = join(folder.path, 'data');
  upstream = await startLoopback();
  aggregator = createServer(
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pairs(pair()))),
  );
  await once(aggregator.listen(0, '127.0.0.1'), 'listening');
  await importSmallArchive(folder.path, dataDir);
  server = await startServer(dataDir, {
    API_KEYS: key,
    DEMO: '0',
    ASSISTANT: 'openai',
    LOG_LEVEL: 'trace',
    TOKEN_RESOLVER: 'dexscreener',
    TOKEN_RESOLVER_URL: `http://127.0.0.1:${(aggregator.address() as AddressInfo).port}`,
  });
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await upstream?.close();
  aggregator?.close();
  await folder?.dispose();
});

const call = (query: Record<string, string>, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}/social/tweet/assistant?${new URLSearchParams(query)}`, {
    headers: { 'x-api-key': key },
    ...init,
  });

/** The answer; the call must end with this status. */
async function ask<Body = Schemas['AssistantAnswer']>(
  query: Record<string, string> = { tweet_id },
  status = 200,
): Promise<{ body: Body; retryAfter: number }> {
  const response = await call(query);
  const body = (await expectContract('explainTweet', response)) as Body;
  shown.push(JSON.stringify(body));
  expect([response.status, body]).toEqual([status, expect.anything()]);
  return { body, retryAfter: Number(response.headers.get('retry-after')) };
}

async function statusOf({ url }: Pick<RunningServer, 'url'> = server): Promise<Schemas['PoolStatus']> {
  const response = await fetch(`${url}/social/assistant/status`, { headers: { 'x-api-key': key } });
  const status = (await expectContract('getAssistantStatus', response)) as Schemas['PoolStatus'];
  const { capable, available, cooling, capacity } = status;
  expect([available + cooling, capacity.capable, capacity.usable_now]).toEqual([capable, capable, available]);
  expect(capacity.used_24h + capacity.remaining_now).toBe(capacity.daily_capacity);
  return status;
}

/** Waits until a status is as wanted. */
async function until(
  wanted: (status: Schemas['PoolStatus']) => boolean,
  of: Pick<RunningServer, 'url'> = server,
): Promise<void> {
  while (!wanted(await statusOf(of))) await sleep(5);
}

const answers = (request: Arrived): void => request.answer(isProbe(request) ? '{"ok": true}' : 'Fine.');
const command = async (args: string[], env: Record<string, string> = {}): ReturnType<typeof run> => {
  const ended = await run('scripts/cli/accounts.ts', args, { DATA_DIR: dataDir, ...env });
  shown.push(ended.stdout, ended.stderr);
  return ended;
};

type Routes = ReturnType<typeof accountCommands>;
/** What the command asks the running server, without a process for each. */
async function operate<Route extends keyof Routes>(
  route: Route,
  value: unknown,
): Promise<Awaited<ReturnType<Routes[Route]>>> {
  const control = (await connectControl(dataDir))!;
  try {
    return (await control.call(route, value)) as never;
  } finally {
    control.close();
  }
}

let made = 0;
/** A new account that can answer, and is alone in the pool. */
async function account(members: Record<string, unknown> = {}): Promise<{ id: string; apiKey: string }> {
  const apiKey = `${secret}-${(made += 1)}`;
  const { id } = await operate('accounts/add', { base_url: upstream.url, api_key: apiKey, ...members });
  return { id, apiKey };
}

afterEach(async () => {
  upstream.react(answers);
  for (const { id } of await operate('accounts/list', null)) await operate('accounts/remove', id);
});

describe('npm run accounts, while the server runs', () => {
  test('knows the endpoints of services, and asks for the model', async () => {
    const env = { ACCOUNT_KEY: 'sk-preset' };
    const added = await command(['add', '--preset', 'ollama', '--model', 'qwen3'], env);
    expect(added.stdout).toMatch(/http:\/\/127\.0\.0\.1:11434\/v1 {2}qwen3/);
    await command(['remove', added.stdout.split('  ')[0]!.trim()]);
    expect((await command(['add', '--preset', 'openai'], env)).stderr).toContain('--model MODEL');
    expect((await command(['add', '--preset', 'nobody'], env)).stderr).toContain(
      'ollama, lm-studio, llama.cpp, vllm, openai, anthropic, xai, openrouter',
    );
    expect((await command(['add', '--preset', 'xai', '--url', 'https://api.x.ai/v1'], env)).stderr).toContain('Usage');
  });

  test('returns 503 without accounts, and logs an instruction for the operator', async () => {
    expect(server.errors()).toContain('the assistant has no accounts: npm run accounts -- add');
    expect(await statusOf()).toMatchObject({ capable: 0, capacity: { daily_capacity: 0 } });
    const { body, retryAfter } = await ask<{ error: string }>({ tweet_id }, 503);
    expect([body, retryAfter]).toEqual([
      { error: 'no assistant account is configured: the operator adds one with `npm run accounts -- add`' },
      600,
    ]);
    expect((await command(['list'])).stdout).toBe('no accounts\n');
  });

  test('add checks the account with one question, list shows it, remove deletes it, and its used questions count after it is added again', async () => {
    const apiKey = `${secret}-by-command`;
    const id = idOf({ base_url: upstream.url, api_key: apiKey });
    const line = (used: number): string => `${id}  available  ${used} of 20 used  ${upstream.url}  m-own  "mine"\n`;
    const add = ['add', '--url', upstream.url, '--model', 'm-own', '--name', 'mine'];
    expect(await command(add, { ACCOUNT_KEY: apiKey })).toEqual({ code: 0, stdout: line(1), stderr: '' });
    expect(upstream.counted(apiKey)).toBe(1);
    expect((await ask<{ error: string }>({ tweet_id, model: 'asked-for' }, 400)).body.error).toContain('m-own');
    const { body } = await ask({ tweet_id, model: 'm-own' });
    expect([body.summary, body.model, upstream.arrived.at(-1)!.body.model]).toEqual(['Fine.', 'm-own', 'm-own']);
    expect((await command(['list'])).stdout).toBe(line(2));
    expect((await command(['probe', id])).stdout).toBe(line(3));
    expect((await command(['remove', id])).stdout).toBe(`account ${id} is removed\n`);
    expect(await statusOf()).toMatchObject({ capable: 0, untested: 0 });
    await ask({ tweet_id }, 503);
    expect((await command(add, { ACCOUNT_KEY: apiKey })).stdout).toBe(line(4));
    expect(upstream.counted(apiKey)).toBe(4);
    expect((await statusOf()).capacity).toMatchObject({ used_24h: 4, remaining_now: 16 });
  });

  test('rejects invalid accounts with one line', async () => {
    const wrong = [
      [['remove', 'nobody'], 1, /no stored account nobody/],
      [['probe', 'nobody'], 1, /no account nobody/],
      [['add', '--url', 'ftp://x', '--no-key'], 1, /'base_url' must be an http or https URL/],
      [['add'], 2, /Usage: npm run accounts/],
    ] as const;
    for (const [args, code, said] of inTurn(wrong, 2)) {
      expect(await command([...args])).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(said) });
    }
  });
});

describe('a model that reads the archive', () => {
  test('uses one question for all its requests, and its answer has the tweets that it read', async () => {
    const { apiKey } = await account();
    const before = upstream.counted(apiKey);
    const { capacity } = await statusOf();
    upstream.react((request) => {
      const count = upstream.counted(apiKey) - before;
      if (count === 1) request.call('search_posts', { query: 'from:ada' });
      else if (count === 2) request.call('read_thread', { post_id: tweet_id });
      else request.answer(`It says so [post:${tweet_id}], but not that [post:1]: https://evil.example/?q=1`);
    });
    const { body } = await ask();
    expect(body).toMatchObject({ summary: 'It says so [1], but not that [?]: [?]', cited_tweets: [tweet_id] });
    expect(upstream.counted(apiKey) - before).toBe(3);
    expect(JSON.stringify(upstream.arrived.at(-1)!.body)).toContain(buildTweet.text.slice(0, 20));
    expect((await statusOf()).capacity.used_24h - capacity.used_24h).toBe(1);
  });
});

describe('a conversation', () => {
  nightlyTest('sends earlier turns, and runs concurrent calls one after another', async () => {
    await account();
    const { body } = await ask({ tweet_id, prompt: 'First?' });
    const open: Arrived[] = [];
    const first = upstream.next();
    upstream.react((request) => void open.push(request));
    const calls = ['Second?', 'Third?', 'Fourth?'].map((prompt) =>
      ask({ conversation_id: body.conversation_id, prompt }),
    );
    await first;
    for (let n = 0; n < 3; n++) {
      // The status answers while the others wait, so the server has had the time to put a question too early.
      await statusOf();
      expect(open.length).toBe(n + 1);
      const following = upstream.next();
      open[n]!.answer(`Answer ${n + 2}.`);
      if (n < 2) await following;
    }
    const delivered = await Promise.all(calls);
    const turns = open
      .at(-1)!
      .body.messages.filter(({ role }) => role !== 'system')
      .map(({ role, content }) => `${role}: ${content.split('\n').at(-1)}`);
    expect(turns.slice(0, 2)).toEqual(['user: First?', 'assistant: Fine.']);
    // Whoever came first: each heard all that was said before it.
    expect(turns.filter((turn) => turn.startsWith('assistant'))).toEqual([
      'assistant: Fine.',
      'assistant: Answer 2.',
      'assistant: Answer 3.',
    ]);
    expect(new Set(turns.filter((turn) => turn.startsWith('user')))).toEqual(
      new Set(['user: First?', 'user: Second?', 'user: Third?', 'user: Fourth?']),
    );
    expect(new Set(delivered.map((each) => each.body.summary))).toEqual(
      new Set(['Answer 2.', 'Answer 3.', 'Answer 4.']),
    );
  });
});

describe('suggest and extract', () => {
  test('resolves a token of the post with two questions, but not an invented one', async () => {
    const { apiKey } = await account();
    const token = (contract: string) => ({ ticker: '$POND', name: 'Pond', contract, chain: 'solana' });
    const extraction = (contract: string) => (request: Arrived) =>
      request.answer(request.body.response_format === undefined ? 'About Pond.' : JSON.stringify(token(contract)));
    upstream.react(extraction(solAddress));
    expect((await ask({ tweet_id: tokenTweet.id, extract: 'token' })).body).toMatchObject({
      summary: 'About Pond.',
      extracted: {
        ticker: '$POND',
        name: 'Pond',
        contract: solAddress,
        chain: 'solana',
      },
      token: {
        address: solAddress,
        chain: 'solana',
        liquidity: 1e5,
        market_cap: 1e6,
      },
    });
    expect([upstream.counted(apiKey), (await statusOf()).capacity.used_24h]).toEqual([3, 3]);
    upstream.react(extraction('So11111111111111111111111111111111111111112'));
    expect((await ask({ tweet_id: tokenTweet.id, extract: 'token' })).body.extracted).toMatchObject({ contract: null });
  });

  nightlyTest('returns tickers with one question', async () => {
    const { apiKey } = await account();
    upstream.react((request) =>
      request.answer(JSON.stringify({ summary: 'A faster build.', tickers: ['$fast', 'BUILD', 'not a symbol'] })),
    );
    const { body } = await ask({ tweet_id, suggest: 'ticker' });
    expect([body.summary, body.tickers, upstream.counted(apiKey)]).toEqual(['A faster build.', ['$FAST', '$BUILD'], 2]);
  });
});

describe('upstream failures', () => {
  /** What an endpoint might say that must go no further. */
  const leaking = ({ key: apiKey }: Arrived) => ({
    error: { message: `Incorrect API key provided: ${apiKey}`, code: apiKey },
  });

  test.each([401, 403])(
    '%i makes the account incapable until the operator probes it; the caller gets a neutral 502',
    async (status) => {
      const { id } = await account();
      upstream.react((request) => request.fail(status, {}, leaking(request)));
      expect((await ask({ tweet_id }, 502)).body).toEqual({ error: 'the assistant failed' });
      expect(await statusOf()).toMatchObject({
        capable: 0,
        incapable: 1,
        capacity: { daily_capacity: 0, remaining_now: 0 },
      });
      const { retryAfter } = await ask({ tweet_id }, 503);
      expect(retryAfter).toBeGreaterThan(6 * 3600 - 60);
      expect(retryAfter).toBeLessThanOrEqual(6 * 3600);
      upstream.react(answers);
      expect((await operate('accounts/probe', id)).pool).toMatchObject({ state: 'available', reason: null });
      await ask();
    },
  );

  nightlyTest('sends a rejected question to the next account', async () => {
    const accounts = [await account(), await account()];
    let refused: string | undefined;
    upstream.react((request) => {
      refused ??= request.key;
      if (request.key === refused) request.fail(401, {}, leaking(request));
      else request.answer('Fine.');
    });
    expect((await ask()).body.summary).toBe('Fine.');
    expect(accounts.map(({ apiKey }) => apiKey)).toContain(refused);
    expect(await statusOf()).toMatchObject({ capable: 1, available: 1, incapable: 1 });
  });

  nightlyTest('429 starts a cooldown of the requested time, and counts no question', async () => {
    await account();
    const { used_24h } = (await statusOf()).capacity;
    upstream.react((request) => request.fail(429, { 'retry-after': '120' }, leaking(request)));
    for (let n = 0; n < 2; n++) {
      const { body, retryAfter } = await ask<{ error: string }>({ tweet_id }, 503);
      expect(body.error).toBe(`no assistant account is free; retry in ${retryAfter} s`);
      expect(retryAfter).toBeGreaterThan(60);
      expect(retryAfter).toBeLessThanOrEqual(120);
    }
    expect(await statusOf()).toMatchObject({ capable: 1, available: 0, cooling: 1, capacity: { used_24h } });
  });

  nightlyTest(
    'three consecutive 5xx start a growing cooldown, and possibly counted questions are charged',
    async () => {
      const { id, apiKey } = await account();
      upstream.react((request) => request.fail(500, {}, leaking(request)));
      for (let n = 0; n < 3; n++)
        expect((await ask({ tweet_id }, 502)).body).toEqual({ error: 'the assistant failed' });
      const first = (await ask({ tweet_id }, 503)).retryAfter;
      expect(first).toBeLessThanOrEqual(30);
      expect(await statusOf()).toMatchObject({ cooling: 1, capacity: { used_24h: upstream.counted(apiKey) } });
      // A probe by the operator starts it anew.
      upstream.react(answers);
      expect((await operate('accounts/probe', id)).pool).toMatchObject({ state: 'available' });
    },
  );

  nightlyTest('an unreachable endpoint counts no question', async () => {
    const { port, release } = await closedPort();
    const base_url = `http://127.0.0.1:${port}/v1`;
    expect((await operate('accounts/add', { base_url, api_key: `${secret}-gone` })).pool).toMatchObject({
      state: 'untested',
      reason: 'unreached',
      used: 0,
    });
    await ask({ tweet_id }, 503);
    release();
  });

  test('a disconnect aborts the upstream call; the question counts, and the account stays available', async () => {
    await account();
    for (let n = 0; n < 4; n++) {
      const arriving = upstream.next();
      upstream.react(() => {});
      const hangUp = new AbortController();
      const calling = call({ tweet_id }, { signal: hangUp.signal });
      calling.catch(() => {});
      const request = await arriving;
      hangUp.abort();
      expect(await request.hungUp).toBe(true);
      await expect(calling).rejects.toThrow(/abort/);
    }
    upstream.react(answers);
    await ask();
    expect(await statusOf()).toMatchObject({ available: 1, capacity: { used_24h: 6 } });
  });
});

nightlyTest('npm run accounts without a server: add checks the account if ASSISTANT=openai', async () => {
  const offline = { DATA_DIR: join(folder.path, 'offline'), ACCOUNT_KEY: `${secret}-offline` };
  const add = ['add', '--url', upstream.url];
  const id = idOf({ base_url: upstream.url, api_key: offline.ACCOUNT_KEY });
  expect((await command(add, offline)).stdout).toBe(
    `${id}  not in use  ${upstream.url}\nThe server uses it when it runs with ASSISTANT=openai.\n`,
  );
  expect(upstream.counted(offline.ACCOUNT_KEY)).toBe(0);
  const line = `${id}  available  1 of 20 used  ${upstream.url}\n`;
  expect((await command(add, { ...offline, ASSISTANT: 'openai' })).stdout).toBe(line);
  expect((await command(['list'], { ...offline, ASSISTANT: 'openai' })).stdout).toBe(line);
  expect(upstream.counted(offline.ACCOUNT_KEY)).toBe(1);
});

nightlyTest(
  '200 concurrent calls with 30 questions left: 30 answers, 170 rejections, and no account exceeds its quota',
  async () => {
    const keys = [1, 2, 3].map((n) => `${secret}-crowd-${n}`);
    const file = join(folder.path, 'accounts.json');
    await writeFile(file, JSON.stringify(keys.map((api_key) => ({ base_url: upstream.url, api_key }))), {
      mode: 0o600,
    });
    const crowdDir = join(folder.path, 'crowd');
    await importSmallArchive(folder.path, crowdDir);
    // The probe at the start takes one of eleven.
    const crowd = await startLocalServer(crowdDir, {
      API_KEYS: key,
      DEMO: '0',
      ASSISTANT: 'openai',
      ASSISTANT_ACCOUNTS: file,
      ASSISTANT_QUOTA: '11',
    });
    try {
      await until(({ capable }) => capable === 3, crowd);
      expect((await statusOf(crowd)).capacity).toMatchObject({ remaining_now: 30, used_24h: 3 });
      const held: Arrived[] = [];
      const all = Promise.withResolvers<void>();
      upstream.react((request) => void (held.push(request) === 30 && all.resolve()));
      const calls = Array.from({ length: 200 }, () =>
        fetch(`${crowd.url}/social/tweet/assistant?tweet_id=${tweet_id}`, { headers: { 'x-api-key': key } }),
      );
      await all.promise;
      for (const request of held) request.answer('Fine.');
      const responses = await Promise.all(calls);
      for (const response of responses) {
        if (response.status === 503) {
          expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(86_400);
          expect(Number(response.headers.get('retry-after'))).toBeLessThanOrEqual(86_460);
        }
        await expectContract('explainTweet', response);
      }
      expect([
        responses.filter(({ ok }) => ok).length,
        responses.filter(({ status }) => status === 503).length,
      ]).toEqual([30, 170]);
      expect(keys.map(upstream.counted)).toEqual([11, 11, 11]);
      expect(await statusOf(crowd)).toMatchObject({
        capable: 3,
        available: 0,
        cooling: 3,
        capacity: { remaining_now: 0, used_24h: 33 },
      });
    } finally {
      await crowd.end();
      shown.push(crowd.errors());
    }
  },
);

test('shows and logs no secret, and stored files are private', async () => {
  await account();
  await ask();
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^assistant_calls_total\{outcome="unauthorized"\} [1-9]/m);
  expect(metrics).toMatch(/^assistant_accounts\{state="available"\} 1$/m);
  const everything = [...shown, metrics, server.output(), server.errors()].join('\n');
  expect(server.errors()).toMatch(/"fault":"unauthorized"/);
  for (const hidden of [secret, key]) expect(everything).not.toContain(hidden);
  const files = await readdir(dataDir, { recursive: true });
  expect(files).toContain('accounts.json');
  for (const name of ['', ...files])
    expect([name, ((await stat(join(dataDir, name))).mode & 0o077).toString(8)]).toEqual([name, '0']);
});
