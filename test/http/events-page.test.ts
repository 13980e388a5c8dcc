// Tests server/http/docs/pages/events/page.ts, server/http/docs/pages/events/protocol.ts and
// server/http/docs/pages/events/tables.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { assetPath } from '../../server/http/docs/pages/assets.ts';
import { themeScript, themeSource } from '../../server/http/express/theme-script.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { browser, resume, shell, ws } from '../../server/http/docs/pages/events/samples.ts';
import { createOriginOf } from '../../server/http/server/client-address.ts';
import { sendRaw } from '../support/raw.ts';
import { key, startService, type Service } from '../support/service.ts';
import { startStream, type Stream } from '../support/stream.ts';

const unescaped = (html: string): string =>
  html.replace(
    /&(quot|#39|apos|lt|gt|amp);/g,
    (_whole, name: string) => ({ quot: '"', '#39': "'", apos: "'", lt: '<', gt: '>', amp: '&' })[name]!,
  );

let service: Service;
let html: string;
let text: string;
beforeAll(async () => {
  service = await startService();
  html = await (await service.bare('/docs/events')).text();
  text = unescaped(html.replace(/<[^>]*>/g, '')).replaceAll(/\s+/g, ' ');
});
afterAll(() => service.stop(0));

describe('/docs/events documents the whole protocol', () => {
  const stream = asyncapi.channels.events;
  const plain = (prose: string): string =>
    prose
      .replaceAll(/`|\*\*|\[|\]\([^)]*\)/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();

  test('every channel, event, error, close code and limit with its description', () => {
    const described = [
      ...Object.entries(stream['x-channels']).map(([name, { description, data }]) => [name, description, data]),
      ...Object.entries(stream['x-events']),
      ...Object.entries(stream['x-error-codes']).map(([name, { when, then }]) => [name, when, then]),
      ...Object.entries(stream['x-close-codes']).map(([name, { when, then, reason }]) => [name, when, then, reason]),
      ...Object.entries(stream['x-limits']).map(([name, { value, means, beyond }]) => [
        name,
        value.toLocaleString('en'),
        means,
        beyond,
      ]),
    ];
    expect(described.length).toBeGreaterThan(60);
    for (const [name, ...parts] of described)
      for (const part of parts) expect([name, text]).toEqual([name, expect.stringContaining(plain(part))]);
  });

  test('every message once, with its members and its examples, which are JSON', () => {
    const shown = [...html.matchAll(/<pre class="frame"[^>]*>(.*?)<\/pre>/gs)].map(
      ([, content]) => JSON.parse(unescaped(content!.replace(/<[^>]*>/g, ''))) as unknown,
    );
    const examples = Object.values(asyncapi.components.messages).flatMap((message) =>
      message.examples.map(({ payload }) => payload),
    );
    expect(shown).toHaveLength(examples.length);
    expect(shown).toEqual(expect.arrayContaining(examples));
    for (const [name, { payload, title }] of Object.entries(asyncapi.components.messages)) {
      const [, own = '', ...more] = html.split(`<article id="${name}">`);
      expect([name, more.length]).toEqual([name, 0]);
      expect(own).toContain(title);
      const schema = openapi.components.schemas[payload.$ref.split('/').at(-1) as 'WsPing'];
      for (const member of Object.keys(schema.properties))
        expect(own.slice(0, own.indexOf('</article>'))).toContain(`<th scope="row"><code>${member}</code>`);
    }
  });

  test('samples use the origin of the reader, and ignore untrusted proxies', async () => {
    const page = async (port: number, ...headers: string[]): Promise<string> =>
      (await sendRaw(port, ['GET /docs/events HTTP/1.1', ...headers])).body;
    const plain = await page(
      service.port,
      'Host: social.example:8080',
      'X-Forwarded-Host: evil.example',
      'X-Forwarded-Proto: https',
    );
    expect(plain).toContain('ws://social.example:8080/ws');
    expect(plain).not.toMatch(/127\.0\.0\.1:3000|evil\.example|wss:/);

    const proxied = await startService({ originOf: createOriginOf(['loopback']) });
    try {
      const trusted = await page(
        proxied.port,
        'Host: inner:3000',
        'X-Forwarded-Host: social.example',
        'X-Forwarded-Proto: https',
      );
      expect(trusted.match(/wss:\/\/social\.example\/ws/g)).toHaveLength(4);
      expect(trusted).not.toMatch(/ws:\/\/|inner/);
      const bad = await page(proxied.port, 'Host: inner:3000', 'X-Forwarded-Host: "><script>alert(1)</script>');
      expect(bad).not.toContain('alert(1)');
      expect(bad).toContain('ws://127.0.0.1:3000/ws');
    } finally {
      await proxied.stop(0);
    }
  });

  test('every way to send the key', () => {
    for (const way of ['?api_key=KEY', 'x-api-key: KEY', 'Authorization: Bearer KEY'])
      expect(html).toContain(`<code>${way}</code>`);
  });

  test('with links that work', async () => {
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, id] of html.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(id);
    const links = new Set(
      [...html.matchAll(/href="([^#"]+)"/g)].map(([, link]) => new URL(link!, `${service.url}/docs/events`).href),
    );
    for (const link of links) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
    expect([...links].map((link) => new URL(link).pathname)).toEqual(
      expect.arrayContaining([
        '/docs/',
        '/docs/search',
        '/live',
        '/asyncapi.yaml',
        `/${assetPath('events.css')}`,
        `/${assetPath('site.css')}`,
      ]),
    );
  });
});

test('the contract and every other page link to the page', async () => {
  expect(openapi.info.description).toContain('](/docs/events)');
  for (const path of ['/docs/search', '/live'])
    expect(await (await service.bare(path)).text()).toMatch(/href="\.\.?\/docs\/events"/);
});

test('/docs/events needs no key and no scripts in its HTML but that of the colours, and supports only GET and HEAD', async () => {
  for (const path of ['/docs/events', ...['events.css', 'site.css', 'docs.css'].map((name) => `/${assetPath(name)}`)]) {
    const response = await service.bare(path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(response.headers.get('content-security-policy')!.split(';')).toEqual(
      expect.arrayContaining(["default-src 'none'", `script-src 'self' ${themeSource}`, "style-src 'self'"]),
    );
    const refused = await service.bare(path, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  }
  expect(html.split('<script>').slice(1)).toEqual([expect.stringContaining(themeScript)]);
  expect(html).not.toMatch(/<script(?!>| (?:type="module" )?src=)|<style| style=| on\w+=/);
  for (const path of ['events/page.css', 'page.css', 'EVENTS'])
    expect((await service.bare(`/docs/${path}`)).status).toBe(404);
});

test('serves the source at /asyncapi.yaml, and the same as JSON at /asyncapi.json', async () => {
  const yaml = await service.bare('/asyncapi.yaml');
  expect(yaml.headers.get('content-type')).toMatch(/^application\/yaml/);
  expect(await yaml.text()).toBe(await readFile(new URL('../../spec/asyncapi.yaml', import.meta.url), 'utf8'));
  const json = await service.bare('/asyncapi.json');
  expect(json.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await json.json()).toEqual(asyncapi);
  const { $ref } = asyncapi.components.messages.ping.payload;
  expect((await service.bare(new URL($ref, `${service.url}/asyncapi.yaml`).pathname)).status).toBe(200);
});

describe('the programs on the page', () => {
  let stream: Stream;
  let running: ChildProcess[] = [];
  beforeAll(async () => {
    stream = await startStream();
    await stream.take({ kind: 'user', user: { id: '1', username: 'mira_codes', name: 'Mira' } });
  });
  afterAll(async () => {
    for (const each of running) each.kill('SIGKILL');
    await stream.stop();
  });

  let nextId = 1;
  const take = async (count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => String(nextId++));
    await stream.take(
      ...ids.map((id): ArchiveRecord => ({
        kind: 'tweet',
        tweet: { id, text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1' },
      })),
    );
    return ids;
  };

  /** Runs a program of the page against a server at this port; gives its lines as they come. */
  function run(program: string, port: number | string): AsyncIterator<string> {
    const code = program.replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`).replaceAll('KEY', key);
    expect(code).not.toBe(program);
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: new URL('../../', import.meta.url),
    });
    running.push(child);
    return createInterface(child.stdout)[Symbol.asyncIterator]();
  }
  async function until(lines: AsyncIterator<string>, wanted: RegExp): Promise<string> {
    for (let all = ''; ;) {
      const { value, done } = await lines.next();
      all += `${value as string}\n`;
      if (wanted.test(all)) return all;
      if (done === true) throw new Error(`the program has ended before ${wanted.source}: ${all}`);
    }
  }

  test.each([
    ['for browsers and Node', browser],
    ['for the package ws', `import { WebSocket } from 'ws';\n${ws}`],
  ])('%s print events', async (_name, program) => {
    const lines = run(program, new URL(stream.url).port);
    await until(lines, /type: 'subscribed'/);
    const [id] = await take(1);
    expect(await until(lines, /event_id/)).toContain(`tweet.created:${id}`);
  });

  test('in a shell ends with a valid command', () => {
    expect(browser).toContain(shell.split('\n')[1]);
  });

  test('that resume print every event once after a lost connection', async () => {
    const sockets = new Set<Socket>();
    const between = createServer((client) => {
      const server = connect(Number(new URL(stream.url).port), '127.0.0.1');
      for (const [one, other] of [
        [client, server],
        [server, client],
      ] as const) {
        sockets.add(one);
        one
          .on('error', () => {})
          .on('close', () => other.destroy())
          .pipe(other);
      }
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    const lines = run(resume, (between.address() as AddressInfo).port);
    // Events before the subscription are not delivered.
    const waiting = setInterval(() => void take(1), 50);
    const [, begun] = /created (\d+)/.exec(await until(lines, /created (\d+)/))!;
    clearInterval(waiting);
    for (let drop = 0; drop < 2; drop++) {
      for (const socket of sockets) socket.destroy();
      await take(20);
    }
    const last = (await take(1))[0]!;
    const output = `${begun}\n${(await until(lines, new RegExp(`created ${last}\\n`))).replaceAll('tweet.created ', '')}`;
    expect(output.trim().split('\n')).toEqual(
      Array.from({ length: Number(last) - Number(begun) + 1 }, (_, place) => String(Number(begun) + place)),
    );
    between.close();
    for (const socket of sockets) socket.destroy();
  });
});
