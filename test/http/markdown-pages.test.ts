/** The documentation as Markdown, and /llms.txt, for programs that read text. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { marked } from 'marked';
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { settings } from '../../server/config/config.ts';
import { operators } from '../../server/search/language/operators.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;
const texts = new Map<string, string>();
const pages = ['/docs/index.md', '/docs/search.md', '/docs/events.md', '/docs/operations.md'];
beforeAll(async () => {
  service = await startService();
  for (const path of pages) texts.set(path, await (await service.bare(path)).text());
});
afterAll(() => service.stop(0));

const proseOf = (text: string): string => text.replaceAll(/^(```+)[^]*?^\1$/gm, '');

test.each(pages)('%s needs no key, is Markdown, and begins with the heading of its page', async (path) => {
  const response = await service.bare(path);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  expect((await service.bare(path, { method: 'POST' })).status).toBe(405);
  const [, title] = /^# (.+)$/m.exec(texts.get(path) ?? '') ?? [];
  const html = await (await service.bare(path.replace(/(?:index)?\.md$/, ''))).text();
  expect(html).toContain(`<h1>${title}</h1>`);
  const [, alternate] = /<link rel="alternate" type="text\/markdown" href="([^"]+)">/.exec(html) ?? [];
  expect(new URL(alternate ?? '', `${service.url}/docs/`).pathname).toBe(path);
});

test('a page without Markdown has none', async () => {
  for (const path of ['/live.md', '/docs/try.md', '/docs/none.md', '/docs.md'])
    expect([path, (await service.bare(path)).status >= 400]).toEqual([path, true]);
});

test('all links of the Markdown lead somewhere, with their fragments', async () => {
  for (const path of pages) {
    const links = [...proseOf(texts.get(path) ?? '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
    for (const link of new Set(links)) {
      const { origin, pathname, hash } = new URL(link, service.url + path);
      if (origin !== service.url) continue;
      expect([path, link, (await service.bare(pathname)).status]).toEqual([path, link, 200]);
      if (hash !== '' && texts.has(pathname))
        expect(texts.get(pathname)).toContain(`<a id="${decodeURIComponent(hash.slice(1))}"></a>`);
    }
  }
});

test('each table of the HTML is a table of the Markdown with as many rows', async () => {
  // The operations have pages of their own, and one Markdown.
  for (const path of pages.filter((each) => each !== '/docs/index.md')) {
    const html = await (await service.bare(path.replace(/(?:index)?\.md$/, ''))).text();
    const rows = (text: string): number => text.match(/<tr\b/g)?.length ?? 0;
    expect([path, rows(marked.parse(texts.get(path) ?? '', { async: false }))]).toEqual([path, rows(html)]);
  }
});

describe('the Markdown has', () => {
  test('every operation, with its description, parameters and samples for the reader', () => {
    const text = texts.get('/docs/index.md') ?? '';
    for (const [path, methods] of Object.entries(openapi.paths))
      for (const [method, operation] of Object.entries(
        methods as Record<string, { operationId: string; summary: string }>,
      )) {
        const [, section = ''] = text.split(`<a id="${operation.operationId}"></a>`);
        expect(section.slice(0, 400)).toContain(`### ${operation.summary}`);
        expect(section.slice(0, 400)).toContain(`**${method.toUpperCase()}** \`${path}\``);
        const [own = ''] = section.split('\n<a id=');
        for (const language of ['sh', 'ts', 'python']) expect(own).toContain(`\`\`\`${language}\n`);
        expect(own).toContain(service.url);
      }
    expect(text).not.toContain('Try it');
  });
  test('every operator of the search language, and every variable', () => {
    for (const { names } of operators)
      for (const name of names) expect(texts.get('/docs/search.md')).toContain(`\`${name}:\``);
    for (const { name } of settings)
      expect(texts.get('/docs/operations.md')).toContain(`<span id="${name}">\`${name}\`</span>`);
  });
});

test('/llms.txt has the form of llmstxt.org, and links to all Markdown pages and to the contracts', async () => {
  const response = await service.bare('/llms.txt');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const text = await response.text();
  const [title, summary, , ...sections] = text.split(/\n\n(?=[>#A-Z])/);
  expect(title).toMatch(/^# \S.*$/);
  expect(summary).toBe(`> ${openapi.info.summary}`);
  for (const section of sections) expect(section).toMatch(/^## \w+\n\n(?:- \[[^\]]+\]\([^)]+\): .+\n?)+$/);
  const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link]) => link!);
  expect(links).toEqual(
    expect.arrayContaining([...pages.map((path) => path.slice(1)), 'openapi.yaml', 'asyncapi.yaml']),
  );
  // Also below the prefix of a proxy.
  for (const link of links) {
    expect(new URL(link, 'https://host.example/prefix/llms.txt').pathname).toBe(`/prefix/${link}`);
    expect([link, (await service.bare(`/${link}`)).status]).toEqual([link, 200]);
  }
});
