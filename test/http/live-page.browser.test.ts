import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  barriers,
  enterKey,
  inBrowser,
  inBrowserNightly,
  inForms,
  launch,
  optionsOf,
  picture,
  present,
  tabs,
  patience,
  stepPatience,
} from '../support/browser.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { listener } from '../support/stream.ts';

const key = 'sd_browser01_QmVhbnNUb21hdG9lc09uaW9ucw';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let browser: Browser;
let relay: Relay;
/** Always at the same address and with the same data, so that its listeners find it again. */
async function serve(): Promise<void> {
  server = await startServer(join(folder.path, 'data'), { API_KEYS: key }, ['--replay=20']);
  relay.target(server.url);
}
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  relay = await startRelay();
  await serve();
  browser = await launch();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  const code = await server?.end();
  await relay?.stop();
  await folder?.dispose();
  if (present) expect(code).toBe(0);
});

async function open(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(stepPatience);
  const page = await context.newPage();
  await page.goto(`${relay.url}/live${hash}`);
  return page;
}
const state = (page: Page, words: string) => page.locator('#state-name', { hasText: words }).waitFor();
const cards = (page: Page) => page.locator('.card');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Listens to what the form says: with a new key at once, otherwise by the button. */
async function listen(page: Page): Promise<void> {
  if (await page.locator('#key-dialog').isVisible()) await enterKey(page, key);
  else await button(page, 'Listen').click();
}

inBrowserNightly(
  'shows what the service follows, and how far it is behind, and nothing where it follows nothing',
  async () => {
    const page = await open();
    await page.waitForResponse(/\/live\/following$/);
    expect(await page.locator('#following').isVisible()).toBe(false);
    await page.route('**/live/following', (route) =>
      route.fulfill({
        json: { following: [{ following: '12 accounts on Bluesky', connected: true, lag_seconds: 0.4 }] },
      }),
    );
    await page.reload();
    await page.getByText('following 12 accounts on Bluesky, 0.4 s behind').waitFor();
    expect(await barriers(page)).toEqual([]);
  },
  patience,
);

inBrowser.each(tabs)(
  'at $name, nothing is wider than the page, and nothing keeps a reader out',
  async (tab) => {
    const page = await open('', { ...optionsOf(tab), reducedMotion: 'reduce' });
    const check = (name: string): Promise<void> =>
      inForms(page, tab, async (width, colorScheme, hasAxe) => {
        await picture(page, `live-${width}-${colorScheme}-${name}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        if (hasAxe) expect(await barriers(page)).toEqual([]);
      });
    await check('idle');
    await listen(page);
    await cards(page).nth(6).waitFor();
    await button(page, 'Pause').click();
    await page.getByText('Raw frame').first().click();
    await page.locator('.raw pre').first().waitFor();
    await check('live');
    await page.goto(`${relay.url}/live#channel=search:tweets&value=cat+filter%3Avidoes`);
    await state(page, 'Refused');
    await check('refused');
  },
  patience,
);

interface Frame {
  readonly seq: number;
  readonly cursor: string;
}
/** The frames of the cards, the oldest first. */
async function frames(page: Page): Promise<Frame[]> {
  const texts = await page.evaluate(`new Promise((resolve) => {
    const details = [...document.querySelectorAll('details.raw')];
    for (const each of details) each.open = true;
    const read = () => {
      const texts = details.map((each) => each.querySelector('pre')?.textContent);
      if (texts.every(Boolean)) resolve(texts);
      else setTimeout(read, 20);
    };
    read();
  })`);
  return (texts as string[]).map((text) => JSON.parse(text) as Frame).toReversed();
}

inBrowserNightly(
  'reconnects after a killed server, and shows every event once, in order',
  async () => {
    const page = await open('#channel=search:tweets&value=-filter%3Areplies');
    await listen(page);
    await cards(page).nth(4).waitFor();
    await server.end('SIGKILL');
    await state(page, 'Reconnecting');
    await serve();
    await state(page, 'Live');
    const before = await cards(page).count();
    await cards(page)
      .nth(before + 3)
      .waitFor();
    await button(page, 'Stop').click();
    const shown = await frames(page);
    const [first, last] = [shown[0]!, shown.at(-1)!];
    expect(shown.length).toBeLessThan(300);

    const truth = await listener(server.url, key);
    const [epoch] = first.cursor.split('.');
    await truth.ask({
      type: 'subscribe',
      id: '1',
      channel: 'search:tweets',
      params: { query: '-filter:replies' },
      cursor: `${epoch}.${first.seq - 1}`,
    });
    await truth.first('event', ({ seq }) => seq >= last.seq);
    const delivered = truth.of('event').filter(({ seq }) => seq <= last.seq);
    expect(shown.map(({ seq }) => seq)).toEqual(delivered.map(({ seq }) => seq));
    truth.socket.terminate();
  },
  120_000,
);

inBrowser(
  'reports an invalid key or query with an instruction, and does not retry',
  async () => {
    const page = await open();
    await page.locator('#key').fill('sd_wrong');
    await page.getByRole('button', { name: 'Use this key' }).click();
    await page.getByText('The service does not know this key.').waitFor();
    // A key that was revoked after the tab stored it.
    await page.evaluate("sessionStorage.setItem('social-data.key', 'sd_wrong')");
    await page.reload();
    await state(page, 'Refused with 4001');
    expect(await page.locator('#state-detail').textContent()).toMatch(/API key is missing or invalid: type it again/);
    await page.getByText('The service refused this key. Enter another one.').waitFor();
    await enterKey(page, key);
    await page.getByLabel('Query').fill('cat filter:vidoes');
    await listen(page);
    await state(page, 'Refused');
    expect(await page.locator('#fault').textContent()).toContain("did you mean 'videos'?");
    await page.getByLabel('Query').fill('-filter:replies');
    await button(page, 'Listen').click();
    await cards(page).first().waitFor();
  },
  patience,
);

inBrowser(
  'a browser WebSocket gets 4001 for a missing or invalid key',
  async () => {
    const page = await open();
    for (const path of ['/ws', '/ws?api_key=nobody']) {
      const closed = await page.evaluate(`new Promise((resolve) => {
      new WebSocket(${JSON.stringify(relay.url.replace('http', 'ws') + path)}).onclose = ({ code, reason }) => resolve({ code, reason });
    })`);
      expect([path, closed]).toEqual([path, { code: 4001, reason: 'Invalid or missing API key' }]);
    }
  },
  patience,
);
