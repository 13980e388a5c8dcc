/** The index of the search over all pages of the documentation. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { settings } from '../../server/config/config.ts';
import { guideEntries, type FindEntry } from '../../server/http/docs/find-index.ts';
import { operators } from '../../server/search/language/operators.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
let entries: readonly FindEntry[];
beforeAll(async () => {
  service = await startService();
  entries = (await (await service.bare('/docs/search-index.json')).json()) as readonly FindEntry[];
});
afterAll(() => service.stop(0));

test('has every operation, operator, setting, and part of a guide, each at an address that exists', async () => {
  const hrefs = entries.map(({ href }) => href);
  for (const id of Object.keys(operations)) expect(hrefs).toContain(`api/${id}`);
  for (const { names } of operators) expect(hrefs).toContain(`search#operator-${names[0]}`);
  for (const { name } of settings) expect(hrefs).toContain(`operations#${name}`);
  const texts = new Map<string, string>();
  for (const href of hrefs) {
    const [path = '', fragment] = href.split('#', 2);
    const text = texts.get(path) ?? (await (await service.bare(`/docs/${path}`)).text());
    texts.set(path, text);
    expect([href, text.includes('<main'), fragment === undefined || text.includes(` id="${fragment}"`)]).toEqual([
      href,
      true,
      true,
    ]);
  }
  for (const path of ['search', 'events', 'operations', 'agents'])
    expect(hrefs.filter((href) => href.startsWith(path)).length).toBeGreaterThan(3);
});

test('is plain text, revalidated, and read-only', async () => {
  for (const { title, text } of entries) expect(`${title} ${text}`).not.toMatch(/<a id=|\]\(|^```|<span/);
  const response = await service.bare('/docs/search-index.json');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect((await service.bare('/docs/search-index.json', { method: 'POST' })).status).toBe(405);
});

test('reads headings, named rows and code of a guide', () => {
  const markdown = `# Title

A *lead* with a [link](other.md#x).

<a id="one"></a>

## One

Text \`code\`.

\`\`\`\`sh
# no heading
\`\`\`
\`\`\`\`

### Without an anchor

| Name | Meaning |
| --- | --- |
| <span id="ROW">\`ROW\`</span> | a \\| b |
| other | c |
`;
  expect(guideEntries({ title: 'Guide', path: 'docs/guide.md' }, markdown)).toEqual([
    { title: 'Guide', href: 'guide', within: 'Guide', text: 'A *lead* with a link.' },
    {
      title: 'One',
      href: 'guide#one',
      within: 'Guide',
      text: 'Text code. # no heading Without an anchor Name · Meaning',
    },
    { title: 'ROW', href: 'guide#ROW', within: 'Guide · One', text: 'a | b other · c' },
  ]);
});
