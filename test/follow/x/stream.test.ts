// Tests server/follow/x/compliance.ts.
/** The stream of X against the stand-in: no hole, no token in any output, bounded reading. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { createSend, type Send } from '../../../server/follow/http.ts';
import type { ResolvedTarget } from '../../../server/ports/live-source.ts';
import { FollowedX, type ReadStream } from '../../support/x/followed.ts';
import { until } from '../../support/manual-clock.ts';

const alice: ResolvedTarget = {
  target: { source: 'x', kind: 'account', value: 'alice' },
  title: '@alice',
  accounts: ['11'],
};
const bob: ResolvedTarget = { target: { source: 'x', kind: 'account', value: 'bob' }, title: '@bob', accounts: ['12'] };
const tea: ResolvedTarget = {
  target: { source: 'x', kind: 'search', value: 'tea' },
  title: 'tea',
  accounts: undefined,
};
const search = 'GET /2/tweets/search/recent';
const connects = 'GET /2/tweets/search/stream';
const minute = 60_000;

let x: FollowedX;
let reading: ReadStream | undefined;

/** Starts to follow, and waits until the first search is over. */
async function follow(targets: readonly ResolvedTarget[], position?: string): Promise<ReadStream> {
  const searched = x.standIn.count(search);
  const read = x.read(x.source(), targets, position);
  reading = read;
  await until(() => read.error !== undefined || (x.standIn.streams.size > 0 && x.standIn.count(search) > searched));
  if (read.error === undefined) await until(() => read.batches.length > 0 && x.clock.waits.includes(minute));
  return read;
}

/** Passes the time after which the second search makes the stream complete. */
async function settle(read: ReadStream): Promise<void> {
  const searched = x.standIn.count(search);
  // A heartbeat in between, because the time without one is limited.
  for (let passed = 0; passed < minute; passed += 20_000) {
    const alive = x.count('alive');
    await until(() => x.clock.waits.includes(25_000));
    x.clock.jump(20_000);
    x.standIn.heartbeat();
    await until(() => x.count('alive') > alive || read.error !== undefined);
  }
  await until(() => x.standIn.count(search) > searched && x.clock.waits.includes(3_600_000));
}

afterEach(async () => {
  await reading?.stop();
  reading = undefined;
  await x.stop();
  expect(x.standIn.violations).toEqual([]);
  const said = [
    ...x.errors.map((error) => `${String(error)} ${JSON.stringify(error)} ${String((error as Error).cause)}`),
  ];
  expect(JSON.stringify([said, x.reports, [...x.held.tweets.values()], x.kept])).not.toContain(x.standIn.token);
});

