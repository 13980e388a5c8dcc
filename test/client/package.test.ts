import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { inBrowser, inBrowserNightly, launch, watch } from '../support/browser.ts';
import { nightlyDescribe, nightlyTest } from '../support/nightly.ts';
import { findNode, installApp, packClient, root, runIn, runTool } from '../support/packed.ts';
import { inTurn, isWalkInTurn, variants } from '../support/rounds.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

const key = 'a-key-for-the-packed-client';
const node20 = await findNode(20);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let tarball: string;
let app: string;
let browser: Browser | undefined;

/** What an app does first, with the names that `import` or `require` gave. */
const body = `
const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY });
(async () => {
  const found = [];
  for await (const tweet of client.user.lastTweets({ username: 'mira_codes', limit: 2 }, { limit: 5 })) found.push(tweet.id);
  const missing = await client.space.detail({ id: 'nowhere' }).catch((error) => error);
  const pool = client.events({ pool: true });
  const { value } = await pool.next();
  pool.close();
  console.log(JSON.stringify({ event: value.event, count: new Set(found).size, name: missing.name, known: missing instanceof NotFoundError && missing instanceof SocialDataError }));
})();
`;
const names = '{ createClient, NotFoundError, SocialDataError }';
const programs = {
  'ES module': ['app.mjs', `import ${names} from '@social-data/client';${body}`],
  'CommonJS module': ['app.cjs', `const ${names} = require('@social-data/client');${body}`],
} as const;

