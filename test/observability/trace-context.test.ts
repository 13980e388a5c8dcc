/** The trace of a caller (W3C Trace Context) is in the log, and in the requests to other services that its request causes. */
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { inTrace, readTraceContext, traceHeaders } from '../../server/observability/trace-context.ts';
import { completion } from '../assistant/providers/endpoint.ts';
import { answer as pairs, pair } from '../onchain/pairs.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

describe('traceparent', () => {
  test.each([
    [traceparent],
    [`00-${traceId}-00f067aa0ba902b7-00`],
    [`cc-${traceId}-00f067aa0ba902b7-01-what-the-future-has`],
    [`01-${traceId}-00f067aa0ba902b7-ff`],
  ])('%s is read', (header) => {
    expect(readTraceContext(header)).toMatchObject({ traceId, spanId: '00f067aa0ba902b7' });
  });

  test.each([
    [undefined],
    [''],
    ['x'],
    [traceparent.toUpperCase()],
    [`${traceparent}-more`],
    [`${traceparent} `],
    [`${traceparent}, ${traceparent}`],
    [`ff-${traceId}-00f067aa0ba902b7-01`],
    [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    [`00-${traceId}-${'0'.repeat(16)}-01`],
    [`00-${traceId}-00f067aa0ba902b7-0`],
    [`00-${traceId}-00f067aa0ba902b7`],
    [`cc-${traceId}-00f067aa0ba902b7-01.x`],
    [`cc-${traceId}-00f067aa0ba902b7-01-${'x'.repeat(600)}`],
  ])('%j is ignored', (header) => {
    expect(readTraceContext(header, 'a=1')).toBeUndefined();
  });

  test('is sent on in version 00, with its tracestate if that is printable and short', () => {
    const headersOf = (header: string, state: string): object =>
      inTrace(readTraceContext(header, state), () => traceHeaders());
    const carried = { traceparent, tracestate: 'a=1,b=2' };
    expect(headersOf(traceparent, 'a=1,b=2')).toEqual(carried);
    expect(headersOf(traceparent.replace('00-', 'cc-').replace(/01$/, 'ff'), 'a=1,b=2')).toEqual(carried);
    for (const state of ['', 'é', 'a\r\nb', 'x'.repeat(513)])
      expect(headersOf(traceparent, state)).toEqual({ traceparent });
    expect(traceHeaders()).toEqual({});
  });
});

describe('a request with a trace', () => {
  /** What other services were asked. */
  const asked: { path: string; headers: IncomingHttpHeaders; isProbe: boolean }[] = [];
  const others = createServer((request, response) => void answerAs(request, response));
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let server: LocalServer;

  async function answerAs(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url = '', headers } = request;
    const isProbe = (await text(request)).includes(String.raw`{\"ok\": true}`);
    asked.push({ path: url.split('?', 1)[0]!, headers, isProbe });
    const isModel = url.startsWith('/v1/');
    const value = isModel
      ? completion(isProbe ? '{"ok": true}' : 'Fine.', 'm')
      : url.startsWith('/xrpc/')
        ? { error: 'InvalidRequest', message: 'Profile not found' }
        : pairs(pair());
    response.writeHead(url.startsWith('/xrpc/') ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    await once(others.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(others.address() as AddressInfo).port}`;
    const accounts = join(folder.path, 'accounts.json');
    await writeFile(accounts, JSON.stringify([{ base_url: `${url}/v1`, api_key: 'k' }]), { mode: 0o600 });
    server = await startLocalServer(join(folder.path, 'data'), {
      ...{ LOG_LEVEL: 'info', ASSISTANT: 'openai', ASSISTANT_ACCOUNTS: accounts, ASSISTANT_HTTP: 'loopback' },
      ...{ TOKEN_RESOLVER: 'dexscreener', TOKEN_RESOLVER_URL: url, FILL: 'bluesky', FOLLOW_BLUESKY_API: url },
    });
  });
  afterAll(async () => {
    await server?.end();
    others.closeAllConnections();
    others.close();
    await folder?.dispose();
  });

  async function get(path: string, headers: Record<string, string>): Promise<number> {
    const response = await fetch(server.url + path, { headers: { 'x-api-key': server.firstKey ?? '', ...headers } });
    await response.text();
    return response.status;
  }
  const logged = (id: string): Record<string, unknown>[] =>
    server
      .errors()
      .split('\n')
      .flatMap((line) => (line.includes(`"${id}"`) ? [JSON.parse(line) as Record<string, unknown>] : []));

  test.each([
    ['a model', '/v1/chat/completions', '/social/tweet/assistant?tweet_id=1890000000000000001'],
    ['a platform', '/xrpc/app.bsky.actor.getProfiles', '/social/user/info?username=nobody.example.com'],
    [
      'a token aggregator',
      '/latest/dex/search',
      '/social/user/last_tweets?username=mira_codes&resolve_cashtags=1&limit=100',
    ],
  ])('is carried on to %s', async (_, path, target) => {
    asked.length = 0;
    // The first test of an account comes after the start.
    for (let tries = 0; tries < 100 && !asked.some((each) => each.path === path && !each.isProbe); tries++) {
      await get(target, { traceparent, tracestate: 'vendor=1' });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const traced = asked.filter((each) => each.path === path && !each.isProbe);
    expect(asked.map((each) => each.path)).toContain(path);
    for (const { headers } of traced) expect(headers).toMatchObject({ traceparent, tracestate: 'vendor=1' });
  });

  test('is in the log by its id, on both paths through the server and for a tool call', async () => {
    await get('/social/tweet/info?tweet_id=1890000000000000001', { traceparent, 'x-request-id': 'strict' });
    await get('/social/tweet/info?tweet_id=1890000000000000001&x=', { traceparent, 'x-request-id': 'express' });
    const call = { name: 'getTweet', arguments: { tweet_id: '1' } };
    await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': server.firstKey ?? '', 'content-type': 'application/json' },
        ...{ traceparent, 'x-request-id': 'agent' },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    }).then((response) => response.text());
    for (const [id, count] of [
      ['strict', 1],
      ['express', 1],
      ['agent', 2],
    ] as const)
      expect(logged(id).map(({ trace }) => trace)).toEqual(Array(count).fill(traceId));
  });

  test('without a trace, or with one that is invalid, has none in the log, and sends none on', async () => {
    asked.length = 0;
    for (const [id, headers] of [
      ['none', {}],
      ['invalid', { traceparent: `${traceparent}-x`, tracestate: 'vendor=1' }],
    ] as const) {
      expect(await get(`/social/user/info?username=other-${id}.example.com`, { ...headers, 'x-request-id': id })).toBe(
        404,
      );
      expect(logged(id)).toHaveLength(1);
      expect(logged(id)[0]).not.toHaveProperty('trace');
    }
    expect(asked).not.toHaveLength(0);
    for (const { headers } of asked) {
      expect(headers).not.toHaveProperty('traceparent');
      expect(headers).not.toHaveProperty('tracestate');
    }
  });
});
