/** `social-data mcp` of the packed client, installed in a fresh folder: the client of the official SDK speaks with it over standard input and output. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { installApp, packClient } from '../support/packed.ts';
import { isWalkInTurn } from '../support/rounds.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let program: string;

/** The client of the official SDK, with the installed program as its server. */
async function withProgram<Result>(baseUrl: string, use: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env['PATH'] ?? '', SOCIAL_DATA_BASE_URL: baseUrl, SOCIAL_DATA_API_KEY: server.firstKey! };
  // As npx runs it: by the file that `bin` of the package names.
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env });
  await client.connect(transport as never);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

(isWalkInTurn('the packed client') ? describe : describe.skip)('social-data mcp of the packed client', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    const app = join(folder.path, 'app');
    const started = startLocalServer(join(folder.path, 'data'));
    await installApp(app, await packClient(join(folder.path, 'packed')));
    program = join(app, 'node_modules/@social-data/client/dist/cli.js');
    server = await started;
  });
  afterAll(async () => {
    await server?.end();
    await folder?.dispose();
  });

  test('lists the tools, calls one, and returns its errors to the agent', () =>
    withProgram(server.url, async (client) => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['searchTweets', 'getTweet', 'getTweetQuotes']),
      );
      const found = await client.callTool({ name: 'getTweetQuotes', arguments: { tweet_id: '1890000000000000001' } });
      expect(found.structuredContent).toMatchObject({ quotes: [{ id: '1890000000000000005' }] });
      const missing = await client.callTool({ name: 'getTweet', arguments: { tweet_id: '1' } });
      expect(missing).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('404') }] });
      const wrong = await client.callTool({ name: 'searchTweets', arguments: { query: 'coffee', limit: 'many' } });
      expect(wrong).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('limit') }] });
    }));

  test('says that a service is not reached', async () => {
    await expect(withProgram('http://127.0.0.1:1', () => Promise.resolve())).rejects.toThrow(
      /the service is not reached/,
    );
  });

  describe('behind a rate limit', () => {
    let limiter: Server;
    /** How many requests about tools are refused in a row, and what the refusals ask for. */
    let refusals: { left: number; readonly after: string };
    let refused = 0;
    beforeAll(async () => {
      limiter = createServer((request, response) => {
        const parts: Buffer[] = [];
        request.on('data', (part: Buffer) => parts.push(part));
        request.on('end', () => {
          // Notifications go on their own.
          const body = Buffer.concat(parts);
          if (body.includes('"method":"tools/') && refusals.left-- > 0) {
            refused++;
            response.writeHead(429, { 'retry-after': refusals.after, 'content-type': 'application/json' });
            response.end('{"error":"too many requests; retry in a while"}');
            return;
          }
          const headers = new Headers(request.headers as Record<string, string>);
          for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) headers.delete(name);
          const init = { method: 'POST', headers, body };
          void fetch(`${server.url}/mcp`, init).then(async (answer) => {
            response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
            response.end(await answer.text());
          });
        });
      });
      await new Promise<void>((done) => limiter.listen(0, '127.0.0.1', done));
    });
    afterAll(() => {
      limiter.closeAllConnections();
      limiter.close();
    });
    const url = (): string => `http://127.0.0.1:${(limiter.address() as AddressInfo).port}`;

    test('waits as long as the service says, and then gets its answer', async () => {
      refusals = { left: 0, after: '0.05' };
      await withProgram(url(), async (client) => {
        refusals = { left: 3, after: '0.05' };
        refused = 0;
        const found = await client.callTool({ name: 'searchTweets', arguments: { query: 'coffee', limit: 1 } });
        expect(found.structuredContent).toMatchObject({ tweets: [{ id: expect.any(String) }] });
        expect(refused).toBe(3);
      });
    });

    test('does not wait for ever, and reports the refusal', async () => {
      for (const [left, after, times] of [
        [Number.POSITIVE_INFINITY, '0.01', 6],
        [1, '3600', 1],
      ] as const) {
        refusals = { left: 0, after };
        await withProgram(url(), async (client) => {
          refusals = { left, after };
          refused = 0;
          await expect(client.listTools()).rejects.toThrow(/429: too many requests/);
          expect(refused).toBe(times);
          refusals = { left: 0, after };
        });
      }
    });
  });
});
