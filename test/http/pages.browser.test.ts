import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  barriers,
  enterKey,
  everyForm,
  inBrowser,
  inBrowserNightly,
  inForms,
  launch,
  optionsOf,
  pageTabs,
  picture,
  present,
  watch,
  patience,
  stepPatience,
} from '../support/browser.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { inTurn } from '../support/rounds.ts';

const key = 'sd_browser01_QmVhbnNUb21hdG9lc09uaW9ucw';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let browser: Browser;
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  server = await startLocalServer(join(folder.path, 'data'), { API_KEYS: key, RATE_LIMIT: 'off' }, ['--replay=2']);
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

/** Opens a page in a tab that has the key, unless `apiKey` is empty. */
async function open(path: string, apiKey = key, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(stepPatience);
  if (apiKey !== '')
    await context.addInitScript(`sessionStorage.setItem('social-data.key', ${JSON.stringify(apiKey)})`);
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

const tweetId = '1890000000000000001';
const card = (page: Page) => page.locator('.tweet-card, .card').first().waitFor();
const heading = (name: string) => (page: Page) => page.getByRole('heading', { name }).waitFor();

/** A path of each page, and what shows that it is complete. */
const pages: readonly (readonly [name: string, path: string, ready: (page: Page) => Promise<unknown>])[] = [
  ['home', '/', (page) => page.getByRole('region', { name: 'The answer' }).waitFor()],
  ['explore', '/explore?q=filter%3Amedia', (page) => page.locator('.media-grid').first().waitFor()],
  ['profile', '/u/mira_codes', card],
  ['tweet', `/t/${tweetId}`, card],
  ['community', '/c/1700000000000000001', card],
  ['space', '/s/1vSampleSpace1', heading('Host')],
  ['ask', `/ask?tweet=${tweetId}`, (page) => page.getByText(/of 100 left/).waitFor()],
  ['docs', '/docs/', (page) => page.getByRole('link', { name: 'Search tweets' }).waitFor()],
  ['operation', '/docs/api/searchTweets', (page) => page.getByRole('button', { name: 'curl' }).waitFor()],
];

test('the scripts of each page have at most 60 kB compressed', async () => {
  const sizeOf = async (name: string): Promise<number> =>
    gzipSync(await readFile(new URL(`../../generated/pages/${name}.js`, import.meta.url))).length;
  const kit = (await sizeOf('frame')) + (await sizeOf('kit'));
  for (const [name] of pages) expect([name, kit + (await sizeOf(name)) < 60_000]).toEqual([name, true]);
});

/** axe-core checks these in every form. The tests of the others, and of the guides, do so for theirs. */
const checkedInEveryForm = new Set(['home', 'explore', 'tweet']);

/** Other files test these; the nightly run looks at them in the same tab too. */
const guides: typeof pages = [
  ['events', '/docs/events', heading('Close codes')],
  ['operations', '/docs/operations', heading('Limits and sizing')],
  ['agents', '/docs/agents', heading('Rules')],
  ['search', '/docs/search', heading('Unsupported operators')],
  ['live', '/live', card],
];

/** Takes a picture of a page, which must fit. */
async function expectFits(page: Page, name: string, width: number, colorScheme: string): Promise<void> {
  await picture(page, `${name}-${width}-${colorScheme}`);
  expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
}

inBrowser.each(pageTabs)(
  'at $name, every page fits, logs no errors, and is accessible',
  async (tab) => {
    const page = await open('/healthz', key, optionsOf(tab));
    const { complaints, hosts } = watch(page);
    for (const [name, path, ready] of everyForm ? [...pages, ...guides] : pages) {
      await page.goto(server.url + path);
      await ready(page);
      await inForms(page, tab, async (width, colorScheme, hasAxe) => {
        await expectFits(page, name, width, colorScheme);
        if (checkedInEveryForm.has(name) || (hasAxe && pages.some(([each]) => each === name)))
          expect([name, await barriers(page)]).toEqual([name, []]);
        expect([name, complaints]).toEqual([name, []]);
      });
    }
    expect([...hosts]).toEqual([server.url]);
  },
  patience,
);

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

inBrowserNightly(
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

inBrowserNightly(
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

inBrowser(
  'a reader goes from a search to an author, a tag, a tweet and its replies by links alone',
  async () => {
    const page = await open('/explore');
    const reads: URL[] = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (/^\/social\/(tweets|tweet\/info)$/.test(url.pathname)) reads.push(url);
    });
    await page
      .getByRole('searchbox', { name: 'Search tweets' })
      .fill('from:mira_codes filter:links -filter:retweets #nodejs');
    await page.keyboard.press('Enter');
    await page.waitForURL(/explore\?q=from%3Amira_codes/);
    const found = page.locator('.tweet-card', { hasText: 'We moved the build to Node 24' });
    // The search has the short form; the link card is of the full one.
    await found.getByRole('link', { name: /What is new in Node 24/ }).waitFor();
    expect(await found.getByRole('link', { name: 'example.org/node-24' }).getAttribute('href')).toBe(
      'https://example.org/node-24',
    );
    reads.length = 0;
    await found.getByRole('link', { name: '#nodejs' }).click();
    await page.waitForURL(/explore\?q=%23nodejs/);
    await found.getByRole('link', { name: /What is new in Node 24/ }).waitFor();
    // One request for all tweets of the search.
    expect([reads[0]?.pathname, (reads[0]?.searchParams.get('ids') ?? '').split(',').length > 3]).toEqual([
      '/social/tweets',
      true,
    ]);
    expect(reads.map(({ pathname }) => pathname)).not.toContain('/social/tweet/info');
    await page.locator('.tweet-card', { hasText: 'We moved the build' }).locator('.time').click();
    await page.waitForURL(`**/t/${tweetId}`);
    await page.getByRole('heading', { name: 'Tweet of Mira Holt' }).waitFor();
    await page.getByRole('region', { name: 'Replies' }).locator('.tweet-card').first().waitFor();
    await page.getByRole('link', { name: 'Retweeters' }).click();
    await page.getByRole('region', { name: 'Retweeters' }).locator('.user-row').first().waitFor();
    await page.locator('.tweet-main .user-name').click();
    await page.waitForURL('**/u/mira_codes');
    for (const tab of [...inTurn(['Replies', 'Media', 'Highlights', 'Following', 'Mentions'], 2), 'Communities']) {
      await page.getByRole('navigation', { name: 'Parts of the profile' }).getByRole('link', { name: tab }).click();
      await page.getByRole('region', { name: tab, exact: true }).locator('.tweet-card').first().waitFor();
    }
    await page.getByRole('region', { name: 'Communities' }).getByRole('link').first().click();
    await page.waitForURL(/\/c\/\d+$/);
    await card(page);
  },
  patience,
);

/** Changes the members of the responses to a path. */
const changed = async (page: Page, path: string, change: object): Promise<unknown> =>
  page.route(`**${path}?**`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } });
  });

