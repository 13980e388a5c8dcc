// Tests server/http/docs/pages/app-pages.ts, server/http/docs/pages/missing-page.ts, server/http/docs/pages/shell.ts,
// server/http/docs/pages/page.ts and server/http/docs/probe-routes.ts.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { operations } from '../../generated/operations.ts';
import { assetPath, namedAssets } from '../../server/http/docs/pages/assets.ts';
import { themeSource } from '../../server/http/express/theme-script.ts';
import { createOriginOf } from '../../server/http/server/client-address.ts';
import { inOneFile } from '../../server/http/docs/public-routes.ts';
import generators from '../../generated/openapi.generators.json' with { type: 'json' };
import { contract } from '../support/contract.ts';
import { sendRaw } from '../support/raw.ts';
import { inTurn } from '../support/rounds.ts';
import { exampleHandlers, startService, type Service } from '../support/service.ts';

let ready: true | string = true;
let service: Service;
beforeAll(async () => {
  service = await startService({ ready: () => ready });
});
afterAll(() => service.stop(0));

test('serves the generated contract with examples at /openapi.json', async () => {
  const response = await service.bare('/openapi.json');
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual(contract);
});
test('serves the contract for code generators at /openapi.generators.json, with its own ETag', async () => {
  const response = await service.bare('/openapi.generators.json');
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.json()).toEqual(generators);
  // fetch would add `Cache-Control: no-cache`, which asks for the whole document.
  const again = await sendRaw(service.port, [
    'GET /openapi.generators.json HTTP/1.1',
    'Host: x',
    `If-None-Match: ${response.headers.get('etag')}`,
  ]);
  expect(again).toMatchObject({ status: 304, body: '' });
});
test('serves the source file at /openapi.yaml', async () => {
  const response = await service.bare('/openapi.yaml');
  expect(response.headers.get('content-type')).toMatch(/^application\/yaml/);
  expect(await response.text()).toBe(await readFile(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8'));
});
test('reports liveness at /healthz and readiness at /readyz', async () => {
  expect((await service.bare('/healthz')).status).toBe(200);
  expect((await service.bare('/readyz')).status).toBe(200);
  ready = 'it is shutting down';
  const response = await service.bare('/readyz');
  ready = true;
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    503,
    '1',
    { error: 'the server is not ready: it is shutting down' },
  ]);
  expect((await service.bare('/healthz')).status).toBe(200);
});
test('/metrics has labels for operation and status, never for input of callers', async () => {
  const own = await startService({
    handlers: exampleHandlers({
      getSpace: () => {
        throw new Error('x');
      },
    }),
  });
  await own.request('/social/assistant/status');
  await own.request('/social/space/detail?id=a');
  await own.request('/social/canary-path?canary=1');
  const text = await (await own.bare('/metrics')).text();
  expect(text).toContain('http_requests_total{operation="getAssistantStatus",status="200"} 1');
  expect(text).toContain('http_requests_total{operation="getSpace",status="500"} 1');
  expect(text).toContain('http_requests_total{operation="none",status="404"} 1');
  expect(text).toContain('http_request_duration_seconds_count{operation="getSpace"} 1');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
  expect(text).not.toContain('canary');
  await own.stop(0);
});
test.each(['GET', 'HEAD'])('returns 426 for %s /ws without an upgrade, with or without a key', async (method) => {
  for (const response of [await service.bare('/ws', { method }), await service.request('/ws?x=1', { method })]) {
    expect([response.status, response.headers.get('upgrade')]).toEqual([426, 'websocket']);
    expect(response.headers.get('connection')).toMatch(/\bUpgrade\b/);
    if (method === 'GET')
      expect(await response.json()).toEqual({ error: 'this is the event stream: connect with a WebSocket' });
  }
});
test('returns 405 for other methods of /ws', async () => {
  const response = await service.bare('/ws', { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
});

/** The operations whose pages are read, which are alike; the nightly run reads all of them. */
const read = new Set(inTurn(Object.keys(operations), 6));
const isRead = (link: string): boolean => {
  const id = /\/docs\/api\/(\w+)/.exec(link)?.[1];
  return id === undefined || !(id in operations) || read.has(id);
};

test('every page and its files have Cache-Control', async () => {
  const seen = new Set<string>();
  const missing: string[] = [];
  const due = [
    '/',
    '/docs',
    '/docs/',
    '/docs/search',
    '/docs/search/',
    '/docs/events',
    '/docs/operations',
    ...[
      '/docs/index.md',
      '/docs/index.html.md',
      '/docs/search.md',
      '/docs/events.md',
      '/docs/operations.md',
      '/docs/agents.md',
      '/llms.txt',
    ],
    '/docs/agents',
    '/docs/try',
    '/explore',
    '/u/mira_codes',
    '/t/1',
    '/c/1',
    '/s/1',
    '/ask',
    '/live',
    '/live/',
    '/live/following',
    '/ws',
    '/docs/none',
    '/openapi.json',
    '/openapi.yaml',
    '/asyncapi.json',
    '/asyncapi.yaml',
    '/healthz',
    '/readyz',
    '/metrics',
  ];
  for (let path = due.pop(); path !== undefined; path = due.pop()) {
    seen.add(path);
    const response = await service.bare(path, { redirect: 'manual' });
    const cacheControl = response.headers.get('cache-control');
    // All of it changes with the service, under the same names, but the files whose names change with them.
    const kept = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    if (cacheControl !== (response.status < 400 ? kept : 'no-store'))
      missing.push(`${path} ${response.status} ${cacheControl}`);
    if (!/html/.test(response.headers.get('content-type') ?? '')) continue;
    for (const [, link] of (await response.text()).matchAll(/\b(?:src|href)="([^"#]+)"/g)) {
      const { origin, pathname } = new URL(link!, service.url + path);
      if (origin === service.url && !seen.has(pathname) && isRead(pathname)) due.push(pathname);
    }
  }
  expect(missing).toEqual([]);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      '/docs/swagger-ui.css',
      ...['frame.js', 'kit.js', 'live.css', 'site.css'].map((name) => `/${assetPath(name)}`),
    ]),
  );
});

