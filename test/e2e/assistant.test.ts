/** The assistant as a caller meets it: the real server as a process, with the local provider and the bundled sample. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Schemas } from '../../server/contract/operations.ts';
import { expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { listener } from '../support/stream.ts';
import { buildTweet, importSmallArchive } from '../support/small-archive.ts';

const key = 'first-assistant-key';
const otherKey = 'second-assistant-key';
const tweet_id = '1890000000000000001';
type Answer = Schemas['AssistantAnswer'];
type Status = Schemas['PoolStatus'];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
const start = (env: Record<string, string> = {}): Promise<LocalServer> =>
  startLocalServer(folder.path, { API_KEYS: `${key},${otherKey}`, ASSISTANT_QUOTA: '20', ...env });

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await start();
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});

const call = (query: Record<string, string>, as = key): Promise<Response> =>
  fetch(`${server.url}/social/tweet/assistant?${new URLSearchParams(query)}`, { headers: { 'x-api-key': as } });

async function ask<Body = Answer>(query: Record<string, string>, status = 200, as = key): Promise<Body> {
  const response = await call(query, as);
  const body = (await expectContract('explainTweet', response)) as Body;
  expect([response.status, status === 200 ? '' : body]).toEqual([status, status === 200 ? '' : expect.anything()]);
  return body;
}
const refusal = async (query: Record<string, string>, status: number, as = key): Promise<string> =>
  (await ask<{ error: string }>(query, status, as)).error;

async function status(): Promise<Status> {
  const response = await fetch(`${server.url}/social/assistant/status`, { headers: { 'x-api-key': key } });
  return (await expectContract('getAssistantStatus', response)) as Status;
}

/** The figures of which the contract says that they add up. */
function expectToAddUp({ capable, available, cooling, capacity }: Status, quota = 20): void {
  expect(available + cooling).toBe(capable);
  expect(capacity).toEqual({
    capable,
    usable_now: available,
    daily_capacity: capable * quota,
    remaining_now: capable * quota - capacity.used_24h,
    used_24h: capacity.used_24h,
  });
}

describe('a fresh start', () => {
  test('has five accounts that can answer at once', async () => {
    const fresh = await status();
    expect(fresh).toMatchObject({ capable: 5, available: 5, cooling: 0, untested: 0, incapable: 0 });
    expectToAddUp(fresh);
    expect(fresh.capacity).toMatchObject({ daily_capacity: 100, remaining_now: 100, used_24h: 0 });
  });
});