inBrowserNightly(
  'a profile has the bio, the counts that are known, and the pinned tweet; a user without a profile has tabs',
  async () => {
    const page = await open('/u/MIRA_codes');
    const header = page.locator('.profile');
    await header.getByText('Builds small archives.').waitFor();
    expect(await header.locator('.facts').allInnerTexts()).toEqual([
      expect.stringMatching(/^Bergen\s*Joined September 2018$/),
      expect.stringMatching(/^307 following\s*1,840 followers\s*2,142 tweets\s*2,096 likes\s*54 photos and videos$/),
    ]);
    await page.getByRole('region', { name: 'Pinned' }).getByText('We moved the build to Node 24').waitFor();

    await changed(page, '/social/user/info', { unknown_counts: ['like_count', 'followers_count'] });
    await page.reload();
    await header.locator('.facts').nth(1).waitFor();
    expect(await header.innerText()).not.toMatch(/likes|followers/);

    await page.route('**/social/user/info?**', (route) => route.fulfill({ status: 404, json: { error: 'not found' } }));
    await page.reload();
    await header.getByText('The profile is not in this archive').waitFor();
    await page.getByRole('region', { name: 'Tweets', exact: true }).locator('.tweet-card').first().waitFor();
  },
  patience,
);

inBrowserNightly(
  'a tweet has the tweets above it and the thread of its author, and says which tweets are not in the archive',
  async () => {
    const page = await open('/t/2068066946288394006');
    await page.getByRole('region', { name: 'Before this tweet' }).locator('.tweet-card').nth(1).waitFor();
    await page.getByRole('region', { name: 'The author’s thread' }).locator('.tweet-card').first().waitFor();
    expect(await page.getByText('not in this archive').count()).toBe(0);
    // The reader is at the tweet, not at the first one above it.
    expect(await page.evaluate('scrollY')).toBeGreaterThan(0);

    // Without the events, which bring counts.
    await page.routeWebSocket(/\/ws\?/, () => {});
    const missing = { ancestors: [], missing_ancestor_id: '42' };
    await changed(page, '/social/tweet/thread', missing);
    const unknown = { unknown_counts: ['view_count', 'bookmark_count'], quoted_tweet_id: '43' };
    await page.route('**/social/tweet/info?**', async (route) => {
      const response = await route.fetch();
      const info = (await response.json()) as { tweet: object };
      const tweet = { ...info.tweet, view_count: 0, bookmark_count: 0 };
      await route.fulfill({ response, json: { ...info, ...unknown, tweet } });
    });
    await page.reload();
    await page.getByText(/A reply to a tweet by @\w+ that is not in this archive\. 42/).waitFor();
    await page.getByText('It quotes a tweet that is not in this archive. 43').waitFor();
    expect(await page.locator('.tweet-main > .facts').innerText()).not.toMatch(/view|bookmark/);
    expect(await barriers(page)).toEqual([]);
  },
  patience,
);

/** The widths of a phone and of a desktop; `npm test` takes one of them. */
const widths = inTurn([390, 1440], 1);
const sized = (width: number): BrowserContextOptions => ({ viewport: { width, height: 844 } });