test.each([
  '/',
  '/openapi.json',
  '/openapi.generators.json',
  '/healthz',
  '/metrics',
  '/docs',
  '/docs/',
  '/docs/swagger-ui.css',
])('%s supports only GET and HEAD', async (path) => {
  expect((await service.bare(path, { method: 'HEAD', redirect: 'manual' })).status).toBeLessThan(400);
  for (const method of ['POST', 'OPTIONS', 'DELETE']) {
    const response = await service.bare(path, { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
});

describe('an unknown address', () => {
  const unknown = ['/nothing', '/u/a/b', '/<b>'];
  const belowPages = ['/docs/nothing', '/docs/api/nothing', '/docs/search/nothing', '/live/nothing'];
  const openInTab = (path: string) =>
    sendRaw(service.port, [`GET ${path} HTTP/1.1`, 'Host: x', 'Accept: text/html', 'Sec-Fetch-Dest: document']);
  test('that a browser opens in a tab has a page with the menu, whose links lead to the service', async () => {
    for (const path of [...unknown, ...belowPages]) {
      const { status, head, body } = await openInTab(path);
      expect([path, status]).toEqual([path, 404]);
      expect(head).toMatch(/^content-type: text\/html/im);
      expect(head).toMatch(/^cache-control: no-store/im);
      expect(body).toContain('<h1>Page not found</h1>');
      expect(body).not.toContain('<b>');
      const [, explore] = /href="([^"]*)">Explore</.exec(body) ?? [];
      expect(new URL(explore ?? '', service.url + path).href).toBe(`${service.url}/explore`);
    }
  });
  test('has a page for browsers over plain HTTP, which do not send where an answer goes, and JSON for their scripts', async () => {
    const from = (path: string, ...headers: string[]) =>
      sendRaw(service.port, [`GET ${path} HTTP/1.1`, 'Host: x', ...headers]);
    for (const path of ['/nothing', '/docs/nothing']) {
      const opened = await from(path, 'Accept: text/html,application/xhtml+xml,*/*;q=0.8');
      expect([path, opened.status, opened.body.includes('<h1>Page not found</h1>')]).toEqual([path, 404, true]);
      const script = await from(path, 'Accept: text/html', 'Sec-Fetch-Dest: empty');
      expect([path, script.body.startsWith('{"error":')]).toEqual([path, true]);
    }
  });
  test('has the JSON error for programs, and below the paths of the contract for everyone', async () => {
    for (const path of unknown) expect((await service.bare(path)).status).toBe(401);
    for (const path of belowPages)
      expect((await service.bare(path)).headers.get('content-type')).toMatch('application/json');
    for (const path of ['/social/nothing', '/social/user/info'])
      expect(await openInTab(path)).toMatchObject({ status: 401, body: '{"error":"Invalid or missing API key"}' });
  });
});

test.each(['/explore', '/ask', '/operate', '/import'])('%s/ redirects permanently to %s', async (page) => {
  const response = await service.bare(`${page}/?apikey=secret`, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([308, `..${page}`]);
});

describe.each([
  ['/docs/', '/docs'],
  ['/docs/search', '/docs/search/'],
  ['/docs/events', '/docs/events/'],
  ['/docs/operations', '/docs/operations/'],
  ['/docs/agents', '/docs/agents/'],
  ['/docs/try', '/docs/try/'],
  ['/live', '/live/'],
])('the page %s', (page, other) => {
  test(`is the permanent redirect target of ${other}, without the query, also below a path prefix`, async () => {
    const response = await service.bare(`${other}?apikey=secret`, { redirect: 'manual' });
    const location = response.headers.get('location')!;
    expect([response.status, await response.text()]).toEqual([308, '']);
    for (const prefix of ['', '/api']) {
      expect(new URL(location, `${service.url}${prefix}${other}`).href).toBe(`${service.url}${prefix}${page}`);
    }
    expect((await service.bare(other, { method: 'POST' })).status).toBe(405);
  });
  test('is HTML, and has no paths below it except its files', async () => {
    const response = await service.bare(other);
    expect([response.status, response.url, response.headers.get('content-type')]).toEqual([
      200,
      service.url + page,
      expect.stringMatching(/^text\/html/),
    ]);
    for (const path of [`${other.replace(/\/$/, '')}//`, `${other.replace(/\/$/, '')}/x/`])
      expect((await service.request(path)).status).toBe(404);
  });
});

describe('/docs', () => {
  const files = ['swagger-ui.css', 'swagger-ui-bundle.js'];
  test('is a reference with a page for every operation, whose samples name the host of the request', async () => {
    const response = await service.bare('/docs');
    expect([response.url, response.headers.get('content-type')]).toEqual([
      `${service.url}/docs/`,
      expect.stringMatching(/^text\/html/),
    ]);
    const html = await response.text();
    const linked = new Set<string>();
    for (const [id, { path }] of Object.entries(operations)) {
      expect(html).toContain(`<tr id="${id}"><th scope="row"><a href="api/${id}">`);
      if (!read.has(id)) continue;
      const page = await (await service.bare(`/docs/api/${id}`)).text();
      expect(page).toContain(`<article id="${id}">`);
      expect(page).toContain(`${service.url}${path.replace('{search_id}', 's_4nT0aY2kQe7m')}`);
      expect(page).not.toMatch(/127\.0\.0\.1:3000|\^\[/);
      for (const [, link] of page.matchAll(/ href="([^#"]+)/g))
        linked.add(new URL(link!, `${service.url}/docs/api/${id}`).href);
    }
    // The words of the contract for a pattern, not the pattern.
    expect(await (await service.bare('/docs/api/getUser')).text()).toContain('1–15 letters, digits or _');
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, id] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(id);
    for (const [, link] of html.matchAll(/href="([^#"]+)/g)) linked.add(new URL(link!, response.url).href);
    for (const link of linked) if (isRead(link)) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
  });
  test('names the host that a trusted proxy names, and ignores others', async () => {
    const proxied = await startService({ originOf: createOriginOf(['loopback']) });
    const headers = [
      'GET /docs/api/getTweetReplies HTTP/1.1',
      'Host: inner:3000',
      'X-Forwarded-Host: social.example',
      'X-Forwarded-Proto: https',
    ];
    expect((await sendRaw(proxied.port, headers)).body).toContain('https://social.example/social/tweet/replies');
    await proxied.stop(0);
    expect((await sendRaw(service.port, headers)).body).toContain('http://inner:3000/social/tweet/replies');
  });
  test('has Swagger UI at /docs/try', async () => {
    const html = await (await service.bare('/docs/try')).text();
    for (const file of ['./swagger-ui.css', './swagger-ui-bundle.js', `../${assetPath('try.js')}`])
      expect(html).toContain(`"${file}"`);
  });
  test.each(files)('has %s', async (file) => {
    expect((await service.bare(`/docs/${file}`)).status).toBe(200);
  });
  test('allows scripts, styles and requests of this server only', async () => {
    const policy = (await service.bare('/docs/try')).headers.get('content-security-policy')!;
    expect(policy.split(';')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        `script-src 'self' ${themeSource}`,
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
        "connect-src 'self'",
      ]),
    );
    expect(policy).not.toContain('upgrade-insecure-requests');
  });
  test.each([
    'anything.js',
    'index.html',
    'swagger-initializer.js',
    'swagger-ui-init.js',
    'swagger-ui-standalone-preset.js',
    'package.json',
    'x/swagger-ui-init.js',
    '..%2fpackage.json',
    'SWAGGER-UI.CSS',
  ])('has no %s', async (file) => {
    const response = await service.bare(`/docs/${file}`);
    expect(response.status).toBe(404);
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
  });
});