describe('the status', () => {
  const get = (query = '', headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${server.url}/social/assistant/status${query}`, { headers: { 'x-api-key': key, ...headers } });

  test('has no parameters, and stays the same until the first question', async () => {
    expect(await expectContract('getAssistantStatus', await get('?verbose=1'))).toEqual({
      error: expect.stringContaining("'verbose'"),
    });
    const etag = (await get()).headers.get('etag')!;
    expect((await get('', { 'if-none-match': etag })).status).toBe(304);
    await ask({ tweet_id });
    expect((await get('', { 'if-none-match': etag })).status).toBe(200);
  });
});

describe('the rules between parameters', () => {
  const breaches: [string, Record<string, string>, RegExp][] = [
    ['nothing', {}, /send 'tweet_id', or 'conversation_id' with 'prompt'/],
    ['a prompt alone', { prompt: 'Why?' }, /send 'tweet_id', or 'conversation_id'/],
    ['a conversation without a prompt', { conversation_id: 'c_x' }, /'conversation_id' requires 'prompt'/],
    ['both, without a prompt', { tweet_id, conversation_id: 'c_x' }, /'conversation_id' requires 'prompt'/],
    [
      'both, without a prompt and with the address of an unknown tweet',
      { tweet_id: 'https://bsky.app/profile/a.example.com/post/3kabcdefghijk', conversation_id: 'c_x' },
      /'conversation_id' requires 'prompt'/,
    ],
    ['a blank prompt', { tweet_id, prompt: ' \n' }, /'prompt' must not be blank/],
    ['a blank suggest', { tweet_id, suggest: '\t ' }, /'suggest' must not be blank/],
    ['an empty prompt', { tweet_id, prompt: '' }, /'prompt'/],
    ['a prompt too long', { tweet_id, prompt: 'x'.repeat(4001) }, /'prompt'.*4000/],
    ['a suggest too long', { tweet_id, suggest: 'x'.repeat(1001) }, /'suggest'.*1000/],
    ['an empty model', { tweet_id, model: '' }, /'model'/],
    ['a model too long', { tweet_id, model: 'm'.repeat(101) }, /'model'.*100/],
    ['an extract of another kind', { tweet_id, extract: 'ticker' }, /'extract'.*token/],
    ['an invalid tweet_id', { tweet_id: '12a' }, /'tweet_id'/],
    ['a parameter of no meaning', { tweet_id, sugest: 'ticker' }, /'sugest'/],
  ];
  test.each(breaches)('returns 400 with the rule for %s, and counts no question', async (_what, query, named) => {
    const { used_24h } = (await status()).capacity;
    expect(await refusal(query, 400)).toMatch(named);
    expect((await status()).capacity.used_24h).toBe(used_24h);
  });

  test('returns 400 for a duplicate parameter', async () => {
    const response = await fetch(`${server.url}/social/tweet/assistant?tweet_id=${tweet_id}&tweet_id=${tweet_id}`, {
      headers: { 'x-api-key': key },
    });
    expect([response.status, await expectContract('explainTweet', response)]).toEqual([
      400,
      { error: expect.stringContaining("'tweet_id'") },
    ]);
  });

  test('returns 400 if tweet_id is not the tweet of the conversation', async () => {
    const { conversation_id } = await ask({ tweet_id });
    expect(await ask({ tweet_id, conversation_id, prompt: 'Who wrote it?' })).toMatchObject({
      tweet_id,
      conversation_id,
    });
    expect(await refusal({ tweet_id: '1890000000000000002', conversation_id, prompt: 'Who wrote it?' }, 400)).toMatch(
      /'tweet_id' must be \d+, the tweet of this conversation/,
    );
  });
});

describe('an answer', () => {
  test('describes author, text and engagement, cites links, and has no unrequested members', async () => {
    const answer = await ask({ tweet_id });
    expect(answer.summary).toMatch(/Mira Holt/);
    expect(answer.summary).toMatch(/“We moved the build to Node 24: nine minutes are two now\./);
    expect(answer.summary).toMatch(/Likes: 242, far more than usual for this author/);
    expect(answer).toMatchObject({
      tweet_id,
      citations: [{ url: 'https://example.org/node-24', domain: 'example.org' }],
    });
    expect(Object.keys(answer).sort()).toEqual([
      'citations',
      'cited_tweets',
      'conversation_id',
      'model',
      'provider',
      'summary',
      'tweet_id',
    ]);
  });

  test('reports the model that answered, and refuses a model that no account has, over HTTP and by `ask`', async () => {
    for (const model of ['assistant-3-latest', 'local-extractive-2'])
      expect((await ask({ tweet_id, model })).model).toBe('local-extractive-2');
    expect(await refusal({ tweet_id, model: 'some-model' }, 400)).toBe(
      "parameter 'model' must be a model of the assistant's accounts: assistant-3-latest, local-extractive-2",
    );
    const each = await listener(server.url, key);
    const frame = await each.ask({ type: 'ask', id: '1', params: { tweet_id, model: 'some-model' } });
    expect(frame).toMatchObject({ type: 'error', id: '1', status: 400, code: 'bad_params' });
    expect((frame as Schemas['WsError']).error).toContain('local-extractive-2');
    each.socket.terminate();
  });

  test('is deterministic', async () => {
    const [one, two] = [await ask({ tweet_id }), await ask({ tweet_id })];
    expect({ ...two, conversation_id: '' }).toEqual({ ...one, conversation_id: '' });
    expect(two.conversation_id).not.toBe(one.conversation_id);
  });

  test('has tickers with suggest and the token with extract, and counts 1 or 2 questions', async () => {
    const cost = async (query: Record<string, string>): Promise<[number, Answer]> => {
      const { used_24h } = (await status()).capacity;
      const answer = await ask({ tweet_id, ...query });
      return [(await status()).capacity.used_24h - used_24h, answer];
    };
    const [suggested, tickers] = await cost({ suggest: 'ticker' });
    expect([suggested, tickers.tickers!.length > 0, 'token' in tickers]).toEqual([1, true, false]);
    expect((await cost({ suggest: 'a name that reminds of builds' }))[1].tickers).toEqual(['$NODEJS']);
    const [extracted, token] = await cost({ extract: 'token' });
    expect(extracted).toBe(2);
    expect(token).toMatchObject({ extracted: { ticker: null, name: null, contract: null, chain: null }, token: null });
    expect(token).not.toHaveProperty('tickers');
    const [both, all] = await cost({ extract: 'token', suggest: 'ticker' });
    expect([both, Array.isArray(all.tickers), all.token]).toEqual([2, true, null]);
  });

  test('returns 404 for an unknown tweet, and counts no question', async () => {
    const { used_24h } = (await status()).capacity;
    expect(await refusal({ tweet_id: '1' }, 404)).toBe('tweet 1 not found');
    expect((await status()).capacity.used_24h).toBe(used_24h);
  });
});

describe('a conversation', () => {
  test('continues with its context, also after a restart', async () => {
    const { conversation_id } = await ask({ tweet_id });
    expect((await ask({ conversation_id, prompt: 'What took nine minutes?' })).summary).toMatch(
      /^@mira_codes: “We moved the build to Node 24/,
    );
    await server.end();
    server = await start();
    const later = await ask({ conversation_id, prompt: 'And how many likes did it get?' });
    expect(later).toMatchObject({ tweet_id, conversation_id, summary: expect.stringMatching(/^Likes: 242/) });
  });

  test('returns 404 for another key, as for an unknown conversation', async () => {
    const { conversation_id } = await ask({ tweet_id });
    const forged = `${conversation_id.slice(0, -1)}${conversation_id.endsWith('A') ? 'B' : 'A'}`;
    const prompt = 'Why?';
    const answers = [
      await refusal({ conversation_id, prompt }, 404, otherKey),
      await refusal({ conversation_id: forged, prompt }, 404),
    ];
    answers.push(
      await refusal({ conversation_id: 'c_7fQ2mB9kT4', prompt }, 404),
      await refusal({ conversation_id: '../x%00', prompt }, 404),
    );
    expect(new Set(answers)).toEqual(new Set(['conversation not found']));
    await ask({ conversation_id, prompt });
  });

  test('returns 409 after it has expired, and 404 for another key, also after a restart', async () => {
    await server.end();
    server = await start({ CONVERSATION_TTL: '1' });
    const { conversation_id } = await ask({ tweet_id });
    await sleep(1_100);
    const expired = 'the conversation has expired; begin a new one with tweet_id';
    const prompt = 'Why?';
    expect(await refusal({ conversation_id, prompt }, 409)).toBe(expired);
    expect(await refusal({ conversation_id, prompt }, 404, otherKey)).toBe('conversation not found');
    await server.end();
    server = await start({ CONVERSATION_TTL: '1' });
    expect(await refusal({ conversation_id, prompt }, 409)).toBe(expired);
    expect(await refusal({ conversation_id, prompt }, 404, otherKey)).toBe('conversation not found');
  });
});

describe('a pool with 30 questions left', () => {
  test('answers 30 of 200 concurrent calls, returns 503 with Retry-After for the others, and has a consistent status', async () => {
    const fresh = await temporaryFolder();
    await server.end();
    await importSmallArchive(fresh.path, join(fresh.path, 'data'));
    const again = (): Promise<LocalServer> => startLocalServer(join(fresh.path, 'data'), { API_KEYS: key, DEMO: '0' });
    server = await again();
    const spent = Date.now();
    const { id: tweet_id } = buildTweet;
    try {
      await Promise.all(Array.from({ length: 35 }, () => ask({ tweet_id, extract: 'token' })));
      expect((await status()).capacity).toMatchObject({ remaining_now: 30, used_24h: 70 });
      const responses = await Promise.all(Array.from({ length: 200 }, () => call({ tweet_id })));
      const passed = Math.ceil((Date.now() - spent) / 1000);
      const refused = responses.filter((response) => response.status === 503);
      expect([responses.filter(({ ok }) => ok).length, refused.length]).toEqual([30, 170]);
      for (const response of responses) {
        const body = await expectContract('explainTweet', response);
        if (response.ok) continue;
        const seconds = Number(response.headers.get('retry-after'));
        // The first question was answered after `spent`, and counts for a day and a minute.
        expect(seconds).toBeGreaterThanOrEqual(86_460 - passed);
        expect(seconds).toBeLessThanOrEqual(86_460);
        expect(body).toEqual({ error: `no assistant account is free; retry in ${seconds} s` });
      }
      const empty = await status();
      expectToAddUp(empty);
      expect(empty).toMatchObject({
        capable: 5,
        available: 0,
        cooling: 5,
        capacity: { used_24h: 100, remaining_now: 0 },
      });
      await server.end();
      server = await again();
      expect(await status()).toEqual(empty);
      await refusal({ tweet_id }, 503);
    } finally {
      await server.end();
      await fresh.dispose();
    }
  });
});

test('GET and `ask` share the rate limit of a key, with the same refusal', async () => {
  const fresh = await temporaryFolder();
  const limited = await startLocalServer(join(fresh.path, 'data'), { API_KEYS: key, RATE_LIMIT: '2/1h' });
  try {
    const each = await listener(limited.url, key);
    expect(await each.ask({ type: 'ask', id: '1', params: { tweet_id } })).toMatchObject({ type: 'answered' });
    const get = (): Promise<Response> =>
      fetch(`${limited.url}/social/tweet/assistant?tweet_id=${tweet_id}`, { headers: { 'x-api-key': key } });
    expect((await get()).status).toBe(200);
    const refused = await get();
    expect(refused.status).toBe(429);
    const frame = (await each.ask({ type: 'ask', id: '2', params: { tweet_id } })) as Schemas['WsError'];
    expect(frame).toMatchObject({ type: 'error', id: '2', status: 429, code: 'too_many_requests' });
    const withoutSeconds = (text: string): string => text.replace(/\d+ s$/, 'N s');
    const { error } = (await refused.json()) as { error: string };
    expect(withoutSeconds(frame.error)).toBe(withoutSeconds(error));
    each.socket.terminate();
  } finally {
    await limited.end();
    await fresh.dispose();
  }
});
