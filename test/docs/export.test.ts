/** `npm run docs:export`: the documentation as files that any web server serves, from any folder. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DomUtils, parseDocument } from 'htmlparser2';
import { temporaryFolder } from '../support/folder.ts';
import { nightlyTest } from '../support/nightly.ts';
import { runsAll } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const script = 'scripts/docs/main.ts';
const folderName = 'public/api-docs';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let out: string;
/** A web server that knows nothing of the files: a path is a file, or 404. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://host.invalid');
  readFile(join(folder.path, pathname)).then(
    (content) => response.end(content),
    () => response.writeHead(404).end(),
  );
});
let root: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  out = join(folder.path, folderName);
  const { code, stderr } = await run(script, [out, '--origin', 'https://api.example.com'], {});
  expect([code, stderr]).toEqual([0, '']);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/${folderName}/`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await folder.dispose();
});

interface Document {
  readonly links: readonly string[];
  readonly ids: ReadonlySet<string>;
}

function readHtml(text: string): Document {
  const elements = DomUtils.findAll(() => true, parseDocument(text).children);
  const values = (name: string): string[] => elements.flatMap(({ attribs }) => attribs[name] ?? []);
  const later = ['data-script-src', 'data-index-src'].flatMap(values);
  return { links: [...values('href'), ...values('src'), ...later], ids: new Set(values('id')) };
}

function readMarkdown(text: string): Document {
  const prose = text.replaceAll(/^(```+)[^]*?^\1$/gm, '');
  return {
    links: Array.from(prose.matchAll(/\]\(([^)\s]+)\)/g), ([, link = '']) => link),
    ids: new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id = '']) => id)),
  };
}

test('all links of all files hold when a sub-folder of a web server has them, with their fragments', async () => {
  const documents = new Map<string, Document>();
  const links: [from: string, link: string][] = [];
  const queue = ['index.html', 'llms.txt'];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (documents.has(path)) continue;
    const response = await fetch(root + path);
    expect([path, response.status]).toEqual([path, 200]);
    const text = await response.text();
    const read = path.endsWith('.html') ? readHtml : /\.(?:md|txt)$/.test(path) ? readMarkdown : undefined;
    const found = read?.(text) ?? { links: [], ids: new Set<string>() };
    documents.set(path, found);
    for (const link of found.links) {
      const { href } = new URL(link, root + path);
      if (/^https?:/.test(link) && !href.startsWith(root)) continue;
      expect([path, link, href.startsWith(root)]).toEqual([path, link, true]);
      links.push([path, href.slice(root.length)]);
      queue.push(href.slice(root.length).split('#', 1)[0]!);
    }
  }
  for (const [from, link] of links) {
    const [path = '', fragment = ''] = link.split('#', 2);
    if (fragment !== '')
      expect([from, link, documents.get(path)?.ids.has(decodeURIComponent(fragment))]).toEqual([from, link, true]);
  }
  // No file is there without a link to it.
  const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(documents.size).toBe(files.length);
  for (const page of [
    'docs/index.html',
    'docs/search.html',
    'docs/events.html',
    'docs/operations.html',
    'docs/api/searchTweets.html',
  ])
    expect([...documents.keys()]).toContain(page);
});

test('the pages have no part that needs a running service', async () => {
  for (const page of ['index', 'search', 'events', 'operations', 'api/searchTweets']) {
    const text = await readFile(join(out, `docs/${page}.html`), 'utf8');
    expect(text).not.toMatch(/data-interactive|<form|<dialog|\/modules\/|Try it/);
    expect(text).not.toContain('127.0.0.1:3000/social');
  }
  const reference = await readFile(join(out, 'docs/api/searchTweets.html'), 'utf8');
  expect(reference).toContain('https://api.example.com/social/');
  expect(await readFile(join(out, 'docs/events.md'), 'utf8')).toContain('wss://api.example.com/ws');
});

test('the search finds the files', async () => {
  const entries = JSON.parse(await readFile(join(out, 'docs/search-index.json'), 'utf8')) as { href: string }[];
  const hrefs = entries.map(({ href }) => href);
  expect(hrefs).toEqual(
    expect.arrayContaining(['api/searchTweets.html', 'search.html#operator-from', 'operations.html']),
  );
  for (const href of hrefs) {
    const [path = '', fragment = ''] = href.split('#', 2);
    const { ids } = readHtml(await readFile(join(out, 'docs', path), 'utf8'));
    expect([href, fragment === '' || ids.has(fragment)]).toEqual([href, true]);
  }
});

nightlyTest('an earlier export is replaced', async () => {
  expect((await run(script, [out], {})).code).toBe(0);
  expect(await readFile(join(out, 'docs/api/getUser.html'), 'utf8')).toContain('http://127.0.0.1:3000/social/');
});

test('no other folder is touched', async () => {
  await writeFile(join(folder.path, 'mine.txt'), 'mine');
  const calls = [
    [[folder.path], 'is not empty'],
    [[join(folder.path, 'mine.txt')], 'is a file'],
    [[], 'name one folder'],
    [[join(folder.path, 'new'), '--origin', 'https://api.example.com/path'], '--origin must be'],
  ] as const;
  for (const [args, fault] of runsAll ? calls : calls.slice(0, 1)) {
    const { code, stderr } = await run(script, [...args], {});
    expect([code, stderr]).toEqual([2, expect.stringContaining(fault)]);
  }
  expect((await readdir(folder.path)).toSorted()).toEqual(['mine.txt', 'public']);
});
