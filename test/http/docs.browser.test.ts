// Tests server/http/docs/pages/api/try-box.ts.
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { listen, type HttpServer } from '../../server/http/server/listen.ts';
import {
  barriers,
  enterKey,
  everyForm,
  inBrowser,
  inBrowserNightly,
  inForms,
  launch,
  pageTabs,
  picture,
  present,
  watch,
} from '../support/browser.ts';
import { key, startService, type Service } from '../support/service.ts';

let service: Service;
let closed: Service;
let elsewhere: HttpServer;
let browser: Browser;
beforeAll(async () => {
  if (!present) return;
  service = await startService();
  closed = await startService({ corsOrigins: ['https://app.example'] });
  elsewhere = await listen(
    (_request, response) => response.setHeader('Content-Type', 'text/html').end('<title>an app</title>'),
    { host: '127.0.0.1', port: 0 },
  );
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  for (const each of [service, closed, elsewhere]) await each?.stop(0);
});

/**
 * What keeps people out of Swagger UI, without what we cannot repair: it draws a second `main` element in that of the page,
 * whose role we replace, because two main landmarks are worse. axe-core calls this role minor.
 */
const barriersOfTry = async (page: Page, within?: string): Promise<string[]> =>
  (await barriers(page, within)).filter((each) => !/^aria-allowed-role: .*: #operations$/.test(each));

/** Swagger UI is accessible: all of it, an operation that was tried, and the dialog for keys. */
async function expectReadable(page: Page, tried: string): Promise<void> {
  expect(await barriersOfTry(page)).toEqual([]);
  expect(await barriersOfTry(page, tried)).toEqual([]);
  await page.getByRole('button', { name: 'Authorize' }).first().click();
  await page.getByRole('button', { name: 'Close' }).first().waitFor();
  expect(await barriersOfTry(page, '.dialog-ux')).toEqual([]);
}

inBrowser.each(everyForm ? (['light', 'dark'] as const) : (['dark'] as const))(
  'a reader of the reference changes the language of all samples, puts the key into them, and tries an operation with it, %s',
  async (colorScheme) => {
    const page = await browser.newPage({ colorScheme });
    const { complaints, hosts } = watch(page);
    // An address of the time when all operations were on one page.
    await page.goto(`${service.url}/docs/#getTweetReplies`);
    await page.waitForURL(`${service.url}/docs/api/getTweetReplies`);
    const operation = page.locator('#getTweetReplies');
    const sample = operation.getByRole('region').first();
    expect(await operation.getByRole('button', { name: 'curl' }).getAttribute('aria-pressed')).toBe('true');
    await operation.getByText(`curl -G '${service.url}/social/tweet/replies'`).waitFor();
    await operation.getByRole('button', { name: 'Python' }).click();
    await operation.getByText('requests.get(').waitFor();
    // Every other operation follows.
    await page.getByRole('link', { name: 'Details of an audio room' }).click();
    await page.locator('.contents [aria-current]', { hasText: 'Details of an audio room' }).waitFor();
    await page.locator('#getSpace').getByText('requests.get(').waitFor();
    await page.goBack();
    await operation.getByText('requests.get(').waitFor();

    expect(await page.getByLabel('My key').count()).toBe(0);
    await enterKey(page, key);
    expect(await page.locator('#getTweetReplies').innerText()).not.toContain(key);
    await operation.getByLabel('My key').check();
    await operation.getByText(`"x-api-key": "${key}"`).waitFor();
    await expect(sample.textContent()).resolves.not.toContain('os.environ');

    await page.goto(`${service.url}/docs/try`);
    await page.locator('.authorize.locked').waitFor();
    const tried = page.locator('#operations-Assistant-getAssistantStatus');
    await tried.getByRole('button').first().click();
    await tried.getByRole('button', { name: 'Execute' }).click();
    const live = tried.locator('.live-responses-table');
    await live.locator('.response-col_status', { hasText: '200' }).waitFor();
    expect(await live.textContent()).toContain('daily_capacity');
    expect(await live.textContent()).toContain('ratelimit-policy');
    // It draws slowly: axe-core takes seconds for it.
    if (everyForm) await expectReadable(page, '#operations-Assistant-getAssistantStatus');
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([service.url]);
    await page.close();
  },
);

inBrowser(
  'an operation is tried on its page: with the key, page by page, with its errors, and a change asks first',
  async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const { complaints, hosts } = watch(page);
    await page.goto(`${service.url}/docs/api/getTweetReplies`);
    await page.getByRole('link', { name: 'Try it' }).click();
    const form = page.locator('.try-form');
    await form.getByLabel('tweet_id').fill('1');
    await form.getByRole('button', { name: 'Add key' }).click();
    await enterKey(page, key);
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByRole('status').getByText(/^200/).waitFor();
    expect(await form.locator('.answer .code').innerText()).toContain('"has_next_page"');
    await form.getByText('Headers', { exact: true }).click();
    await form.getByText('ratelimit-policy', { exact: true }).waitFor();
    if (everyForm) await picture(page, 'operation-tried-390');
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);

    await form.getByLabel('tweet_id').fill('');
    await form.getByLabel('tweet_id').press('Enter');
    await form.getByText('tweet_id is required.').waitFor();
    expect(complaints).toEqual([]);

    await page.goto(`${service.url}/docs/api/unlikeTweet#try-it`);
    await form.getByLabel('Body').fill('{"tweet_id": ');
    await form.getByRole('button', { name: 'Send', exact: true }).click();
    await form.getByText('This request can change data of this service.').waitFor();
    await form.getByRole('button', { name: 'Send it' }).click();
    await form.getByText('The body is no JSON').waitFor();
    expect([...hosts]).toEqual([service.url]);
    await page.close();
  },
);

