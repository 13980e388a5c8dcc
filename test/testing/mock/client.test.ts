import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ConversationExpiredError,
  createClient,
  RateLimitError,
  type SocialDataClient,
  type SocialDataError,
} from '../../../client/src/index.ts';
import { clientArgument, clientMethod } from '../../support/client-method.ts';
import { declares, exampleAnswer, plainIds } from '../../support/contract.ts';
import { startMock, type Mock } from './service.ts';

let mock: Mock;
let client: SocialDataClient;
beforeAll(async () => {
  mock = await startMock();
  client = createClient({ baseUrl: mock.url, apiKey: 'any', retry: false });
});
afterAll(() => mock?.stop(0));

describe('the published client', () => {
  test.each(plainIds)('gets the example of %s', async (id) => {
    expect(await clientMethod(client, id)(clientArgument(id))).toEqual(exampleAnswer(id));
  });

  test.each(plainIds.filter((id) => declares(id, 500)))('gets the errors of %s as its own', async (id) => {
    const failed = await Promise.resolve(
      clientMethod(client, id)(clientArgument(id), { headers: { prefer: 'code=500' } }),
    ).catch((error: SocialDataError) => error);
    expect(failed).toMatchObject({
      name: 'InternalError',
      status: 500,
      message: expect.stringContaining('internal error'),
    });
  });

  test('gets the data of an error', async () => {
    const ask = (code: number): PromiseLike<unknown> =>
      client.tweet.assistant({ tweet_id: '1' }, { headers: { prefer: `code=${code}` } });
    await expect(ask(409)).rejects.toBeInstanceOf(ConversationExpiredError);
    const limited = await Promise.resolve(ask(429)).catch((error: unknown) => error);
    expect(limited).toBeInstanceOf(RateLimitError);
    expect(limited).toMatchObject({ retryAfter: 30 });
  });
});
