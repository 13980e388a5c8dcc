/** Dead, slow or faulty upstreams behind the whole server: callers get the errors of the contract, other requests are unaffected. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import type { OperationId } from '../../server/contract/operations.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import { isProbe } from '../assistant/loopback.ts';
import { completion } from '../assistant/providers/endpoint.ts';
import { expectContract } from '../support/contract.ts';
import { writeEndlessly } from '../support/endless-stream.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { listener } from '../support/stream.ts';

const key = 'a-key-for-upstream-tests';
const secret = 'sk-upstream-secret';
/** Is in all that an upstream says. */
const mark = 'UPSTREAM-WORDS';

type Behaviour = (response: ServerResponse) => void;

/** A server with scripted behaviour. It answers health checks of the assistant correctly. */
async function upstreamOf(isWell: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>) {
  let behave: Behaviour = (response) => void response.writeHead(500).end();
  let requestCount = 0;
  const server = createServer(async (request, response) => {
    response.on('error', () => {});
    if (await isWell(request, response).catch(() => true)) return;
    requestCount++;
    behave(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    host: `127.0.0.1:${port}`,
    become: (next: Behaviour) => void (behave = next),
    /** How often it was asked. */
    requestCount: () => requestCount,
    /** Is no longer there, or there again. */
    async leave() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    async comeBack() {
      await once(server.listen(port, '127.0.0.1'), 'listening');
    },
  };
}

const json = { 'content-type': 'application/json' };
function trickle(response: ServerResponse, piece: string): void {
  response.writeHead(200, json);
  const timer = setInterval(() => response.write(piece), 50);
  response.once('close', () => clearInterval(timer));
}

/**
 * `isSlow`: nothing but the deadline ends it. Where an answer without end is refused, the
 * reason is its size.
 */
const faults: [what: string, behaviour: Behaviour, isSlow?: boolean][] = [
  [
    'answers 500',
    (response) => void response.writeHead(500, json).end(JSON.stringify({ error: { message: `${mark} ${secret}` } })),
  ],
  [
    'answers a page of HTML',
    (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(`<h1>${mark}</h1>`),
  ],
  [
    'answers JSON of another kind',
    (response) =>
      void response.writeHead(200, json).end(JSON.stringify({ choices: 7, pairs: { length: 1e9 }, words: mark })),
  ],
  [
    'cuts its answer in the middle',
    (response) => {
      response
        .writeHead(200, { ...json, 'content-length': '1000' })
        .write(`{"choices":[{"message":{"content":"${mark}`, () => response.destroy());
    },
  ],
  [
    'answers without end',
    (response) => {
      response.writeHead(200, json).write(`{"choices":[{"message":{"role":"assistant","content":"${mark}`);
      writeEndlessly(response, 'x'.repeat(65_536));
    },
  ],
  ['never answers', () => {}, true],
  ['trickles its answer without end', (response) => trickle(response, ' '), true],
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let assistant: Awaited<ReturnType<typeof upstreamOf>>;
let aggregator: Awaited<ReturnType<typeof upstreamOf>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  assistant = await upstreamOf(async (request, response) => {
    const body = JSON.parse(await text(request)) as Parameters<typeof isProbe>[0]['body'];
    if (!isProbe({ body } as Parameters<typeof isProbe>[0])) return false;
    response.writeHead(200, json).end(JSON.stringify(completion('{"ok": true}', body.model)));
    return true;
  });
  aggregator = await upstreamOf(async () => false);
  const records = Array.from({ length: 2 * faults.length }, (_, n) => [
    { kind: 'user', user: { id: `${n + 1}`, username: `user${n}` } },
    {
      kind: 'tweet',
      tweet: {
        id: `${1000 + n}`,
        text: `About $TOK${String.fromCharCode(65 + n)}`,
        created_at: '2026-01-01T00:00:00Z',
        author_id: `${n + 1}`,
      },
    },
  ]).flat();
  const file = join(folder.path, 'tweets.jsonl');
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  expect(await run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  server = await startServer(dataDir, {
    API_KEYS: key,
    DEMO: '0',
    RATE_LIMIT: '100000/1m',
    ASSISTANT: 'openai',
    LOG_LEVEL: 'info',
    ...{
      TOKEN_RESOLVER: 'dexscreener',
      TOKEN_RESOLVER_URL: `http://${aggregator.host}/`,
    },
    NODE_OPTIONS: `--import=${fileURLToPath(new URL('preload/deadline.ts', import.meta.url))}`,
  });
});
afterAll(async () => {
  await server?.end();
  await assistant?.leave();
  await aggregator?.leave();
  await folder?.dispose();
});

/** What the operator asks the running server. */
async function operate(route: string, value: unknown): Promise<any> {
  const control = (await connectControl(join(folder.path, 'data')))!;
  try {
    return await control.call(route, value);
  } finally {
    control.close();
  }
}
let accounts = 0;
/** A new account that can answer, alone in the pool. */
async function account(): Promise<void> {
  for (const { id } of await operate('accounts/list', null)) await operate('accounts/remove', id);
  const added = await operate('accounts/add', {
    base_url: `http://${assistant.host}/v1`,
    api_key: `${secret}-${++accounts}`,
  });
  expect(added.pool.state).toBe('available');
}

interface CallResult {
  readonly status: number;
  readonly body: any;
}
async function call(id: OperationId, query: Record<string, string>): Promise<CallResult> {
  const response = await fetch(`${server.url}${operations[id].path}?${new URLSearchParams(query)}`, {
    headers: { 'x-api-key': key },
  });
  const body = await expectContract(id, response);
  expect(JSON.stringify([body, ...response.headers])).not.toMatch(
    new RegExp(`${mark}|${secret}|${assistant.host}|${aggregator.host}`),
  );
  return { status: response.status, body };
}
const explain = (): Promise<CallResult> => call('explainTweet', { tweet_id: '1000' });

/** Others are served until `calling` has ended, at least three times. */
async function besides(calling: Promise<CallResult>): Promise<CallResult> {
  let isOver = false;
  void calling.finally(() => (isOver = true)).catch(() => {});
  for (let n = 0; n < 3 || !isOver; n++) {
    expect((await call('getUserLastTweets', { username: 'user1' })).status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return calling;
}

/** Others are served three times while an upstream holds the call; then its deadline passes. */
async function untilDeadline(calling: Promise<CallResult>, isHeld: () => boolean): Promise<CallResult> {
  while (!isHeld()) await new Promise((resolve) => setTimeout(resolve, 5));
  for (let n = 0; n < 3; n++) expect((await call('getUserLastTweets', { username: 'user1' })).status).toBe(200);
  server.child.kill('SIGUSR2');
  return calling;
}

async function memory(): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)![1]);
}

afterEach(() => {
  expect(server.child.exitCode).toBe(null);
});

describe.each(faults)('an upstream that %s', (what, behaviour, isSlow = false) => {
  test('makes the assistant return 502 or 504, without effect on other requests', async () => {
    await account();
    assistant.become(behaviour);
    const [before, requestCount] = [await memory(), assistant.requestCount()];
    const calling = explain();
    const isHeld = (): boolean => assistant.requestCount() > requestCount;
    const { status, body } = await (isSlow ? untilDeadline(calling, isHeld) : besides(calling));
    expect([status, body]).toEqual(
      isSlow ? [504, { error: 'the assistant did not answer in time' }] : [502, { error: 'the assistant failed' }],
    );
    expect((await memory()) - before).toBeLessThan(256 * 1024 * 1024);
  });

  test('only removes the tokens from a page', async () => {
    const n = faults.findIndex(([name]) => name === what);
    // One that fails five times in a row is left alone for a while, which is not what this is about.
    aggregator.become((response) => void response.writeHead(200, json).end('{"schemaVersion":"1.0.0","pairs":[]}'));
    await call('getUserLastTweets', { username: `user${faults.length + n}`, resolve_cashtags: '1' });
    aggregator.become(behaviour);
    const requestCount = aggregator.requestCount();
    const { status, body } = await besides(call('getUserLastTweets', { username: `user${n}`, resolve_cashtags: '1' }));
    expect([status, body.tweets.length, body.resolved_tokens]).toEqual([200, 1, []]);
    expect(aggregator.requestCount()).toBe(requestCount + 1);
  });
});

test('a cut stream is an error message without upstream details', async () => {
  await account();
  const choices = [{ index: 0, delta: { content: 'It is ' }, finish_reason: null }];
  const chunk = `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices })}\n\n`;
  assistant.become(
    (response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunk, () => response.destroy()),
  );
  const each = await listener(server.url, key);
  const errorMessage = await each.ask({ type: 'ask', id: 'a', params: { tweet_id: '1000' } });
  expect(errorMessage).toEqual({
    type: 'error',
    id: 'a',
    error: 'the assistant failed',
    status: 502,
    code: 'upstream_failed',
  });
  each.socket.terminate();
});

test('unreachable upstreams fail at once, and recover', async () => {
  await account();
  await Promise.all([assistant.leave(), aggregator.leave()]);
  const { status, body } = await besides(explain());
  expect([status, body]).toEqual([502, { error: 'the assistant failed' }]);
  expect((await call('getUserLastTweets', { username: 'user0', resolve_cashtags: '1' })).body.resolved_tokens).toEqual(
    [],
  );
  await Promise.all([assistant.comeBack(), aggregator.comeBack()]);
  assistant.become((response) => void response.writeHead(200, json).end(JSON.stringify(completion('Fine.', 'm'))));
  const again = await explain();
  expect(again).toMatchObject({ status: 200, body: { summary: 'Fine.' } });
});

test('the log names the failures without keys, and contains no server error', () => {
  expect(server.errors() + server.output()).not.toContain(secret);
  expect(server.errors()).not.toMatch(/"level":(50|60)/);
  expect(server.errors()).toMatch(/"fault":"timeout"/);
});