describe('the filtered stream', () => {
  for (const usesPostNames of [false, true]) {
    test(`delivers posts with what they refer to, with the names of ${usesPostNames ? 'posts' : 'tweets'}`, async () => {
      x = await FollowedX.start();
      x.standIn.usesPostNames = usesPostNames;
      x.standIn.user('13', 'carol', { description: 'reads &amp; writes' });
      const original = x.standIn.post('13', 'the original');
      const read = await follow([alice]);
      x.standIn.post('11', 'I quote &lt;this&gt;', { referenced_tweets: [{ type: 'quoted', id: original.id }] });
      x.standIn.post('11', 'RT @carol: the ori…', { referenced_tweets: [{ type: 'retweeted', id: original.id }] });
      await until(
        () => read.texts.includes('I quote <this>') && read.tweets.some((tweet) => 'retweeted_tweet_id' in tweet),
      );
      expect(read.tweets.find(({ text }) => text === 'I quote <this>')).toMatchObject({
        ...{ author_id: '11', quoted_tweet_id: original.id, retweet_count: 0 },
        observed_at: '2026-11-20T10:00:00.000Z',
      });
      expect(read.tweets.find(({ retweeted_tweet_id }) => retweeted_tweet_id === original.id)?.text).toBe(
        'the original',
      );
      expect(read.records).toContainEqual({
        kind: 'user',
        user: expect.objectContaining({ id: '13', username: 'carol', description: 'reads & writes', tweet_count: 3 }),
      });
      expect(x.count(`connected 127.0.0.1:${new URL(x.standIn.url).port}`)).toBe(1);
    });
  }

  test('syncs its rules, leaves those of others alone, and leaves out what only they bring', async () => {
    x = await FollowedX.start();
    const foreign = { id: '900', value: 'coffee', tag: 'marketing' };
    x.standIn.rules = [foreign, { id: '901', value: 'from:77', tag: 'social-data:accounts' }];
    const read = await follow([alice, tea]);
    expect(x.standIn.rules.map(({ value, tag }) => [value, tag])).toEqual([
      ['coffee', 'marketing'],
      ['from:11', 'social-data:accounts'],
      ['tea', 'social-data:x:search:tea'],
    ]);
    x.standIn.post('12', 'only coffee');
    x.standIn.post('12', 'coffee and tea');
    await until(() => read.texts.length > 0);
    expect(read.texts).toEqual(['coffee and tea']);
    read.stream.update([alice, bob]);
    await until(() => x.standIn.rules.some(({ value }) => value === 'from:11 OR from:12'));
    await until(() => x.standIn.rules.length === 2);
    expect(x.standIn.rules).toContainEqual(foreign);
    x.standIn.post('12', 'by bob');
    await until(() => read.texts.includes('by bob'));
    expect(x.standIn.count(connects)).toBe(1);
  });

  test('counts a rule that X rejects and follows the others; without any rule it says why', async () => {
    x = await FollowedX.start();
    const broken = { ...tea, target: { ...tea.target, value: '(tea' } };
    const read = await follow([alice, broken]);
    expect(x.count('rejected rule')).toBe(1);
    x.standIn.post('11', 'still here');
    await until(() => read.texts.includes('still here'));
    await read.stop();
    x.standIn.rules = [];
    const other = x.read(x.source(), [broken]);
    await other.ended;
    expect(other.error).toMatchObject({ isPermanent: true, message: expect.stringContaining('cannot parse (tea') });
  });

  test('ends without a heartbeat for 25 s, and not before', async () => {
    x = await FollowedX.start();
    const read = await follow([alice]);
    await until(() => x.clock.waits.includes(25_000));
    x.clock.jump(24_999);
    x.standIn.heartbeat();
    const alive = x.count('alive');
    await until(() => x.count('alive') > alive && x.clock.waits.includes(25_000));
    x.clock.jump(25_000);
    await read.ended;
    expect(read.error).toMatchObject({ isPermanent: false, message: 'X sent no heartbeat for 25 s' });
    await until(() => x.standIn.streams.size === 0);
  });

  test('counts rubbish and goes on', async () => {
    x = await FollowedX.start();
    const read = await follow([alice]);
    x.standIn.raw('{"data":\r\n[1]\r\n{"data":{"id":"1"}}\r\n{"x":1}\r\n');
    x.standIn.raw(Buffer.concat([Buffer.alloc(1024 * 1024 + 1, 'a'), Buffer.from('\r\n')]));
    x.standIn.post('11', 'after the rubbish');
    await until(() => read.texts.includes('after the rubbish'));
    expect(x.reports.filter((report) => report.startsWith('rejected')).toSorted()).toEqual([
      ...[
        'rejected line too long',
        'rejected not JSON',
        'rejected not JSON',
        'rejected not a post',
        'rejected not a post',
      ],
    ]);
  });

  test('ends with what X says of a disconnect', async () => {
    x = await FollowedX.start();
    const read = await follow([alice]);
    const problem = {
      title: 'operational-disconnect',
      detail: `upstream, ${x.standIn.token}`,
      type: 'https://x/problems/y',
    };
    x.standIn.raw(`${JSON.stringify({ errors: [problem] })}\r\n`);
    await read.ended;
    expect(String(read.error)).toContain('operational-disconnect: upstream, [token]');
  });

  test('stops to read from the connection while the consumer does not take what came', async () => {
    x = await FollowedX.start();
    const send = createSend();
    let pulled = 0;
    async function* body(): AsyncGenerator<Buffer, void> {
      for (;;) {
        await new Promise((resolve) => void setImmediate(resolve));
        const data = {
          id: String(++pulled),
          text: `post ${pulled}`,
          author_id: '11',
          created_at: '2026-11-20T10:00:00Z',
        };
        yield Buffer.from(`${JSON.stringify({ data })}\r\n`);
      }
    }
    const endless: Send = async (request) => {
      const response = await send(request);
      if (request.url.pathname !== '/2/tweets/search/stream') return response;
      return { ...response, body: body(), discard: () => response.discard() };
    };
    const read = x.read(x.source(x.standIn.url, endless), [alice]);
    reading = read;
    await until(() => read.tweets.length > 10);
    read.isHeld = true;
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => void setImmediate(resolve));
    const [before, delivered] = [pulled, read.tweets.length];
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => void setImmediate(resolve));
    expect(pulled).toBe(before);
    expect(pulled - delivered).toBeLessThan(4);
    read.isHeld = false;
    await until(() => read.tweets.length > delivered + 10);
  });
});

