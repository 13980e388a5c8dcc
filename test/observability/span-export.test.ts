/** Spans of requests arrive at a collector of OpenTelemetry, here a server that reads OTLP over HTTP in JSON. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig } from '../../server/config/config.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean };
}
interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  readonly status: { readonly code?: number };
}
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';

const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let collector: Server;
let server: LocalServer;
let status = 200;
const paths: string[] = [];
const exports: Export[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  collector = createServer(async (request, response) => {
    const isZipped = request.headers['content-encoding'] === 'gzip';
    paths.push(`${request.method} ${request.url} ${request.headers['content-type']}`);
    const chunks: Buffer[] = [];
    if (isZipped) for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = isZipped ? JSON.parse(gunzipSync(Buffer.concat(chunks)).toString()) : await json(request);
    if (status === 200) exports.push(body as Export);
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await once(collector.listen(0, '127.0.0.1'), 'listening');
  server = await startLocalServer(join(folder.path, 'data'), {
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
  });
});
afterAll(async () => {
  await server?.end();
  collector?.closeAllConnections();
  collector?.close();
  await folder?.dispose();
});

const get = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
  const init = { headers: { 'x-api-key': server.firstKey ?? '', ...headers } };
  await (await fetch(server.url + path, init)).text();
};

describe('with OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  test('a span for each request arrives, with the parent of its caller, when the server stops at the latest', async () => {
    const sampled = { traceparent: `00-${traceId}-${parentId}-01`, 'x-request-id': 'traced' };
    await get('/social/tweet/info?tweet_id=1', sampled);
    await get('/social/tweet/info?tweet_id=1890000000000000001', { 'x-request-id': 'own' });
    await get('/social/tweet/info?tweet_id=2', {
      traceparent: `00-${traceId}-${parentId}-00`,
      'x-request-id': 'unsampled',
    });
    await get('/social/nothing-secret-word', { 'x-request-id': 'unknown' });
    await get('/healthz', { 'x-request-id': 'probe' });
    const call = { name: 'getUser', arguments: { username: 'mira_codes' } };
    const response = await fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'x-api-key': server.firstKey ?? '', 'content-type': 'application/json' },
        ...{ ...sampled, 'x-request-id': 'agent' },
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
    });
    await response.text();
    await server.end();

    const resources = exports.flatMap(({ resourceSpans }) => resourceSpans);
    const spans = resources.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const spanOf = (id: string): Span[] =>
      spans.filter(({ attributes }) => valuesOf(attributes)['http.request.id'] === id);
    expect(new Set(paths)).toEqual(new Set(['POST /v1/traces application/json']));
    for (const { resource } of resources)
      expect(valuesOf(resource.attributes)).toMatchObject({
        'service.name': 'social-data',
        'service.version': expect.any(String),
      });
    const [traced] = spanOf('traced');
    expect(traced).toMatchObject({ traceId, parentSpanId: parentId, name: 'GET /social/tweet/info', kind: 2 });
    expect(valuesOf(traced!.attributes)).toEqual({
      'http.request.method': 'GET',
      'http.route': '/social/tweet/info',
      'http.response.status_code': 404,
      'http.request.id': 'traced',
      'social_data.operation': 'getTweet',
    });
    expect(BigInt(traced!.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(traced!.startTimeUnixNano));
    const [own] = spanOf('own');
    expect(own!.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(own!.parentSpanId ?? '').toBe('');
    // A caller that does not record its trace, and health checks, cause no span.
    expect(spanOf('unsampled')).toEqual([]);
    expect(spanOf('probe')).toEqual([]);
    expect(spanOf('unknown')[0]!.name).toBe('GET unknown');
    expect(
      spanOf('agent')
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(['GET /social/user/info', 'POST /mcp']);
    expect(JSON.stringify(exports)).not.toMatch(/secret-word|mira_codes|sd_/);
    const lines = server
      .errors()
      .split('\n')
      .filter((line) => line.includes('"own"'));
    expect(JSON.parse(lines[0]!)).toMatchObject({ trace: own!.traceId });
  });
});

test('a collector that fails is one warning, and costs requests nothing', async () => {
  status = 400;
  const own = await startLocalServer(join(folder.path, 'other'), {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`,
  });
  const response = await fetch(`${own.url}/social/nothing`, { headers: { 'x-api-key': own.firstKey ?? '' } });
  expect(response.status).toBe(404);
  await own.end();
  expect(own.errors().match(/could not be exported/g)).toHaveLength(1);
});

test.each(['x', 'ftp://a', 'http://a?b=1'])('OTEL_EXPORTER_OTLP_ENDPOINT=%s stops the start', (value) => {
  expect(() => readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: value })).toThrow('OTEL_EXPORTER_OTLP_ENDPOINT');
});
