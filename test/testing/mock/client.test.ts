import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  ConversationExpiredError,
  createClient,
  RateLimitError,
  type SocialDataClient,
  type SocialDataError,
} from '../../../client/src/index.ts';
import { operations } from '../../../generated/operations.ts';
import { operationIds, type OperationId } from '../../../server/contract/operations.ts';
import { exampleAnswer } from '../../support/contract.ts';
import { validInit, validTarget } from '../../support/service.ts';
import { startMock, type Mock } from './service.ts';

let mock: Mock;
let client: SocialDataClient;
beforeAll(async () => {
  mock = await startMock();
  client = createClient({ baseUrl: mock.url, apiKey: 'any', retry: false });
});
afterAll(() => mock?.stop(0));

type Call = (
  parameters: Record<string, unknown>,
  options?: { headers: Record<string, string> },
) => PromiseLike<unknown>;

/** The client's method of an operation, with parameters that it takes. */
function methodOf(id: OperationId): { method: Call; parameters: Record<string, unknown> } {
  const [, , group, snake] = operations[id].path.split('/');
  const name = snake!.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const method = (client as unknown as Record<string, Record<string, Call>>)[group!]![name]!;
  const { body } = validInit(id);
  const query = Object.fromEntries(new URL(validTarget(id), mock.url).searchParams);
  return { method, parameters: body === undefined ? query : (JSON.parse(body as string) as Record<string, unknown>) };
}

describe('the published client', () => {
  test.each(operationIds)('gets the example of %s', async (id) => {
    const { method, parameters } = methodOf(id);
    expect(await method(parameters)).toEqual(exampleAnswer(id));
  });

  test.each(operationIds)('gets the errors of %s as its own', async (id) => {
    const { method, parameters } = methodOf(id);
    const failed = await Promise.resolve(method(parameters, { headers: { prefer: 'code=500' } })).catch(
      (error: SocialDataError) => error,
    );
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
