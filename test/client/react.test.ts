import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { build } from 'esbuild';
import type { Browser } from 'playwright-core';
import { createElement, type ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { createClient, NotFoundError, type SocialDataClient, type Space } from '../../client/src/index.ts';
import { createQueries, useEvents, type EventsState, type Queries } from '../../client/src/react.ts';
import { root } from '../support/packed.ts';
import { inBrowser, launch, watch } from '../support/browser.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const apiKey = 'a-key-for-react';
const username = 'mira_codes';
const id = '1vSampleSpace1';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let client: SocialDataClient;
let queries: Queries;
let browser: Browser | undefined;
const cleanups: (() => unknown)[] = [];
/** The paths of the requests of `client`. */
const requested: string[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: apiKey });
  client = createClient({ baseUrl: server.url, apiKey });
  client.use({ onRequest: ({ request }) => void requested.push(request.url.replace(server.url, '')) });
  queries = createQueries(client);
});
afterAll(async () => {
  await browser?.close();
  for (const cleanup of cleanups) cleanup();
  await server?.end();
  await folder?.dispose();
});

describe('options of queries', () => {
  test('there are some for each method, and pages for each list', () => {
    const names = (of: object): string[] =>
      Object.entries(of).flatMap(([group, methods]) =>
        typeof methods === 'object' ? Object.keys(methods as object).map((name) => `${group}.${name}`) : [],
      );
    const conversations = ['assistant.explain', 'assistant.resume', 'assistant.stream'];
    expect(names(queries).sort()).toEqual(
      names(client)
        .filter((name) => !conversations.includes(name))
        .sort(),
    );
    expect(queries.user.lastTweets.infinite).toBeInstanceOf(Function);
    expect(queries.space.detail).not.toHaveProperty('infinite');
  });

  test('a QueryClient fetches a response and types what it keeps', async () => {
    const cache = new QueryClient();
    const options = queries.space.detail({ id });
    expect(options.queryKey).toEqual(['social-data', 'space.detail', { id }]);
    const space: Space = await cache.fetchQuery(options);
    expect(cache.getQueryData(options.queryKey)?.title).toBe(space.title);
    expect(await cache.fetchQuery(queries.assistant.status())).toMatchObject({ capable: 5 });
    const own = createQueries(client, 'other').space.detail({ id });
    expect(own.queryKey).toEqual(['other', 'space.detail', { id }]);
  });

  test('an error is that of the client, without more attempts', async () => {
    requested.length = 0;
    const failed = new QueryClient().fetchQuery({ ...queries.space.detail({ id: 'nowhere' }) });
    await expect(failed).rejects.toBeInstanceOf(NotFoundError);
    expect(requested).toHaveLength(1);
    expect(queries.tweet.unlike().retry(1, new Error() as never)).toBe(false);
  });

  test('pages continue at their cursor until the last one', async () => {
    const cache = new QueryClient();
    const all = await client.user.lastTweets({ username }).toArray();
    const options = queries.user.lastTweets.infinite({ username, limit: 10 });
    const { pages } = await cache.fetchInfiniteQuery({ ...options, pages: 1_000 });
    expect(pages.flatMap(({ tweets }) => tweets)).toEqual(all);
    expect(pages.length).toBeGreaterThan(1);
    const later = queries.user.lastTweets.infinite({ username, limit: 10, cursor: pages[0]!.next_cursor });
    const { pages: others } = await cache.fetchInfiniteQuery({ ...later, pages: 1_000 });
    expect(others.flatMap(({ tweets }) => tweets)).toEqual(all.slice(10));
  });

  test('a cancelled query aborts its request', async () => {
    let signal: AbortSignal | null | undefined;
    const pending = createClient({
      baseUrl: 'http://social.test',
      apiKey,
      fetch: (_url, init) =>
        new Promise((_resolve, reject) => {
          signal = init.signal;
          signal?.addEventListener('abort', () => reject(signal?.reason as Error));
        }),
    });
    const cache = new QueryClient();
    const options = createQueries(pending).space.detail({ id });
    const ended = cache.fetchQuery(options).catch(() => 'ended');
    while (signal === undefined) await new Promise(setImmediate);
    await cache.cancelQueries({ queryKey: options.queryKey });
    expect(await ended).toBe('ended');
    expect(signal?.aborted).toBe(true);
  });

  test('what must not be repeated is a mutation', async () => {
    const { mutationKey, mutationFn } = queries.tweet.unlike();
    expect(mutationKey).toEqual(['social-data', 'tweet.unlike']);
    expect(await mutationFn({ tweet_id: '1890000000000000001' })).toMatchObject({ success: expect.any(Boolean) });
    expect(queries.tweet.assistant().mutationKey).toEqual(['social-data', 'tweet.assistant']);
  });
});

