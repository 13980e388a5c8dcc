// Tests server/http/docs/pages/guide.ts and server/http/docs/pages/markdown.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { assetPath } from '../../server/http/docs/pages/assets.ts';
import { themeSource } from '../../server/http/express/theme-script.ts';
import { defaultMaxConcurrent } from '../../server/assistant/assistant.ts';
import { settings } from '../../server/config/config.ts';
import { maxSearchMs, maxWaitingSearches } from '../../server/archive/search/archive-search.ts';
import { readOperations } from '../../server/http/docs/pages/operations/page.ts';
import { maxBodyBytes } from '../../server/http/express/body.ts';
import { maxHeaderFields } from '../../server/http/server/head-fault.ts';
import { maxHeaderBytes } from '../../server/http/server/listen.ts';
import { defaultLoadLimits } from '../../server/http/server/load-monitor.ts';
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
  test('the limits of the code, and the defaults of the variables that set them', async () => {
    const limits = (await readOperations()).find(({ id }) => id === 'limits')?.markdown ?? '';
    const rows = new Map(
      [...limits.matchAll(/^\| (.*?) \| (.*?) \| .* \|$/gm)].map(([, resource, limit]) => [resource, limit]),
    );
    const number = (value: number | string | undefined): string => Number(value).toLocaleString('en');
    const preset = (name: string): string => settings.find((each) => each.name === name)?.defaultText ?? '';
    const rate = (name: string): string => preset(name).replace('/1m', ' a minute');
    expect(Object.fromEntries(rows)).toMatchObject({
      'requests of a key': rate('RATE_LIMIT'),
      'invalid keys from an address': rate('FAILED_KEYS'),
      'head of a request': `${maxHeaderBytes / 1024} kB, ${maxHeaderFields} headers, within 10 s`,
      'body of a request': `${maxBodyBytes / 1024} kB, within 30 s`,
      'requests in flight': `${number(defaultLoadLimits.inFlight)}, then 503 with \`Retry-After\``,
      'concurrent questions to the assistant': `${defaultMaxConcurrent}, then 503 with \`Retry-After\``,
      'event streams of a key': preset('WS_CONNECTIONS'),
      'replay of events': expect.stringMatching(
        `^${Number(preset('EVENT_WINDOW')) / 3600} hours, ${number(preset('EVENT_LIMIT'))} events,`,
      ),
      searches: expect.stringMatching(`^${maxSearchMs / 1000} s each, then 503; ${maxWaitingSearches} wait,`),
    });
  });

  test('no variable and no metric that the code does not have', async () => {
    const prose = (await readOperations())
      .map(({ markdown }) => markdown)
      .join('\n')
      .replaceAll(/^```[^]*?^```$/gm, '');
    // A word with an underscore in backticks, and what follows it.
    const named = [...prose.matchAll(/`([A-Z]+(?:_[A-Z]+)+)(?:=[^`]*)?`/g)].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(20);
    // The SDK of OpenTelemetry reads these.
    const ofSdk = ['OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_EXPORTER_OTLP_HEADERS'];
    const known = new Set([...settings.map(({ name }) => name), ...ofSdk]);
    expect(new Set(named).difference(known)).toEqual(new Set());
    const { types } = readExposition(await (await fetch(`${server.url}/metrics`)).text());
    const outside = prose.slice(0, prose.indexOf('### Metrics of an instance'));
    const metrics = [
      ...outside.matchAll(
        /`((?:archive|assistant|event_log|follow|http|journal|ws)_[a-z_]+(?:_total|_seconds|_bytes|_connected))`/g,
      ),
    ];
    expect(metrics.length).toBeGreaterThan(20);
    const ofInstances = ['journal_lock_wait_seconds'];
    for (const [, name] of metrics) expect([...types.keys(), ...ofInstances]).toContain(name);
  });

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
    const [, table] = /<div class="of-metric">(.*?)<\/div>/s.exec(html)!;
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
    expect(await (await fetch(`${server.url}/${assetPath('operate.js')}`)).text()).toContain('"docs/operations"');
  });
});

test('/docs/operations needs no key and no scripts in its HTML but that of the colours, and supports only GET and HEAD', async () => {
  for (const path of [
    '/docs/operations',
    ...['operations.css', 'site.css', 'docs.css'].map((name) => `/${assetPath(name)}`),
  ]) {
    const response = await fetch(server.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-security-policy')!.split(';')).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src 'self' ${themeSource}`, "style-src 'self'"]),
    );
    expect([path, (await fetch(server.url + path, { method: 'POST' })).status]).toEqual([path, 405]);
  }
  expect(html).not.toMatch(/<script(?!>| (?:type="module" )?src=)/);
  expect((await fetch(`${server.url}/docs/operations/page.ts`)).status).toBe(404);
});
