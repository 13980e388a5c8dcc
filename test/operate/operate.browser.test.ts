/** The operator's page and the import page in a browser. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import {
  barriers,
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
import { redirectUsualPorts, startModelServers } from '../support/usual-ports.ts';
import { refuse, startReceiver } from '../support/webhook-receiver.ts';
import { zip } from '../support/zip.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let browser: Browser;
let operator: string;
let reader: string;
beforeAll(async () => {
  if (!present) return;
  folder = await temporaryFolder();
  // Nothing answers where the live platform is said to be. The account that a test adds is on the loopback interface.
  server = await startLocalServer(join(folder.path, 'data'), {
    ASSISTANT_HTTP: 'loopback',
    WEBHOOKS: 'private',
    ...{ FOLLOW_BLUESKY_STREAM: 'ws://127.0.0.1:1', FOLLOW_BLUESKY_API: 'http://127.0.0.1:1' },
  });
  operator = server.operatorKey ?? '';
  reader = server.firstKey ?? '';
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

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(stepPatience);
  const page = await context.newPage();
  await page.goto(server.url + path);
  return page;
}

async function signIn(page: Page, key = operator): Promise<void> {
  await page.getByLabel('Operator key').fill(key);
  await page.keyboard.press('Enter');
}

const archive = zip([
  {
    name: 'data/account.js',
    content: 'window.YTD.account.part0 = [{"account":{"accountId":"7","username":"own_archive"}}]',
  },
  {
    name: 'data/tweets.js',
    content:
      'window.YTD.tweets.part0 = [{"tweet":{"id_str":"70","created_at":"Thu Nov 03 08:50:26 +0000 2022","full_text":"own"}}, {"x":1}]',
  },
  { name: 'data/ad-impressions.js', content: `window.YTD.ad_impressions.part0 = [${'{},'.repeat(50)}{}]` },
]);

test('the scripts of each page have at most 30 kB compressed', async () => {
  const sizeOf = async (name: string): Promise<number> =>
    gzipSync(await readFile(new URL(`../../generated/pages/${name}.js`, import.meta.url))).length;
  const frame = await sizeOf('frame');
  for (const name of ['operate', 'import']) expect([name, frame + (await sizeOf(name)) < 30_000]).toEqual([name, true]);
});

inBrowser(
  'an operator tests the webhook of a key, and sees the last attempts',
  async () => {
    const receiver = await startReceiver();
    try {
      const response = await fetch(`${server.url}/social/searches`, {
        method: 'POST',
        headers: { 'x-api-key': reader, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Coffee news', query: 'coffee', url: `${receiver.url}?key=of-the-path` }),
      });
      receiver.secret = ((await response.json()) as { secret: string }).secret;
      const page = await open('/operate');
      await signIn(page);
      const section = page.getByRole('region', { name: 'Saved searches and webhooks' });
      await section.getByRole('button', { name: 'Send test' }).click();
      await section.getByText('Test of Coffee news: accepted with 204.').waitFor();
      receiver.answer = refuse(500);
      await section.getByRole('button', { name: 'Send test' }).click();
      await section.getByText('Test of Coffee news: the answer is 500.').waitFor();
      await section.getByRole('button', { name: 'Attempts' }).click();
      await section.getByRole('heading', { name: 'Last attempts of Coffee news' }).waitFor();
      await section.getByRole('cell', { name: 'accepted with 204' }).waitFor();
      expect(await section.textContent()).not.toContain('of-the-path');
      expect(await barriers(page)).toEqual([]);
      await section.getByRole('button', { name: 'Delete' }).click();
      await section.getByRole('button', { name: 'Yes' }).click();
      await section.getByText('No key has saved a search.').waitFor();
    } finally {
      await receiver.close();
    }
  },
  patience,
);

inBrowser(
  'a key for data does not sign in; an operator stays signed in on both pages, and signs out',
  async () => {
    const page = await open('/operate');
    await signIn(page, reader);
    await page.getByText('This key is for data, not for operators.').waitFor();
    await signIn(page, 'sd_unknown');
    await page.getByText('The service does not know this key.').waitFor();
    await signIn(page);
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    // Before the start there is nothing: a gap, and no duration of 0 ms.
    const duration = page.getByRole('figure').filter({ hasText: 'Duration, p99' });
    expect(await duration.getByRole('cell').first().textContent()).toBe('no data');
    expect(await duration.locator('.plot-axis').textContent()).toContain('ms');
    for (const [span, step, count] of [
      ['Week', 'an hour', 168],
      ['Day', 'in 15 minutes', 96],
    ] as const) {
      await page.getByRole('button', { name: span, exact: true }).click();
      const requests = page.getByRole('figure').filter({ hasText: `Requests ${step}` });
      await requests.getByText(/^\d+ requests?, .+ to now, times of /).waitFor();
      expect(await requests.getByRole('cell').count()).toBe(count);
      expect(await requests.getByRole('cell').last().textContent()).not.toBe('0 requests');
    }
    // Scripts hold neither the key nor the session.
    const stored = await page.evaluate('document.cookie + JSON.stringify({ ...sessionStorage, ...localStorage })');
    expect(stored).toBe('{}');
    expect(page.url()).not.toContain('sd_');

    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await page.getByText('Drop files here').waitFor();
    await page.getByRole('link', { name: 'Operate' }).last().click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Operator key').waitFor();
    await page.goto(`${server.url}/import`);
    await page.getByLabel('Operator key').waitFor();
  },
  patience,
);

inBrowserNightly(
  'an operator adds, tests and removes an account, and follows an account and removes it; no page has the secret',
  async () => {
    const page = await open('/operate');
    await signIn(page);
    const accounts = page.getByRole('region', { name: 'Accounts of the assistant' });
    await accounts.getByText('Add an account').click();
    await accounts.getByLabel('Endpoint', { exact: true }).fill('http://127.0.0.1:1/v1');
    await accounts.getByLabel('Its key').fill('sk-page-secret');
    await accounts.getByRole('button', { name: 'Add', exact: true }).click();
    await accounts.getByText(/^Account \w+: not in use/).waitFor();
    expect(await page.content()).not.toContain('sk-page-secret');
    expect(await accounts.getByLabel('Its key').inputValue()).toBe('');
    const added = accounts.getByRole('row').filter({ hasText: '127.0.0.1:1/v1' });
    await added.getByRole('button', { name: 'Remove' }).click();
    await added.getByRole('button', { name: 'Yes' }).click();
    await added.waitFor({ state: 'detached' });
    const local = accounts.getByRole('row').filter({ hasText: 'local-1' });
    await local.getByRole('button', { name: 'Test' }).click();
    await local.getByText('1 of 20').waitFor();

    const follow = page.getByRole('region', { name: 'Live platforms' });
    await follow.getByLabel('Follow an account, a list or a search').fill('mastodon:alice');
    await page.keyboard.press('Enter');
    await follow.getByText(/is no target: expected one of/).waitFor();
    await follow.getByLabel('Follow an account, a list or a search').fill('@alice.example.com');
    await page.keyboard.press('Enter');
    await follow.getByRole('button', { name: 'Use ‘bluesky:alice.example.com’' }).click();
    await follow.getByLabel('Follow an account, a list or a search').focus();
    await page.keyboard.press('Enter');
    const target = follow.getByRole('row').filter({ hasText: 'bluesky:alice.example.com' });
    await target.waitFor();
    await target.getByRole('button', { name: 'Remove with its data' }).click();
    await target.getByRole('button', { name: 'Erase 0 tweets and 0 accounts' }).click();
    await target.getByRole('button', { name: 'No' }).click();
    for (const tab of tabs)
      await inForms(page, tab, async (width, colorScheme, hasAxe) => {
        await picture(page, `operate-accounts-${width}-${colorScheme}`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        if (hasAxe) expect(await barriers(page)).toEqual([]);
      });
    await target.getByRole('button', { name: 'Erase 0 tweets' }).click();
    await target.getByRole('button', { name: 'Yes' }).click();
    await follow.getByText('No longer follows bluesky:alice.example.com.').waitFor();
    await follow.getByText('Nothing is followed.').waitFor();
  },
  patience,
);

inBrowser(
  'an operator creates a key, which works at once, and revokes it by keyboard; the audit log shows both',
  async () => {
    const page = await open('/operate');
    await signIn(page);
    await page.getByText('Create a key').click();
    await page.getByLabel('Name', { exact: true }).fill('from the page');
    await page.getByLabel(/^read:/).check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const made = await page.locator('.secret').textContent();
    const status = async (): Promise<number> =>
      (
        await fetch(`${server.url}/social/tweet/replies?tweet_id=1890000000000000001`, {
          headers: { 'x-api-key': made! },
        })
      ).status;
    expect(await status()).toBe(200);
    const row = page.getByRole('row', { name: /^from the page/ });
    await row.getByRole('button', { name: 'Revoke' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await row.waitFor({ state: 'detached' });
    // The row with the focus is gone: the reader is at the heading above, not at the top of the page.
    expect(await page.evaluate('document.activeElement.id')).toBe('keys');
    expect(await status()).toBe(401);
    const audit = page.getByRole('region', { name: 'Actions, newest first' });
    await audit.getByText('DELETE /keys/{id}').first().waitFor();
    expect(await audit.textContent()).toContain('"from the page", scopes: read');
    expect(await audit.textContent()).not.toContain(made);
  },
  patience,
);

inBrowser(
  'a dropped zip archive is uploaded and imported, with its report; then its account is erased after a preview',
  async () => {
    const page = await open('/import');
    await signIn(page);
    const files = { name: 'twitter-2024.zip', mimeType: 'application/zip', buffer: archive };
    await page.getByLabel('Drop files here, or choose them').setInputFiles(files);
    const job = page.getByRole('region', { name: 'twitter-2024.zip' });
    await job.getByText('Imported, but for 1 record', { exact: true }).waitFor();
    expect(await job.getByRole('link', { name: 'Explore the archive' }).getAttribute('href')).toBe(
      `${server.url}/explore`,
    );
    expect(await job.textContent()).toContain('1 taken · 0 updated · 0 unchanged · 1 skipped');
    await job.getByText('1 file of the archive left out').click();
    await job.getByText('ad-impressions.js').waitFor();
    await job.getByText(/^not recognised: /).waitFor();

    await page.goto(`${server.url}/operate`);
    await page.getByLabel('username or id').fill('own_archive');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('This erases 1 tweet, 1 account').waitFor();
    await page.getByRole('button', { name: 'Erase', exact: true }).click();
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByText(/^Erased: 1 tweet, 1 account/).waitFor();
  },
  patience,
);

inBrowserNightly(
  'a file of which nothing was taken is not called imported, and its reasons are open',
  async () => {
    const page = await open('/import');
    await signIn(page);
    const add = (name: string, text: string): Promise<void> =>
      page
        .getByLabel('Drop files here, or choose them')
        .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
    await add('recipes.jsonl', '{"flour":500}\n{"water":350}\n');
    const recipes = page.getByRole('region', { name: 'recipes.jsonl' });
    await recipes.getByText('Nothing imported: nothing in it was recognised').waitFor();
    await recipes.getByText(/^not recognised: /).waitFor();
    expect(await recipes.getByRole('link').count()).toBe(0);
    const record = { kind: 'user', user: { id: '77', username: 'ines_77', name: 'Ines' } };
    await add('one.jsonl', `${JSON.stringify(record)}\n`);
    await page.getByRole('region', { name: 'one.jsonl' }).getByText('Imported', { exact: true }).waitFor();
    await add('again.jsonl', `${JSON.stringify(record)}\n\n`);
    await page
      .getByRole('region', { name: 'again.jsonl' })
      .getByText('Nothing new: the archive has all of it already')
      .waitFor();
    expect(await page.getByText('Imported', { exact: true }).count()).toBe(1);
  },
  patience,
);

inBrowserNightly(
  'an upload that somebody else has left is listed, and cancelled by one press',
  async () => {
    const page = await open('/import');
    await signIn(page);
    await page.getByText('Drop files here').waitFor();
    const status = await page.evaluate(`fetch('/operate/api/imports', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'left.jsonl', bytes: 10, modified: 1 }),
    }).then(({ status }) => status)`);
    expect(status).toBe(200);
    const job = page.getByRole('region', { name: 'left.jsonl' });
    await job.getByRole('button', { name: 'Cancel left.jsonl' }).click();
    await job.waitFor({ state: 'detached' });
  },
  patience,
);

inBrowserNightly(
  'a backup is made by one press, and listed',
  async () => {
    const page = await open('/operate');
    await signIn(page);
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText(/MB, read back; records: /).waitFor();
    const rows = page.getByRole('region', { name: 'Backups made here' }).getByRole('row');
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
  },
  patience,
);

inBrowser.each(tabs)(
  'at $name, the pages fit, log no errors, and are accessible',
  async (tab) => {
    const page = await open('/healthz', optionsOf(tab));
    const { complaints, hosts } = watch(page);
    const check = (name: string): Promise<void> =>
      inForms(page, tab, async (width, colorScheme, hasAxe) => {
        await picture(page, `${name}-${width}-${colorScheme}`);
        expect([name, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([name, width]);
        if (hasAxe) expect([name, await barriers(page)]).toEqual([name, []]);
      });
    await page.goto(`${server.url}/operate`);
    await page.getByLabel('Operator key').waitFor();
    await check('operate-sign-in');
    await signIn(page);
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor();
    await page.getByText('Create a key').click();
    await check('operate');
    await page.goto(`${server.url}/import`);
    const files = { name: `tweets-${tab.name}.jsonl`, mimeType: 'text/plain', buffer: Buffer.from('{}\n') };
    await page.getByLabel('Drop files here, or choose them').setInputFiles(files);
    await page.getByText('1 record skipped').first().click();
    await check('import');
    expect(complaints).toEqual([]);
    expect([...hosts]).toEqual([server.url]);
  },
  patience,
);

inBrowserNightly(
  'the page Ask leads to the model servers of this machine, and one that the operator adds answers at once',
  async () => {
    const models = await startModelServers([11434]);
    const endRedirect = redirectUsualPorts(models.ports);
    try {
      const page = await open('/operate');
      await page.evaluate((key) => sessionStorage.setItem('social-data.key', key), reader);
      await page.goto(`${server.url}/ask?tweet=1890000000000000001`);
      await page.getByRole('button', { name: 'Explain this tweet' }).click();
      await page.getByText('No language model wrote this.').waitFor();
      await page.getByRole('link', { name: 'Use one on this machine' }).click();
      expect(models.asked).toEqual([]);
      await signIn(page);
      const offer = page.getByRole('listitem').filter({ hasText: 'Ollama: qwen3:8b' });
      await offer.waitFor();
      expect(models.asked).toEqual([[11434, 'GET /v1/models', undefined]]);
      await offer.getByRole('button', { name: 'Add' }).click();
      await page.getByText(/^Account \w+: available\.$/).waitFor();
      await page.goto(`${server.url}/ask?tweet=1890000000000000001`);
      await page.getByRole('button', { name: 'Explain this tweet' }).click();
      await page.getByText('I am at 11434.').waitFor();
      await page.getByText('ollama, m').waitFor();
    } finally {
      endRedirect();
      models.close();
    }
  },
  patience,
);
