import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import {
  barriers,
  everyForm,
  inBrowser,
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
import { inTurn } from '../support/rounds.ts';
import { startService, type Service } from '../support/service.ts';
import { until } from '../support/until.ts';

let service: Service;
let browser: Browser;
beforeAll(async () => {
  if (!present) return;
  service = await startService();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop(0);
});

/** The pages that are only read, and a heading far down in each. */
const guides = {
  events: 'Close codes',
  operations: 'Limits and sizing',
  agents: 'Rules',
  'api/searchTweets': 'Search tweets',
  'api/tweets': 'Tweets',
};

for (const tab of tabs) {
  inBrowser.each(inTurn(Object.entries(guides), 2))(
    `at ${tab.name}, /docs/%s is no wider than the page, logs no errors, and is accessible`,
    async (name, heading) => {
      const context = await browser.newContext(optionsOf(tab));
      context.setDefaultTimeout(stepPatience);
      const page = await context.newPage();
      const { complaints, hosts } = watch(page);
      await page.goto(`${service.url}/docs/${name}`);
      await page.getByRole('heading', { name: heading }).waitFor();
      if (everyForm)
        await inForms(page, tab, async (width, colorScheme) =>
          picture(page, `${name.replace('/', '-')}-${width}-${colorScheme}`),
        );
      await page.locator('details').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')));
      await inForms(page, tab, async (width, colorScheme, hasAxe) => {
        await picture(page, `${name.replace('/', '-')}-${width}-${colorScheme}-open`);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
        // Only programs may be scrolled sideways; all else is broken into lines.
        const hidden = await page
          .locator('main *:not(.code, .code *, .contents, .contents *)')
          .evaluateAll((all) =>
            all
              .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
              .map(({ outerHTML }) => outerHTML.slice(0, 100)),
          );
        expect(hidden).toEqual([]);
        if (hasAxe) expect(await barriers(page)).toEqual([]);
      });
      expect(complaints).toEqual([]);
      expect([...hosts]).toEqual([service.url]);
      await context.close();
    },
    patience,
  );
}

/** Pages with contents, and a section far down in each. */
const long = { '': 'tag-spaces', search: 'refused', events: 'errors', operations: 'erasure', agents: 'tools' };

inBrowser.each(inTurn(Object.entries(long), 1))(
  'a reader of /docs/%s scrolls on with the wheel and opens a link to a section, on a phone and on a desktop',
  async (name, section) => {
    const page = await browser.newPage({ reducedMotion: 'reduce' });
    page.setDefaultTimeout(stepPatience);
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(`${service.url}/docs/${name}`);
      await page.locator('.contents [aria-current]').waitFor();
      await page.mouse.move(width / 2 + 100, 600);
      const most = await page.evaluate<number>(
        // Less than the page has: it may become shorter while it loads.
        'Math.floor((document.documentElement.scrollHeight - innerHeight - 400) / 500)',
      );
      for (let turn = 1; turn <= Math.min(8, most); turn++) {
        await page.mouse.wheel(0, 500);
        await until(async () => (await page.evaluate<number>('scrollY')) >= turn * 500 - 5);
        // The mark in the contents is set before the next picture, and must not move the page.
        await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
        expect([width, turn, await page.evaluate('Math.round(scrollY / 500)')]).toEqual([width, turn, turn]);
      }
      await page.goto('about:blank');
      await page.goto(`${service.url}/docs/${name}#${section}`);
      const current = page.locator('.contents [aria-current]');
      await current.waitFor();
      const target = page.locator(`[id="${section}"]`);
      await until(async () => Math.abs((await target.boundingBox())!.y - 100) < 100);
      expect([width, await current.getAttribute('href')]).toEqual([width, `#${section}`]);
      // Beside the text the contents show the mark.
      if (width > 1024) expect(await current.evaluate(isInView)).toBe(true);
    }
    await page.close();
  },
  patience,
);

const isInView = (element: Element): boolean => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= document.documentElement.clientHeight;
};
