import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inBrowser, launch, watch } from '../support/browser.ts';
import { findNode, installApp, packClient, root, runIn, runTool } from '../support/packed.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

const key = 'a-key-for-the-packed-client';
const node20 = await findNode(20);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let tarball: string;
let app: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  app = join(folder.path, 'app');
  const started = startServer(join(folder.path, 'data'), { API_KEYS: key });
  tarball = await packClient(folder.path);
  await installApp(app, tarball);
  server = await started;
}, 60_000);
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

/** What an app does first, with the names that `import` or `require` gave. */
const body = `
const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY });
(async () => {
  const found = [];
  for await (const tweet of client.user.lastTweets({ username: 'mira_codes', limit: 2 }, { limit: 5 })) found.push(tweet.id);
  const missing = await client.space.detail({ id: 'nowhere' }).catch((error) => error);
  console.log(JSON.stringify({ count: new Set(found).size, name: missing.name, known: missing instanceof NotFoundError && missing instanceof SocialDataError }));
})();
`;
const names = '{ createClient, NotFoundError, SocialDataError }';
const programs = {
  'ES module': ['app.mjs', `import ${names} from '@social-data/client';${body}`],
  'CommonJS module': ['app.cjs', `const ${names} = require('@social-data/client');${body}`],
} as const;

describe('the packed package', () => {
  test('is free of packaging mistakes, as publint and attw find them', async () => {
    expect(await runTool(root, 'publint/src/cli.js', 'run', tarball, '--strict')).toContain('All good!');
    const { problems } = JSON.parse(await runTool(root, '@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'node16', '--format', 'json')) as { problems: unknown };
    expect(problems).toEqual({});
  });

  test('depends on openapi-fetch alone, in the version that this repository tests', async () => {
    const manifest = JSON.parse(await readFile(join(app, 'node_modules/@social-data/client/package.json'), 'utf8')) as Record<string, unknown>;
    const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> };
    expect(manifest['dependencies']).toEqual({ 'openapi-fetch': own.devDependencies['openapi-fetch'] });
    expect(manifest).toMatchObject({ sideEffects: false, engines: { node: '>=20' } });
  });

  const runtimes: [name: string, node: string | undefined][] = [['this Node', process.execPath], ['Node 20', node20]];
  for (const [runtime, node] of runtimes) {
    (node === undefined ? test.skip : test).each(Object.keys(programs) as (keyof typeof programs)[])(`runs on ${runtime} as an app's %s`, async (form) => {
      const [file, text] = programs[form];
      await writeFile(join(app, file), text);
      expect(JSON.parse(await runIn(app, node!, [file], { BASE_URL: server.url, KEY: key }))).toEqual({ count: 5, name: 'NotFoundError', known: true });
    });
  }

  test('an error of its ES module is known to its CommonJS form', async () => {
    await writeFile(join(app, 'both.mjs'), `import { createRequire } from 'node:module';
import * as esm from '@social-data/client';
const cjs = createRequire(import.meta.url)('@social-data/client');
class Own extends esm.NotFoundError {}
const error = await esm.createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY }).space.detail({ id: 'nowhere' }).catch((thrown) => thrown);
console.log(JSON.stringify([cjs !== esm && cjs.NotFoundError !== esm.NotFoundError, error instanceof cjs.NotFoundError, error instanceof cjs.ApiError, error instanceof cjs.RateLimitError, error instanceof Own]));`);
    expect(JSON.parse(await runIn(app, process.execPath, ['both.mjs'], { BASE_URL: server.url, KEY: key }))).toEqual([true, true, true, false, false]);
  });

  const typed = `import ${names} from '@social-data/client';
import type { Chat, Tweet } from '@social-data/client';
const client = createClient({ baseUrl: 'http://127.0.0.1', apiKey: 'k' });
export async function first(): Promise<Tweet | undefined> {
  for await (const tweet of client.user.lastTweets({ username: 'mira_codes' })) return tweet;
  const { data } = await client.GET('/social/user/highlights', { params: { query: { username: 'mira_codes' } } });
  const chat: Chat = await client.assistant.explain('1', { suggest: 'ticker' });
  await chat.ask('why?');
  return data?.tweets[0];
}
// @ts-expect-error: a misspelt parameter
client.user.lastTweets({ user_name: 'mira_codes' });
`;
  const settings = {
    bundler: { module: 'esnext', moduleResolution: 'bundler' },
    node16: { module: 'node16', moduleResolution: 'node16' },
  };
  test.each(Object.entries(settings))('type-checks with the resolution %s, strictly, libraries included', async (name, options) => {
    const place = join(app, `typed-${name}`);
    await mkdir(place);
    await writeFile(join(place, 'app.mts'), typed);
    await writeFile(join(place, 'app.cts'), typed);
    const compilerOptions = { ...options, target: 'es2022', lib: ['es2022', 'dom', 'dom.iterable'], types: [], strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    await runTool(place, 'typescript/bin/tsc');
  });

  inBrowser('a Vite bundle of it runs in a browser, across origins', async () => {
    const place = join(app, 'page');
    await mkdir(place);
    await writeFile(join(place, 'index.html'), '<!doctype html><title>…</title><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>');
    await writeFile(join(place, 'main.js'), `import ${names} from '@social-data/client';
const query = new URLSearchParams(location.search);
const client = createClient({ baseUrl: query.get('base'), apiKey: query.get('key') });
const texts = await client.tweet.advancedSearch({ query: 'coffee' }, { limit: 3 }).toArray();
const { requestId } = await client.assistant.status().withResponse();
const missing = await client.space.detail({ id: 'nowhere' }).result();
document.title = JSON.stringify({ found: texts.length, requestId: Boolean(requestId), known: missing.error instanceof NotFoundError && missing.error instanceof SocialDataError });`);
    await runTool(place, 'vite/bin/vite.js', 'build', '--logLevel', 'error');
    const site = await serve(join(place, 'dist'));
    const browser = await launch();
    try {
      const page = await browser.newPage();
      const { complaints } = watch(page);
      await page.goto(`${site.url}/?${new URLSearchParams({ base: server.url, key })}`);
      await page.waitForFunction('document.title.startsWith("{")');
      expect(JSON.parse(await page.title())).toEqual({ found: 3, requestId: true, known: true });
      // The browser itself reports the 404 that was asked for.
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    } finally {
      await browser.close();
      site.server.close();
    }
  });
});

/** The files of a folder over HTTP. */
async function serve(folder: string): Promise<{ url: string; server: Server }> {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://localhost').pathname;
    const file = path === '/' ? '/index.html' : path;
    void readFile(join(folder, file)).then(
      (content) => response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream').end(content),
      () => response.writeHead(404).end(),
    );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