test('a server renders what it has fetched; events begin only in a browser', async () => {
  const cache = new QueryClient();
  const space = await cache.fetchQuery(queries.space.detail({ id }));
  const states: EventsState[] = [];
  const App = (): ReactNode => {
    const { data } = useQuery({ ...queries.space.detail({ id }), staleTime: Infinity });
    states.push(useEvents(client, { pool: true }, { onEvent: () => {} }));
    return createElement('h1', null, data?.title);
  };
  const page = renderToString(createElement(QueryClientProvider, { client: cache }, createElement(App)));
  expect(page).toBe(`<h1>${space.title}</h1>`);
  expect(states).toEqual([{ status: 'idle' }]);
});

/** An app with each hook. */
const app = (baseUrl: string): string => `
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClient, QueryClientProvider, useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { createClient } from '${root}client/src/index.ts';
import { createQueries, useEvents } from '${root}client/src/react.ts';

const client = createClient({ baseUrl: '${baseUrl}', apiKey: '${apiKey}' });
const queries = createQueries(client);
function App() {
  const [selection, select] = useState({ pool: true });
  const [events, setEvents] = useState([]);
  const { data: space } = useQuery(queries.space.detail({ id: '${id}' }));
  const list = useInfiniteQuery(queries.user.lastTweets.infinite({ username: '${username}', limit: 5 }));
  const unlike = useMutation(queries.tweet.unlike());
  const { status, error } = useEvents(client, selection, { onEvent: ({ event }) => setEvents((all) => [...all, event]) });
  const row = (id, text, onClick) => h('button', { id, onClick }, String(text));
  return h('main', null,
    row('space', space?.title),
    row('list', list.data?.pages.flatMap(({ tweets }) => tweets).length, () => list.fetchNextPage()),
    row('unlike', unlike.data?.success, () => unlike.mutate({ tweet_id: '1890000000000000001' })),
    row('events', new Set(events).size + ' ' + events[0], () => select(null)),
    row('status', status + ' ' + error?.code, () => select({ search: '(' })));
}
createRoot(document.body).render(h(StrictMode, null, h(QueryClientProvider, { client: new QueryClient() }, h(App))));
`;

inBrowser('components show data, more pages, results and events', async () => {
  const { outputFiles } = await build({
    stdin: { contents: app(server.url), resolveDir: root },
    bundle: true,
    write: false,
    format: 'esm',
    define: { 'process.env.NODE_ENV': '"development"' },
  });
  browser = await launch();
  const page = await browser.newPage();
  const { complaints } = watch(page);
  // From a server, because Chromium does not let the pages of a route connect to this machine.
  const site = createServer(({ url }, response) => {
    const isScript = url === '/app.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? outputFiles[0]?.text
        : '<!doctype html><link rel="icon" href="data:"><body><script type="module" src="app.js"></script>',
    );
  });
  await once(site.listen(0, '127.0.0.1'), 'listening');
  cleanups.push(() => site.close());
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  const shows = async (name: string, text: string): Promise<void> => {
    await page.locator(`#${name}`, { hasText: new RegExp(`^${text}$`) }).waitFor();
  };
  await shows('space', (await client.space.detail({ id })).title);
  await shows('list', '5');
  await page.click('#list');
  await shows('list', '10');
  await page.click('#unlike');
  await shows('unlike', 'true|false');
  await shows('events', '1 pool.status');
  await shows('status', 'open undefined');
  await page.click('#events');
  await shows('status', 'idle undefined');
  await page.click('#status');
  await shows('status', 'closed [a-z_]+');
  expect(complaints).toEqual([]);
});
