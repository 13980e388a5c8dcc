/** What agents, feed readers, scripts and analysts use, on a SQLite file and, with `TEST_PG=1`, on PostgreSQL: the answers are the same. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { parseFeed } from 'feedsmith';
import { connectControl } from '../../server/admin/control-client.ts';
import { startEngine, type Engine } from '../postgres/engine.js';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const key = 'a-key-of-both-engines';
const build = '1890000000000000001';
const mira = '4200000001';

/** What one engine has answered, so that the other one can be compared with it. */
const answers = new Map<string, unknown>();

function describeEngine(name: string, open: () => Promise<{ env: Record<string, string>; close(): Promise<unknown> }>) {
  describe(name, () => {
    let folder: Awaited<ReturnType<typeof temporaryFolder>>;
    let engine: Awaited<ReturnType<typeof open>>;
    let server: LocalServer;
    beforeAll(async () => {
      folder = await temporaryFolder();
      engine = await open();
      // WEBHOOKS: nothing is sent anywhere.
      const env = { API_KEYS: key, RATE_LIMIT: 'off', DEMO: '1', WEBHOOKS: 'off', ...engine.env };
      server = await startLocalServer(folder.path, env);
    });
    afterAll(async () => {
      await server?.end();
      await engine?.close();
      await folder?.dispose();
    });
    const ask = (target: string, init: RequestInit = {}): Promise<Response> =>
      fetch(server.url + target, {
        ...init,
        headers: { 'x-api-key': key, ...(init.headers as Record<string, string>) },
      });
    async function json<Body>(target: string, init?: RequestInit): Promise<Body> {
      const response = await ask(target, init);
      expect({ target, isOk: response.ok }).toEqual({ target, isOk: true });
      return (await response.json()) as Body;
    }
    /** The other engine has answered the same. */
    function isSame(what: string, value: unknown): void {
      if (answers.has(what)) expect(value).toEqual(answers.get(what));
      else answers.set(what, value);
    }

    test('many ids at once, quotes and followers', async () => {
      const { tweets, missing } = await json<{ tweets: { id: string }[]; missing: string[] }>(
        `/social/tweets?ids=1,${build},1890000000000000002`,
      );
      expect([tweets.map(({ id }) => id), missing]).toEqual([[build, '1890000000000000002'], ['1']]);
      const { quotes } = await json<{ quotes: { id: string; quoted_tweet: { id: string } }[] }>(
        `/social/tweet/quotes?tweet_id=${build}`,
      );
      expect(quotes).toMatchObject([{ id: '1890000000000000005', quoted_tweet: { id: build } }]);
      const followers: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const page: { followers: { username: string }[]; next_cursor: string | null } = await json(
          `/social/user/followers?username=mira_codes&limit=7${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        followers.push(...page.followers.map(({ username }) => username));
        cursor = page.next_cursor;
      }
      expect(followers.length).toBeGreaterThan(10);
      expect(new Set(followers).size).toBe(followers.length);
      isSame('quotes', quotes);
      isSame('followers', followers);
    });

    test('counts by hour and day, which add up to the total', async () => {
      for (const granularity of ['hour', 'day', 'all']) {
        const range = granularity === 'all' ? '' : '&since_time=1793836800&until_time=1794528000';
        const counts = await json<{ counts: { tweet_count: number }[]; total: number; total_relation: string }>(
          `/social/tweet/counts?query=coffee&granularity=${granularity}${range}`,
        );
        const sum = counts.counts.reduce((all, { tweet_count }) => all + tweet_count, 0);
        expect(counts).toMatchObject({
          total_relation: 'exact',
          total: granularity === 'all' ? expect.any(Number) : sum,
        });
        expect(counts.total).toBeGreaterThan(0);
        isSame(`counts by ${granularity}`, counts);
      }
    });

    test('CSV of a list, with the next page', async () => {
      const target = '/social/tweet/advanced_search?query=coffee&limit=5';
      const response = await ask(target, { headers: { accept: 'text/csv' } });
      expect(response.headers.get('content-type')).toMatch(/^text\/csv/);
      const lines = (await response.text()).trim().split('\r\n');
      expect(lines[0]).toMatch(/^id,/);
      const next = response.headers.get('x-next-cursor');
      expect(next).not.toBeNull();
      const { tweets } = await json<{ tweets: { id: string }[] }>(target);
      expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual(tweets.map(({ id }) => id));
      isSame('CSV', lines);
    });

    test('feeds of a user, a search and a saved search, which do not change without a reason', async () => {
      const { id } = await json<{ id: string }>('/social/searches', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Coffee & more', query: 'coffee' }),
      });
      const { searches } = await json<{ searches: { id: string; delivery: null }[] }>('/social/searches');
      expect(searches).toMatchObject([{ id, name: 'Coffee & more', delivery: null }]);
      for (const target of [
        '/feeds/user?username=mira_codes',
        '/feeds/search?query=coffee',
        `/feeds/saved_search?id=${id}`,
      ]) {
        for (const [expected, type] of [
          ['atom', 'application/atom+xml'],
          ['json', 'application/feed+json'],
        ] as const) {
          const response = await ask(`${target}&format=${expected}`);
          expect([target, response.status, response.headers.get('content-type')]).toEqual([
            target,
            200,
            expect.stringContaining(type),
          ]);
          const { format, feed } = parseFeed(await response.text());
          expect(format).toBe(expected);
          expect(
            ((feed as { entries?: unknown[] }).entries ?? (feed as { items?: unknown[] }).items)!.length,
          ).toBeGreaterThan(3);
          const etag = response.headers.get('etag')!;
          const again = await ask(`${target}&format=${expected}`, { headers: { 'if-none-match': etag } });
          expect([again.status, await again.text()]).toEqual([304, '']);
        }
      }
      expect((await ask(`/social/searches/${id}`, { method: 'DELETE' })).status).toBe(204);
      expect((await ask(`/feeds/saved_search?id=${id}`)).status).toBe(404);
    });

    test('tools of agents', async () => {
      const client = new Client({ name: 'test', version: '1' });
      const requestInit = { headers: { 'x-api-key': key } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
      const { tools } = await client.listTools();
      const found = await client.callTool({ name: 'getTweetQuotes', arguments: { tweet_id: build } });
      expect(found.structuredContent).toMatchObject({ quotes: [{ id: '1890000000000000005' }] });
      await client.close();
      isSame(
        'tools',
        tools.map(({ name: tool }) => tool),
      );
    });

    test('server-sent events with a token: new tweets, a replay behind a cursor, and a deletion', async () => {
      const { token } = await json<{ token: string }>('/social/token/create', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      const control = (await connectControl(folder.path))!;
      const take = (...records: object[]): Promise<unknown> =>
        control.call('import/apply', [JSON.stringify(records).slice(0, 60), { values: 1, done: true }, records]);
      const follow = async (after: string, wanted: string): Promise<{ id: string; text: string }> => {
        const target = `${server.url}/social/events?channel=search%3Atweets&query=zanzibar&api_key=${token}`;
        const headers = after === '' ? {} : { 'last-event-id': after };
        const response = await fetch(target, { headers });
        expect(response.status).toBe(200);
        let text = '';
        const decoder = new TextDecoder();
        for await (const part of response.body!) {
          text += decoder.decode(part as Uint8Array, { stream: true });
          const [, id] = new RegExp(`id: ?(\\S+)\\n[^\\n]*${wanted}`).exec(text) ?? [];
          if (text.includes('event: subscribed') && after === '' && !text.includes('zanzibar 1'))
            await take({
              kind: 'tweet',
              tweet: { id: '77', text: 'zanzibar 1', created_at: '2026-11-01T00:00:00Z', author_id: mira },
            });
          if (id !== undefined) {
            // Leaving the loop ends the request.
            return { id, text };
          }
        }
        throw new Error('the stream has ended');
      };
      const first = await follow('', 'zanzibar 1');
      await take({ kind: 'delete', tweet_id: '77' });
      const second = await follow(first.id, 'tweet.deleted');
      expect(second.text).not.toContain('zanzibar 1');
      control.close();
    });
  });
}

describeEngine('with a SQLite file', async () => ({ env: {}, close: async () => {} }));

if (process.env['TEST_PG'] === '1') {
  describeEngine('with PostgreSQL', async () => {
    const engine: Engine = await startEngine();
    return { env: { DATABASE_URL: engine.url }, close: () => engine.stop() };
  });
}
