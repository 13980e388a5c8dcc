/** The search box of all pages, and what a search shows beside its tweets. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { barriers, inBrowser, launch, patience, present, stepPatience, watch } from '../support/browser.ts';
import { inTurn } from '../support/rounds.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { until } from '../support/until.ts';
import { topOf } from '../../pages/plot/scale.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let browser: Browser;
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  server = await startLocalServer(join(folder.path, 'data'), { RATE_LIMIT: 'off' });
  browser = await launch();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});
afterAll(async () => {
  await browser?.close();
  await server?.end();
  await folder?.dispose();
});

/** Opens a page in a tab with a key: that of the first start, which has all scopes but admin. */
async function open(
  path: string,
  width = 1440,
  key = server.firstKey!,
  more: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', viewport: { width, height: 844 }, ...more });
  context.setDefaultTimeout(stepPatience);
  await context.addInitScript(`sessionStorage.setItem('social-data.key', ${JSON.stringify(key)})`);
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

/** A key with some scopes, made by the operator. */
async function keyWith(scopes: string): Promise<string> {
  const response = await fetch(`${server.url}/operate/api/keys`, {
    method: 'POST',
    headers: { 'x-api-key': server.operatorKey!, 'content-type': 'application/json' },
    body: JSON.stringify({ name: scopes, scopes }),
  });
  return ((await response.json()) as { key: string }).key;
}

/** The number of tweets that match, by the API. */
async function totalOf(query: string): Promise<number> {
  const response = await fetch(
    `${server.url}/social/tweet/counts?${new URLSearchParams({ query, granularity: 'all' })}`,
    {
      headers: { 'x-api-key': server.firstKey! },
    },
  );
  return ((await response.json()) as { total: number }).total;
}

/** Tweets of the sample that the account of the service likes. */
const likedIds = ['1890000000000000001', '1890000000000000002'];
/** The widths of a phone and of a desktop; `npm test` takes one of them. */
const widths = inTurn([390, 1440], 1);
const focused = (page: Page): Promise<string> => page.evaluate('document.activeElement.id');
const fits = (page: Page): Promise<number> => page.evaluate('document.documentElement.scrollWidth');

inBrowser.each(widths)(
  'at %i px, / goes to the search box of every page, Escape goes back, and Enter searches',
  async (width) => {
    const page = await open('/', width);
    const { complaints } = watch(page);
    for (const path of inTurn(['/', '/live', '/docs/', '/docs/search', '/operate', '/u/mira_codes'], 3)) {
      await page.goto(server.url + path);
      const brand = page.locator('.brand');
      await brand.focus();
      await page.keyboard.press('/');
      expect([path, await focused(page)]).toEqual([path, 'site-search']);
      const box = (await page.locator('#site-search').boundingBox())!;
      expect([path, box.width > 180, await fits(page)]).toEqual([path, true, width]);
      await page.keyboard.type('half a wo');
      await page.keyboard.press('Escape');
      expect(await brand.evaluate((each) => each === document.activeElement)).toBe(true);
      expect(await page.locator('#site-search').inputValue()).toBe('');
    }
    // In a field, / is text.
    await page.goto(`${server.url}/docs/search`);
    await page.locator('textarea').first().fill('');
    await page.locator('textarea').first().pressSequentially('a/b');
    expect(await page.locator('textarea').first().inputValue()).toBe('a/b');

    await page.locator('.brand').focus();
    await page.keyboard.press('/');
    await page.keyboard.type('mira');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/explore?q=mira');
    expect(await page.locator('#site-search').inputValue()).toBe('mira');
    await page.getByText(`${await totalOf('mira')} tweets`, { exact: true }).waitFor();
    const people = page.getByRole('region', { name: 'People' });
    await people.getByRole('link', { name: /Mira Holt/ }).waitFor();
    await page.getByRole('button', { name: 'What it means' }).click();
    await page.getByRole('region', { name: 'What it means' }).getByText('the word “mira”').waitFor();
    expect(await fits(page)).toBe(width);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  },
  patience,
);

inBrowser.each(widths)(
  'at %i px, a query that cannot be read shows the place, and one press mends it',
  async (width) => {
    const page = await open('/explore?q=coffee+fron%3Amira_codes&order=top', width);
    const fault = page.getByRole('alert').filter({ hasText: 'This query cannot be read' });
    await fault.getByText('Unknown operator').waitFor();
    expect(await fault.locator('.unseen').textContent()).toBe('coffee ');
    expect(await barriers(page)).toEqual([]);
    await fault.getByRole('button', { name: 'Use ‘from:’' }).click();
    await page.waitForURL(`**/explore?q=coffee+from%3Amira_codes&order=top`);
    await page.locator('.tweet-card').first().waitFor();
    expect(await page.getByRole('button', { name: 'Top' }).getAttribute('aria-pressed')).toBe('true');
  },
  patience,
);

inBrowser.each(widths)(
  'at %i px, a search is saved, opened from the list, and deleted after a question',
  async (width) => {
    const page = await open('/explore?q=coffee+lang%3Aen', width);
    const { complaints } = watch(page);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    const panel = page.getByRole('region', { name: 'Saved searches' });
    await panel.getByText('No search is saved').waitFor();
    await panel.getByLabel('Save this search as').fill(`Coffee at ${width}`);
    await panel.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.getByText('This search is saved.').waitFor();
    await page.goto(`${server.url}/explore`);
    await page.getByRole('button', { name: 'Saved searches' }).click();
    expect(await barriers(page)).toEqual([]);
    expect(await fits(page)).toBe(width);
    await panel.getByRole('link', { name: `Coffee at ${width}` }).click();
    await page.waitForURL('**/explore?q=coffee+lang%3Aen');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await panel.getByRole('button', { name: `Delete Coffee at ${width}` }).click();
    await page.waitForFunction("document.activeElement.textContent === 'Delete it'");
    await page.keyboard.press('Enter');
    await panel.getByText('No search is saved').waitFor();
    expect(complaints).toEqual([]);
  },
  patience,
);

inBrowser(
  'a key that may only read is told which scope saved searches need',
  async () => {
    const page = await open('/explore?q=coffee', 1440, await keyWith('read'));
    await page.getByRole('button', { name: 'Saved searches' }).click();
    const fault = page.getByRole('region', { name: 'Saved searches' }).getByRole('alert');
    expect(await fault.innerText()).toMatch(/This key may not do this[^]*alerts/);
    await fault.getByRole('button', { name: 'Enter a key' }).waitFor();
  },
  patience,
);

inBrowser(
  'the address of a feed of a search and of a user is read without the key, until it is revoked',
  async () => {
    const feeds = [
      ['/explore?q=coffee', 'coffee'],
      ['/u/mira_codes', 'mira_codes'],
    ] as const;
    for (const [path, title] of inTurn(feeds, 1)) {
      const page = await open(path);
      await page.getByRole('button', { name: 'Feed', exact: true }).click();
      await page.getByRole('button', { name: 'Make the address' }).click();
      const address = await page.getByLabel('Address of the feed').inputValue();
      expect(address).not.toContain(server.firstKey!);
      const response = await fetch(address);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        expect.stringContaining('application/atom+xml'),
      ]);
      expect(await response.text()).toContain(title);
      expect(await barriers(page, 'main')).toEqual([]);
      await page.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('The last address is revoked').waitFor();
      expect((await fetch(address)).status).toBe(401);
    }
  },
  patience,
);

