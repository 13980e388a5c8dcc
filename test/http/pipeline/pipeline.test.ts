import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import type { OperationServices } from '../../../server/http/pipeline/operation.ts';
import { Pipeline, type PipelineParts } from '../../../server/http/pipeline/pipeline.ts';
import type { RequestSummary } from '../../../server/http/pipeline/request-summary.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import { json, responses } from '../../support/extended-contract.ts';
import { operationServices, preparedOperations } from '../../support/prepared-operations.ts';
import { startScripted, type Scripted } from '../../support/scripted.ts';
import { until } from '../../support/until.ts';

const thing = { type: 'object', properties: { id: { type: 'string' } } };
const described = (operationId: string, security: object[]): object => ({
  operationId,
  security,
  parameters: [{ name: 'a', in: 'query', schema: { type: 'string' } }],
  responses: responses({ 200: { content: json(thing) }, 304: {} }),
});
const document = {
  openapi: '3.1.0',
  info: { title: 'A Test', version: '1' },
  paths: {
    '/read': { get: described('read', [{ key: ['read'] }]), post: described('write', [{ key: ['read'] }]) },
    '/optional': { get: described('optional', [{}, { key: ['read'] }]) },
  },
  components: {
    schemas: { Error: { type: 'object', required: ['error'], properties: { error: { type: 'string' } } } },
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
  },
} as unknown as OpenApiDocument;
const keys = { good: unrestrictedKey('k1'), poor: { ...unrestrictedKey('k2'), scopes: new Set<never>() } };

let act: (request: IncomingMessage, response: ServerResponse) => void;
let server: Scripted;
beforeAll(async () => void (server = await startScripted((request, response) => act(request, response))));
afterAll(() => server.stop());

/** A pipeline; what it does not handle is answered by 299. */
function pipelineWith(more: Partial<PipelineParts> = {}, services: Partial<OperationServices> = {}) {
  const all = {
    ...operationServices(document, (presented) => keys[presented as keyof typeof keys]),
    ...services,
  };
  const calls: unknown[] = [];
  const summaries: RequestSummary[] = [];
  const handle = ({ query }: { query: unknown }) => (calls.push(query), { id: '1' });
  const pipeline = new Pipeline({
    ...all,
    operations: preparedOperations(document, { read: handle, optional: handle, write: handle }, all),
    headersFor: (origin) => ['X-Origin', origin ?? 'none'],
    onFinished: (summary) => void summaries.push(summary),
    beginTrace: () => ({}),
    ...more,
  });
  act = (request, response) => {
    if (!pipeline.handle(request, response)) response.writeHead(299).end();
  };
  const ask = async (
    target: string,
    init: RequestInit = {},
  ): Promise<{ status: number; headers: Headers; text: string }> => {
    const response = await fetch(server.url + target, { headers: { 'x-api-key': 'good' }, ...init });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  return { ask, calls, summaries, cache: all.cache };
}

describe('a request that has one interpretation', () => {
  test('is answered, with the headers of its origin and its id', async () => {
    const { ask, calls, summaries } = pipelineWith();
    const headers = { 'x-api-key': 'good', origin: 'https://a.example', 'x-request-id': 'r1' };
    const answer = await ask('/read?a=b', { headers });
    expect([answer.status, answer.text, calls]).toEqual([200, '{"id":"1"}', [{ a: 'b' }]]);
    expect(answer.headers.get('x-origin')).toBe('https://a.example');
    expect(answer.headers.get('x-request-id')).toBe('r1');
    expect((await ask('/read')).headers.get('x-origin')).toBe('none');
    await until(() => summaries.length === 2);
    expect(summaries[0]).toMatchObject({
      ...{ path: '/read', status: 200, completed: true },
      facts: { id: 'r1', method: 'GET', operationId: 'read', keyId: 'k1' },
    });
  });
  test.each([
    ['without a known key', 'wrong', 401],
    ['without the scope', 'poor', 403],
  ])('is refused %s', async (_case, key, status) => {
    const { ask, calls } = pipelineWith();
    expect([(await ask('/read', { headers: { 'x-api-key': key } })).status, calls]).toEqual([status, []]);
  });
  test('is answered from the cache, for a target that is there', async () => {
    const { ask, calls } = pipelineWith({}, { revisionOf: () => 1 });
    for (let call = 0; call < 4; call++) expect((await ask('/read?a=b')).text).toBe('{"id":"1"}');
    expect(calls).toHaveLength(2);
  });
  test('belongs to the trace of its headers', async () => {
    const seen: unknown[] = [];
    const { ask } = pipelineWith({ beginTrace: (parent, state) => (seen.push(parent, state()), {}) });
    await ask('/read', { headers: { 'x-api-key': 'good', traceparent: 'p', tracestate: 's' } });
    expect(seen).toEqual(['p', 's']);
  });
});

describe('another request is declined, and nothing of it has run:', () => {
  test.each<[string, string, RequestInit]>([
    ['one with another method', '/read', { method: 'POST' }],
    ['HEAD', '/read', { method: 'HEAD' }],
    ['one without a key', '/read', { headers: {} }],
    ['one with a parameter that is unknown', '/read?b=c', {}],
    ['one to another path', '/other', {}],
    ['one of an operation that needs no key', '/optional', {}],
  ])('%s', async (_case, target, init) => {
    const { ask, calls, summaries } = pipelineWith();
    const { status, headers } = await ask(target, init);
    expect([status, headers.has('x-request-id'), calls, summaries]).toEqual([299, false, [], []]);
  });
  test('one whose response is cached, but whose operation only Express reads', async () => {
    const { ask, cache } = pipelineWith({}, { revisionOf: () => 1 });
    const parsed = { id: 'optional', path: '/optional', query: {} } as never;
    for (let call = 0; call < 2; call++) cache.store('/optional', parsed, 1, Buffer.from('{}'));
    expect(cache.get('/optional')).toBeDefined();
    expect((await ask('/optional')).status).toBe(299);
  });
});
