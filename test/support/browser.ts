/** Tests in Chromium, or Chrome, where the machine has it. */
import { join } from 'node:path';
import { test } from '@jest/globals';
import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { launch, present } from './chromium.ts';
import { rounds } from './rounds.ts';

export { launch, present };
/** A test that is skipped where there is no Chromium. */
export const inBrowser = present ? test : test.skip;

/** What a page complains of, and the origins that it asks for anything. */
export function watch(page: Page): { complaints: string[]; hosts: Set<string> } {
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('request', (request) => void (request.url().startsWith('data:') || hosts.add(new URL(request.url()).origin)));
  return { complaints, hosts };
}

/** What keeps people out, by the rules of axe-core (WCAG 2.2 A and AA, and good practice), and where. */
export async function barriers(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  // Without what passes: it is a hundred times as much, and takes seconds to bring out of the browser.
  const violations = await page.evaluate<AxeResults['violations']>(
    "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations)",
  );
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`));
}

/** A folder for pictures of more forms of the pages, for whoever changes their looks. */
const pictures = process.env.SCREENSHOTS;

const allForms: readonly (readonly [width: number, colorScheme: 'light' | 'dark'])[] = [
  [360, 'dark'],
  [1280, 'light'],
  [360, 'light'],
  [1280, 'dark'],
];

/** Width and colours of the pictures of each page: each of them once in `npm test`; every pair in the nightly run, and for pictures. */
export const forms = pictures === undefined ? allForms.slice(0, rounds(4, 2)) : allForms;

/** Width and colours in which a page is looked at: each of them once, and every pair where pictures are wanted. */
export const looks: readonly (readonly [width: number, colorScheme: 'light' | 'dark'])[] =
  pictures === undefined
    ? [
        [375, 'dark'],
        [1280, 'light'],
      ]
    : [
        [375, 'light'],
        [375, 'dark'],
        [1280, 'light'],
        [1280, 'dark'],
      ];

/** A picture: of the whole page in SCREENSHOTS, or of what a reader sees first in `dist/screenshots`. */
export const picture = async (page: Page, name: string): Promise<void> =>
  void (await page.screenshot({
    path: join(pictures ?? 'dist/screenshots', `${name}.png`),
    fullPage: pictures !== undefined,
  }));

/** Enters a key in the frame of a page, and waits until the service has accepted it. */
export async function enterKey(page: Page, key: string): Promise<void> {
  const dialog = page.locator('#key-dialog');
  if (!(await dialog.isVisible())) await page.locator('#key-open').click();
  await dialog.getByLabel('API key', { exact: true }).fill(key);
  await dialog.getByRole('button', { name: 'Use this key' }).click();
  await dialog.waitFor({ state: 'hidden' });
}
