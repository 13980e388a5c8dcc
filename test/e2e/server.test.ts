// Tests server/endpoints.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operationIds, type OperationId, type Schemas } from '../../server/contract/operations.ts';
import { operations } from '../../generated/operations.ts';
import { declares, expectContract } from '../support/contract.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let key: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startServer(folder.path);
  key = /^ {2}API key +(\S+)/m.exec(server.output())![1]!;
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await folder?.dispose();
});

const get = (path: string, query: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}?${new URLSearchParams(query)}`, { headers: { 'x-api-key': key } });

const ask = async <Body>(id: OperationId, query: Record<string, string>, status = 200): Promise<Body> => {
  const response = await get(operations[id].path, query);
  const answered = response.status;
  const body = (await expectContract(id, response)) as Body;
  expect(answered).toBe(status);
  return body;
};

const tweet_id = '1890000000000000001';
const username = 'mira_codes';
type Page = { next_cursor: string | null; has_next_page: boolean } & Record<string, { id: string }[]>;

/** Every list operation, with a query that the sample answers richly. */
const lists: [OperationId, string, Record<string, string>][] = [
  ['getUserLastTweets', 'tweets', { username }],
  ['getUserLastTweets', 'tweets', { username, include_replies: '1', resolve_cashtags: '1' }],
  ['getUserHighlights', 'tweets', { username }],
  ['getUserFollowings', 'following', { username }],
  ['getUserMentions', 'tweets', { username }],
  ['getTweetReplies', 'replies', { tweet_id }],
  ['getTweetRetweeters', 'retweeters', { tweet_id }],
  ['searchTweets', 'tweets', { query: 'coffee OR code' }],
  ['searchTweets', 'tweets', { query: `from:${username}`, query_type: 'Top' }],
  ['discoverCommunityTweets', 'tweets', { id: '1700000000000000001' }],
  ['getCommunityMedia', 'tweets', { id: '1700000000000000001' }],
  ['getUserCommunities', 'communities', { username }],
];

describe('a fresh server with the bundled sample', () => {
  test.each(lists)('returns pages of sample data for %s (%s)', async (id, member, query) => {
    const whole = await ask<Page>(id, { ...query, limit: '100' });
    expect(whole[member]!.length).toBeGreaterThan(1);
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null && seen.length < 100;) {
      const page: Page = await ask<Page>(id, { ...query, limit: '20', ...(cursor === undefined ? {} : { cursor }) });
      expect(page.has_next_page).toBe(page.next_cursor !== null);
      seen.push(...page[member]!.map((item) => item.id));
      cursor = page.next_cursor;
    }
    expect(seen.slice(0, whole[member]!.length)).toEqual(whole[member]!.map((item) => item.id).slice(0, seen.length));
  });

  test('returns a space, and 404 for an unknown one', async () => {
    expect(await ask<Schemas['Space']>('getSpace', { id: '1vSampleSpace1' })).toMatchObject({ host: { username } });
    expect(await ask('getSpace', { id: 'nowhere' }, 404)).toEqual({ error: 'space nowhere not found' });
    await ask('getUserLastTweets', { username: 'nobody_here' }, 404);
    await ask('getTweetReplies', { tweet_id: '1' }, 404);
    await ask('getTweetRetweeters', { tweet_id: '1' }, 404);
    await ask('discoverCommunityTweets', { id: '1' }, 404);
    await ask('getCommunityMedia', { id: '1' }, 404);
    await ask('getUserCommunities', { username: 'nobody_here' }, 404);
  });

  test('explains a tweet, continues the conversation, and reports the usage of its five accounts', async () => {
    const before = await ask<Schemas['PoolStatus']>('getAssistantStatus', {});
    expect(before).toMatchObject({ capable: 5, available: 5, capacity: { daily_capacity: 100 } });
    const first = await ask<Schemas['AssistantAnswer']>('explainTweet', { tweet_id });
    const next = { conversation_id: first.conversation_id, prompt: 'What took nine minutes?' };
    expect(await ask('explainTweet', next)).toMatchObject({ tweet_id, conversation_id: first.conversation_id });
    await ask('explainTweet', { tweet_id, extract: 'token', suggest: 'ticker' });
    const { capacity } = await ask<Schemas['PoolStatus']>('getAssistantStatus', {});
    expect(capacity.used_24h).toBe(before.capacity.used_24h + 4);
    await ask('explainTweet', { tweet_id: '1' }, 404);
    await ask('explainTweet', {}, 400);
  });

  test('returns 400 for a cursor of another query', async () => {
    const page = await ask<Page>('searchTweets', { query: 'coffee OR code', limit: '1' });
    expect(await ask('searchTweets', { query: 'tea', cursor: page.next_cursor! }, 400)).toMatchObject({
      error: expect.stringContaining("'cursor'"),
    });
  });

  test('returns 400 with the position for an invalid query', async () => {
    await ask('searchTweets', { query: '(coffee' }, 400);
  });

  test('returns resolved_tokens only on request', async () => {
    expect(await ask('getUserLastTweets', { username })).not.toHaveProperty('resolved_tokens');
    expect(await ask('getUserLastTweets', { username, resolve_cashtags: 'solana' })).toMatchObject({
      resolved_tokens: [],
    });
  });

  test.each(operationIds.filter((id) => declares(id, 401)))('returns 401 for %s without a key', async (id) => {
    const response = await fetch(server.url + operations[id].path, { method: operations[id].method.toUpperCase() });
    expect(response.status).toBe(401);
    expect(await expectContract(id, response, { limited: false })).toEqual({ error: 'Invalid or missing API key' });
  });

  test('removes a like once', async () => {
    const unlike = async (id: string): Promise<unknown> => {
      const response = await fetch(`${server.url}/social/tweet/unlike`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tweet_id: id }),
      });
      return expectContract('unlikeTweet', response);
    };
    const likes = async (): Promise<number> => {
      const { tweets } = await ask<Schemas['TweetShortPage']>('searchTweets', {
        query: `from:${username} #nodejs "Node 24"`,
      });
      return tweets.find(({ id }) => id === tweet_id)!.like_count;
    };
    const before = await likes();
    expect(await unlike(tweet_id)).toEqual({ success: true });
    expect(await unlike(tweet_id)).toEqual({ success: false });
    expect(await likes()).toBe(before - 1);
    expect(await unlike('1')).toEqual({ error: 'tweet 1 not found' });
  });
});