inBrowser(
  'the search over all pages opens by button and by keys, forgives a typing mistake, and leads to its place',
  async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 844 }, reducedMotion: 'reduce' });
    const { complaints, hosts } = watch(page);
    const loaded: string[] = [];
    page.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
    await page.goto(`${service.url}/docs/operations`);
    await page.getByRole('button', { name: 'Search the documentation' }).waitFor();
    // What it needs is loaded when it is used.
    expect(loaded.filter((path) => /find-\w+\.js|search-index/.test(path))).toEqual([]);
    const box = page.getByRole('combobox', { name: 'Search the documentation' });
    const options = page.getByRole('option');
    const first = async (text: string): Promise<string> => {
      await box.fill(text);
      await page.locator('#find mark').first().waitFor();
      return options.first().innerText();
    };
    await page.keyboard.press('Control+k');
    await options.first().waitFor();
    expect(await options.count()).toBeGreaterThan(10);
    expect(await barriers(page, '#find')).toEqual([]);
    expect(await first('min_favs')).toContain('min_faves:');
    expect(await first('searchTweets')).toContain('Search tweets');
    expect(await first('unlike')).toContain('Remove a like');
    expect(await first('cors_origins')).toContain('CORS_ORIGINS');
    await box.fill('qqqqzzzz');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('#find').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Search the documentation' }).click();
    await first('close codes');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/docs/events#closing`);
    await page.keyboard.press('Meta+k');
    expect(await first('from:')).toContain('written by');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${service.url}/docs/search#operator-from`);
    await page.locator('[id="operator-from"]').waitFor();
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([service.url]);
    await page.close();
  },
);

inBrowserNightly('Swagger UI fits, and a key that is entered in it holds for the tab', async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const { complaints, hosts } = watch(page);
  await page.goto(`${service.url}/docs/try?url=https://elsewhere.test/openapi.json`);
  await page.locator('.authorize').first().waitFor();
  // It draws slowly, so `npm test` looks at one form.
  for (const tab of everyForm ? pageTabs : [{ name: 'a phone', forms: [[360, 'dark', false] as const] }])
    await inForms(page, tab, async (width, colorScheme) => {
      await picture(page, `try-${width}-${colorScheme}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    });
  await page.getByRole('button', { name: 'Authorize' }).click();
  // The recommended way comes first, and is where the reader can type at once.
  const schemes = page.locator('.auth-container h4');
  expect(await schemes.allTextContents()).toEqual([
    expect.stringContaining('apiKeyHeader'),
    expect.stringContaining('bearer'),
    expect.stringContaining('apiKeyQuery'),
  ]);
  const scheme = page.locator('.auth-container', { hasText: 'apiKeyHeader' });
  expect(
    await page.evaluate("document.activeElement.closest('.auth-container')?.querySelector('h4').textContent"),
  ).toContain('apiKeyHeader');
  await scheme.getByRole('textbox').fill(key);
  await scheme.getByRole('button', { name: 'Authorize' }).click();
  await scheme.getByRole('button', { name: 'Close' }).click();
  expect(await page.locator('#key-state').textContent()).toBe('sd_test0001');
  expect(complaints).toEqual([]);
  expect([...hosts]).toEqual([service.url]);
  // The test above shows that Swagger UI uses what the tab holds.
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).toContain(key);
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain(key);
  await context.close();
});

inBrowser(
  'a page of another origin reads answers and the headers that a client needs, unless it is not on the list',
  async () => {
    const page = await browser.newPage();
    await page.goto(elsewhere.url);
    const call = (url: string): Promise<unknown> =>
      page.evaluate(`fetch(${JSON.stringify(url)}, { headers: { 'x-api-key': ${JSON.stringify(key)} } })
      .then((r) => [r.status, r.headers.get('ratelimit') !== null, r.headers.get('etag') !== null], () => 'blocked')`);
    expect(await call(`${service.url}/social/assistant/status`)).toEqual([200, true, true]);
    expect(await call(`${closed.url}/social/assistant/status`)).toBe('blocked');
    await page.close();
  },
);
