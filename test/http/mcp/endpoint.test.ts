// Tests server/http/mcp/agent-server.ts, server/http/mcp/arguments.ts, server/http/mcp/call-operation.ts,
// server/http/mcp/tool-schema.ts, server/http/mcp/result.ts and server/http/mcp/tools.ts.
/** What `/mcp` demands of a request, what it costs, and what it answers to anything. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../../server/contract/openapi.ts';
import { contract } from '../../support/contract.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { exampleHandlers, key, startService, type Service, type ServiceParts } from '../../support/service.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import { createAuthenticator } from '../../../server/keys/authenticator.ts';
import type { KeyScope } from '../../../server/ports/keys.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop(0));

const post = (to: Service, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  to.bare('/mcp', {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
const message = (method: string, params?: object, id: unknown = 1): object => ({ jsonrpc: '2.0', id, method, params });
const call = (name: string, args: object): object => message('tools/call', { name, arguments: args });
const getSpace = call('getSpace', { id: '1vSampleSpace1' });

interface Answer {
  readonly result?: Record<string, unknown> & { readonly tools: { name: string; annotations: object }[] };
  readonly error?: { readonly code: number; readonly message: string };
}
const answerOf = async (response: Response): Promise<Answer> => (await response.json()) as Answer;

async function withService(parts: ServiceParts, use: (own: Service) => Promise<void>): Promise<void> {
  const own = await startService(parts);
  try {
    await use(own);
  } finally {
    await own.stop(0);
  }
}

describe('admission', () => {
  test('a request without a valid key gets 401 with a challenge', async () => {
    for (const headers of [{ 'x-api-key': '' }, { 'x-api-key': 'wrong' }]) {
      const response = await post(service, message('tools/list'), headers);
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="social-data"/);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
  });

  test.each(['header', 'bearer', 'query'])('a key in the %s also authenticates the calls', async (place) => {
    const response = await service.bare(place === 'query' ? `/mcp?api_key=${key}` : '/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(place === 'header' && { 'x-api-key': key }),
        ...(place === 'bearer' && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(getSpace),
    });
    const { result } = await answerOf(response);
    expect(result?.['structuredContent']).toMatchObject({ title: expect.any(String) });
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s is answered with 405: there is no stream, and no session', async (method) => {
    const response = await service.request('/mcp', { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test.each([
    ['https://evil.example', '*', 403],
    ['null', '*', 403],
    ['http://localhost:6274', '*', 200],
    ['http://[::1]:6274', 'off', 200],
    ['https://app.example', ['https://app.example'], 200],
    ['https://other.example', ['https://app.example'], 403],
    ['http://localhost.evil.example', '*', 403],
  ] as const)('a page of %s with CORS_ORIGINS=%s gets %i', async (origin, corsOrigins, status) => {
    await withService({ corsOrigins }, async (own) => {
      const response = await post(own, message('ping'), { origin });
      expect(response.status).toBe(status);
    });
  });

  test('a browser of a named origin may send the headers of the protocol', async () => {
    await withService({ corsOrigins: ['https://app.example'] }, async (own) => {
      const response = await own.bare('/mcp', {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'content-type,mcp-protocol-version,x-api-key',
        },
      });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
      expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    });
  });

  test('a body that is too large, or not JSON by its type, is rejected', async () => {
    expect((await post(service, `{"x":"${'a'.repeat(300_000)}"}`)).status).toBe(413);
    expect((await post(service, 'x=1', { 'content-type': 'text/plain' })).status).toBe(415);
    const zipped = await service.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync('['.repeat(40_000_000)),
    });
    expect(zipped.status).toBe(413);
  });
});

describe('scopes', () => {
  const withScopes = (scopes: readonly KeyScope[], use: (own: Service) => Promise<void>): Promise<void> => {
    const limited = { ...unrestrictedKey('limited'), scopes: new Set(scopes) };
    const keys = { verify: (text: string) => (text === key ? limited : undefined), recordUse() {} };
    return withService({ authenticate: createAuthenticator({ keys, failures: 'off' }) }, use);
  };
  const namesOf = async (own: Service): Promise<string[]> =>
    (await answerOf(await post(own, message('tools/list')))).result!.tools.map(({ name }) => name);

  test('a key sees the tools that its scopes permit', async () => {
    await withScopes(['read'], async (own) => {
      const names = await namesOf(own);
      expect(names).toContain('getTweet');
      expect(names).not.toContain('unlikeTweet');
      expect(names).not.toContain('explainTweet');
    });
    await withScopes(['write'], async (own) => {
      const { result } = await answerOf(await post(own, message('tools/list')));
      expect(result!.tools).toMatchObject([
        { name: 'unlikeTweet', annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false } },
      ]);
    });
  });

  test('a tool that changes data needs the scope write beside that of its operation', async () => {
    await withScopes(['alerts'], async (own) => {
      const names = await namesOf(own);
      expect(names).toContain('listSavedSearches');
      expect(names).not.toContain('deleteSavedSearch');
      const { result } = await answerOf(await post(own, call('deleteSavedSearch', { search_id: 's_1' })));
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^403: .*'write'/) }] });
    });
    await withScopes(['alerts', 'write'], async (own) => {
      expect(await namesOf(own)).toContain('deleteSavedSearch');
    });
  });

  test('a call without the scope of its operation is refused as its operation refuses it', async () => {
    await withScopes(['read'], async (own) => {
      const { result } = await answerOf(await post(own, call('unlikeTweet', { tweet_id: '1' })));
      expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/^403: .*'write'/) }] });
    });
  });
});

describe('the rate limit', () => {
  const five = { rateLimit: { requests: 5, periodMs: 3_600_000 } };
  const left = (response: Response): string => /r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1] ?? '';

  test('a message costs one request, and a call costs that of its operation', async () => {
    await withService(five, async (own) => {
      expect(left(await post(own, message('tools/list')))).toBe('4');
      expect(left(await post(own, getSpace))).toBe('3');
      // A call that reaches no operation.
      expect(left(await post(own, call('getNothing', {})))).toBe('2');
      expect(left(await post(own, 'no json'))).toBe('1');
      expect(left(await own.request('/social/space/detail?id=a'))).toBe('0');
      const refused = await answerOf(await post(own, getSpace));
      expect(refused.result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringMatching(/^429: rate limit exceeded.*retry after \d+ s/) }],
      });
      const list = await post(own, message('tools/list'));
      expect([list.status, Number(list.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    });
  });

  test('each message of a batch counts', async () => {
    await withService(five, async (own) => {
      const batch = [message('ping'), { ...getSpace, id: 2 }, message('tools/list', {}, 3)];
      const response = await post(own, batch, { 'mcp-protocol-version': '2025-03-26' });
      const answers = (await response.json()) as { id: number }[];
      expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
      expect(left(await post(own, message('ping')))).toBe('1');
      expect((await post(own, Array(11).fill(message('ping')))).status).toBe(400);
      expect((await post(own, [])).status).toBe(400);
    });
  });
});

test('the failure of an operation is an error of its tool, without its cause', async () => {
  const fail = (): never => {
    throw new Error('secret cause');
  };
  await withService({ handlers: exampleHandlers({ getSpace: fail }) }, async (own) => {
    const response = await post(own, getSpace);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({ result: { isError: true, content: [{ text: '500: internal error' }] } });
    expect(text).not.toContain('secret');
  });
});

test('an answer that the operation streams late ends with the connection of its caller', async () => {
  const aborted = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  const handlers = exampleHandlers({
    getSpace: ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted.resolve();
          reject(new Error('aborted'));
        });
        started.resolve();
      }),
  });
  await withService({ handlers }, async (own) => {
    const controller = new AbortController();
    const pending = own.request('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(getSpace),
      signal: controller.signal,
    });
    await started.promise;
    controller.abort();
    await expect(pending).rejects.toThrow();
    await aborted.promise;
  });
});

test('an operation with x-mcp: false is no tool', async () => {
  const document = structuredClone(contract) as unknown as {
    paths: Record<string, Record<string, Record<string, unknown>>>;
  };
  document.paths['/social/space/detail']!['get']!['x-mcp'] = false;
  // A stream has no end, whatever the contract says of tools.
  delete document.paths['/social/events']!['get']!['x-mcp'];
  await withService({ document: document as unknown as OpenApiDocument }, async (own) => {
    const { result } = await answerOf(await post(own, message('tools/list')));
    const names = result!.tools.map(({ name }) => name);
    expect(names).toContain('getTweet');
    expect(names).not.toContain('getSpace');
    expect(names).not.toContain('streamEvents');
    expect((await answerOf(await post(own, getSpace))).error).toMatchObject({ code: -32602 });
  });
});

describe('anything that a caller sends', () => {
  const deep = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  test.each<[string, string]>([
    ['nothing', ' '],
    ['broken JSON', '{"jsonrpc":'],
    ['null', 'null'],
    ['a number', '7'],
    ['a text', '"x"'],
    ['an empty object', '{}'],
    ['a name twice', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['an object as id', '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}'],
    ['a fraction as id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}'],
    ['a huge id', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}'],
    ['a method that is none', '{"jsonrpc":"2.0","id":1,"method":7}'],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"a/b"}'],
    ['an inherited method', '{"jsonrpc":"2.0","id":1,"method":"constructor"}'],
    ['parameters that are a list', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}'],
    ['a call without a name', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}'],
    [
      'arguments that are none',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getSpace","arguments":"x"}}',
    ],
    ['an inherited tool', '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"__proto__"}}'],
    [
      'an inherited argument',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getSpace","arguments":{"__proto__":{"id":"x"},"constructor":1}}}`,
    ],
    [
      'a line break in an argument',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getSpace","arguments":{"id":"a\\r\\nX-Y: 1"}}}',
    ],
    [
      'half a surrogate pair',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getSpace","arguments":{"\\ud800":"\\ud800"}}}',
    ],
    [
      'a very long argument',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getSpace","arguments":{"id":"${'a'.repeat(200_000)}"}}}`,
    ],
    [
      'a deep argument',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"getSpace","arguments":${deep(20_000)}}}`,
    ],
    ['a deep message', deep(40_000)],
    ['deep lists', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['a notification', '{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    [
      'a subscription',
      '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}',
    ],
    [
      'a version of the protocol that there is not',
      '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"1999-01-01"}}}',
    ],
    [
      'an initialization of another version',
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1999-01-01","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}',
    ],
  ])('%s is answered without a fault', async (_, body) => {
    const response = await post(service, body);
    const text = await response.text();
    expect(response.status).toBeLessThan(500);
    expect(text).not.toMatch(/-32603|\bat .*\.[mc]?[jt]s\b|node_modules/);
    expect((await service.bare('/healthz')).status).toBe(200);
  });

  test('a header of another version of the protocol is 400', async () => {
    const response = await post(service, message('ping'), { 'mcp-protocol-version': '1999-01-01' });
    expect(response.status).toBe(400);
  });

  test('random messages never cause a fault', async () => {
    const names = fc.constantFrom('getSpace', 'searchTweets', 'getTweets', 'unlikeTweet', 'explainTweet', 'x');
    const methods = fc.constantFrom('tools/call', 'tools/list', 'resources/read', 'initialize', 'server/discover', 'x');
    const args = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.constantFrom('id', 'ids', 'query', 'limit', 'tweet_id', 'cursor', 'zz'), fc.jsonValue()),
    );
    const params = fc.oneof(
      fc.jsonValue(),
      fc.record({ name: names, arguments: args, uri: fc.string() }, { requiredKeys: [] }),
    );
    const one = fc.record(
      { jsonrpc: fc.constantFrom<unknown>('2.0', '1.0', 2), id: fc.jsonValue(), method: methods, params },
      { requiredKeys: ['method'] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(one, fc.array(one, { maxLength: 3 }), fc.jsonValue()), async (body) => {
        const response = await post(service, JSON.stringify(body) ?? 'null');
        expect(response.status).toBeLessThan(500);
        expect(await response.text()).not.toMatch(/-32603|node_modules/);
      }),
      { numRuns: rounds(200) },
    );
    expect(service.log.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });
});