describe('after a reconnect', () => {
  test('nothing is missing and nothing is read twice', async () => {
    x = await FollowedX.start();
    const first = await follow([alice, tea]);
    x.standIn.post('11', 'live 1');
    await until(() => first.texts.includes('live 1'));
    await settle(first);
    x.clock.jump(1000);
    x.standIn.post('12', 'tea, live 2');
    await until(() => first.texts.includes('tea, live 2'));
    const position = await first.stop();
    await until(() => x.standIn.streams.size === 0);
    for (let missed = 0; missed < 250; missed++) {
      x.clock.jump(10_000);
      x.standIn.post('11', `missed ${missed}`);
    }
    x.standIn.post('12', 'tea, missed');
    x.clock.jump(2 * minute);
    x.standIn.billed = 0;
    const second = await follow([alice, tea], position);
    x.standIn.post('11', 'live 3');
    await until(() => second.texts.includes('live 3'));
    await settle(second);
    const expected = Array.from({ length: 250 }, (_, missed) => `missed ${missed}`);
    expect(new Set(second.texts)).toEqual(new Set([...expected, 'tea, missed', 'tea, live 2', 'live 3']));
    // Beside what was missed: one post within the time of disorder, and one live.
    expect(x.standIn.billed).toBeLessThanOrEqual(250 + 1 + 3);
  });

  test('what was posted in the last seconds before the connection comes by the second search', async () => {
    x = await FollowedX.start();
    const first = await follow([alice]);
    await settle(first);
    const position = await first.stop();
    await until(() => x.standIn.streams.size === 0);
    x.clock.jump(5 * minute);
    // Recent search does not have it yet when the stream starts.
    x.standIn.post('11', 'just before');
    x.clock.jump(5000);
    const second = await follow([alice], position);
    expect(second.texts).toEqual([]);
    await settle(second);
    expect(second.texts).toEqual(['just before']);
  });

  test('a kill in the middle of a search continues it without reading its pages again', async () => {
    x = await FollowedX.start();
    const first = await follow([alice]);
    await settle(first);
    const position = await first.stop();
    await until(() => x.standIn.streams.size === 0);
    for (let missed = 0; missed < 350; missed++) {
      x.clock.jump(1000);
      x.standIn.post('11', `missed ${missed}`);
    }
    x.clock.jump(2 * minute);
    x.standIn.billed = 0;
    const second = x.read(x.source(), [alice], position);
    second.isHeld = true;
    await until(() => second.batches.length === 1);
    const texts = second.texts;
    const stopped = second.stop();
    second.isHeld = false;
    // Only the first batch is durable.
    const durable = second.batches[0]!.position;
    await stopped;
    const before = x.standIn.billed;
    const third = await follow([alice], durable);
    await settle(third);
    expect(new Set([...texts, ...third.texts]).size).toBe(350);
    expect(x.standIn.billed - before).toBe(250);
  });

  test('posts older than the reach of the search are a gap', async () => {
    x = await FollowedX.start();
    const first = await follow([alice]);
    await settle(first);
    const position = await first.stop();
    await until(() => x.standIn.streams.size === 0);
    x.clock.jump(8 * 24 * 60 * minute);
    x.standIn.post('11', 'seen');
    x.clock.jump(minute);
    const second = await follow([alice], position);
    expect(second.texts).toEqual(['seen']);
    expect(x.reports.some((report) => report.startsWith('gap '))).toBe(true);
  });
});