inBrowser.each(widths)(
  'at %i px, the conversation is a tree below the tweet, and the whole of it is searched by its first tweet',
  async (width) => {
    const page = await open(`/t/${tweetId}`, key, sized(width));
    const { complaints } = watch(page);
    const replies = page.getByRole('region', { name: 'Replies' });
    const asked = replies.locator('li', { hasText: 'Do you pin the Node version' });
    await asked.first().scrollIntoViewIfNeeded();
    // The best reply to a reply is below it.
    await asked.locator('.branch .tweet-card', { hasText: 'In the repository.' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await barriers(page)).toEqual([]);

    await asked.locator('.branch .time').click();
    await page.waitForURL(/\/t\/2029169262590330292$/);
    const above = page.getByRole('region', { name: 'Before this tweet' });
    await above.locator('.tweet-card').nth(1).waitFor();
    expect(await above.locator('.tweet-card').count()).toBe(2);
    await page.getByRole('link', { name: 'Whole conversation' }).click();
    await page.waitForURL(`**/explore?q=conversation_id%3A${tweetId}`);
    await page.locator('.tweet-card').nth(5).waitFor();
    expect(complaints).toEqual([]);
  },
  patience,
);

inBrowserNightly(
  'replies below a reply are loaded when the reader asks for them, page by page',
  async () => {
    const page = await open('/healthz');
    const tweet = {
      text: 'A reply',
      created_at: '2026-03-04T05:20:00.000Z',
      media: [],
      quoted_tweet: null,
      retweeted_tweet: null,
    };
    const author = { id: '1', name: 'Ines', username: 'ines', profile_image: '', verified: false, followers_count: 1 };
    const counts = { retweet_count: 0, like_count: 0, quote_count: 0, bookmark_count: 0, view_count: 0 };
    const entities = { mentions: [], hashtags: [], cashtags: [], urls: [] };
    const reply = (id: string, replies: number): object => ({
      ...tweet,
      ...counts,
      author,
      entities,
      id,
      reply_count: replies,
    });
    await changed(page, '/social/tweet/replies', {
      replies: [reply('51', 4)],
      next_cursor: null,
      has_next_page: false,
    });
    const pages: Record<string, object> = {
      '1 ': { tweets: [reply('61', 0)], next_cursor: 'c', has_next_page: true },
      '20 ': { tweets: [reply('61', 0), reply('62', 2)], next_cursor: 'c', has_next_page: true },
      '20 c': { tweets: [reply('63', 0)], next_cursor: null, has_next_page: false },
    };
    await page.route('**/social/tweet/advanced_search?**', async (route) => {
      const { searchParams: sent } = new URL(route.request().url());
      expect([sent.get('query'), sent.get('query_type')]).toEqual(['in_reply_to_tweet_id:51', 'Top']);
      await route.fulfill({ json: pages[`${sent.get('limit')} ${sent.get('cursor') ?? ''}`] });
    });
    await page.goto(`${server.url}/t/${tweetId}`);
    const branch = page.locator('.branch').first();
    await branch.locator('.tweet-card').waitFor();
    expect(await branch.locator('.tweet-card').count()).toBe(1);
    await branch.getByRole('button', { name: 'Show 3 more replies' }).click();
    await branch.locator('.tweet-card').nth(1).waitFor();
    await branch.getByRole('button', { name: 'Show more', exact: true }).click();
    await branch.locator('.tweet-card').nth(2).waitFor();
    await branch.getByRole('button', { name: 'Show 2 replies' }).waitFor();
  },
  patience,
);

inBrowserNightly(
  'a card opens from anywhere on it, besides its links, and its counts lead to what they count',
  async () => {
    const page = await open('/explore?q=from%3Amira_codes+%22We+moved+the+build%22');
    const found = page.locator('.tweet-card', { hasText: 'We moved the build' });
    await found.locator('.link-card').waitFor();
    expect(await found.getByRole('link', { name: /replies/ }).getAttribute('href')).toMatch(`/t/${tweetId}#parts`);
    // A reader who selects words of the text reads on.
    const words = (await found.locator('.text').boundingBox())!;
    await page.mouse.move(words.x + 2, words.y + 12);
    await page.mouse.down();
    await page.mouse.move(words.x + 150, words.y + 12);
    await page.mouse.up();
    expect(await page.evaluate('getSelection().toString().length')).toBeGreaterThan(5);
    expect(page.url()).toContain('/explore');
    await page.evaluate('getSelection().removeAllRanges()');
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      found.locator('.text').click({ position: { x: 9, y: 9 }, modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.waitForURL(`**/t/${tweetId}`);
    expect(page.url()).toContain('/explore');
    await found.locator('.text').click({ position: { x: 9, y: 9 } });
    await page.waitForURL(`**/t/${tweetId}`);
    await page
      .locator('.tweet-main')
      .getByRole('link', { name: /retweets/ })
      .click();
    await page.getByRole('region', { name: 'Retweeters' }).locator('.user-row').first().waitFor();
    await page.goto(`${server.url}/u/mira_codes`);
    await page
      .locator('.profile')
      .getByRole('link', { name: /followers/ })
      .click();
    await page.waitForURL(/tab=Followers/);
    await page.getByRole('region', { name: 'Followers' }).locator('.user-row, .nothing').first().waitFor();
  },
  patience,
);

inBrowserNightly.each(widths)(
  'at %i px, a community has its name, description, members and policy, and words where the archive has none',
  async (width) => {
    const id = '1700000000000000001';
    const page = await open(`/c/${id}`, key, sized(width));
    await page.getByRole('heading', { name: 'Home Roasters' }).waitFor();
    expect(await page.title()).toBe('Home Roasters · Social Data API');
    const head = page.locator('.community-head');
    expect(await head.innerText()).toMatch(
      /Beans, machines and mistakes\.\s+421 members\s*3 moderators\s*Everyone can join/,
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await barriers(page)).toEqual([]);

    await page.goto(`${server.url}/c/1700000000000999999`);
    await page.getByText('has no name for this community').waitFor();
    await page.getByText('No tweets of this community are here').waitFor();
    expect(await page.title()).toBe('Community · Social Data API');
    const words = await page.locator('main > :not(.columns), main section').allInnerTexts();
    expect(words.join(' ')).not.toMatch(/\d{10}/);
  },
  patience,
);

inBrowserNightly(
  'a link to an audio room or a community leads to its page here',
  async () => {
    const page = await open('/healthz');
    const text =
      'https://x.com/i/spaces/1vSampleSpace1 https://twitter.com/i/communities/1700000000000000001 https://x.com/i/lists/1';
    await page.route('**/social/user/last_tweets**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { tweets: object[] };
      await route.fulfill({ response, json: { ...body, tweets: body.tweets.map((each) => ({ ...each, text })) } });
    });
    await page.goto(`${server.url}/u/mira_codes`);
    const links = page.locator('.feed .text').first().getByRole('link');
    await links.first().waitFor();
    expect(
      await links.evaluateAll((all) => all.map((link) => [link.textContent, (link as HTMLAnchorElement).href])),
    ).toEqual([
      ['Audio room', `${server.url}/s/1vSampleSpace1`],
      ['Community', `${server.url}/c/1700000000000000001`],
      ['x.com/i/lists/1', 'https://x.com/i/lists/1'],
    ]);
  },
  patience,
);

inBrowserNightly(
  'a key that is remembered on the device holds in new tabs, until it is removed in one of them',
  async () => {
    const page = await open('/', '');
    await page.locator('#key-open').click();
    await page.getByLabel(/Remember it on this device/).check();
    await enterKey(page, key);
    const other = await page.context().newPage();
    await other.goto(`${server.url}/explore`);
    await card(other);
    await other.locator('#key-open').click();
    expect(await other.getByLabel(/Remember it on this device/).isChecked()).toBe(true);
    expect(await barriers(other, '#key-dialog')).toEqual([]);
    await other.getByRole('button', { name: 'Remove' }).click();
    await page.locator('#key-state', { hasText: 'Add key' }).waitFor();
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(key);
  },
  patience,
);

inBrowserNightly(
  'the key of an operator is not taken for data, and the reader learns what it is',
  async () => {
    const operators = await startLocalServer(join(folder.path, 'operators'), { RATE_LIMIT: 'off', DEMO: '0' });
    const page = await open('/healthz', '');
    await page.goto(operators.url);
    await page.locator('#key-open').click();
    const dialog = page.getByRole('dialog', { name: 'API key' });
    await dialog.getByLabel('API key', { exact: true }).fill(operators.operatorKey!);
    await dialog.getByRole('button', { name: 'Use this key' }).click();
    await dialog.getByText('This is the key of an operator').waitFor();
    expect(await page.evaluate('sessionStorage.length + localStorage.length')).toBe(0);
    await operators.end();
  },
  patience,
);

/** Opens the profile with these media in each tweet. */
async function openWithMedia(page: Page, media: readonly object[], more: object = {}): Promise<void> {
  await page.route('**/social/user/last_tweets**', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { tweets: object[] };
    const tweets = body.tweets.slice(0, 3).map((each) => ({ ...each, media, retweeted_tweet: null, ...more }));
    await route.fulfill({ response, json: { tweets, next_cursor: null, has_next_page: false } });
  });
  await page.goto(`${server.url}/u/mira_codes`);
}

inBrowser.each(widths)(
  'at %i px, pictures open in front of the page by keyboard, with their description, and the focus returns',
  async (width) => {
    const page = await open('/healthz', key, sized(width));
    const drawn = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>';
    await page.route('https://pictures.test/**', (route) =>
      route.request().url().endsWith('gone.png')
        ? route.fulfill({ status: 404 })
        : route.fulfill({ contentType: 'image/svg+xml', body: drawn }),
    );
    await page.addInitScript('localStorage.setItem("social-data.pictures", "yes")');
    await openWithMedia(page, [
      { type: 'photo', url: 'https://pictures.test/a.png', alt_text: 'A harbour' },
      { type: 'photo', url: 'https://pictures.test/gone.png' },
      {
        type: 'video',
        url: 'https://pictures.test/b.png',
        video_url: 'https://pictures.test/b.mp4',
        alt_text: 'Waves',
      },
    ]);
    const grid = page.locator('.feed .media-grid').first();
    await grid.getByText('The picture could not be loaded.').waitFor();
    // A video plays where it is.
    expect(await grid.locator('video[controls]').getAttribute('aria-label')).toBe('Waves');
    const cell = grid.getByRole('button', { name: /A harbour/ });
    await cell.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Photo 1 of 3' });
    await dialog.getByText('A harbour').waitFor();
    expect(await barriers(page, 'dialog[open]')).toEqual([]);
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab');
      // The focus is in front of the page, or in the frame of the browser.
      expect(
        await page.evaluate('document.activeElement.closest("dialog, body").tagName + document.activeElement.tagName'),
      ).toMatch(/^DIALOG|^BODYBODY/);
    }
    await dialog.getByRole('button', { name: 'Next' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Photo 2 of 3' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('dialog', { name: 'Video 3 of 3' }).locator('video').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await cell.evaluate((button) => button === document.activeElement)).toBe(true);
  },
  patience,
);

inBrowser.each(widths)(
  'at %i px, the tab Media is a grid, no page moves while it loads, and the sample links to nothing outside',
  async (width) => {
    const page = await open('/healthz', key, sized(width));
    await page.addInitScript(`
      window.shift = 0;
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
        if (!entry.hadRecentInput) window.shift += entry.value;
      })).observe({ type: 'layout-shift', buffered: true });
    `);
    for (const [, path, ready] of inTurn(pages, 2)) {
      await page.goto(server.url + path);
      await ready(page);
      await page.waitForLoadState('networkidle').catch(() => undefined);
      const shift = await page.evaluate<number>('window.shift');
      expect([path, shift <= 0.05 ? 'stays' : shift]).toEqual([path, 'stays']);
      expect(await page.getByRole('link', { name: 'Original' }).count()).toBe(0);
    }
    await page.goto(`${server.url}/u/mira_codes?tab=Media`);
    const tiles = page.locator('.media-tiles .cell');
    await tiles.nth(2).waitFor();
    const [first, second] = [(await tiles.first().boundingBox())!, (await tiles.nth(1).boundingBox())!];
    expect([second.y, Math.round(second.width - second.height)]).toEqual([first.y, 0]);
    expect(await barriers(page)).toEqual([]);
    await tiles.first().click();
    await page.getByRole('dialog').getByRole('link', { name: 'Tweet' }).click();
    await page.waitForURL(/\/t\/\d+$/);
  },
  patience,
);

inBrowserNightly(
  'a long text is folded until the reader opens it, and a long name takes at most two lines',
  async () => {
    const page = await open('/healthz', key, sized(390));
    const author = {
      id: '1',
      name: 'Long '.repeat(60),
      username: 'long',
      profile_image: '',
      verified: true,
      followers_count: 1,
    };
    const bare = { card: undefined, article: undefined, quoted_tweet: null };
    await openWithMedia(page, [], { ...bare, author, text: 'One line.\n'.repeat(40) });
    const long = page.locator('.feed .tweet-card').first();
    await long.waitFor();
    expect((await long.boundingBox())!.height).toBeLessThan(420);
    expect((await long.locator('.user-name').boundingBox())!.height).toBeLessThan(60);
    await long.getByRole('button', { name: 'Show the whole text' }).click();
    expect((await long.locator('.text').boundingBox())!.height).toBeGreaterThan(800);
    expect(page.url()).toContain('/u/mira_codes');
  },
  patience,
);

inBrowserNightly(
  'the plots of a search have every match: its time, its engagement, its author',
  async () => {
    const names = ['like_count', 'retweet_count', 'quote_count', 'reply_count'];
    const engagementOfMatches = async (): Promise<number> => {
      const response = await fetch(
        `${server.url}/social/tweet/advanced_search?limit=100&query=${encodeURIComponent('#nodejs until:2026-11-01')}`,
        { headers: { 'x-api-key': key } },
      );
      const { tweets } = (await response.json()) as { tweets: Record<string, number>[] };
      return tweets.flatMap((tweet) => names.map((name) => tweet[name] ?? 0)).reduce((a, b) => a + b);
    };
    // New tweets arrive during the test. A reply to a match adds to its count, so the page has a sum between two others.
    const before = await engagementOfMatches();
    const page = await open('/explore?q=%23nodejs+until%3A2026-11-01');
    const rail = page.locator('.rail');
    const all = /^All (\d+) matches\.$/;
    await rail.getByText(all).waitFor();
    const matches = Number(all.exec((await rail.getByText(all).textContent()) ?? '')?.[1]);
    const sumOf = async (title: RegExp): Promise<number> => {
      const cells = await page.locator('.plot', { hasText: title }).locator('td').allTextContents();
      return cells.reduce((sum, cell) => sum + Number(/^[\d,]+/.exec(cell)?.[0].replaceAll(',', '')), 0);
    };
    expect(matches).toBeGreaterThan(1);
    // The matches are months apart.
    expect(await sumOf(/^Tweets a week/)).toBe(matches);
    const shown = await sumOf(/^Likes, retweets, quotes and replies a week/);
    expect(shown).toBeGreaterThanOrEqual(before);
    expect(shown).toBeLessThanOrEqual(await engagementOfMatches());
    await rail.getByRole('figure', { name: /Authors/ }).waitFor();
  },
  patience,
);

inBrowser(
  'a list continues as the reader scrolls, without a repeat, and new tweets wait for a button',
  async () => {
    const page = await open('/explore');
    const links = page.locator('.tweet-body > .by > .time');
    await links.nth(19).waitFor();
    await page.getByRole('button', { name: 'Show more' }).scrollIntoViewIfNeeded();
    await links.nth(39).waitFor();
    const before = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    expect(new Set(before).size).toBe(before.length);
    const waiting = page.getByRole('button', { name: /^\d+ new$/ });
    await waiting.waitFor();
    const count = await links.count();
    await waiting.click();
    await page.locator('.tweet-card.new').first().waitFor();
    expect(await links.count()).toBeGreaterThan(count);
    const after = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    expect(new Set(after).size).toBe(after.length);
  },
  patience,
);

inBrowserNightly(
  'a view shows its request as a command that returns the same, and contains the key only when asked',
  async () => {
    const page = await open(`/t/${tweetId}`);
    const line = page.locator('.request-line', { hasText: '/social/tweet/replies' });
    await line.locator('summary').click();
    const command = async (): Promise<string> => (await line.getByRole('region').textContent()) ?? '';
    const text = await command();
    expect(text).not.toContain(key);
    const words = execFileSync('sh', ['-c', `curl() { for word in "$@"; do echo "$word"; done; }; ${text}`], {
      env: { API_KEY: key },
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
    expect(words).toEqual([
      '-G',
      `${server.url}/social/tweet/replies`,
      '-H',
      `x-api-key: ${key}`,
      '--data-urlencode',
      `tweet_id=${tweetId}`,
    ]);
    await line.getByLabel('Show my key in it').check();
    expect(await command()).toContain(key);
    await line.getByRole('button', { name: 'TypeScript' }).click();
    expect(await command()).toContain(`client.tweet.replies({"tweet_id":"${tweetId}"})`);
  },
  patience,
);

const faults = [
  ['unknown', '/u/nobody_here', undefined, 'Nobody here has this name', undefined],
  ['a tweet that is not there', '/t/42', undefined, 'This tweet is not here', undefined],
  ['not an id', '/t/abc', undefined, 'This is not the id of a tweet', undefined],
  ['a query that cannot be read', '/explore?q=filter%3Avidoes', undefined, "did you mean 'videos'", undefined],
  [
    '429',
    '/explore',
    { status: 429, headers: { 'retry-after': '3600' }, json: { error: 'rate limit exceeded' } },
    'Too many requests',
    /Try again in 3[2-6]\d\d s/,
  ],
  [
    '503',
    '/explore',
    { status: 503, headers: { 'retry-after': '3600' }, json: { error: 'the server is overloaded' } },
    'Not available now',
    /Try again in 3[2-6]\d\d s/,
  ],
  [
    '403',
    '/explore',
    { status: 403, json: { error: "this key lacks the scope 'read'" } },
    'This key may not do this',
    /Enter a key/,
  ],
] as const;
inBrowser(
  'the page says in plain words what is wrong, and what to do',
  async () => {
    const page = await open('/healthz');
    for (const [, path, answer, text, action] of inTurn(faults, 1)) {
      if (answer !== undefined) await page.route('**/social/tweet/**', (route) => route.fulfill(answer));
      await page.goto(server.url + path);
      await page.getByText(text).first().waitFor();
      if (action !== undefined) await page.getByRole('button', { name: action }).first().waitFor();
      expect([path, await barriers(page)]).toEqual([path, []]);
      await page.unrouteAll();
    }
  },
  patience,
);

inBrowserNightly(
  'a reader without a network is told so, and the view continues when it is back; a refused key is asked for again',
  async () => {
    const page = await open('/explore');
    await card(page);
    await page.context().setOffline(true);
    await page.getByRole('button', { name: 'Show more' }).evaluate((button: HTMLElement) => button.click());
    await page.getByText('You are offline').waitFor();
    await page.context().setOffline(false);
    await page.locator('.feed .tweet-card').nth(30).waitFor();

    const other = await open('/explore', 'sd_wrong');
    await other.getByText('The key is not valid here').first().waitFor();
    await other.getByRole('button', { name: 'Enter a key' }).first().click();
    await enterKey(other, key);
    await card(other);
  },
  patience,
);

inBrowserNightly(
  'the examples of a search, and the searches of the home page, find tweets in the bundled sample',
  async () => {
    // A server without the replay: its tweets are those that a first start has.
    const plain = await startLocalServer(join(folder.path, 'plain'), { API_KEYS: key, RATE_LIMIT: 'off' });
    const page = await open('/healthz');
    const found = async (query: string): Promise<number> => {
      const search = `${plain.url}/social/tweet/advanced_search?${new URLSearchParams({ query, limit: '1' })}`;
      const response = await fetch(search, { headers: { 'x-api-key': key } });
      return ((await response.json()) as { tweets: object[] }).tweets.length;
    };
    for (const [path, links] of [
      ['/explore', '.examples a'],
      ['/', '.steps a[href*="explore?q="]'],
    ] as const) {
      await page.goto(server.url + path);
      await page.locator(links).first().waitFor();
      const queries = (
        await page.locator(links).evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''))
      ).map((href) => new URL(href, server.url).searchParams.get('q') ?? '');
      expect(queries.length).toBeGreaterThan(1);
      for (const query of queries) expect([query, await found(query)]).toEqual([query, 1]);
    }
    await plain.end();
  },
  patience,
);

inBrowserNightly(
  'the home page shows the newest tweets to a reader with a key',
  async () => {
    const newest = (page: Page) => page.getByRole('region', { name: 'Newest here' });
    const page = await open('/');
    await newest(page).getByRole('article').nth(2).waitFor();
    const without = await open('/', '');
    await without.getByText('Enter an API key to run it here.').waitFor();
    expect(await newest(without).count()).toBe(0);
  },
  patience,
);

inBrowserNightly(
  'an author without a profile in the archive is unknown, and no link leads to a page without a name',
  async () => {
    const page = await open('/healthz');
    await page.route('**/social/user/last_tweets**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { tweets: { author: object }[] };
      const unknown = { name: '', username: '', profile_image: '' };
      const tweets = body.tweets.map((each) => ({ ...each, author: { ...each.author, ...unknown } }));
      await route.fulfill({ response, json: { ...body, tweets } });
    });
    await page.goto(`${server.url}/u/mira_codes`);
    await page.getByRole('article').getByText('Unknown author').first().waitFor();
    expect(await page.locator('a[href$="/u/"]').count()).toBe(0);
    expect(await page.getByText('@', { exact: true }).count()).toBe(0);
  },
  patience,
);

inBrowserNightly(
  'the picture of the author of a quoted tweet is round',
  async () => {
    const page = await open('/explore?q=filter%3Aquote');
    const size = await page
      .locator('.quoted .avatar')
      .first()
      .evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    expect(size).toEqual([24, 24]);
  },
  patience,
);

inBrowser(
  'pictures of other hosts are loaded only after the reader agreed',
  async () => {
    const page = await open('/healthz');
    const media = [{ type: 'photo', url: 'https://pictures.test/a.png', alt_text: 'A <b>harbour' }];
    await page.route('**/social/user/last_tweets**', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { tweets: object[] };
      await route.fulfill({ response, json: { ...body, tweets: body.tweets.map((each) => ({ ...each, media })) } });
    });
    let loads = 0;
    await page.route('https://pictures.test/**', (route) => {
      loads++;
      return route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' });
    });
    await page.goto(`${server.url}/u/mira_codes`);
    await page.getByText('Pictures come from other hosts').first().waitFor();
    expect(loads).toBe(0);
    await page.getByRole('button', { name: 'Show pictures' }).first().click();
    await page.locator('.media-grid img').first().waitFor();
    await page.waitForFunction('[...document.images].some((image) => image.complete)');
    expect(loads).toBeGreaterThan(0);
    expect(await page.getByText('Pictures come from other hosts').count()).toBe(0);
    await page.getByAltText('A <b>harbour').first().waitFor();
    expect(await page.getByText('A <b>harbour').first().isVisible()).toBe(false);
    await page.getByText('ALT').first().click();
    await page.getByText('A <b>harbour').first().waitFor();
  },
  patience,
);

