import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createClient,
  NotFoundError,
  PagingError,
  type Schemas,
  type SocialDataClient,
} from '../../client/src/index.ts';
import { startRelay, type Relay } from '../support/relay.ts';
import { json, startScripted, type Scripted } from '../support/scripted.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { isFull } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const key = 'a-key-for-the-pages';
const env = { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off' };
const items = isFull ? 10_000 : 2_000;
const idAt = (index: number): string => String(1_800_000_000_000_000_000n + BigInt(index));

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let relay: Relay;
let client: SocialDataClient;

/** Imports tweets of ada, numbered so, while the server runs or not. */
async function take(from: number, to: number): Promise<void> {
  const file = join(folder.path, `${from}.jsonl`);
  const tweet = (index: number): object => ({
    id: idAt(index),
    text: `number ${index}`,
    created_at: new Date(1_700_000_000_000 + index * 1000).toISOString(),
    author_id: '7',
  });
  const records = [
    { kind: 'user', user: { id: '7', username: 'ada', name: 'Ada' } },
    ...Array.from({ length: to - from }, (_, index) => ({ kind: 'tweet', tweet: tweet(from + index) })),
  ];
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  const { code, stderr } = await run('scripts/cli/import.ts', [file], { DATA_DIR: join(folder.path, 'data') });
  if (code !== 0) throw new Error(stderr);
}

beforeAll(async () => {
  folder = await temporaryFolder();
  await take(0, items);
  server = await startLocalServer(join(folder.path, 'data'), env);
  relay = await startRelay();
  relay.target(server.url);
  client = createClient({ baseUrl: relay.url, apiKey: key, retry: { retries: 50, capMs: 1_000, budgetMs: 300_000 } });
});
afterAll(async () => {
  await server?.end();
  await relay?.stop();
  await folder?.dispose();
});

const newestFirst = (count: number): string[] => Array.from({ length: count }, (_, index) => idAt(items - 1 - index));

describe('against a real server', () => {
  test(`an iteration over ${items} items has each item once, while others are added`, async () => {
    const seen: string[] = [];
    let added: Promise<void> | undefined;
    for await (const tweet of client.user.lastTweets({ username: 'ada', limit: 100 })) {
      if (seen.push(tweet.id) === 1_000) added = take(items, items + 300);
      if (seen.length === items - 1_000) await added;
    }
    expect(seen).toEqual(newestFirst(items));
  });

  test('an iteration continues after a restart of the server', async () => {
    const query = { query: 'number from:ada', limit: 100, query_type: 'Latest' } as const;
    const whole = await client.tweet.advancedSearch(query, { limit: 1_500 }).toArray();
    const seen: string[] = [];
    let restarted: Promise<void> | undefined;
    const restart = async (): Promise<void> => {
      await server.end();
      server = await startLocalServer(join(folder.path, 'data'), env);
      relay.target(server.url);
    };
    for await (const tweet of client.tweet.advancedSearch(query, { limit: 1_500 }))
      if (seen.push(tweet.id) === 300) restarted = restart();
    await restarted;
    expect(seen).toEqual(whole.map(({ id }) => id));
  });

  test('an awaited list is its first page; an iteration does not request it again', async () => {
    let requests = 0;
    const counting = createClient({
      baseUrl: server.url,
      apiKey: key,
      fetch: (url, init) => (requests++, fetch(url, init)),
    });
    const list = counting.user.lastTweets({ username: 'ada', limit: 10 }, { limit: 15 });
    expect(requests).toBe(0);
    const page = await list;
    expect(page.tweets).toHaveLength(10);
    const all = await list.toArray();
    expect(all.slice(0, 10)).toEqual(page.tweets);
    expect([all.length, requests]).toEqual([15, 2]);
  });

  test('an iteration by pages can be resumed with the cursor of the last page', async () => {
    const first: string[] = [];
    let cursor: string | null = null;
    for await (const page of client.user.lastTweets({ username: 'ada', limit: 40 }).pages()) {
      first.push(...page.tweets.map(({ id }) => id));
      cursor = page.next_cursor;
      if (first.length === 80) break;
    }
    const rest = await client.user.lastTweets({ username: 'ada', limit: 40, cursor: cursor! }, { limit: 50 }).toArray();
    const whole = await client.user.lastTweets({ username: 'ada', limit: 100 }, { limit: 130 }).toArray();
    expect([...first, ...rest.map(({ id }) => id)]).toEqual(whole.map(({ id }) => id));
  });

  test('all calls above the rate limit succeed after the requested delays', async () => {
    const place = await temporaryFolder();
    const limited = await startLocalServer(place.path, { API_KEYS: key, RATE_LIMIT: '10/1s' });
    try {
      const eager = createClient({ baseUrl: limited.url, apiKey: key, retry: { retries: 60, capMs: 500 } });
      const answers = await Promise.all(
        Array.from({ length: 40 }, () => eager.space.detail({ id: '1vSampleSpace1' }).withResponse()),
      );
      expect(answers.map(({ data }) => data.id)).toEqual(Array(40).fill('1vSampleSpace1'));
      await expect(
        Promise.all(Array.from({ length: 40 }, () => eager.space.detail({ id: '1vSampleSpace1' }, { retry: false }))),
      ).rejects.toMatchObject({ name: 'RateLimitError', retryAfter: 1, rateLimit: { limit: 10, remaining: 0 } });
    } finally {
      await limited.end();
      await place.dispose();
    }
  });
});

describe('an iteration', () => {
  let pages: Scripted | undefined;
  afterEach(async () => {
    await pages?.stop();
    pages = undefined;
  });
  const tweets = (...ids: string[]): Pick<Schemas['TweetPage'], 'tweets'> => ({
    tweets: ids.map((id) => ({ id })) as Schemas['Tweet'][],
  });
  /** A client of a server whose pages are these, by cursor. */
  async function over(book: Record<string, object | number>): Promise<SocialDataClient> {
    pages = await startScripted((request, response) => {
      const page = book[new URL(request.url!, 'http://x').searchParams.get('cursor') ?? '']!;
      if (typeof page === 'number') json(response, page, { error: 'no' });
      else json(response, 200, { next_cursor: null, has_next_page: false, ...page });
    });
    return createClient({ baseUrl: pages.url, apiKey: 'k', retry: false });
  }
  const next = (cursor: string): object => ({ next_cursor: cursor, has_next_page: true });
  const ids = async (client: SocialDataClient, limit?: number): Promise<string[]> =>
    (await client.user.highlights({ username: 'ada', limit: 2 }, { limit }).toArray()).map(({ id }) => id);

  test('requests pages on demand with unchanged parameters, and none after a break', async () => {
    const client = await over({ '': { ...tweets('1', '2'), ...next('b') }, b: { ...tweets('3', '4'), ...next('c') } });
    for await (const { id } of client.user.highlights({ username: 'ada', limit: 2 })) {
      expect(pages!.requests).toHaveLength(id < '3' ? 1 : 2);
      if (id === '3') break;
    }
    expect(pages!.requests).toEqual([
      'GET /social/user/highlights?username=ada&limit=2',
      'GET /social/user/highlights?username=ada&limit=2&cursor=b',
    ]);
  });

  test('ends at its limit without an extra page, and yields nothing for zero', async () => {
    const client = await over({ '': { ...tweets('1', '2'), ...next('b') }, b: { ...tweets('3', '4'), ...next('c') } });
    expect(await ids(client, 2)).toEqual(['1', '2']);
    expect(await ids(client, 0)).toEqual([]);
    expect(pages!.requests).toHaveLength(1);
    expect(await ids(client, 3)).toEqual(['1', '2', '3']);
    expect(pages!.requests).toHaveLength(3);
  });

  test('continues after an empty page, and detects a loop', async () => {
    expect(await ids(await over({ '': { ...tweets(), ...next('b') }, b: tweets('1') }))).toEqual(['1']);
    await pages!.stop();
    await expect(
      ids(await over({ '': { ...tweets('1'), ...next('b') }, b: { ...tweets('2'), ...next('b') } })),
    ).rejects.toBeInstanceOf(PagingError);
  });

  test('that fails has the cursor to resume from', async () => {
    const client = await over({ '': { ...tweets('1', '2'), ...next('b') }, b: 404 });
    const seen: string[] = [];
    const error = await (async () => {
      for await (const { id } of client.user.highlights({ username: 'ada' })) seen.push(id);
    })().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NotFoundError);
    expect({ seen, cursor: (error as NotFoundError).cursor }).toEqual({ seen: ['1', '2'], cursor: 'b' });
  });
});
