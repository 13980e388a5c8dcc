import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { settings } from '../../server/config/config.ts';
import manifest from '../../package.json' with { type: 'json' };
import { readExposition } from '../support/exposition.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const unescaped = (html: string): string =>
  html.replace(
    /&(quot|#39|apos|lt|gt|amp);/g,
    (_whole, name: string) => ({ quot: '"', '#39': "'", apos: "'", lt: '<', gt: '>', amp: '&' })[name]!,
  );
const deploy = new URL('../../server/deploy/', import.meta.url);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let html: string;
let text: string;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, {
    TOKEN_RESOLVER: 'dexscreener',
    TOKEN_RESOLVER_URL: 'http://127.0.0.1:9/',
  });
  html = await (await fetch(`${server.url}/docs/operations`)).text();
  text = unescaped(html.replace(/<[^>]*>/g, ''));
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

describe('/docs/operations documents:', () => {
  test('every variable, with its default, its meaning and its valid values', () => {
    for (const { name, defaultText, description, expected } of settings) {
      const [, own] = new RegExp(`<span id="${name}">(.*?)</tr>`, 's').exec(html)!;
      const words = unescaped(own!.replace(/<\/t[dh]>/g, ' ').replace(/<[^>]*>/g, ''));
      for (const part of [name, defaultText || 'none', description.replaceAll('`', ''), expected])
        expect(words.replaceAll(/\s+/g, ' ')).toContain(part.replaceAll(/\s+/g, ' '));
    }
  });

  test('every metric of a real server, with its labels, and no other', async () => {
    const { types, series } = readExposition(await (await fetch(`${server.url}/metrics`)).text());
    const own = [...types.keys()].filter(
      (name) =>
        !/^(process|nodejs)_/.test(name) || /^nodejs_(eventloop_active_seconds_total|array_buffers_bytes)$/.test(name),
    );
    const [, table] = /<div class="of-metrics">(.*?)<\/div>/s.exec(html)!;
    const rows = new Map(
      [...table!.matchAll(/<tr><th scope="row"><code>(\w+)<\/code><\/th><td>(.*?)<\/td>/g)].map(([, name, labels]) => [
        name!,
        [...labels!.matchAll(/<code>(\w+)<\/code>/g)].map(([, label]) => label!),
      ]),
    );
    expect([...rows.keys()].toSorted()).toEqual(own.toSorted());
    for (const { name, labels } of series) {
      const documented = rows.get(name) ?? rows.get(name.replace(/_(bucket|sum|count)$/, ''));
      if (documented !== undefined)
        expect([name, ...documented]).toEqual([name, ...Object.keys(labels).filter((label) => label !== 'le')]);
    }
  });

  test('the complete files of the repository', async () => {
    const files = [...html.matchAll(/<summary><code>server\/deploy\/(.*?)<\/code>/g)].map(([, file]) => file!);
    expect(files).toEqual([
      'social-data.service',
      'Dockerfile',
      'compose.yaml',
      'social-data.env',
      'Caddyfile',
      'nginx.conf',
      'prometheus/alerts.yml',
      'compose.cluster.yaml',
      'nginx.cluster.conf',
    ]);
    for (const file of files) expect(text).toContain(await readFile(new URL(file, deploy), 'utf8'));
  });

  test('existing commands and paths', () => {
    for (const [, name] of text.matchAll(/npm run ([a-z:]+)/g)) expect(Object.keys(manifest.scripts)).toContain(name);
    for (const [path] of text.matchAll(/\b(?:server|scripts)\/[\w./-]+\.(?:ts|json|ya?ml|env|service)\b/g))
      expect([path, existsSync(new URL(`../../${path}`, import.meta.url))]).toEqual([path, true]);
  });

  test('working links', async () => {
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, id] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(id);
    const links = new Set(
      [...html.matchAll(/href="([^#"]+)/g)].map(([, link]) => new URL(link!, `${server.url}/docs/operations`).href),
    );
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    expect(await (await fetch(`${server.url}/docs/events`)).text()).toContain(' id="closing"');
  });

  test('every other page links to the page for operators, which links to it', async () => {
    for (const path of ['/docs/search', '/docs/events', '/live'])
      expect(await (await fetch(server.url + path)).text()).toMatch(/href="\.\.?\/operate"/);
    expect(await (await fetch(`${server.url}/assets/operate.js`)).text()).toContain('"docs/operations"');
  });
});

test('/docs/operations needs no key and no scripts in its HTML, and supports only GET and HEAD', async () => {
  for (const path of ['/docs/operations', '/docs/operations/page.css', '/assets/site.css', '/assets/docs.css']) {
    const response = await fetch(server.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-security-policy')!.split(';')).toEqual(
      expect.arrayContaining(["default-src 'none'", "script-src 'self'", "style-src 'self'"]),
    );
    expect([path, (await fetch(server.url + path, { method: 'POST' })).status]).toEqual([path, 405]);
  }
  expect(html).not.toMatch(/<script(?! (?:type="module" )?src=)/);
  expect((await fetch(`${server.url}/docs/operations/page.ts`)).status).toBe(404);
});
