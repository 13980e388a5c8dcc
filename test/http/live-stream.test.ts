import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { channels } from '../../pages/live/channels.ts';
import { reconnectAfter } from '../../pages/live/reconnect.ts';
import { DuplicateFilter } from '../../pages/live/seen.ts';
import {
  listen as listenTo,
  type Event,
  type Gap,
  type SubscriptionError,
  type State,
  type Stream as Listening,
  type Subscription,
} from '../../pages/live/stream.ts';
import { wordingOf } from '../../pages/live/wording.ts';
import { closeCodes } from '../../server/realtime/limits.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { key, startService, type Service } from '../support/service.ts';
import { startStream, type Stream } from '../support/stream.ts';

describe('a connection that was closed', () => {
  const wait = (code: number, failures = 0, goingAwayMs?: number, random = 0.5): number | undefined =>
    reconnectAfter({ code, failures, goingAwayMs }, () => random);

  test('does not reconnect after 4000 to 4099, or after a permanent error', () => {
    for (const code of [4000, 4001, 4003, 4005, 4099, 1002, 1003, 1007, 1009]) expect(wait(code)).toBeUndefined();
  });
  test('reconnects after at least a second for 4100 to 4199, and at once for 4200 to 4299', () => {
    for (const code of [4100, 4108, 4129, 4199])
      expect([wait(code, 0, undefined, 0), wait(code, 3, undefined, 0.5)]).toEqual([1000, 2000]);
    for (const code of [4200, 4201, 4299]) expect([wait(code), wait(code, 2)]).toEqual([0, 500]);
  });
  test('reconnects after the delay of going_away', () => {
    expect([wait(4200, 0, 1234), wait(1006, 2, 40)]).toEqual([1234, 40]);
    expect(wait(4001, 0, 40)).toBeUndefined();
  });
  test('reconnects otherwise with full jitter from 250 ms to 30 s', () => {
    const bounds = [0, 1, 2, 6, 7, 100].map((failures) => wait(1006, failures, undefined, 1 - Number.EPSILON));
    expect(bounds).toEqual([249, 499, 999, 15_999, 29_999, 29_999]);
    expect(wait(1006, 100, undefined, 0)).toBe(0);
  });
  test('has a text for every close code', () => {
    for (const [code] of Object.values(closeCodes)) {
      const after = wait(code);
      const state: State = after === undefined ? { is: 'closed', code, reason: '' } : { is: 'waiting', at: 0, code };
      const { name, detail } = wordingOf(state);
      expect(detail).not.toBe('');
      if (after === undefined) expect(name).toBe(`${code >= 4000 ? 'Refused' : 'Closed'} with ${code}`);
      if (code >= 4100) expect(detail).not.toMatch(/cannot be reached/);
    }
  });
});

test('remembers a bounded number of event ids', () => {
  const seen = new DuplicateFilter(2);
  const isSeen = (id: string): boolean => seen.isDuplicate(id);
  expect(['a', 'b', 'a', 'c', 'a', 'c'].map(isSeen)).toEqual([false, false, true, false, false, true]);
  seen.forget('a');
  expect(['a', 'c'].map(isSeen)).toEqual([false, true]);
});

