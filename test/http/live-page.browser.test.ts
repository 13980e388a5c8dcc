import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { barriers, inBrowser, launch, picture, present } from '../support/browser.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

const key = 'sd_browser01_QmVhbnNUb21hdG9lc09uaW9ucw';
/** Waits of the browser; the machine may be slow. */
const patience = 60_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let browser: Browser;
let port = '0';
/** Always on the same port and data, so that its listeners find it again. */
async function serve(): Promise<void> {
  server = await startServer(join(folder.path, 'data'), { API_KEYS: key, PORT: port }, ['--replay=20']);
  ({ port } = new URL(server.url));
}
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  await serve();
  browser = await launch();
}, 120_000);
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  const code = await server?.end();
  await folder?.dispose();
  if (present) expect(code).toBe(0);
});

async function open(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(`${server.url}/live${hash}`);
  return page;
}
const state = (page: Page, words: string) => page.locator('#state-name', { hasText: words }).waitFor();
const cards = (page: Page) => page.locator('.card');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function listen(page: Page, apiKey = key): Promise<void> {
  await page.getByLabel('API key').fill(apiKey);
  await button(page, 'Listen').click();
}

for (const width of [375, 1280]) {
  for (const colorScheme of ['light', 'dark'] as const) {
    inBrowser(`at ${width} pixels, ${colorScheme}, nothing is wider than the page, and nothing keeps a reader out`, async () => {
      const page = await open('', { viewport: { width, height: 844 }, colorScheme, reducedMotion: 'reduce' });
      const check = async (name: string): Promise<void> => {
        await picture(page, `live-${width}-${colorScheme}-${name}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        expect(await barriers(page)).toEqual([]);
      };
      await check('idle');
      await listen(page);
      await cards(page).nth(6).waitFor();
      await button(page, 'Pause').click();
      await page.getByText('Raw frame').first().click();
      await page.locator('.raw pre').first().waitFor();
      await check('live');
      await page.goto(`${server.url}/live#channel=search:tweets&value=cat+filter%3Avidoes`);
      await state(page, 'Refused');
      await check('refused');
    }, patience);
  }
}
