import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import * as api from '../../client/src/index.ts';
import { ApiError, createClient, SocialDataError, type RedirectError } from '../../client/src/index.ts';
import { contract } from '../support/contract.ts';
import { failureOf, ScriptedClients } from '../support/scripted-client.ts';
import { json, startScripted, type Answering } from '../support/scripted.ts';

const key = 'sd_0Sdf/very+secret=key';
const scripted = new ScriptedClients(key);
afterEach(() => scripted.stop());

const statuses: [number, string][] = [
  [400, 'BadRequestError'],
  [401, 'UnauthorizedError'],
  [403, 'ForbiddenError'],
  [404, 'NotFoundError'],
  [405, 'MethodNotAllowedError'],
  [409, 'ConversationExpiredError'],
  [410, 'GoneError'],
  [412, 'PreconditionFailedError'],
  [413, 'PayloadTooLargeError'],
  [415, 'UnsupportedMediaTypeError'],
  [429, 'RateLimitError'],
  [500, 'InternalError'],
  [501, 'NotImplementedError'],
  [502, 'BadGatewayError'],
  [503, 'UnavailableError'],
  [504, 'GatewayTimeoutError'],
];

test.each([null, 'mira_codes', 7, false])(
  'parameters that are %j instead of an object are a UsageError, and nothing is sent',
  async (parameters) => {
    let count = 0;
    const client = await scripted.against((_request, response) => json(response, 200, (count++, {})));
    const given = parameters as never;
    const coalescing = client.withOptions({ coalesce: true });
    const hooked = client.withOptions({ middleware: [{ onRequest: () => undefined }] });
    for (const each of [client, coalescing, hooked]) {
      expect(await failureOf(each.user.info(given))).toMatchObject({ name: 'UsageError', attempts: 1 });
      expect(await failureOf(each.tweet.unlike(given))).toMatchObject({ name: 'UsageError' });
      expect(await failureOf(each.user.lastTweets(given, { limit: 3 }).toArray())).toMatchObject({
        name: 'UsageError',
      });
      expect(await failureOf(each.user.lastTweets(given).follow().next())).toMatchObject({ name: 'UsageError' });
    }
    expect(await failureOf(client.events(given).next())).toMatchObject({ name: 'UsageError' });
    expect(count).toBe(0);
  },
);

describe('an error response', () => {
  test.each(statuses)('%i is a %s, with the values of the headers', async (status, name) => {
    const client = await scripted.against((_request, response) =>
      json(
        response,
        status,
        { error: `what ${status} says` },
        {
          'x-request-id': 'r-1',
          'retry-after': '7',
          ratelimit: '"default";r=3;t=9',
          'ratelimit-policy': '"default";q=60;w=30',
        },
      ),
    );
    const error = await failureOf(client.tweet.assistant({ tweet_id: '1' }));
    expect(error).toBeInstanceOf((api as unknown as Record<string, new () => unknown>)[name]!);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      name,
      status,
      message: `what ${status} says`,
      requestId: 'r-1',
      retryAfter: 7,
      operation: 'get /social/tweet/assistant',
      attempts: 1,
      rateLimit: { limit: 60, windowSeconds: 30, remaining: 3, resetSeconds: 9 },
    });
    for (const [other, Class] of statuses.map(
      ([, other]) => [other, (api as unknown as Record<string, new () => unknown>)[other]!] as const,
    )) {
      expect([other, error instanceof Class]).toEqual([other, other === name]);
    }
  });

  test('every status of the contract has a class', () => {
    const declared = Object.values(contract.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap(({ responses }) => Object.keys(responses).map(Number));
    // Another status has the class of all errors.
    const known = statuses.map(([status]) => status);
    expect(known.filter((status) => !declared.includes(status))).toEqual([]);
  });

  test.each([
    ['an empty body', 500, '', 'InternalError'],
    ['the page of a proxy', 502, '<html>Bad gateway</html>', 'BadGatewayError'],
    ['a JSON value of another shape', 503, '"no"', 'UnavailableError'],
    ['null', 504, 'null', 'GatewayTimeoutError'],
    ['a status that the contract does not have', 418, '{"error":"tea"}', 'UnexpectedStatusError'],
  ])('%s is recognised by its status', async (_what, status, body, name) => {
    const client = await scripted.against((_request, response) => response.writeHead(status).end(body));
    const error = await failureOf(client.assistant.status());
    expect(error).toMatchObject({ name, status, requestId: undefined, retryAfter: undefined, rateLimit: undefined });
    expect(error.message).not.toContain('<html>');
  });

  test('Retry-After can be a date', async () => {
    const date = new Date(Date.now() + 3_600_000);
    const client = await scripted.against((_request, response) =>
      json(response, 429, { error: 'slow down' }, { 'retry-after': date.toUTCString() }),
    );
    const { retryAfter } = (await failureOf(client.assistant.status())) as ApiError;
    // A date has whole seconds, of which some have passed since.
    expect(retryAfter).toBeGreaterThanOrEqual((date.getTime() - Date.now()) / 1000 - 1);
    expect(retryAfter).toBeLessThanOrEqual(3600);
  });
});

