// Tests server/http/express/cors.ts.
import { afterEach, expect, test } from '@jest/globals';
import type { CorsOrigins } from '../../server/config/cors-origins.ts';
import { responses, startExtended } from '../support/extended-contract.ts';
import { startService, type Service } from '../support/service.ts';

const pool = '/social/assistant/status';
let service: Service;
afterEach(() => service.stop(0));

const preflight = {
  method: 'OPTIONS',
  headers: {
    origin: 'https://app.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-api-key,content-type',
  },
};

test('answers a preflight without a key, for any origin by default', async () => {
  service = await startService();
  const response = await service.bare('/social/tweet/unlike', preflight);
  expect([response.status, await response.text()]).toEqual([204, '']);
  expect(response.headers.get('access-control-allow-origin')).toBe('*');
  expect(response.headers.get('access-control-allow-methods')).toBe('HEAD,POST,GET,DELETE,PATCH');
  expect(response.headers.get('access-control-allow-headers')).toBe('x-api-key,content-type');
});
test('responses and errors are readable for the origin, with the headers that a client needs', async () => {
  service = await startService();
  for (const response of [
    await service.request(pool),
    await service.bare(pool),
    await service.request('/social/nothing'),
  ]) {
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'RateLimit,RateLimit-Policy,Retry-After,ETag,X-Request-Id,WWW-Authenticate,Allow,X-Event-Cursor,Link,X-Next-Cursor,Last-Modified,X-Accel-Buffering,Location',
    );
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  }
});
test('the headers that the contract declares are readable, whatever their case', async () => {
  const location = { schema: { type: 'string' } };
  service = await startExtended({
    makeThing: {
      route: 'POST /social/things',
      described: {
        ...{ deprecated: true, 'x-sunset': '2030-01-31' },
        responses: responses({
          201: { description: 'Made.', headers: { Location: location, 'x-event-cursor': location } },
          409: { description: 'There is one.', headers: { location, 'X-Thing': location } },
        }),
      },
      handle: () => ({ status: 201, headers: { Location: '/social/things/1' } }),
    },
  });
  const response = await service.request('/social/things', { method: 'POST' });
  expect([response.status, response.headers.get('location')]).toEqual([201, '/social/things/1']);
  expect(response.headers.get('access-control-expose-headers')).toMatch(
    /,X-Event-Cursor,.*,Location,Deprecation,Sunset,X-Thing$/,
  );
});
test.each<[string, string | null]>([
  ['https://app.example', 'https://app.example'],
  ['https://evil.example', null],
])('with a list of origins, %s gets %s', async (origin, allowed) => {
  service = await startService({ corsOrigins: ['https://app.example', 'https://other.example'] });
  const response = await service.request(pool, { headers: { origin } });
  expect(response.headers.get('access-control-allow-origin')).toBe(allowed);
  expect(response.headers.get('vary')).toMatch(/Origin/);
});
test('off rejects browsers of other origins', async () => {
  service = await startService({ corsOrigins: 'off' satisfies CorsOrigins });
  expect((await service.bare(pool, preflight)).status).toBe(401);
  expect((await service.request(pool)).headers.get('access-control-allow-origin')).toBeNull();
});

const outside = [
  '/metrics',
  '/healthz',
  '/readyz',
  '/live/following',
  '/live/overview',
  '/docs/',
  '/',
  '/operate/api/session',
  '/nothing',
];
test('no other origin may read what is outside the contract', async () => {
  service = await startService();
  for (const path of outside)
    for (const init of [{ headers: { origin: 'https://app.example' } }, preflight]) {
      const response = await service.request(path, init);
      const names = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'));
      expect([path, names]).toEqual([path, []]);
    }
});

test('tools of other origins read the documents of the contract', async () => {
  service = await startService();
  for (const path of ['/openapi.json', '/openapi.yaml', '/asyncapi.json', '/asyncapi.yaml'])
    expect((await service.bare(path)).headers.get('access-control-allow-origin')).toBe('*');
});
