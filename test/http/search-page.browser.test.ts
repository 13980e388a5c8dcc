import { afterAll, beforeAll, expect } from '@jest/globals';
import { execFileSync } from 'node:child_process';
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
  watch,
  patience,
  stepPatience,
} from '../support/browser.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const key = 'sd_browser01_QmVhbnNUb21hdG9lc09uaW9ucw';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let browser: Browser;
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  server = await startLocalServer(join(folder.path, 'data'), { API_KEYS: key });
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await server?.end();
  await folder?.dispose();
});

async function open(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(stepPatience);
  const page = await context.newPage();
  await page.goto(`${server.url}/docs/search${hash}`);
  await page.locator('#verdict:not(:empty)').waitFor();
  return page;
}
const box = (page: Page) => page.getByRole('textbox', { name: 'Query' });
const verdict = (page: Page) => page.locator('#verdict');
const parts = (page: Page): Promise<string[]> =>
  page
    .locator('#reading .line')
    .allInnerTexts()
    .then((lines) => lines.map((line) => line.replaceAll(/\s+/g, ' ')));
const marked = (page: Page): Promise<string[]> => page.locator('#mirror mark').allTextContents();

inBrowserNightly(
  'shows the SQL of the query to an operator, and otherwise why there is none',
  async () => {
    const page = await open('#query=coffee');
    await enterKey(page, key);
    const sql = page.locator('#sql');
    await page.getByText('The SQL of the query').click();
    await sql.getByText('admin').waitFor();
    const explained = { sql: 'SELECT <b>', parameters: [21], plan: ['Index Scan'] };
    await page.route('**/operate/api/search/explain', (route) => {
      expect(route.request().postDataJSON()).toEqual({ query: 'coffee', query_type: 'Latest' });
      return route.fulfill({ json: explained });
    });
    await page.getByRole('button', { name: 'Run' }).click();
    await sql.getByText('Index Scan').waitFor();
    expect(await sql.textContent()).toBe('SELECT <b>\n$1 = 21\nIndex Scan');
    await page.context().close();
  },
  patience,
);

inBrowser(
  'shows the parsed query part by part, with positions',
  async () => {
    const page = await open();
    const { complaints, hosts } = watch(page);
    await page.reload();
    await box(page).fill('new coffee OR "flat * white" -from:mira_codes');
    await page.locator('#reading').getByText('written by the user').waitFor();
    expect(await parts(page)).toEqual([
      'AND all of these',
      'new the word “new”',
      'OR at least one of these',
      'coffee the word “coffee”',
      '"flat * white" “flat”, any one word, “white”: next to each other, in this order',
      'NOT not this',
      'from:mira_codes written by the user: mira_codes',
      'RULE no native retweets: to include them, add include:nativeretweets',
    ]);
    const or = page.getByRole('button', { name: 'OR', exact: true });
    await or.hover();
    expect(await marked(page)).toEqual(['coffee OR "flat * white"']);
    await page.getByRole('button', { name: 'from:mira_codes' }).focus();
    expect(await marked(page)).toEqual(['from:mira_codes']);
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.getSelection().toString()')).toBe('from:mira_codes');
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([server.url]);
    await page.context().close();
  },
  patience,
);

inBrowser(
  'shows the position of an error, and corrects a misspelled name by a click',
  async () => {
    const page = await open();
    await box(page).fill('cat filter:vidoes dog');
    await verdict(page)
      .getByText("'query' cannot be read at 11: unknown filter 'vidoes': did you mean 'videos'?")
      .waitFor();
    expect(await marked(page)).toEqual(['vidoes']);
    expect(await page.locator('.place .unseen').textContent()).toBe('cat filter:');
    await page.getByRole('button', { name: 'Use ‘videos’' }).click();
    expect(await box(page).inputValue()).toBe('cat filter:videos dog');
    expect(await parts(page)).toContain('filter:videos has a video, or a link to a video site such as YouTube');

    await box(page).fill('x'.repeat(1100));
    await verdict(page).getByText('at most 1024 are read').waitFor();
    for (const markup of ['"<img src=x onerror=alert(1)>', 'filter:<b>x</b>', '</textarea><script>']) {
      await box(page).fill(markup);
      expect(await page.locator('#reading :is(img, b, script)').count()).toBe(0);
    }
    await page.context().close();
  },
  patience,
);

