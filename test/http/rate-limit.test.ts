// Tests server/http/pipeline/admission.ts.
import { afterEach, expect, test } from '@jest/globals';
import { expectContract } from '../support/contract.ts';
import { key, otherKey, startService, type Service } from '../support/service.ts';

const pool = '/social/assistant/status';
let service: Service;
afterEach(() => service?.stop(0));

test('responses have RateLimit and RateLimit-Policy, and 429 has Retry-After', async () => {
  service = await startService({ rateLimit: { requests: 3, periodMs: 60_000 } });
  const seen = [];
  for (let call = 0; call < 3; call += 1) seen.push((await service.request(pool)).headers);
  expect(seen.map((headers) => headers.get('ratelimit-policy'))).toEqual(Array(3).fill('"default";q=3;w=60'));
  // Some seconds of the wait may be over already.
  expect(seen.map((headers) => headers.get('ratelimit'))).toEqual(
    [/^"default";r=2;t=20$/, /^"default";r=1;t=(3\d|40)$/, /^"default";r=0;t=(5\d|60)$/].map((field) =>
      expect.stringMatching(field),
    ),
  );
  const refused = await service.request(pool);
  expect(refused.status).toBe(429);
  const wait = refused.headers.get('retry-after')!;
  expect(wait).toMatch(/^(1\d|20)$/);
  expect(await expectContract('getAssistantStatus', refused)).toEqual({
    error: `rate limit exceeded; retry in ${wait} s`,
  });
});

test('the limit applies to a key in any location, and counts errors', async () => {
  service = await startService({ rateLimit: { requests: 3, periodMs: 60_000 } });
  await service.bare(`${pool}?api_key=${key}`);
  await service.bare('/social/nothing', { headers: { authorization: `Bearer ${key}` } });
  await service.request(`${pool}?x=1`);
  expect((await service.request(pool)).status).toBe(429);
  expect((await service.bare(pool, { headers: { 'x-api-key': otherKey } })).status).toBe(200);
  expect((await service.bare(pool)).status).toBe(401);
});

test('never rejects a client that waits as requested', async () => {
  service = await startService({ rateLimit: { requests: 5, periodMs: 500 } });
  const statuses = [];
  for (let call = 0; call < 12; call += 1) {
    const response = await service.request(pool);
    statuses.push(response.status);
    const { r, t } = /;r=(?<r>\d+);t=(?<t>\d+)/.exec(response.headers.get('ratelimit')!)!.groups!;
    if (r === '0') await new Promise((resolve) => setTimeout(resolve, Number(t) * 1000));
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
});

test('sends no rate limit headers without a limit', async () => {
  service = await startService({ rateLimit: 'off' });
  const response = await service.request(pool);
  expect(response.headers.get('ratelimit')).toBeNull();
  await expectContract('getAssistantStatus', response, { limited: false });
});