test('only the pages that show tweets may load pictures from other hosts', async () => {
  const policyOf = async (path: string): Promise<string> =>
    (await service.bare(path)).headers.get('content-security-policy')!;
  for (const path of ['/', '/explore', '/u/a', '/t/1', '/c/1', '/s/1', '/ask', '/live', '/docs/search']) {
    const policy = await policyOf(path);
    expect([path, policy]).toEqual([path, expect.stringContaining("img-src 'self' data: https:")]);
    expect(policy).toMatch(/default-src 'none'.*connect-src 'self'.*script-src 'self'.*style-src 'self'/);
  }
  expect(await policyOf('/docs/')).toContain("img-src 'self';");
});
test.each([
  '/u/',
  '/u/a/b',
  '/t',
  '/u/%ff/',
  '/explore//',
  '/assets/',
  '/assets/nothing.js',
  '/assets/..%2fopenapi.json',
])('there is no page at %s', async (path) => {
  const { status } = await service.request(path);
  expect([400, 404]).toContain(status);
});
test('/live/overview has the counts of the metrics, and nothing for a platform that counts nothing', async () => {
  expect(await (await service.bare('/live/overview')).json()).toEqual({ objects: {} });
});

test('responses have security headers for browsers, none of which requires TLS', async () => {
  const { headers } = await service.request('/social/assistant/status');
  expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('x-frame-options')).toBe('DENY');
  expect(headers.get('strict-transport-security')).toBeNull();
  expect(headers.get('x-powered-by')).toBeNull();
});
test('data responses omit the headers that matter only for pages', async () => {
  for (const name of ['referrer-policy', 'cross-origin-opener-policy', 'x-dns-prefetch-control']) {
    expect((await service.request('/social/assistant/status')).headers.has(name)).toBe(false);
    expect((await service.bare('/docs/')).headers.has(name)).toBe(true);
  }
});
test('serves a document in several files as one', () => {
  const document = { openapi: '3.1.0' };
  expect(inOneFile("a: { $ref: 'parts/a.yaml' }\n", document)).toBe('{\n "openapi": "3.1.0"\n}\n');
  for (const text of ["a: { $ref: '#/b' }\n", "a: { $ref: './openapi.yaml#/b' }\n"])
    expect(inOneFile(text, document)).toBe(text);
});