inBrowserNightly(
  'runs a query in either order, loads the next page, and copies the request as a command',
  async () => {
    const page = await open();
    await box(page).fill(`coffee -"reader's"`);
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('Everything on this service is read with an API key.').waitFor();
    await enterKey(page, key);
    await page.locator('.tweet-card').first().waitFor();
    expect(await page.locator('.tweet-card').count()).toBe(20);
    const newest = await page
      .locator('.tweet-card .by time')
      .evaluateAll((times) => times.map((time) => time.getAttribute('datetime')!));
    expect(newest).toEqual(newest.toSorted().toReversed());

    await page.getByLabel('Top').check();
    await page.locator('#status', { hasText: '20 tweets so far' }).waitFor();
    await page.locator('.tweet-card').first().waitFor();
    const next = page.getByRole('button', { name: 'Show more' });
    await next.click();
    await page.locator('.tweet-card').nth(20).waitFor();

    await page.locator('.request-line summary').click();
    const command = (await page.locator('.request-line .code').textContent())!;
    expect(command).not.toContain(key);
    const words = execFileSync('sh', ['-c', `curl() { for word in "$@"; do echo "$word"; done; }; ${command}`], {
      env: { API_KEY: 'k' },
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
    expect(words.slice(0, 4)).toEqual(['-G', `${server.url}/social/tweet/advanced_search`, '-H', 'x-api-key: k']);
    expect(words).toEqual(expect.arrayContaining([`query=coffee -"reader's"`, 'query_type=Top']));

    await box(page).fill('filter:vidoes');
    await page.getByText('The query has changed since these results.').waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.locator('.fault').getByText(`unknown filter 'vidoes'`).waitFor();

    // The page is loaded anew: the address has the query, the tab the key.
    await page.reload();
    await page.locator('#verdict.wrong').waitFor();
    expect(await box(page).inputValue()).toBe('filter:vidoes');
    expect(await page.locator('#key-state').textContent()).toBe('sd_browser01');
    expect(page.url()).not.toContain(key);
    await page.context().close();
  },
  patience,
);

inBrowserNightly(
  'puts an example into the box by a click, and reads a query from the URL',
  async () => {
    const page = await open('#query=note%3Awell&query_type=Top');
    expect([await box(page).inputValue(), await page.getByLabel('Top').isChecked()]).toEqual(['note:well', true]);
    await page.getByRole('link', { name: 'since:2026-03-04_05:06:07_PST' }).click();
    expect(await box(page).inputValue()).toBe('since:2026-03-04_05:06:07_PST');
    expect(await parts(page)).toContain('since:2026-03-04_05:06:07_PST created at or after 2026-03-04 13:06:07 UTC');
    await page.getByRole('link', { name: 'sample:', exact: true }).click();
    await verdict(page).getByText("'sample:' is not supported: it needs a stream of all tweets").waitFor();
    await page.context().close();
  },
  patience,
);

const deep = `${'x'.repeat(80)} ${'a -('.repeat(20)}b c${')'.repeat(20)}`;

inBrowser.each(tabs)(
  'at $name, nothing is wider than the page, and nothing keeps a reader out',
  async (tab) => {
    const page = await open('', optionsOf(tab));
    await enterKey(page, key);
    for (const [name, query] of Object.entries({
      tree: '(coffee OR "flat * white") -from:mira_codes lang:en',
      deep,
      fault: 'coffee filter:vidoes',
    })) {
      await box(page).fill(query);
      await box(page).press('Enter');
      await page.locator('#status:not(:text("Searching"))').waitFor();
      await inForms(page, tab, async (width, colorScheme, hasAxe) => {
        await picture(page, `search-${width}-${colorScheme}-${name}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        if (hasAxe && name !== 'deep') expect(await barriers(page)).toEqual([]);
      });
    }
    await page.context().close();
  },
  patience,
);
