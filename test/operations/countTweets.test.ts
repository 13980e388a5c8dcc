/** Numbers of tweets of a search, over HTTP and the sample. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { callOperation, like } from '../support/operation.ts';

interface Counts {
  readonly counts: readonly { readonly start: string; readonly end: string; readonly tweet_count: number }[];
  readonly total: number;
  readonly total_relation: string;
}

const key = 'a-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
/** The times of the tweets that match the query, in milliseconds since the epoch, newest first. */
let times: readonly number[];
const query = 'coffee OR espresso';
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key });
  const found: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const target = `/social/tweet/advanced_search?query=${encodeURIComponent(query)}&limit=100`;
    const response = await get(cursor === '' ? target : `${target}&cursor=${encodeURIComponent(cursor)}`);
    const page = (await response.json()) as { tweets: { created_at: string }[]; next_cursor: string | null };
    found.push(...page.tweets.map(({ created_at }) => Date.parse(created_at)));
    cursor = page.next_cursor;
  }
  times = found;
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
const get = (target: string): Promise<Response> => fetch(server.url + target, { headers: { 'x-api-key': key } });
async function count(parameters: object): Promise<Counts> {
  const response = await callOperation(server, key, 'countTweets', { query: { query, ...parameters } });
  expect(response.status).toBe(200);
  return (await expectContract('countTweets', response)) as Counts;
}

test('countTweets answers the sample archive in the form of its example', async () => {
  expect(await count({ since_time: 1_771_000_000, until_time: 1_771_100_000 })).toEqual(
    like(exampleAnswer('countTweets')),
  );
});

test.each(['hour', 'day'] as const)(
  'each %s of a range has the tweets of the search, and its ends are cut off',
  async (granularity) => {
    const newest = Math.floor(times[0]! / 1000) + 1;
    const since = newest - 5 * 86_400 + 17;
    const { counts, total, total_relation } = await count({ granularity, since_time: since, until_time: newest });
    expect(total_relation).toBe('exact');
    expect(total).toBe(times.filter((at) => at >= since * 1000 && at < newest * 1000).length);
    expect(total).toBeGreaterThan(0);
    const ms = granularity === 'hour' ? 3_600_000 : 86_400_000;
    expect([Date.parse(counts[0]!.start), Date.parse(counts.at(-1)!.end)]).toEqual([since * 1000, newest * 1000]);
    for (const [index, { start, end, tweet_count }] of counts.entries()) {
      const [from, to] = [Date.parse(start), Date.parse(end)];
      expect(tweet_count).toBe(times.filter((at) => at >= from && at < to).length);
      if (index > 0) expect([start, from % ms]).toEqual([counts[index - 1]!.end, 0]);
    }
  },
);

test('all counts the whole archive, or a range of any length', async () => {
  expect(await count({ granularity: 'all' })).toEqual({ counts: [], total: times.length, total_relation: 'exact' });
  const until = Math.floor(times[3]! / 1000);
  const before = times.filter((at) => at < until * 1000).length;
  expect(await count({ granularity: 'all', since_time: 0, until_time: until })).toMatchObject({ total: before });
});

test('without a range, the seven days before now are counted', async () => {
  const { counts } = await count({});
  expect(counts.length).toBe(8);
  const [start, end] = [Date.parse(counts[0]!.start), Date.parse(counts.at(-1)!.end)];
  expect(end - start).toBe(7 * 86_400_000);
  expect(Math.abs(Date.now() - end)).toBeLessThan(60_000);
});

test('the longest range is 744 hours, and 744 days', async () => {
  const until_time = 1_771_000_001;
  for (const [granularity, seconds] of [
    ['hour', 3600],
    ['day', 86_400],
  ] as const) {
    const since_time = until_time - 744 * seconds;
    expect((await count({ granularity, since_time, until_time })).counts.length).toBe(745);
    const target = `/social/tweet/counts?query=x&granularity=${granularity}&since_time=${since_time - 1}&until_time=${until_time}`;
    const response = await get(target);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: expect.stringContaining(`744 ${granularity}s`) },
    ]);
  }
});

test.each([
  ['query=coffee&granularity=minute', /'granularity'/],
  ['query=coffee&since_time=5&until_time=5', /'since_time' must be before 'until_time'/],
  ['query=coffee&since_time=5&until_time=4&granularity=all', /'since_time' must be before 'until_time'/],
  ['query=coffee&since_time=253402300799', /'since_time' is in the future/],
  ['query=coffee&since_time=1', /744 days/],
  ['query=coffee&until_time=-1', /'until_time'/],
  ['query=fron:mira', /fron/],
  ['granularity=day', /'query'/],
  ['query=coffee&limit=5', /unknown parameter 'limit'/],
])('%s is refused, and the error says why', async (parameters, message) => {
  const response = await get(`/social/tweet/counts?${parameters}`);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { error: string }).error).toMatch(message);
});

test('times far from now have counts of 0', async () => {
  for (const until_time of [0, 1, 9_000_000_000, 253_402_300_799])
    expect((await count({ granularity: 'hour', until_time })).total).toBe(0);
});
