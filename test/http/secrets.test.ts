import { expect, test } from '@jest/globals';
import { exampleHandlers, key, startService } from '../support/service.ts';

const canary = 'sd_canary00_NeverToBeSeenAnywhere';

test('a key appears in no log line, metric or response', async () => {
  const service = await startService({
    handlers: exampleHandlers({
      getSpace: () => {
        throw new Error('a fault');
      },
    }),
  });
  const seen: string[] = [];
  for (const secret of [canary, key]) {
    const ways: [string, Record<string, string>][] = [
      [`api_key=${secret}`, {}],
      [`api%5fkey=${secret}`, {}],
      [`api_key=${secret}&api_key=${secret}`, {}],
      [`apikey=${secret}`, {}],
      [`username=${secret}`, {}],
      ['', { 'x-api-key': secret }],
      ['', { authorization: `Bearer ${secret}` }],
      ['', { authorization: `Basic ${secret}` }],
      [`api_key=${secret}`, { 'x-api-key': secret }],
    ];
    for (const [query, headers] of ways) {
      for (const path of [
        '/social/space/detail?id=a',
        '/social/assistant/status?',
        '/social/nothing?',
        '/docs?',
        '/healthz?',
        '/social/user/highlights?',
      ]) {
        const response = await service.bare(`${path}&${query}`, { headers, redirect: 'manual' });
        seen.push(JSON.stringify([...response.headers]), await response.text());
      }
    }
  }
  seen.push(await (await service.bare('/metrics')).text());
  await service.stop(0);
  expect(service.log.length).toBeGreaterThan(100);
  expect(service.log.some((line) => line.status === 500 && JSON.stringify(line).includes('secrets.test.ts'))).toBe(
    true,
  );
  expect(service.log.some((line) => line.key === 'test0001')).toBe(true);
  const everything = [...seen, ...service.log.map((line) => JSON.stringify(line))].join('\n');
  expect(everything).not.toContain(canary);
  expect(everything).not.toContain(key);
});

test('a log line has method, path, status, time and key id, and neither query nor headers', async () => {
  const service = await startService();
  await service.request('/social/tweet/advanced_search?query=private+matter', {
    method: 'HEAD',
    headers: { 'x-request-id': 'r1' },
  });
  await service.stop(0);
  const line = service.log.find((each) => each.id === 'r1');
  expect(line).toMatchObject({
    method: 'HEAD',
    path: '/social/tweet/advanced_search',
    status: 200,
    ms: expect.any(Number),
    key: 'test0001',
    operation: 'searchTweets',
  });
  expect(JSON.stringify(line)).not.toContain('private');
});