(isWalkInTurn('the packed client') ? describe : describe.skip)('the packed package', () => {
  beforeAll(async () => {
    folder = await temporaryFolder();
    app = join(folder.path, 'app');
    const started = startServer(join(folder.path, 'data'), { API_KEYS: key });
    tarball = await packClient(join(folder.path, 'packed'));
    await installApp(app, tarball);
    server = await started;
  });
  afterAll(async () => {
    await browser?.close();
    await server?.end('SIGKILL');
    await folder?.dispose();
  });

  test('passes publint', async () => {
    expect(await runTool(root, 'publint/src/cli.js', 'run', tarball, '--strict')).toContain('All good!');
  });

  nightlyTest('passes attw', async () => {
    const { problems } = JSON.parse(
      await runTool(root, '@arethetypeswrong/cli/dist/index.js', tarball, '--format', 'json'),
    ) as {
      problems: unknown;
    };
    expect(problems).toEqual({});
  });

  test('depends only on openapi-fetch, in the tested version', async () => {
    const manifest = JSON.parse(
      await readFile(join(app, 'node_modules/@social-data/client/package.json'), 'utf8'),
    ) as Record<string, unknown>;
    const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
      devDependencies: Record<string, string>;
    };
    expect(manifest['dependencies']).toEqual({ 'openapi-fetch': own.devDependencies['openapi-fetch'] });
    expect(manifest).toMatchObject({ sideEffects: false, engines: { node: '>=20.20' } });
  });

  const runtimes: [name: string, node: string | undefined][] = [
    ['this Node', process.execPath],
    ['Node 20', node20],
  ];
  for (const [runtime, node] of runtimes) {
    (node === undefined ? test.skip : test).each(Object.keys(programs) as (keyof typeof programs)[])(
      `runs on ${runtime} as an app's %s`,
      async (form) => {
        const [file, text] = programs[form];
        await writeFile(join(app, file), text);
        expect(JSON.parse(await runIn(app, node!, [file], { BASE_URL: server.url, KEY: key }))).toEqual({
          event: 'pool.status',
          count: 5,
          name: 'NotFoundError',
          known: true,
        });
      },
    );
  }

  test('has the program social-data', async () => {
    const file = join(app, 'node_modules/@social-data/client/dist/cli.js');
    const { version } = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8')) as { version: string };
    expect(await runIn(app, process.execPath, [file, '--version'])).toBe(`${version}\n`);
    const licences = await readFile(file.replace('cli.js', 'cli.licenses.txt'), 'utf8');
    for (const bundled of ['cli-table3', 'string-width']) expect(licences).toContain(bundled);
    const call = [file, 'user', 'last-tweets', '--username', 'mira_codes', '--max', '2'];
    const env = { SOCIAL_DATA_BASE_URL: server.url, SOCIAL_DATA_API_KEY: key };
    expect((await runIn(app, process.execPath, call, env)).trim().split('\n')).toHaveLength(2);
  });

  test('an error of its ES module is an instance in its CommonJS form', async () => {
    await writeFile(
      join(app, 'both.mjs'),
      `import { createRequire } from 'node:module';
import * as esm from '@social-data/client';
const cjs = createRequire(import.meta.url)('@social-data/client');
class Own extends esm.NotFoundError {}
const error = await esm.createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY }).space.detail({ id: 'nowhere' }).catch((thrown) => thrown);
console.log(JSON.stringify([cjs !== esm && cjs.NotFoundError !== esm.NotFoundError, error instanceof cjs.NotFoundError, error instanceof cjs.ApiError, error instanceof cjs.RateLimitError, error instanceof Own]));`,
    );
    expect(JSON.parse(await runIn(app, process.execPath, ['both.mjs'], { BASE_URL: server.url, KEY: key }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  nightlyTest('runs in a Jest test of a CommonJS app, including events', async () => {
    const place = join(app, 'jest');
    await mkdir(place);
    await writeFile(join(place, 'package.json'), '{}');
    await writeFile(
      join(place, 'app.test.js'),
      `const ${names} = require('@social-data/client');
test('it answers', async () => {
  const client = createClient({ baseUrl: process.env.BASE_URL, apiKey: process.env.KEY });
  await expect(client.space.detail({ id: 'nowhere' })).rejects.toThrow(NotFoundError);
  const pool = client.events({ pool: true });
  expect((await pool.next()).value.event).toBe('pool.status');
  pool.close();
});`,
    );
    await runIn(place, process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), '--rootDir', '.'], {
      BASE_URL: server.url,
      KEY: key,
      NODE_OPTIONS: '',
    });
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
  const newer = 'typescript-native';
  const settings = [
    ['bundler', 'esnext', newer],
    // Apps have both versions of the compiler, and the older one takes five times as long.
    ...variants([newer, 'typescript'], 1).map((compiler) => ['node16', 'node16', compiler] as const),
  ] as const;
  test.each(inTurn(settings, 1))(
    'type-checks strictly with the module resolution %s, including its dependencies, in modules %s by %s',
    async (moduleResolution, module, compiler) => {
      const place = join(app, `typed-${module}-${compiler}`);
      await mkdir(place);
      await writeFile(join(place, 'app.mts'), typed);
      await writeFile(join(place, 'app.cts'), typed);
      const compilerOptions = {
        ...{ module, moduleResolution },
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable'],
        types: [],
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
      };
      await writeFile(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
      await runTool(place, `${compiler}/bin/tsc`);
    },
  );

  // `npm run test:matrix` has it too.
  inBrowserNightly(
    'a Vite bundle of it runs in a browser, across origins, and loads the events on demand',
    async () => {
      const place = join(app, 'page');
      await mkdir(place);
      await writeFile(
        join(place, 'index.html'),
        '<!doctype html><title>…</title><link rel="icon" href="data:,"><script type="module" src="./main.js"></script>',
      );
      await writeFile(
        join(place, 'main.js'),
        `import ${names} from '@social-data/client';
const query = new URLSearchParams(location.search);
const client = createClient({ baseUrl: query.get('base'), apiKey: query.get('key') });
const { requestId } = await client.assistant.status().withResponse();
const missing = await client.space.detail({ id: 'nowhere' }).result();
const loaded = performance.getEntriesByType('resource').length;
const pool = client.events({ pool: true });
const { value } = await pool.next();
pool.close();
document.title = JSON.stringify({
  requestId: Boolean(requestId), known: missing.error instanceof NotFoundError && missing.error instanceof SocialDataError, event: value.event,
  onDemand: performance.getEntriesByType('resource').slice(loaded).filter(({ name }) => name.includes('/events')).length,
});`,
      );
      await inPage(place, async (page) => {
        await page.waitForFunction('document.title.startsWith("{")');
        expect(JSON.parse(await page.title())).toEqual({
          requestId: true,
          known: true,
          event: 'pool.status',
          onDemand: 1,
        });
      });
    },
  );

  nightlyDescribe('its examples', () => {
    const examples = (): string => join(app, 'node_modules/@social-data/client/examples');
    const env = (): Record<string, string> => ({ SOCIAL_DATA_BASE_URL: server.url, SOCIAL_DATA_API_KEY: key });

    test('the script prints tweets of a user, and an explanation', async () => {
      const printed = await runIn(app, process.execPath, [join(examples(), 'script.mjs')], env());
      expect(printed).toMatch(/^(\d{4}-\d\d-\d\d {2}\d+ likes {2}[^]+\n){5}\n.+/);
      await expect(
        runIn(app, process.execPath, [join(examples(), 'script.mjs'), 'nobody_here'], env()),
      ).rejects.toThrow('user nobody_here not found');
    });

    test('the event client prints events, and resumes after a restart', async () => {
      const pool = createClient({ baseUrl: server.url, apiKey: key }).events({ pool: true });
      await writeFile(join(app, 'cursor.txt'), (await pool.next()).value!.cursor);
      pool.close();
      const printed: string[] = [];
      for (const [id, text] of [
        ['900', 'first zwieback'],
        ['901', 'second zwieback'],
      ] as const) {
        // The second happens while nobody listens.
        const child = id === '900' ? startListener() : undefined;
        const file = join(folder.path, `${id}.jsonl`);
        await writeFile(
          file,
          JSON.stringify({
            kind: 'tweet',
            tweet: { id, text, created_at: '2026-03-04T05:06:07Z', author_id: '4200000001' },
          }),
        );
        await run('scripts/cli/import.ts', [file], { DATA_DIR: join(folder.path, 'data') });
        const listening = child ?? startListener();
        let output = '';
        for await (const chunk of listening.stdout!) {
          output += String(chunk);
          if (output.includes('\n')) listening.kill('SIGTERM');
        }
        printed.push(output);
      }
      expect(printed).toEqual(['@mira_codes: first zwieback\n', '@mira_codes: second zwieback\n']);
    });
    const startListener = (): ChildProcess =>
      spawn(process.execPath, [join(examples(), 'listen.mjs'), 'zwieback', 'cursor.txt'], {
        cwd: app,
        env: { ...process.env, ...env() },
        stdio: ['ignore', 'pipe', 'inherit'],
      });

    inBrowser('the page shows results and errors', async () => {
      const place = join(app, 'example-page');
      await cp(join(examples(), 'page'), place, { recursive: true });
      await inPage(place, async (page) => {
        await page.click('button');
        await page.waitForFunction("document.querySelector('[role=status]').textContent.endsWith('found')");
        expect(await page.locator('li').count()).toBe(10);
        await page.fill('input', 'filter:follows');
        await page.click('button');
        await page.waitForFunction("document.querySelector('[role=status]').textContent.includes('follows')");
      });
    });
  });

  /** Bundles a page, and opens it with the address of the server and a key. */
  async function inPage(place: string, use: (page: Page) => Promise<void>): Promise<void> {
    await runTool(place, 'vite/bin/vite.js', 'build', '--logLevel', 'error');
    const site = await serve(join(place, 'dist'));
    browser ??= await launch();
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const { complaints } = watch(page);
      await page.goto(`${site.url}/?${new URLSearchParams({ base: server.url, key })}`);
      await use(page);
      // The browser itself reports the errors that are asked for.
      expect(complaints.filter((text) => !/40[04]/.test(text))).toEqual([]);
    } finally {
      await context.close();
      site.server.close();
    }
  }
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
