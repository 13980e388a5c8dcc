/** `social-data mcp`: the official clients start it as a program and speak with it over standard input and output. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { runCommand } from '../support/command-line.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(join(folder.path, 'data'));
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

const program = new URL('../../client/cli/main.ts', import.meta.url).pathname;
const environment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  SOCIAL_DATA_BASE_URL: `${server.url}/`,
  SOCIAL_DATA_API_KEY: server.firstKey ?? '',
});

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(call: { name: string; arguments: object }): Promise<Result>;
  readResource(params: { uri: string }): Promise<{ contents: { text: string }[] }>;
  close(): Promise<void>;
}

const about = { name: 'test', version: '1' };
async function newest(): Promise<AnyClient> {
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } });
  const start = { command: process.execPath, args: [program, 'mcp'], env: environment() };
  await client.connect(new StdioClientTransport(start));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return client as unknown as AnyClient;
}
async function former(): Promise<AnyClient> {
  const client = new FormerClient(about);
  const start = { command: process.execPath, args: [program, 'mcp'], env: environment() };
  await client.connect(new FormerTransport(start) as never);
  return client as unknown as AnyClient;
}

describe.each([
  ['2026-07-28', newest],
  ['2025-11-25', former],
])('with protocol %s', (_version, connect) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client?.close());

  test('the tools are those of the service, and calls are answered', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('searchTweets');
    const [found, missing, user] = await Promise.all([
      client.callTool({ name: 'searchTweets', arguments: { query: 'coffee', limit: 1 } }),
      client.callTool({ name: 'getTweet', arguments: { tweet_id: '1' } }),
      client.readResource({ uri: 'social-data://user/mira_codes' }),
    ]);
    expect(found!.structuredContent).toMatchObject({ tweets: [{ id: expect.any(String) }] });
    expect(missing).toMatchObject({ isError: true, content: [{ text: '404: tweet 1 not found' }] });
    expect(user!.contents[0]!.text).toContain('"username":"mira_codes"');
    await expect(client.readResource({ uri: 'social-data://user/é' })).rejects.toMatchObject({ code: -32602 });
  });
});

const lines = (...messages: unknown[]): string =>
  messages.map((message) => (typeof message === 'string' ? message : JSON.stringify(message))).join('\n');
const ping = (id: unknown): object => ({ jsonrpc: '2.0', id, method: 'ping' });

async function call(input: string, env: Record<string, string> = environment()) {
  const { code, out, err } = await runCommand(['mcp'], { env, home: folder.path, input });
  const answers = out.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
  return { code, answers, err };
}

test('answers each request, and each line that is none', async () => {
  const strange = ['x', '', 'null', '7', '{"jsonrpc":"2.0","id":5,"method":"ping","params":null}'];
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const { code, answers, err } = await call(lines(ping(1), ...strange, notification, ping('b')));
  expect([code, err]).toEqual([0, '']);
  const ids = answers.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([1, 'b', null]));
  expect(answers.find(({ id }) => id === null)).toMatchObject({ error: { code: -32700 } });
});

test('a key that is not valid is an error of each request, and not of a notification', async () => {
  const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const env = { ...environment(), SOCIAL_DATA_API_KEY: 'wrong' };
  const { answers, err } = await call(lines(ping(1), notification), env);
  expect(answers).toEqual([
    { jsonrpc: '2.0', id: 1, error: { code: -32000, message: '401: Invalid or missing API key' } },
  ]);
  expect(err).toContain('401: Invalid or missing API key');
});

test('without a key it says what to do', async () => {
  const { code, err } = await call('', { PATH: '' });
  expect(code).toBe(2);
  expect(err).toContain('SOCIAL_DATA_API_KEY');
});

test('does not follow a redirect, which would carry the key to another host', async () => {
  const headers: unknown[] = [];
  const other = createServer((request, response) => {
    headers.push(request.headers['x-api-key']);
    response.end('{}');
  });
  const redirecting = createServer((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${(other.address() as AddressInfo).port}/mcp` }).end();
  });
  for (const each of [other, redirecting]) await new Promise<void>((done) => each.listen(0, '127.0.0.1', done));
  const env = {
    ...environment(),
    SOCIAL_DATA_BASE_URL: `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`,
  };
  const { answers } = await call(lines(ping(1)), env);
  expect(answers).toMatchObject([{ id: 1, error: { code: -32000 } }]);
  expect(headers).toEqual([]);
  for (const each of [other, redirecting]) each.close();
});

test('a service that is not there is an error of the request', async () => {
  const env = { ...environment(), SOCIAL_DATA_BASE_URL: 'http://127.0.0.1:1' };
  const { answers } = await call(lines(ping(1)), env);
  expect(answers).toMatchObject([{ id: 1, error: { message: expect.stringContaining('the service is not reached') } }]);
});
