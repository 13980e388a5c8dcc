/** Tests in Chromium, or Chrome, where the machine has it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from '@jest/globals';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { launch, present } from './chromium.ts';
import { isTurnOf, runsAll, variants } from './rounds.ts';

export { launch, present };
/** A test that is skipped where there is no Chromium. */
export const inBrowser = present ? test : test.skip;
/** As `inBrowser`, for the nightly run and a call that names the file: see `nightly.ts`. */
export const inBrowserNightly = runsAll ? inBrowser : (test.skip as typeof test);

/** The limit of a test in milliseconds, and of each wait of the browser in it, whose error names the element; the machine may be slow. */
export const patience = 300_000;
export const stepPatience = 60_000;

/** What a page complains of, and the origins that it asks for anything. */
export function watch(page: Page): { complaints: string[]; hosts: Set<string> } {
  const complaints: string[] = [];
  const hosts = new Set<string>();
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on('pageerror', (error) => void complaints.push(error.message));
  page.on('request', (request) => void (request.url().startsWith('data:') || hosts.add(new URL(request.url()).origin)));
  return { complaints, hosts };
}

const axeCore = new URL('../../node_modules/axe-core/axe.min.js', import.meta.url);

/** Runs axe-core. Of siblings with the same classes it sees the first ones, as many as the argument: a list of tweets takes it seconds. */
const runAxe = `async (within, most) => {
  const hidden = [];
  for (const parent of document.querySelectorAll('body *')) {
    const counts = new Map();
    for (const child of parent.children) {
      const form = child.tagName + ' ' + child.getAttribute('class');
      counts.set(form, (counts.get(form) ?? 0) + 1);
      if (counts.get(form) > most) hidden.push([child, child.style.display]);
    }
  }
  for (const [element] of hidden) element.style.display = 'none';
  // axe-core looks at colours: not at those in the middle of a change.
  for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish();
  const { violations } = await axe.run(within ?? document, { resultTypes: ['violations'] });
  for (const [element, display] of hidden) element.style.display = display;
  return violations;
}`;

/** How many states of pages the test file has asked about. */
let states = 0;

/**
 * What keeps people out, by the rules of axe-core (WCAG 2.2 A and AA, and good practice), and where: in the page, or in the element
 * that `within` selects. It takes a second, so `npm test` does it for every third state of a test file, others each day; a call that
 * names the file, and the nightly run, do it for each.
 */
export async function barriers(page: Page, within?: string): Promise<string[]> {
  if (!everyForm && !isTurnOf(states++, 3)) return [];
  if (await page.evaluate('!window.axe')) await page.evaluate(await readFile(axeCore, 'utf8'));
  // Without what passes: it is a hundred times as much, and takes seconds to bring out of the browser.
  const violations = await page.evaluate<AxeResults['violations']>(
    `(${runAxe})(${JSON.stringify(within ?? null)}, ${everyForm ? 'Infinity' : 4})`,
  );
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ target }) => `${id}: ${help}: ${target.join(' ')}`));
}

/** A folder for pictures of more forms of the pages, for whoever changes their looks. */
const pictures = process.env.SCREENSHOTS;

/** Whether everything is looked at in every form: in the nightly run, and where pictures are wanted. */
export const everyForm = variants([1, 2], 1).length > 1 || pictures !== undefined;

/** `hasAxe` says whether axe-core checks every page in this form. It takes seconds for a page, so in `npm test` it does so in the first form. */
export type Form = readonly [width: number, colorScheme: 'light' | 'dark', hasAxe: boolean];

const allForms: readonly Form[] = [
  [360, 'dark', true],
  [1280, 'light', everyForm],
  [360, 'light', true],
  [1280, 'dark', true],
];

/** Width and colours of the pictures of each page: each of them once in `npm test`, otherwise every pair. */
const forms = everyForm ? allForms : allForms.slice(0, 2);

/** Width and colours in which a page is looked at: each of them once, and every pair where pictures are wanted. */
const looks: readonly Form[] =
  pictures === undefined
    ? [
        [375, 'dark', true],
        [1280, 'light', everyForm],
      ]
    : [
        [375, 'light', true],
        [375, 'dark', true],
        [1280, 'light', true],
        [1280, 'dark', true],
      ];

/** Forms of one page. */
export interface Tab {
  readonly name: string;
  readonly forms: readonly Form[];
}

/** In `npm test` a page is opened once, in the first form, and changes to the others; in the nightly run it is opened in each. */
const tabsOf = (all: readonly Form[]): readonly Tab[] =>
  (everyForm ? all.map((form) => [form]) : [all]).map((each) => ({
    name: each.map(([width, colorScheme]) => `${width} pixels, ${colorScheme}`).join(', then '),
    forms: each,
  }));
export const pageTabs = tabsOf(forms);
export const tabs = tabsOf(looks);

/** How the browser opens a tab. */
export const optionsOf = ({
  forms: [first],
}: Tab): { viewport: { width: number; height: number }; colorScheme: Form[1] } => ({
  viewport: { width: first?.[0] ?? 1280, height: 844 },
  colorScheme: first?.[1] ?? 'light',
});

/** Looks at a page in each form of its tab, and leaves it in the first one. */
export async function inForms(page: Page, tab: Tab, look: (...form: Form) => Promise<void>): Promise<void> {
  for (const [place, form] of [...tab.forms, ...tab.forms.slice(0, 1)].entries()) {
    const [width, colorScheme] = form;
    await page.setViewportSize({ width, height: 844 });
    await page.emulateMedia({ colorScheme });
    if (place < tab.forms.length) await look(...form);
  }
}

/** A picture: of the whole page in SCREENSHOTS, or in the nightly run of what a reader sees first in `dist/screenshots`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!everyForm) return;
  const path = join(pictures ?? 'dist/screenshots', `${name}.png`);
  await page.screenshot({ path, fullPage: pictures !== undefined });
}

/** Enters a key in the frame of a page, and waits until the service has accepted it. */
export async function enterKey(page: Page, key: string): Promise<void> {
  const dialog = page.locator('#key-dialog');
  if (!(await dialog.isVisible())) await page.locator('#key-open').click();
  await dialog.getByLabel('API key', { exact: true }).fill(key);
  await dialog.getByRole('button', { name: 'Use this key' }).click();
  await dialog.waitFor({ state: 'hidden' });
}