describe('where the plan has no stream', () => {
  test('recent search delivers everything once, in an interval that the budget permits', async () => {
    x = await FollowedX.start(1000);
    x.standIn.fault(connects, { status: 403, body: { title: 'Client Forbidden' } }, { isLasting: true });
    const read = x.read(x.source(), [alice]);
    reading = read;
    const waits = (): number[] => x.clock.waits.filter((wait) => wait > 30_000);
    const posted: string[] = [];
    for (let poll = 0; poll < 5; poll++) {
      await until(() => waits().length > 0);
      // 14 hours, 10 reads a search, 1,000 reads.
      expect(waits()[0]).toBeGreaterThan(400_000);
      const post = `poll ${poll}`;
      posted.push(post);
      x.standIn.post('11', post);
      x.clock.jump(waits()[0]!);
      await until(() => read.texts.includes(post));
    }
    expect(read.texts).toEqual(posted);
    expect(x.standIn.billed).toBe(5);
    expect(x.kept?.reads).toBe(5);
  });

  test('a quiet target stays within the reach of the search', async () => {
    x = await FollowedX.start();
    x.standIn.fault(connects, { status: 403 }, { isLasting: true });
    const read = x.read(x.source(), [alice]);
    reading = read;
    for (let day = 0; day < 9; day++) {
      const searched = x.standIn.count(search);
      await until(() => x.clock.waits.some((wait) => wait >= 30_000 && wait <= 60 * minute) && x.count('alive') > day);
      x.clock.jump(24 * 60 * minute);
      await until(() => x.standIn.count(search) > searched);
    }
    expect(x.reports.filter((report) => report.startsWith('gap'))).toEqual([]);
  });

  test('a token that permits neither is a permanent error', async () => {
    x = await FollowedX.start();
    for (const endpoint of [connects, search]) x.standIn.fault(endpoint, { status: 403 }, { isLasting: true });
    const read = x.read(x.source(), [alice]);
    await read.ended;
    expect(read.error).toMatchObject({ isPermanent: true, message: expect.stringContaining('plan') });
  });
});

describe('the budget', () => {
  test('ends the stream, is durable, and is never exceeded', async () => {
    x = await FollowedX.start(40);
    const read = await follow([alice]);
    for (let sent = 0; sent < 60; sent++) x.standIn.post('11', `post ${sent}`);
    await read.ended;
    expect(read.texts).toHaveLength(40);
    expect(read.error).toMatchObject({ isPermanent: false, retryAfterMs: 14 * 60 * minute });
    expect(x.kept).toEqual({ day: '2026-11-20', reads: 40 });
    const source = x.source();
    expect(source.readsLeft).toBe(0);
    const requests = x.standIn.requests.length;
    const next = x.read(source, [alice]);
    await next.ended;
    expect(String(next.error)).toContain('reads are available again at 2026-11-21T00:00:00.000Z');
    expect(x.standIn.requests).toHaveLength(requests);
  });
});

describe('errors', () => {
  test('429 says how long to wait, and no request goes out before', async () => {
    x = await FollowedX.start();
    const reset = String((x.clock.now() + 600_000) / 1000);
    x.standIn.fault(connects, { status: 429, headers: { 'x-rate-limit-reset': reset } });
    const source = x.source();
    for (let attempt = 0; attempt < 2; attempt++) {
      const read = x.read(source, [alice]);
      await read.ended;
      expect(read.error).toMatchObject({ isPermanent: false, retryAfterMs: 600_000 });
    }
    expect(x.standIn.count(connects)).toBe(1);
  });

  test('a search that must wait does not end the stream', async () => {
    x = await FollowedX.start();
    const reset = String((x.clock.now() + 10_000) / 1000);
    x.standIn.fault(search, { status: 429, headers: { 'x-rate-limit-reset': reset } });
    const read = x.read(x.source(), [alice]);
    reading = read;
    await until(() => x.clock.waits.includes(10_000));
    x.standIn.post('11', 'meanwhile');
    await until(() => read.texts.includes('meanwhile'));
    x.clock.jump(10_000);
    await until(() => x.standIn.count(search) === 2);
  });

  test('a rejected token, a redirect and a status of the server say what to do', async () => {
    x = await FollowedX.start();
    const cases = [
      { fault: { status: 401, body: { detail: `no ${x.standIn.token}` } }, isPermanent: true, says: 'X_BEARER_TOKEN' },
      { fault: { status: 402 }, isPermanent: true, says: 'credits' },
      { fault: { status: 302, headers: { location: 'http://127.0.0.1:1/' } }, isPermanent: true, says: 'redirect' },
      { fault: { status: 503, headers: { 'retry-after': '7' } }, isPermanent: false, says: '503' },
      { fault: { status: 200, body: 'no JSON' }, isPermanent: false, says: 'not a JSON object' },
    ];
    for (const { fault, isPermanent, says } of cases) {
      x.standIn.fault('GET /2/tweets/search/stream/rules', fault);
      const read = x.read(x.source(), [alice]);
      await read.ended;
      expect(read.error).toMatchObject({ isPermanent, message: expect.stringContaining(says) });
    }
    x.token = undefined;
    const read = x.read(x.source(), [alice]);
    await read.ended;
    expect(read.error).toMatchObject({
      isPermanent: true,
      message: expect.stringContaining('npm run follow -- token x'),
    });
    x.token = 'two\nlines';
    const other = x.read(x.source(), [alice]);
    await other.ended;
    expect(String(other.error)).not.toContain('two');
    x.errors.length = 0;
  });
});
