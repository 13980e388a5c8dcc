import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exampleAnswer } from '../support/contract.ts';
import { exampleHandlers, startService, type Service } from '../support/service.ts';

/** What the answer's `used_24h` (int64) or the tweet's `view_count` (int64 with the bound of exact numbers) is. */
let viewCount: unknown = 0;
const page = exampleAnswer('getUserHighlights') as { tweets: object[] };
const handlers = exampleHandlers({
  getUserHighlights: () => ({ ...page, tweets: page.tweets.map((tweet) => ({ ...tweet, view_count: viewCount })) }),
});
const target = '/social/user/highlights?username=mira_codes';

/** Both ways of validation, which must agree on what an integer is. */
describe.each(['once', 'always'] as const)('64-bit integers with validation %s:', (validate) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ handlers, validate });
  });
  afterAll(() => service.stop(0));

  test.each([0, 2 ** 31, 3_000_000_000, 2 ** 53 - 1])('%i is sent with all digits', async (count) => {
    viewCount = count;
    const response = await service.request(target);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain(`"view_count":${BigInt(count)},`);
  });

  test.each([-1, 0.5, 2 ** 53, 2 ** 63, 1e300, '3'])('%p never leaves the server', async (count) => {
    viewCount = count;
    expect((await service.request(target)).status).toBe(500);
  });

  test.each(['2147483648', '1e300', '101', '0'])('rejects limit=%s with the valid range', async (limit) => {
    const response = await service.request(`${target}&limit=${limit}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: expect.stringContaining("parameter 'limit'") });
  });

  test.each([
    ['253402300799', 200],
    ['253402300800', 400],
    ['9223372036854775808', 400],
  ])('a time of %s returns %i', async (time, status) => {
    const response = await service.request(`/social/user/mentions?username=mira_codes&since_time=${time}`);
    expect(response.status).toBe(status);
  });
});