inBrowser(
  'charts say how many tweets they cover, from when to when, in UTC, also for a reader in another time zone',
  async () => {
    const page = await open('/explore?q=%23nodejs+until%3A2026-11-01', 1440, server.firstKey!, {
      timezoneId: 'Pacific/Honolulu',
    });
    const covers = page.locator('.plot-covers').first();
    await covers.waitFor();
    const total = await totalOf('#nodejs until:2026-11-01');
    expect(await covers.textContent()).toMatch(
      new RegExp(String.raw`^${total} tweets, \d+ \w+ 2026, \d\d:\d\d to \d+ \w+ 2026, \d\d:\d\d UTC$`),
    );
    expect(await page.locator('.plot-axis').first().innerText()).toMatch(/^\d+ tweets?\n/);
    await page.goto(`${server.url}/explore?q=from%3Amira_codes+since%3A2026-03-04+until%3A2026-03-05`);
    await covers.waitFor();
    // The bars of 4 March are those of UTC; in Honolulu some of it is 3 March.
    const labels = await page.locator('.plot').first().locator('th').allTextContents();
    expect(labels.filter((label) => label.includes('3 Mar'))).toEqual([]);
  },
  patience,
);

inBrowser(
  'an author has a card for a resting pointer and for the keyboard, with one request, and none for fingers',
  async () => {
    const page = await open('/explore?q=from%3Amira_codes');
    const asked: string[] = [];
    page.on('request', (request) => void (request.url().includes('/user/info') && asked.push(request.url())));
    const names = page.locator('.tweet-card a.user-name');
    const card = page.locator('#person-card');
    await names.first().waitFor();
    await names.first().hover();
    await card.getByText('Builds small archives.').waitFor();
    expect(await names.first().getAttribute('aria-describedby')).toBe('person-card');
    expect(await barriers(page, '#person-card')).toEqual([]);
    await card.getByRole('link', { name: /followers/ }).hover();
    await page.waitForTimeout(600);
    expect(await card.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'hidden' });
    // Another link to the same author asks nothing.
    await names.nth(1).hover();
    await card.waitFor();
    await page.mouse.move(5, 400);
    await card.waitFor({ state: 'hidden' });
    await page.locator('.searched').click();
    await page.locator('.request-line summary').focus();
    await names.first().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await card.waitFor();
    expect(asked).toHaveLength(1);
    await page.keyboard.press('Tab');
    await card.waitFor({ state: 'hidden' });

    const phone = await open('/explore?q=from%3Amira_codes', 390, server.firstKey!, { hasTouch: true, isMobile: true });
    await phone.locator('.tweet-card a.user-name').first().tap();
    await phone.waitForURL('**/u/mira_codes');
    expect(await phone.locator('#person-card').count()).toBe(0);
  },
  patience,
);