inBrowserNightly(
  'the assistant answers in paragraphs with sources, and answers what the reader asks next',
  async () => {
    const page = await open('/ask');
    await page.getByLabel('Id or address of a tweet').fill('not a tweet');
    await page.keyboard.press('Enter');
    await page.getByText('This names no tweet').waitFor();
    await page.getByLabel('Id or address of a tweet').fill(`https://x.com/mira_codes/status/${tweetId}?s=20`);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/ask?tweet=${tweetId}`);
    await page.getByText('100 of 100 left').waitFor();
    await page.getByRole('button', { name: 'Explain this tweet' }).click();
    const turns = page.locator('.turn');
    await turns
      .first()
      .getByRole('link', { name: /What is new in Node 24/ })
      .waitFor();
    expect(await turns.first().locator('.reply > p').count()).toBeGreaterThan(3);
    expect(await turns.first().innerText()).not.toContain('\\n');
    await page.getByText('99 of 100 left').waitFor();
    await page.getByLabel('Your question').fill('What do the replies say?');
    await page.keyboard.press('Enter');
    await page.getByText('98 of 100 left').waitFor();
    expect(await turns.count()).toBe(2);
    await page.getByLabel('Find the token (2 questions)').check();
    await page.getByLabel('Your question').fill('Which token is it?');
    await page.keyboard.press('Enter');
    await turns.nth(2).getByRole('heading', { name: 'Token' }).waitFor();
    await page.getByText('96 of 100 left').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(page.url()).not.toContain(key);
  },
  patience,
);

inBrowserNightly.each([
  ['no_account', 503, 'No questions left at the moment', 'Ask again in 30 seconds', 'Ask again'],
  ['conversation_expired', 409, 'This conversation has expired', 'Start a new one', 'Start a new conversation'],
] as const)(
  'the assistant explains %s in plain words',
  async (code, status, title, text, action) => {
    const page = await open('/healthz');
    await page.routeWebSocket(/\/ws\?/, (socket) => {
      socket.onMessage((message) => {
        const { type, id } = JSON.parse(String(message)) as { type: string; id: string };
        if (type === 'ask')
          socket.send(JSON.stringify({ type: 'error', id, error: 'x', status, code, retry_after_s: 30 }));
      });
    });
    await page.goto(`${server.url}/ask?tweet=${tweetId}`);
    await page.getByRole('button', { name: 'Explain this tweet' }).click();
    const fault = page.getByRole('alert').filter({ hasText: title });
    await fault.waitFor();
    expect(await fault.innerText()).toContain(text);
    await fault.getByRole('button', { name: action }).waitFor();
  },
  patience,
);

inBrowserNightly(
  'a lost connection does not ask twice: the question comes again with the same key',
  async () => {
    const page = await open('/healthz');
    const keys: unknown[] = [];
    await page.routeWebSocket(/\/ws\?/, (socket) => {
      socket.onMessage((message) => {
        const { id, type, idempotency_key: sent } = JSON.parse(String(message)) as Record<string, string>;
        if (type !== 'ask') return;
        keys.push(sent);
        if (keys.length === 1) return void socket.close({ code: 4300, reason: 'gone' });
        socket.send(JSON.stringify({ type: 'answer', id, n: 0, delta: 'First part.' }));
        const result = {
          tweet_id: tweetId,
          summary: 'First part.\n\nSecond part, as [1] and [3] say.',
          citations: [],
          cited_tweets: [tweetId],
          model: 'm',
          conversation_id: 'c',
        };
        socket.send(JSON.stringify({ type: 'answered', id, result }));
      });
    });
    await page.goto(`${server.url}/ask?tweet=${tweetId}`);
    await page.getByRole('button', { name: 'Explain this tweet' }).click();
    await page.getByText('Second part').waitFor();
    expect(await page.getByRole('link', { name: '[1]' }).getAttribute('href')).toMatch(new RegExp(`/t/${tweetId}$`));
    expect(await page.getByRole('link', { name: '[3]' }).count()).toBe(0);
    expect(keys).toHaveLength(2);
    expect(keys[1]).toBe(keys[0]);
  },
  patience,
);

inBrowserNightly(
  'the keyboard skips to the content, reaches the search, and opens the request of a view',
  async () => {
    const page = await open('/explore');
    await card(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.className')).toBe('skip');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("main") !== null')).toBe(true);
    await page.locator('.request-line summary').first().focus();
    await page.keyboard.press('Enter');
    await page.locator('.request-line[open]').first().waitFor();
  },
  patience,
);

inBrowser.each(widths)(
  'at %i px, a conversation with the assistant is in the address, survives a reload, is listed, and can be forgotten',
  async (width) => {
    const page = await open(`/ask?tweet=${tweetId}`, key, sized(width));
    await page.getByText(/of 100 left/).waitFor();
    const field = (await page.getByLabel('Your question').boundingBox())!;
    expect(field.y + field.height).toBeLessThan(844);
    await page.getByRole('button', { name: 'Explain this tweet' }).click();
    const turn = page.locator('.turn').first();
    // A reply that the answer quotes leads to the reply.
    const quoted = turn.getByRole('link', { name: /^“.+” \[[2-9]\]$/s });
    await quoted.first().waitFor();
    expect(await quoted.first().getAttribute('href')).toMatch(/\/t\/\d+$/);
    const lines = await turn.locator('.reply > p:not(.chips)').allInnerTexts();
    expect(lines.filter((line) => line.includes('\n'))).toEqual([]);
    await page.waitForURL(/conversation=c_/);
    const address = page.url();
    await page.reload();
    await turn.getByText('It links to “What is new in Node 24”').waitFor();
    await page.getByLabel('Your question').fill('What do the replies say?');
    await page.keyboard.press('Enter');
    await page
      .locator('.turn')
      .nth(1)
      .getByText(/Direct replies that I read/)
      .waitFor();
    await page.locator('.turn').nth(1).getByText('the same over REST').waitFor();
    expect(page.url()).toBe(address);
    // The page that the tweet links to is no source of this answer, which does not name it.
    expect(await page.locator('.turn').nth(1).getByRole('group', { name: 'Sources' }).count()).toBe(0);

    await page.goto(`${server.url}/ask`);
    const recent = page.getByRole('region', { name: 'Recent conversations' });
    await recent.getByRole('link', { name: 'Explain this tweet · What do the replies say?' }).click();
    await page
      .locator('.turn')
      .nth(1)
      .getByText(/Direct replies that I read/)
      .waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    expect(await barriers(page)).toEqual([]);
    await page.goto(`${server.url}/ask`);
    await recent.getByRole('button', { name: 'Forget them' }).click();
    await recent.waitFor({ state: 'detached' });
    expect(await page.evaluate('localStorage.getItem("social-data.conversations")')).toBeNull();
  },
  patience,
);