describe('the listener of the page', () => {
  let stream: Stream;
  let open: Listening[] = [];
  beforeAll(async () => {
    stream = await startStream({ relayed: true });
    await stream.take({ kind: 'user', user: { id: '1', username: 'mira' } }, tweet('100'));
  });
  afterEach(() => {
    open.forEach((each) => each.stop());
    open = [];
  });
  afterAll(() => stream.stop());

  const tweet = (id: string, more: object = {}): ArchiveRecord => ({
    kind: 'tweet',
    tweet: { id, text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1', ...more },
  });

  function listen(subject: Subscription, apiKey = key) {
    const states: State[] = [];
    const events: Event[] = [];
    const gaps: Gap[] = [];
    const refusals: SubscriptionError[] = [];
    const waiting = new Set<() => void>();
    const changed = (): void => waiting.forEach((look) => look());
    const listening = listenTo(`${stream.url.replace('http', 'ws')}/ws?api_key=${apiKey}`, subject, {
      state: (state) => void (states.push(state), changed()),
      event: (event, frame) => {
        expect(JSON.parse(frame)).toEqual(event);
        events.push(event);
        changed();
      },
      gap: (gap) => void (gaps.push(gap), changed()),
      rejected: (error) => void (refusals.push(error), changed()),
    });
    open.push(listening);
    const until = (condition: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!condition()) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      });
    return {
      listening,
      states,
      events,
      gaps,
      refusals,
      until,
      is: (name: State['is']) => until(() => states.at(-1)?.is === name),
    };
  }
  const ids = (events: readonly Event[]): string[] => events.map(({ data }) => ('id' in data ? data.id : ''));

  test('resumes after a restart of the server: every event once, in order', async () => {
    const each = listen({ channel: 'search:tweets', params: { query: 'from:1' } });
    await each.is('live');
    await stream.take(tweet('101'), tweet('102'));
    await each.until(() => each.events.length === 2);
    await stream.restart();
    await stream.take(tweet('103'));
    for (let spread = true; spread;) {
      // The server spreads its listeners over seconds: this one need not wait for its turn.
      each.listening.reconnectNow();
      await new Promise((resolve) => setTimeout(resolve, 20));
      spread = !each.states.some(({ is }, place) => is === 'live' && place > 2);
    }
    await stream.take(tweet('104'));
    await each.until(() => each.events.length === 4);
    expect(ids(each.events)).toEqual(['101', '102', '103', '104']);
    expect(each.states.map(({ is }) => is)).toEqual(
      expect.arrayContaining(['connecting', 'live', 'waiting', 'replaying']),
    );
    expect(each.states.find(({ is }) => is === 'waiting')).toMatchObject({ code: 4200 });
    expect(each.gaps).toEqual([]);
  });

  test('gets the current value of a state channel, again after a reconnect', async () => {
    const each = listen({ channel: 'tweet:engagement', params: { tweet_id: '100' } });
    await each.until(() => each.events.length === 1);
    expect(each.events[0]!.data).toMatchObject({ tweet_id: '100', like_count: 0 });
    await stream.take(tweet('100', { like_count: 5, observed_at: '2031-01-01T00:00:00Z' }));
    await each.until(() => each.events.length === 2);
    expect(each.events[1]!.data).toMatchObject({ like_count: 5 });
  });

  test('ends when the tweet of the subscription is deleted, and does not reconnect', async () => {
    await stream.take(tweet('200'));
    const each = listen({ channel: 'tweet:replies', params: { tweet_id: '200' } });
    await each.is('live');
    await stream.take({ kind: 'delete', tweet_id: '200' });
    await each.is('ended');
    expect(each.events).toMatchObject([{ event: 'tweet.deleted', data: { id: '200' } }]);
    expect(wordingOf(each.states.at(-1)!)).toEqual({
      name: 'Ended',
      detail: 'The server has ended the subscription: the tweet was deleted.',
    });
    while (!(await stream.registry.metrics()).includes('ws_connections 0'))
      await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test('shows a deleted tweet again when it comes back', async () => {
    await stream.take(tweet('201'));
    const each = listen({ channel: 'search:tweets', params: { query: 'hello' } });
    await each.is('live');
    for (let count = 0; count < 4; count += 2) {
      await stream.take({ kind: 'delete', tweet_id: '201' });
      await each.until(() => each.events.length === count + 1);
      await stream.take({ kind: 'restore', tweet_id: '201' }, tweet('201'));
      await each.until(() => each.events.length === count + 2);
    }
    expect(each.events.map(({ event }) => event)).toEqual([
      'tweet.deleted',
      'tweet.created',
      'tweet.deleted',
      'tweet.created',
    ]);
  });

  test('reports a rejected subscription with its position, and closes the connection', async () => {
    const each = listen({ channel: 'search:tweets', params: { query: 'cat filter:vidoes' } });
    await each.until(() => each.refusals.length === 1);
    expect(each.refusals[0]).toMatchObject({
      code: 'bad_query',
      position: 11,
      error: expect.stringContaining("did you mean 'videos'?"),
    });
    expect(each.states.at(-1)).toEqual({ is: 'refused' });
    const unknown = listen({ channel: 'user:tweets', params: { username: 'nobody' } });
    await unknown.until(() => unknown.refusals.length === 1);
    expect(unknown.refusals[0]).toMatchObject({ code: 'not_found', error: 'user nobody not found' });
    while (!(await stream.registry.metrics()).includes('ws_connections 0'))
      await new Promise((resolve) => setTimeout(resolve, 20));
  });

  test('ends with 4001 for an invalid key, and does not reconnect', async () => {
    const each = listen({ channel: 'assistant:pool', params: {} }, 'wrong');
    await each.is('closed');
    expect(each.states.map(({ is }) => is)).toEqual(['connecting', 'closed']);
    expect(each.states.at(-1)).toMatchObject({ code: 4001, reason: 'Invalid or missing API key' });
  });

  test.each(Object.entries(channels))('can subscribe to %s', async (channel, { params, value }) => {
    const given = { mira_codes: 'mira', '1890000000000000001': '100', '1700000000000000001': '70' }[value] ?? value;
    await stream.take({ kind: 'community', community: { id: '70', name: 'Makers' } });
    const each = listen({ channel: channel as Subscription['channel'], params: params(given) });
    await each.is('live');
    expect(each.refusals).toEqual([]);
  });

  test('accepts a username or a user id', () => {
    const { params } = channels['user:tweets'];
    expect(['mira', '@123', '123'].map(params)).toEqual([
      { username: 'mira' },
      { username: '@123' },
      { user_id: '123' },
    ]);
  });
});

describe('/live', () => {
  let service: Service;
  let html: string;
  beforeAll(async () => {
    service = await startService();
    html = await (await service.bare('/live')).text();
  });
  afterAll(() => service.stop(0));

  test('needs no key, and loads only files of this server', async () => {
    const references = [...html.matchAll(/(?:src|href)="([^"#]*)"/g)].map(([, path]) => path!);
    expect(references).toContainEqual(expect.stringMatching(/^\.\/assets\/live-[0-9a-f]{12}\.js$/));
    for (const path of references) {
      expect(path).toMatch(/^\.\//);
      const response = await service.bare(path.slice(1), { redirect: 'manual' });
      expect([path, response.status]).toEqual([path, 200]);
      if (path.endsWith('.js')) expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    }
  });
  test('has no inline scripts or styles but that of the colours, and allows no others', async () => {
    const policy = (await service.bare('/live')).headers.get('content-security-policy')!.split(';');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        expect.stringMatching(/^script-src 'self' 'sha256-[\w+/]{43}='$/),
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
      ]),
    );
    expect(html.split('<script>').length).toBe(2);
    expect(html).not.toMatch(/<style|style=|<script(?!>| type="module" src="\.\/)|\son\w+=/);
  });
  test('supports only GET and HEAD, and has no other files', async () => {
    const [script = ''] = /\/assets\/live-\w+\.js/.exec(html) ?? [];
    for (const path of ['/live', script]) {
      const response = await service.bare(path, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    for (const path of ['/live/nothing', '/live/..%2fassets', '/LIVE']) {
      expect([path, (await service.bare(path)).status]).toEqual([path, 401]);
    }
  });
  test('returns 304 for a matching If-None-Match', async () => {
    const etag = (await service.bare('/live')).headers.get('etag')!;
    // Else fetch adds `no-cache`.
    expect(
      (await service.bare('/live', { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status,
    ).toBe(304);
  });
});
