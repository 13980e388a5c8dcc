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
import { startService, type Service } from '../support/service.ts';

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
const guides = { events: 'Close codes', operations: 'Limits and sizing' };

for (const tab of tabs) {
  inBrowser.each(Object.entries(guides))(
    `at ${tab.name}, /docs/%s is no wider than the page, logs no errors, and is accessible`,
    async (name, heading) => {
      const context = await browser.newContext(optionsOf(tab));
      context.setDefaultTimeout(stepPatience);
      const page = await context.newPage();
      const { complaints, hosts } = watch(page);
      await page.goto(`${service.url}/docs/${name}`);
      await page.getByRole('heading', { name: heading }).waitFor();
      if (everyForm)
        await inForms(page, tab, async (width, colorScheme) => picture(page, `${name}-${width}-${colorScheme}`));
      await page.locator('details').evaluateAll((all) => all.forEach((each) => each.setAttribute('open', '')));
      await inForms(page, tab, async (width, colorScheme, hasAxe) => {
        await picture(page, `${name}-${width}-${colorScheme}-open`);
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