describe('the files of the pages', () => {
  test('have a name with the hash of their content, by which browsers keep them for a year', async () => {
    const response = await service.bare(`/${assetPath('explore.js')}`);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    const text = await response.text();
    expect(text).toContain(`from "./${assetPath('kit.js').slice('assets/'.length)}"`);
    expect(text).not.toContain('"./kit.js"');
    const packed = await service.bare(`/${assetPath('kit.js')}`, { headers: { 'accept-encoding': 'br' } });
    expect(packed.headers.get('content-encoding')).toBe('br');
  });
  test('of another version are a 404 that no cache stores, and never a page', async () => {
    const names = [assetPath('kit.js').replace(/-\w+/, '-0123456789ab'), 'assets/kit.js', 'assets/', 'assets/theme.js'];
    for (const name of names)
      for (const destination of ['document', 'script']) {
        const headers = { accept: 'text/html', 'sec-fetch-dest': destination };
        const response = await service.bare(`/${name}`, { headers });
        expect([name, response.status, response.headers.get('cache-control')]).toEqual([name, 404, 'no-store']);
        expect(await response.json()).toEqual({
          error: `file '/${name}' not found; a page of an earlier version must be loaded anew`,
        });
      }
  });
  test('change their name with what they load, also where scripts load each other', () => {
    const of = (kit: string, page = 'page') =>
      namedAssets(
        new Map([
          ['kit.js', `import("./box.js"); ${kit}`],
          ['box.js', 'import "./kit.js"; import "./absent.js"'],
          ['page.js', `import './kit.js'; ${page}`],
          ['page.css', 'a {}'],
        ]),
      );
    const [one, other, third] = [of('1'), of('2'), of('1', 'changed')];
    for (const name of ['kit.js', 'box.js', 'page.js']) expect(one.names.get(name)).not.toBe(other.names.get(name));
    expect(one.names.get('page.css')).toBe(other.names.get('page.css'));
    expect([one.names.get('kit.js'), third.names.get('kit.js')]).toEqual(Array(2).fill(third.names.get('kit.js')));
    expect(one.names.get('page.js')).not.toBe(third.names.get('page.js'));
    expect(one.texts.get(one.names.get('box.js')!)).toBe(`import "./${one.names.get('kit.js')}"; import "./absent.js"`);
  });
  test('are all that a page runs, but for the script of the colours, which the policy names by its hash', async () => {
    for (const path of ['/', '/docs/', '/docs/try', '/live']) {
      const response = await service.bare(path);
      const scripts = [...(await response.text()).matchAll(/<script>([^<]*)<\/script>/g)].map(([, text]) => text!);
      const hashes = scripts.map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
      expect(hashes).toHaveLength(1);
      expect(response.headers.get('content-security-policy')).toContain(`script-src 'self' ${hashes[0]};`);
    }
  });
});

test('every page has the icon of the service: an SVG with colours for dark browsers, and pictures for others', async () => {
  const html = await (await service.bare('/explore')).text();
  const icons = [...html.matchAll(/<link rel="(?:apple-touch-)?icon" href="\.(\/[^"]+)"/g)].map(([, path]) => path!);
  expect(icons).toEqual(['/favicon.ico', '/favicon.svg', '/apple-touch-icon.png']);
  for (const path of icons) {
    const response = await service.bare(path);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect([path, response.status, bytes.length < 3000]).toEqual([path, 200, true]);
    if (path.endsWith('.svg')) {
      expect(response.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
      expect(bytes.toString()).toContain('prefers-color-scheme:dark');
    } else {
      expect(response.headers.get('content-type')).toBe('image/png');
      // The width in the header of a PNG (PNG 3 §11.2.1).
      expect(bytes.readUInt32BE(16)).toBe(path === '/favicon.ico' ? 32 : 180);
    }
    const etag = response.headers.get('etag')!;
    const again = await service.bare(path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
    expect(again.status).toBe(304);
  }
});
