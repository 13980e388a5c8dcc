import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { barriers, enterKey, inBrowser, launch, looks, picture, present, watch } from '../support/browser.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

const key = 'sd_browser01_QmVhbnNUb21hdG9lc09uaW9ucw';
/** Waits of the browser; the machine may be slow. */
const patience = 120_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let browser: Browser;
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  server = await startServer(join(folder.path, 'data'), { API_KEYS: key });
  browser = await launch();
}, 120_000);
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.end('SIGKILL');
  await folder?.dispose();
});

/** Opens a page in a tab that has the key, unless `apiKey` is empty. */
async function open(path: string, apiKey = key, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(patience);
  if (apiKey !== '')
    await context.addInitScript(`sessionStorage.setItem('social-data.key', ${JSON.stringify(apiKey)})`);
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

/** A path of each page, and what shows that it is complete. */
const pages: readonly (readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>])[] = [
  ['home', '/', (page) => page.getByRole('region', { name: 'The answer' }).waitFor()],
];

test('the scripts of each page have at most 60 kB compressed', async () => {
  const sizeOf = async (name: string): Promise<number> =>
    gzipSync(await readFile(new URL(`../../generated/pages/${name}.js`, import.meta.url))).length;
  const kit = await sizeOf('kit');
  for (const [name] of pages) expect([name, kit + (await sizeOf(name)) < 60_000]).toEqual([name, true]);
});

for (const [width, colorScheme] of looks) {
  inBrowser.each(pages.map(([...row]) => row))(
    `at ${width} pixels, ${colorScheme}, the page %s fits, complains of nothing, and keeps nobody out`,
    async (name, path, ready) => {
      const page = await open('/healthz', key, { viewport: { width, height: 844 }, colorScheme });
      const { complaints, hosts } = watch(page);
      await page.goto(server.url + path);
      await ready(page);
      await picture(page, `${name}-${width}-${colorScheme}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await barriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
      expect([...hosts]).toEqual([server.url]);
    },
    patience,
  );
}

inBrowser(
  'the key is entered once for all pages of a tab, checked, never in an address, and removed again',
  async () => {
    const page = await open('/', '');
    await page.locator('#key-open').click();
    const dialog = page.getByRole('dialog', { name: 'API key' });
    const box = dialog.getByLabel('API key', { exact: true });
    const use = dialog.getByRole('button', { name: 'Use this key' });
    await use.click();
    await dialog.getByText('Type or paste the key.').waitFor();
    await box.fill('sd_wrong');
    await use.click();
    await dialog.getByText('The service does not know this key.').waitFor();
    await box.fill('clé');
    await use.click();
    await dialog.getByText(/does not know this key|letters, digits/).waitFor();
    await enterKey(page, key);
    await page.getByRole('region', { name: 'The answer' }).getByText('"tweets"').waitFor();
    expect(await page.locator('#key-state').textContent()).toBe('sd_browser01');

    await page.goto(`${server.url}/docs/search`);
    expect(await page.locator('#key-state').textContent()).toBe('sd_browser01');
    expect(page.url()).not.toContain(key);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key);

    await page.locator('#key-open').click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.goto(server.url);
    await page.getByText('Enter an API key to run it here.').waitFor();
  },
  patience,
);

inBrowser(
  'the samples name this host, and contain the key only when the reader asks for it',
  async () => {
    const page = await open('/');
    const sample = page.getByRole('region', { name: /^The request in/ });
    for (const [language, mark] of [
      ['curl', `'${server.url}/social/tweet/advanced_search'`],
      ['TypeScript', 'client.tweet.advancedSearch('],
      ['Python', 'requests.get('],
      ['WebSocket', `${server.url.replace('http', 'ws')}/ws?api_key=`],
    ] as const) {
      await page.getByRole('button', { name: language, exact: true }).click();
      await page.getByLabel('Show my key in it').uncheck();
      expect(await sample.textContent()).toContain(mark);
      expect(await sample.textContent()).not.toContain(key);
      await page.getByLabel('Show my key in it').check();
      expect(await sample.textContent()).toContain(key);
    }
  },
  patience,
);

inBrowser(
  'the menu of a phone opens and closes by keyboard, and the colours follow the choice of the reader on every page',
  async () => {
    const page = await open('/', key, { viewport: { width: 360, height: 800 }, colorScheme: 'light' });
    const places = page.getByRole('navigation', { name: 'Main' });
    expect(await places.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Menu' }).focus();
    await page.keyboard.press('Enter');
    await places.waitFor();
    await page.keyboard.press('Escape');
    expect(await places.isVisible()).toBe(false);
    expect(await page.evaluate('document.activeElement.id')).toBe('menu');

    const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Colours: as the system' }).click();
    await page.getByRole('button', { name: 'Colours: light' }).click();
    expect(await ground()).not.toBe(light);
    await page.goto(`${server.url}/docs/events`);
    expect(await ground()).not.toBe(light);
    await page.getByRole('button', { name: 'Colours: dark' }).click();
    expect(await ground()).toBe(light);
  },
  patience,
);