describe('the operator', () => {
  test('creates, lists and revokes a key while the server runs, with immediate effect', async () => {
    const env = { DATA_DIR: folder.path };
    const made = await run('scripts/cli/keys.ts', ['create', '--name', 'reader'], env);
    const [made_key] = /sd_\S+/.exec(made.stdout)!;
    const status = async (): Promise<number> =>
      (await fetch(`${server.url}/social/space/detail?id=1vSampleSpace1&api_key=${made_key}`)).status;
    expect(await status()).toBe(200);
    expect((await run('scripts/cli/keys.ts', ['list'], env)).stdout).toContain('reader');
    expect((await run('scripts/cli/keys.ts', ['revoke', made_key.split('_')[1]!], env)).code).toBe(0);
    expect(await status()).toBe(401);
  });

  test('cannot start a second server on the same folder', async () => {
    await expect(startServer(folder.path)).rejects.toThrow(
      `data directory ${folder.path} is in use by process ${server.child.pid}`,
    );
  });

  test('prints one line for each invalid variable', async () => {
    const { code, stderr } = await run('server/main.ts', [], { DATA_DIR: folder.path, PORT: 'http', DEMO: 'maybe' });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(/^PORT=http: expected/),
      expect.stringMatching(/^DEMO=maybe: expected/),
    ]);
  });

  test('stops with exit code 0 on SIGTERM, and restores keys, cursors, conversations, pool and data', async () => {
    const { conversation_id } = await ask<Schemas['AssistantAnswer']>('explainTweet', { tweet_id });
    const pool = await ask('getAssistantStatus', {});
    const page = await ask<Page>('searchTweets', { query: 'coffee OR code', limit: '5' });
    expect(await server.end()).toBe(0);
    server = await startServer(folder.path);
    expect(server.output()).not.toMatch(/^ {2}API key /m);
    expect(await ask('getAssistantStatus', {})).toEqual(pool);
    await ask('explainTweet', { conversation_id, prompt: 'And then?' });
    const next = await ask<Page>('searchTweets', { query: 'coffee OR code', limit: '5', cursor: page.next_cursor! });
    expect(next.tweets!.length).toBe(5);
    expect(next.tweets!.map(({ id }) => id)).not.toContain(page.tweets![0]!.id);
  });
});
