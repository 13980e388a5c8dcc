/** The whole service as a process, beside an aggregator on this machine that does what a test wants. */
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { OperationId, Schemas } from '../../server/contract/operations.ts';
import { operations } from '../../generated/operations.ts';
import { expectContract } from '../support/contract.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { answer, evmAddress, pair, solAddress } from './pairs.ts';

const key = 'a-token-test-key';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
/** What the aggregator does, and the targets it was asked for. */
let behave: RequestListener;
let requests: string[] = [];
const aggregator = createServer((request, response) => {
  requests.push(request.url!);
  behave(request, response);
});

const texts: [username: string, text: string][] = [
  ['frogs', 'All about $POND and $pond, then $FROG and $NONE'],
  ['slow', 'Waiting for $SLOWA and $SLOWB'],
  ['away', 'Gone: $AWAY'],
  ['broken', 'Down: $BADA $BADB $BADC $BADD $BADE $BADF $BADG'],
];

beforeAll(async () => {
  await new Promise<void>((resolve) => void aggregator.listen(0, '127.0.0.1', resolve));
  folder = await temporaryFolder();
  const records = texts.flatMap(([username, text], index) => [
    { kind: 'user', user: { id: `${index + 1}`, username } },
    {
      kind: 'tweet',
      tweet: { id: `${1000 + index}`, text, created_at: '2026-01-01T00:00:00Z', author_id: `${index + 1}` },
    },
  ]);
  const file = join(folder.path, 'tweets.jsonl');
  await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
  const dataDir = join(folder.path, 'data');
  expect(await run('scripts/cli/import.ts', [file], { DATA_DIR: dataDir })).toMatchObject({ code: 0 });
  const { port } = aggregator.address() as AddressInfo;
  const TOKEN_RESOLVER_URL = `http://127.0.0.1:${port}/dex/`;
  server = await startServer(dataDir, { DEMO: '0', API_KEYS: key, TOKEN_RESOLVER: 'dexscreener', TOKEN_RESOLVER_URL });
});
afterAll(async () => {
  await server?.end('SIGKILL');
  aggregator.closeAllConnections();
  await new Promise((resolve) => aggregator.close(resolve));
  await folder?.dispose();
});
beforeEach(() => {
  requests = [];
  behave = search;
});

/** Answers a search as the aggregator does: with pairs of many symbols. */
function search(request: IncomingMessage, response: ServerResponse): void {
  const symbol = new URL(request.url!, 'http://aggregator').searchParams.get('q') ?? '';
  const found: Record<string, unknown[]> = {
    pond: [
      pair({ liquidity: 10 }),
      pair({ pair: 'TheDeepPooL' }),
      pair({ symbol: 'PONDX', liquidity: 9e6 }),
      pair({ chain: 'base', address: evmAddress, liquidity: 70 }),
    ],
    frog: [pair({ symbol: 'FROG', name: 'Frog', address: `${solAddress}2` })],
  };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer(...(found[symbol] ?? []))));
}

async function ask<Body>(id: OperationId, query: Record<string, string>, status = 200): Promise<Body> {
  const response = await fetch(`${server.url}${operations[id].path}?${new URLSearchParams(query)}`, {
    headers: { 'x-api-key': key },
  });
  const answered = response.status;
  const body = (await expectContract(id, response)) as Body;
  expect(answered).toBe(status);
  return body;
}
const lastTweets = (username: string, resolve_cashtags?: string): Promise<Schemas['LastTweetsPage']> =>
  ask('getUserLastTweets', { username, ...(resolve_cashtags === undefined ? {} : { resolve_cashtags }) });

test('sends no request and returns no token list without resolve_cashtags', async () => {
  expect(await lastTweets('frogs')).not.toHaveProperty('resolved_tokens');
  expect(requests).toEqual([]);
});

test('returns each token once, with all figures of its best pair', async () => {
  const { resolved_tokens, tweets } = await lastTweets('frogs', '1');
  expect(tweets).toHaveLength(1);
  expect(resolved_tokens).toMatchObject([
    {
      symbol: 'POND',
      address: solAddress,
      chain: 'solana',
      liquidity_usd: 100_000,
      confidence: 'high',
      aggregator_url: 'https://dexscreener.com/solana/thedeeppool',
    },
    { symbol: 'FROG', address: `${solAddress}2` },
  ]);
  expect(requests.toSorted()).toEqual(['frog', 'none', 'pond'].map((symbol) => `/dex/latest/dex/search?q=${symbol}`));
});

test('resolves on one chain from the cache', async () => {
  expect((await lastTweets('frogs', 'base')).resolved_tokens).toMatchObject([
    { address: evmAddress, chain: 'base', confidence: 'low' },
  ]);
  expect((await lastTweets('frogs', 'bsc')).resolved_tokens).toEqual([]);
  expect(requests).toEqual([]);
});

test.each(['', 'true', 'false', '../x', 'Solana', 'https://evil.example'])(
  'returns 400 for resolve_cashtags=%s, and sends no request',
  async (chain) => {
    await ask('getUserLastTweets', { username: 'frogs', resolve_cashtags: chain }, 400);
    expect(requests).toEqual([]);
  },
);

test('extract has the token on-chain', async () => {
  const { token } = await ask<Schemas['AssistantAnswer']>('explainTweet', { tweet_id: '1000', extract: 'token' });
  expect(token).toEqual({ address: solAddress, chain: 'solana', liquidity: 100_000, market_cap: 1_000_000 });
});

test('does not follow a redirect, and returns the page without the token', async () => {
  behave = (_request, response) => void response.writeHead(302, { location: '/elsewhere' }).end();
  expect((await lastTweets('away', '1')).resolved_tokens).toEqual([]);
  expect(requests).toEqual(['/dex/latest/dex/search?q=away']);
});

test('returns the page after a timeout without the token; extract has token null', async () => {
  behave = () => {};
  expect((await lastTweets('slow', '1')).resolved_tokens).toEqual([]);
  expect(requests).toHaveLength(2);
  expect(await ask('explainTweet', { tweet_id: '1001', extract: 'token' })).toMatchObject({
    extracted: { ticker: '$SLOWA' },
    token: null,
  });
});

test('returns the page when the aggregator closes connections, and opens the circuit breaker', async () => {
  behave = (request) => void request.socket.destroy();
  expect(await lastTweets('broken', '1')).toMatchObject({ tweets: [{ id: '1003' }], resolved_tokens: [] });
  expect(await ask('explainTweet', { tweet_id: '1003', extract: 'token' })).toMatchObject({ token: null });
  for (let call = 0; call < 3; call += 1) expect((await lastTweets('broken', '1')).resolved_tokens).toEqual([]);
  // Of 29 lookups.
  expect(requests.length).toBeLessThan(15);
});

test('/metrics reports outcomes of lookups, cache results and response times of the aggregator', async () => {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  const value = (series: string): number =>
    Number(
      metrics
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );
  for (const outcome of ['resolved', 'unknown', 'failed', 'abandoned', 'open']) {
    expect(value(`token_lookups_total{outcome="${outcome}"}`)).toBeGreaterThan(0);
  }
  for (const result of ['hit', 'miss'])
    expect(value(`token_cache_lookups_total{result="${result}"}`)).toBeGreaterThan(0);
  expect(value('token_upstream_duration_seconds_count{endpoint="search"}')).toBeGreaterThan(5);
});

test('logs no error for any of these cases', () => {
  expect(server.errors() + server.output()).not.toMatch(/"level":(50|60)/);
});
