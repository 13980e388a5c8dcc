/** The README: its size, its pictures, and its links into a running service. */
import { readFile, stat } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startService, type Service } from '../support/service.ts';

const root = new URL('../../', import.meta.url);
let service: Service;
let text: string;
beforeAll(async () => {
  service = await startService();
  text = await readFile(new URL('README.md', root), 'utf8');
});
afterAll(() => service.stop(0));

test('has at most 170 lines, and pictures of at most 120 kB with a description', async () => {
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(170);
  const pictures = [...text.matchAll(/!\[([^\]]{20,})\]\(([^)]+)\)/g)].map(([, , path]) => path!);
  expect(pictures).toHaveLength(2);
  for (const path of pictures) {
    const { size } = await stat(new URL(path, root));
    expect([path, size > 10_000 && size <= 120_000]).toEqual([path, true]);
  }
});

test('leads to pages and sections that the service has', async () => {
  const links = new Set(
    Array.from(text.matchAll(/http:\/\/127\.0\.0\.1:3000(\/[^\s)>`"]*)?/g), ([, path = '/']) => path),
  );
  expect(links.size).toBeGreaterThan(10);
  for (const link of links) {
    if (link === '/mcp') continue;
    const [path = '', fragment] = link.split('#', 2);
    const response = await service.bare(path);
    expect([link, response.status]).toEqual([link, 200]);
    if (fragment !== undefined) expect(await response.text()).toContain(` id="${fragment}"`);
  }
});

test('names operations that the contract has', async () => {
  const { paths } = (await (await service.bare('/openapi.json')).json()) as { paths: object };
  const rows = [...text.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) => {
    const [first = '', ...others] = [...cell.matchAll(/(?:\/|…\/)[\w/]+/g)].map(([path]) => path);
    return [first, ...others.map((path) => path.replace('…', first.replace(/\/[^/]*$/, '')))];
  });
  const named = rows.filter((path) => /^\/(?:social|feeds)\//.test(path));
  expect(named.length).toBeGreaterThan(20);
  for (const path of named) expect([path, Object.hasOwn(paths, path)]).toEqual([path, true]);
});
