/** What callers send is in no line of the log, whatever goes wrong with it. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { loggedError } from '../../server/observability/logged-error.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { exampleHandlers, startService } from '../support/service.ts';
import { listener } from '../support/stream.ts';

const word = 'PrivateWord7';
let key = '';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
/** An endpoint of the assistant that answers health checks, and repeats a question in its errors, as real ones do. */
const endpoint = createServer((request, response) => void answer(request, response));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const message = { role: 'assistant', content: '{"ok": true}' };
  const ok = { choices: [{ index: 0, message, finish_reason: 'stop' }] };
  const refusal = { error: { message: `cannot answer: ${body}`, code: word, type: word } };
  const asks = body.includes(word);
  response.writeHead(asks ? 400 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(asks ? refusal : ok));
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  server = await startLocalServer(join(folder.path, 'data'), {
    ASSISTANT: 'openai',
    ASSISTANT_HTTP: 'loopback',
    LOG_LEVEL: 'trace',
    FAILED_KEYS: 'off',
  });
  key = server.firstKey ?? '';
});
afterAll(async () => {
  await server?.end();
  endpoint.close();
  await folder?.dispose();
});

const send = async (target: string, init: RequestInit = {}): Promise<number> => {
  const headers = { 'x-api-key': key, ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(server.url + target, { redirect: 'manual', ...init, headers });
  await response.arrayBuffer();
  return response.status;
};

const operator = (path: string, body?: unknown, method = 'POST'): Promise<number> =>
  send(`/operate/api${path}`, {
    method,
    headers: { 'x-api-key': server.operatorKey ?? '', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Every place of a request over HTTP where a caller can put a word. */
async function sendEverywhere(): Promise<void> {
  for (const { path, method, parameters } of Object.values(operations)) {
    await send(`${path}?${word}=1`, { method });
    await send(`${path}?${word}`, { method });
    for (const name of parameters) await send(`${path}?${name}=${word}&${name}=${word}`, { method });
    for (const name of parameters) await send(`${path}?${name}=${word}`, { method });
    await send(`${path}/${word}`, { method });
  }
  for (const query of [
    `min_faves:${word}`,
    `${word}:x`,
    `filter:${word}`,
    `from:${word} (`,
    `"${word}`,
    `since:${word}`,
  ])
    await send(`/social/tweet/advanced_search?query=${encodeURIComponent(query)}`);
  for (const path of [
    `/${word}`,
    `/u/${word}`,
    `/t/${word}`,
    `/c/${word}`,
    `/s/${word}`,
    `/docs/${word}`,
    `/assets/${word}`,
  ])
    for (const dest of ['document', 'empty'])
      await send(`${path}?${word}=${word}`, { headers: { 'sec-fetch-dest': dest } });
  const headers = [
    'x-event-cursor',
    'if-none-match',
    'user-agent',
    'referer',
    'cookie',
    'accept',
    'origin',
    'x-api-key',
    word,
  ];
  for (const name of headers) await send('/social/assistant/status', { headers: { [name]: word } });
  await send('/social/assistant/status', { headers: { authorization: `Bearer ${word}` } });
  for (const body of [word, `{"${word}":1}`, `{"tweet_id":"${word}"}`, `{"tweet_id":"1","tweet_id":"${word}"}`])
    for (const type of ['application/json', word])
      await send('/social/tweet/unlike', { method: 'POST', body, headers: { 'content-type': type } });
}

async function sendRaw(text: string): Promise<void> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.end(text);
  await new Promise((resolve) => socket.once('close', resolve).resume());
}

/** The same for the frames of `/ws`. */
async function sendFrames(): Promise<void> {
  const each = await listener(server.url, key);
  const ask = { type: 'ask', params: { tweet_id: '1890000000000000001', prompt: word, model: word } };
  const subscribe = { type: 'subscribe', channel: 'search:tweets', params: { query: `filter:${word}` } };
  const frames = [
    ask,
    { ...ask, params: { conversation_id: word, prompt: word } },
    { ...ask, params: { ...ask.params, [word]: word } },
    subscribe,
    { ...subscribe, channel: word },
    { ...subscribe, params: { [word]: word } },
    { ...subscribe, channel: 'user:tweets', params: { username: word } },
    { ...subscribe, params: { query: word }, cursor: word },
    { ...subscribe, params: { query: word }, tag: word },
    { type: word },
    { type: 'cancel' },
    { type: 'unsubscribe', sub: word },
  ];
  for (const [place, frame] of frames.entries()) await each.ask({ ...frame, id: `${word} ${place}` } as never);
  each.send(word);
  await each.first('error', ({ error }) => error === 'the message is not JSON');
  each.socket.terminate();
}

async function sendAsOperator(): Promise<void> {
  await operator('/keys', { name: word, scopes: word });
  await operator('/keys', { name: word });
  await operator(`/keys/${word}`, undefined, 'DELETE');
  await operator('/follow', { targets: [word] });
  await operator('/erase/preview', { user: word });
  await operator('/erase', { user: word, expected: { tweets: 1, users: 1 } });
  await operator('/erase', { query: `filter:${word}`, expected: { tweets: 1, users: 1 } });
  await operator('/imports', { name: word, bytes: 3, modified: 1 });
  await operator('/search/explain', { query: word });
  await operator(`/${word}`, { [word]: word });
  await operator('/accounts', { [word]: word, base_url: word });
}

test('no line of the log has a word of a request, a frame, a prompt, or an answer of an endpoint', async () => {
  const { port } = endpoint.address() as AddressInfo;
  expect(await operator('/accounts', { base_url: `http://127.0.0.1:${port}/v1`, model: 'm' })).toBe(200);
  await sendEverywhere();
  await send(`/social/tweet/assistant?tweet_id=1890000000000000001&prompt=${word}`);
  await sendRaw(`${word} / HTTP/1.1\r\nHost: ${word}\r\n\r\n`);
  await sendRaw(`GET /${word}#${word} HTTP/1.1\r\nHost: ${word}/x\r\n\r\n`);
  await sendRaw(`GET http://${word}/${word} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await sendFrames();
  await sendAsOperator();
  const lines = server.errors().trim().split('\n');
  expect(lines.length).toBeGreaterThan(100);
  expect(lines.filter((line) => line.toLowerCase().includes(word.toLowerCase()))).toEqual([]);
  // What an operator needs is there.
  const records = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const has = (...members: object[]): void => {
    for (const each of members) expect(records).toContainEqual(expect.objectContaining(each));
  };
  has(
    {
      path: '/social/tweet/replies',
      status: 400,
      code: 'bad_request',
      parameter: 'limit',
      operation: 'getTweetReplies',
    },
    { path: 'unknown', status: 404, code: 'not_found' },
    { path: '/u/{}', status: 200 },
    { path: '/operate/api/{+}', method: 'POST' },
    { fault: 'rejected' },
    { action: 'POST /erase', result: 'refused' },
  );
});

test('a fault is logged by its type and place, without its message', async () => {
  const service = await startService({
    handlers: exampleHandlers({
      getSpace: ({ query }) => {
        const { id } = query as { readonly id: string };
        throw new Error(`no ${id}\n    at ${id}`, { cause: JSON.parse(`{"${id}`) });
      },
      getUser: ({ query }) => {
        throw Object.assign(new TypeError(`bad ${JSON.stringify(query)}`), { input: word, detail: word });
      },
    }),
  });
  await service.request(`/social/space/detail?id=${word}`);
  await service.request(`/social/user/info?username=${word}`);
  await service.stop(0);
  const text = JSON.stringify(service.log);
  expect(text).not.toContain(word);
  expect(text).toContain('SyntaxError');
  expect(text).toContain('log-content.test.ts');
});

test('errors of the storage and of the system keep their messages', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(loggedError(new StoreError('the log cannot be written', { cause: full }))).toMatchObject({
    type: 'StoreError',
    message: 'the log cannot be written',
    cause: { code: 'ENOSPC', message: full.message },
  });
  const circle = new Error(word);
  circle.cause = circle;
  expect(JSON.stringify(loggedError(circle))).not.toContain(word);
  expect(loggedError(word)).toEqual({ type: 'string' });
});