describe('no response', () => {
  test('a connection that is refused is a ConnectionError, with the cause', async () => {
    const client = await scripted.against(() => {});
    await scripted.server.stop();
    expect(await failureOf(client.assistant.status())).toMatchObject({
      name: 'ConnectionError',
      cause: { message: 'fetch failed' },
    });
  });

  test('a connection that breaks during the response is a ConnectionError', async () => {
    const client = await scripted.against((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"capable":');
      setTimeout(() => response.destroy(), 20);
    });
    expect(await failureOf(client.assistant.status())).toMatchObject({ name: 'ConnectionError' });
  });

  test.each([
    ['nothing', () => {}],
    [
      'its head and then nothing',
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"capable"'),
    ],
  ] as [string, Answering][])('a server that sends %s is a TimeoutError', async (_what, answer) => {
    const client = await scripted.against(answer, { timeoutMs: 60 });
    expect(await failureOf(client.assistant.status())).toMatchObject({
      name: 'TimeoutError',
      message: 'no complete response within 60 ms',
    });
    expect(await failureOf(client.assistant.status(undefined, { timeoutMs: 30 }))).toMatchObject({
      message: 'no complete response within 30 ms',
    });
  });

  test('a response that is empty or not JSON is a DecodeError', async () => {
    const client = await scripted.against((_request, response, number) => response.end(number === 0 ? '<html>' : ''));
    expect(await failureOf(client.assistant.status())).toMatchObject({ name: 'DecodeError' });
    expect(await failureOf(client.assistant.status())).toMatchObject({ name: 'DecodeError' });
  });

  test('the caller aborts a call: before, during a delay, and during the response', async () => {
    const client = await scripted.against((request, response) => {
      if (request.url!.includes('replies')) response.writeHead(200).write('{');
    });
    const reason = new Error('enough');
    expect(await failureOf(client.assistant.status(undefined, { signal: AbortSignal.abort(reason) }))).toMatchObject({
      name: 'AbortError',
      cause: reason,
    });
    expect(scripted.server.requests).toEqual([]);
    for (const call of [
      (signal: AbortSignal) => client.assistant.status(undefined, { signal }),
      (signal: AbortSignal) => client.tweet.replies({ tweet_id: '1' }, { signal }),
    ]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 50);
      expect(await failureOf(call(controller.signal))).toMatchObject({ name: 'AbortError', cause: reason });
    }
  });

  test('an error of a hook is thrown unchanged', async () => {
    const own = new RangeError('mine');
    const client = await scripted.against((_request, response) => json(response, 200, {}), {
      middleware: [
        {
          onRequest: () => {
            throw own;
          },
        },
      ],
    });
    await expect(client.assistant.status()).rejects.toBe(own);
  });
});

describe('the key', () => {
  const everything = (error: unknown): string =>
    `${inspect(error, { depth: 20, showHidden: true })} ${(error as Error).stack} ${JSON.stringify(error)}`;
  const secrets = (text: string): string[] =>
    [key, encodeURIComponent(key), 'very+secret', 'very%2Bsecret'].filter((secret) => text.includes(secret));

  test.each(['header', 'bearer', 'query'] as const)('sent as %s is in no error message', async (keyIn) => {
    const answers: Answering[] = [
      (_request, response) => json(response, 401, { error: 'Invalid or missing API key' }),
      (_request, response) => void response.destroy(),
      (_request, response) => response.end('<html>'),
      (_request, response) => response.writeHead(302, { location: 'http://user:pw@[bad' }).end(),
      () => {},
    ];
    const client = await scripted.against((request, response, number) => answers[number]!(request, response, number), {
      keyIn,
      timeoutMs: 300,
    });
    for (const _ of answers) {
      const error = await failureOf(client.assistant.status());
      expect(error).toBeInstanceOf(SocialDataError);
      expect(secrets(everything(error))).toEqual([]);
    }
    expect(secrets(everything(client))).toEqual([]);
    const {
      headers: [sent],
      requests: [target],
    } = scripted.server;
    expect({
      header: sent!['x-api-key'] === key,
      bearer: sent!.authorization === `Bearer ${key}`,
      query: target!.includes(`api_key=${encodeURIComponent(key)}`),
    }).toEqual({
      header: keyIn === 'header',
      bearer: keyIn === 'bearer',
      query: keyIn === 'query',
    });
  });

  test.each(['header', 'bearer', 'query'] as const)(
    'sent as %s is not sent to another host after a redirect',
    async (keyIn) => {
      const other = await startScripted((_request, response) => json(response, 200, {}));
      try {
        const client = await scripted.against(
          (request, response) => response.writeHead(307, { location: `${other.url}${request.url}` }).end(),
          { keyIn },
        );
        const error = await failureOf(client.assistant.status());
        expect(error).toMatchObject({ name: 'RedirectError', status: 307, attempts: 1 });
        expect((error as RedirectError).location).toContain(`${other.url}/social/assistant/status`);
        expect(secrets(everything(error))).toEqual([]);
        expect(other.requests).toEqual([]);
      } finally {
        await other.stop();
      }
    },
  );

  test.each(['header', 'bearer'] as const)('that is invalid as %s is not part of the error message', async (keyIn) => {
    const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: `${key}\n\u0100`, keyIn });
    const error = await Promise.resolve(client.assistant.status()).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeDefined();
    expect(secrets(everything(error))).toEqual([]);
  });
});
