// Tests server/http/docs/pages/agents/page.ts.
/** The page /docs/agents, and the example in the README: their configurations work. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { decodeHTML } from 'entities';
import { operations } from '../../../generated/operations.ts';
import { contract } from '../../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../../support/local-server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let html: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(join(folder.path, 'data'));
  html = await (await fetch(`${server.url}/docs/agents`)).text();
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

interface Configuration {
  readonly mcpServers: Record<
    string,
    {
      readonly type?: string;
      readonly url?: string;
      readonly headers?: Record<string, string>;
      readonly command?: string;
      readonly args?: string[];
      readonly env?: Record<string, string>;
    }
  >;
}
/** A configuration as a reader takes it: with the key and the URL of the service. */
const filled = (text: string): Configuration =>
  JSON.parse(
    text.replaceAll(/YOUR_KEY|\$KEY/g, server.firstKey ?? '').replaceAll('http://127.0.0.1:3000', server.url),
  ) as Configuration;
const sampleOf = (id: string): string =>
  decodeHTML(new RegExp(`id="${id}"[^>]*><code>([^]*?)</code>`).exec(html)?.[1] ?? '');

const program = new URL('../../../client/cli/main.ts', import.meta.url).pathname;

/** Connects as an agent with a configuration does, and searches. */
async function searches({ mcpServers }: Configuration): Promise<void> {
  const [{ url, headers, command, args = [], env = {} } = {}] = Object.values(mcpServers);
  const client = new Client({ name: 'agent', version: '1' });
  if (url !== undefined)
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: headers ?? {} } }));
  else {
    expect([command, ...args]).toEqual(['npx', '-y', '@social-data/client', 'mcp']);
    // The package is not published: its program from this repository.
    const start = { command: process.execPath, args: [program, ...args.slice(2)], env: { PATH: '', ...env } };
    await client.connect(new StdioClientTransport(start));
  }
  const { structuredContent } = await client.callTool({
    name: 'searchTweets',
    arguments: { query: 'coffee', limit: 1 },
  });
  expect(structuredContent).toMatchObject({ tweets: [{ id: expect.any(String) }] });
  await client.close();
}

test('an agent with the configuration for HTTP finds tweets', () => searches(filled(sampleOf('sample-http'))));
test('an agent with the configuration for standard input and output finds tweets', () =>
  searches(filled(sampleOf('sample-stdio'))));

test.each(['README.md', 'client/README.md'])('an agent with the configuration in %s finds tweets', async (file) => {
  const text = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');
  const [, block = ''] = /```json\n(\{\s*"mcpServers"[^]*?)```/.exec(text) ?? [];
  await searches(filled(block));
});

test('lists every tool with its scope, and links to its operation', () => {
  const paths = contract.paths as unknown as Record<string, Record<string, { 'x-mcp'?: boolean }>>;
  for (const [id, { scope, path, method }] of Object.entries(operations)) {
    if (paths[path]![method]!['x-mcp'] === false) continue;
    expect(html).toContain(`<a href="./api/${id}"><code>${id}</code></a>`);
    expect(html).toMatch(new RegExp(`<code>${id}</code></a></th>.*?scope <code>${scope}</code>`));
  }
});
