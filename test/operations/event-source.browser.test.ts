/** The `EventSource` of a browser against `/social/events`: a token in the address, and a restart of the service that loses nothing. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createClient } from '../../client/src/index.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import { listen, type HttpServer } from '../../server/http/server/listen.ts';
import { inBrowser, launch, patience, present } from '../support/browser.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { until } from '../support/until.ts';

const key = 'a-key-that-no-browser-gets';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let app: HttpServer;
let browser: Browser;
const start = (port = '0'): Promise<LocalServer> =>
  startLocalServer(folder.path, { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'info', PORT: port });
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  server = await start();
  // An app of another origin, as those that use the service have.
  app = await listen(
    (_request, response) => response.setHeader('Content-Type', 'text/html').end('<title>an app</title>'),
    { host: '127.0.0.1', port: 0 },
  );
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await app?.stop(0);
  await server?.end();
  await folder?.dispose();
});

async function take(...ids: readonly number[]): Promise<void> {
  const records = ids.map((id) => ({
    kind: 'tweet',
    tweet: { id: String(id), text: `coffee ${id}`, created_at: '2026-01-01T00:00:00Z', author_id: '7' },
  }));
  const control = await connectControl(folder.path);
  await control!.call('import/apply', [`test ${ids[0]}`, { values: records.length, done: true }, records]);
  control!.close();
}

/** What the page has received: the ids of tweets, the names of other messages, and `error`. */
const received = 'window.received';
const listening = (address: string): string => `{
  ${received} = [];
  window.source = new EventSource(${JSON.stringify(address)});
  source.onmessage = ({ data }) => ${received}.push(JSON.parse(data).data.id);
  source.onerror = () => ${received}.push('error ' + source.readyState);
  for (const name of ['subscribed', 'caught_up', 'going_away', 'gap'])
    source.addEventListener(name, () => ${received}.push(name));
}`;

inBrowser(
  'a page of another origin gets the events with a token, and goes on after a restart without a loss or a repeat',
  async () => {
    const { token } = await createClient({ baseUrl: server.url, apiKey: key }).token.create({ ttl_seconds: 600 });
    const page = await browser.newPage();
    const failed: string[] = [];
    page.on('response', (response) => void (response.status() === 200 || failed.push(String(response.status()))));
    const sent: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/social/events'))
        void request.headerValue('last-event-id').then((value) => sent.push(value));
    });
    await page.goto(app.url);
    const got = (): Promise<string[]> => page.evaluate<string[]>(received);
    await page.evaluate(listening(`${server.url}/social/events?channel=search%3Atweets&query=coffee&api_key=${token}`));
    await until(async () => (await got()).includes('subscribed'));
    await take(1, 2);
    await until(async () => (await got()).includes('2'));
    const { port } = new URL(server.url);
    await server.end();
    await until(async () => (await got()).some((each) => each.startsWith('error')));
    server = await start(port);
    // The browser connects again by itself; these are new before or after it does.
    await take(3);
    await until(async () => (await got()).includes('3'));
    await take(4);
    await until(async () => (await got()).includes('4'));
    const all = await got();
    expect(all.filter((each) => /^\d+$/.test(each))).toEqual(['1', '2', '3', '4']);
    expect(all).toContain('going_away');
    expect(all).not.toContain('gap');
    // The state is never `closed`, which would end the attempts.
    expect(all.filter((each) => each.startsWith('error'))).not.toContain('error 2');
    expect(sent.at(-1)).toMatch(/^[\w-]+\.\d+$/);
    expect(failed.filter((status) => status !== '404')).toEqual([]);
    await page.evaluate('source.close()');
    await page.close();
  },
  patience,
);

inBrowser(
  'a token that is wrong ends the attempts, and is in no log',
  async () => {
    const page = await browser.newPage();
    await page.goto(app.url);
    await page.evaluate(listening(`${server.url}/social/events?channel=assistant%3Apool&api_key=not-a-token`));
    await until(async () => (await page.evaluate<string[]>(received)).includes('error 2'));
    expect(server.errors()).not.toContain('not-a-token');
    await page.close();
  },
  patience,
);