inBrowser(
  'a pointer that crosses a list causes no request, and a service that refuses is not asked again for each link',
  async () => {
    const page = await open('/explore?q=coffee');
    let asked = 0;
    await page.route('**/social/user/info?**', (route) => {
      asked++;
      return route.fulfill({ status: 403, json: { error: 'no' } });
    });
    const names = page.locator('.tweet-card a.user-name');
    await names.nth(3).waitFor();
    // All at once: a step of a slow machine takes as long as a pointer that rests.
    await page.evaluate(`{
      const over = (element) => element.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }));
      for (let round = 0; round < 3; round++) [...document.querySelectorAll('.tweet-card a.user-name')].slice(0, 4).forEach(over);
      over(document.body);
    }`);
    await page.waitForTimeout(900);
    expect(asked).toBe(0);
    await names.first().hover();
    await until(() => asked === 1);
    await page.mouse.move(5, 400);
    await names.first().hover();
    await page.waitForTimeout(900);
    expect(asked).toBe(1);
    expect(await page.locator('#person-card').count()).toBe(0);
  },
  patience,
);

inBrowser(
  'a name that nobody has leads to the users that may be meant, to a search and to a target to follow',
  async () => {
    const page = await open('/u/mira_codes.bsky.social');
    const meant = page.getByRole('region', { name: 'Did you mean' });
    // No host has an underscore: it is no username, and only a name without it can be meant.
    await page.getByText('Nobody here has this name').waitFor();
    expect(await meant.getByRole('link', { name: /Mira Holt/ }).count()).toBe(1);
    await page.goto(`${server.url}/u/bluesky%3Amira_codes`);
    await meant.getByRole('link', { name: /Mira Holt/ }).click();
    await page.waitForURL('**/u/mira_codes');

    await page.goto(`${server.url}/u/nobody.example.com`);
    await page.getByText('bluesky:nobody.example.com').waitFor();
    expect(await meant.count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole('link', { name: 'Search for the name' }).click();
    await page.waitForURL(/explore\?q=%22nobody.example.com%22/);
  },
  patience,
);

inBrowser.each(widths)(
  'at %i px, a liked tweet can lose its like after a question, with a key that may write',
  async (width) => {
    const id = width === 390 ? likedIds[0]! : likedIds[1]!;
    const reader = await open(`/t/${id}`, width, await keyWith('read'));
    await reader.getByRole('button', { name: 'Unlike' }).click();
    const question = reader.getByRole('group', { name: 'Remove the like?' });
    await question.getByText('cannot be set again').waitFor();
    await reader.waitForFunction("document.activeElement.textContent === 'Keep it'");
    await question.getByRole('button', { name: 'Remove the like' }).click();
    expect(await question.getByRole('alert').innerText()).toMatch(/This key may not do this[^]*write/);
    expect(await barriers(reader)).toEqual([]);
    await question.getByRole('button', { name: 'Keep it' }).click();
    await reader.getByRole('button', { name: 'Unlike' }).waitFor();

    const page = await open(`/t/${id}`, width);
    const { complaints } = watch(page);
    const likes = page.locator('.tweet-main > .facts').getByText(/likes?$/);
    const before = Number(((await likes.textContent()) ?? '').replace(/\D/g, ''));
    await page.getByRole('button', { name: 'Unlike' }).click();
    await page.getByRole('button', { name: 'Remove the like' }).click();
    await page.getByText('The like is removed.').waitFor();
    await page
      .locator('.tweet-main > .facts')
      .getByText(before === 2 ? '1 like' : `${(before - 1).toLocaleString('en')} likes`)
      .waitFor();
    expect(await fits(page)).toBe(width);
    await page.reload();
    await page.locator('.tweet-main').waitFor();
    expect(await page.getByRole('button', { name: 'Unlike' }).count()).toBe(0);
    expect(complaints).toEqual([]);
  },
  patience,
);

test.each([
  [[], 1],
  [[0, null], 1],
  [[3], 5],
  [[20, 7], 20],
  [[21], 50],
  [[0.3, null], 0.5],
  [[1_200], 2_000],
] as const)('the axis of %j ends at %d', (values, top) => {
  expect(topOf(values.map((value) => ({ label: '', value })))).toBeCloseTo(top, 9);
});
