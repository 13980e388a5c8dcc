/**
 * `node scripts/docs/pictures.ts`: makes the pictures of the README in .github/pictures from a service with the bundled sample. It needs
 * Chromium in /usr/bin, and fonts with emoji.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright-core';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/pictures');
/** A README is fetched with each look at the repository. */
const maxBytes = 120_000;
const viewport = { width: 1120, height: 700 };
const key = 'sd_pictures0_UGljdHVyZXNPZlRoZVJlYWRtZQ';

const pictures: Readonly<Record<string, readonly [path: string, ready: (page: Page) => Promise<void>]>> = {
  explore: ['explore?q=coffee+OR+espresso', (page) => page.locator('.tweet-card').nth(3).waitFor()],
  search: [
    `docs/search#query=${encodeURIComponent('(coffee OR tea) -from:mira_codes min_faves:5')}`,
    async (page) => {
      await page.getByRole('button', { name: 'Run' }).click();
      await page.locator('.tweet-card').first().waitFor();
      await page.locator('#app').evaluate((box) => box.scrollIntoView());
    },
  ],
};

/** Starts a service on a free port with the sample in `data`, and calls `use` with its address. */
async function withService(data: string, use: (address: string) => Promise<void>): Promise<void> {
  const env = { ...process.env, PORT: '0', DATA_DIR: data, API_KEYS: key, LOG_LEVEL: 'silent' };
  const service = spawn(process.execPath, [join(root, 'server/main.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface(service.stdout)) {
      const [, address] = /^listening on (\S+)/.exec(line) ?? [];
      if (address !== undefined) return await use(`${address}/`);
    }
    throw new Error('the service did not start');
  } finally {
    service.kill();
  }
}

async function takePictures(address: string): Promise<void> {
  const executablePath = ['chromium-headless-shell', 'chromium', 'google-chrome']
    .map((name) => `/usr/bin/${name}`)
    .find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('there is no Chromium in /usr/bin');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ viewport, colorScheme: 'light', reducedMotion: 'reduce' });
    await context.addInitScript(`sessionStorage.setItem('social-data.key', '${key}')`);
    for (const [name, [path, ready]] of Object.entries(pictures)) {
      const page = await context.newPage();
      await page.goto(address + path);
      await ready(page);
      const file = join(folder, `${name}.png`);
      await page.screenshot({ path: file });
      const { size } = await stat(file);
      if (size > maxBytes) throw new Error(`${name}.png has ${size} bytes: at most ${maxBytes}`);
      console.log(`wrote .github/pictures/${name}.png, ${Math.round(size / 1000)} kB`);
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

const data = await mkdtemp(join(tmpdir(), 'social-data-pictures-'));
try {
  await mkdir(folder, { recursive: true });
  await withService(data, takePictures);
} finally {
  await rm(data, { recursive: true, force: true });
}
