// Tests server/follow/bluesky/refresh.ts, server/follow/bluesky/accounts.ts, server/follow/bluesky/events.ts,
// server/follow/bluesky/options.ts and server/follow/bluesky/targets.ts.
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { WebSocket } from 'ws';
import type { LiveBatch } from '../../../server/ports/live-source.ts';
import { SourceError } from '../../../server/ports/live-source.ts';
import { Harness, RecordingObserver } from '../../support/bluesky/harness.ts';
import { JetstreamServer } from '../../support/bluesky/jetstream-server.ts';
import { idOf, userId, World } from '../../support/bluesky/world.ts';
import { createBlueskySource } from '../../../server/follow/bluesky/source.ts';
import { rounds } from '../../support/rounds.ts';
import fc from '../../support/property.ts';

let harness: Harness;
let alice: string;
let bob: string;

beforeEach(async () => {
  ({ harness, alice, bob } = await Harness.startWithAccounts());
});
afterEach(() => harness.close());

const targets = () => [harness.accounts(alice)];
const lastEvent = (): string => String(harness.world.events.at(-1)?.time_us);

describe('the connection', () => {
  test('asks for the collections and accounts in a frame, with a bound of the message size', async () => {
    await harness.follow({ targets: [harness.accounts(alice, bob)] });
    const [request] = harness.jetstream.requests;
    expect(Object.fromEntries(request?.searchParams ?? [])).toEqual({
      requireHello: 'true',
      maxMessageSizeBytes: '65536',
    });
    expect(harness.jetstream.updates).toEqual([
      {
        type: 'options_update',
        payload: {
          wantedCollections: [
            'app.bsky.feed.post',
            'app.bsky.actor.profile',
            'app.bsky.feed.postgate',
            'app.bsky.feed.repost',
            'app.bsky.graph.follow',
          ],
          wantedDids: [alice, bob],
          maxMessageSizeBytes: 65_536,
        },
      },
    ]);
  });

  test('changes the accounts without a new connection', async () => {
    const { stream, ...running } = await harness.follow({ targets: targets() });
    expect(running).toBeDefined();
    stream.update([harness.accounts(alice), harness.accounts(bob)]);
    while (harness.jetstream.updates.length < 2) await turn();
    expect(harness.jetstream.updates[1]?.payload.wantedDids).toEqual([alice, bob]);
    expect(harness.jetstream.requests).toHaveLength(1);
    // To the server, an empty list means everybody.
    stream.update([]);
    while (harness.jetstream.updates.length < 3) await turn();
    expect(harness.jetstream.updates[2]?.payload.wantedDids).toEqual(['did:plc:aaaaaaaaaaaaaaaaaaaaaaaa']);
  });

  test('more than 10,000 accounts are filtered here', async () => {
    const many = Array.from({ length: 10_001 }, (_, index) => `did:plc:${String(index).padStart(24, 'a')}`);
    const stream = await harness.follow({ targets: [harness.accounts(...many, alice)] });
    expect(harness.jetstream.updates[0]?.payload.wantedDids).toEqual([]);
    harness.world.post(bob, 'not followed');
    harness.world.post(alice, 'followed');
    await stream.until(() => stream.position === lastEvent());
    expect(harness.archive.tweets).toBe(1);
  });

  test('continues five seconds before the position, and repeats change nothing', async () => {
    const stream = await harness.follow({ targets: targets() });
    const uri = harness.world.post(alice, 'hello');
    await stream.until(() => stream.position === lastEvent());
    const { position = '' } = stream;
    harness.jetstream.cut();
    await expect(stream.next()).rejects.toThrow(SourceError);
    const missed = harness.world.post(alice, 'while away');
    const again = await harness.follow({ targets: targets(), position });
    expect(harness.jetstream.requests[1]?.searchParams.get('cursor')).toBe(String(Number(position) - 5_000_000));
    const { commit } = harness.archive;
    await again.until(() => harness.tweet(idOf(missed)) !== undefined);
    expect(harness.archive.commit).toBe(commit + 1);
    expect(harness.tweet(idOf(uri))).toBeDefined();
    expect(again.position).toBe(lastEvent());
  });

  test('reports a gap where the position is older than the look-back of the servers', async () => {
    const ago = (hours: number): string => String((harness.clock.now() - hours * 3_600_000) * 1000);
    await harness.follow({ targets: targets(), position: ago(35) });
    expect(harness.observer.gaps).toEqual([]);
    await harness.follow({ targets: targets(), position: ago(37) });
    expect(harness.observer.gaps).toHaveLength(1);
  });

  test('a clamped cursor loses events without notice: the gap is reported, and a reconciliation mends it', async () => {
    const [lost, deleted] = [harness.world.post(alice, 'lost'), harness.world.post(alice, 'deleted meanwhile')];
    await harness.history(harness.accounts(alice));
    await harness.beginAnew();
    const position = lastEvent();
    harness.world.silently(() => harness.world.delete(deleted));
    harness.clock.set(harness.clock.now() + 40 * 3_600_000);
    harness.jetstream.oldest = (harness.clock.now() - 3_600_000) * 1000;
    const kept = harness.world.post(alice, 'kept');
    const stream = await harness.follow({ targets: targets(), position });
    await stream.until(() => harness.tweet(idOf(kept)) !== undefined);
    expect(harness.tweet(idOf(lost))).toBeUndefined();
    expect(harness.observer.gaps).toHaveLength(1);
    await harness.history(harness.accounts(alice), { reconcile: true });
    expect(harness.tweet(idOf(lost))).toBeDefined();
    expect(harness.tweet(idOf(deleted))).toBeUndefined();
  });

  test('ends with the signal, without an error', async () => {
    const stream = await harness.follow({ targets: targets() });
    await stream.stop();
    while (harness.jetstream.connections > 0) await turn();
    expect(await stream.next()).toBeUndefined();
  });

  test('rubbish between events is counted, and ends nothing', async () => {
    const stream = await harness.follow({ targets: targets() });
    for (const frame of [
      'not json',
      '[]',
      '"text"',
      '{}',
      JSON.stringify({ did: alice, time_us: -1, kind: 'commit' }),
      JSON.stringify({ did: 'nobody', time_us: 1, kind: 'account', account: { active: false } }),
      JSON.stringify({
        did: alice,
        time_us: 1,
        kind: 'commit',
        commit: { operation: 'create', collection: 'app.bsky.feed.post', rkey: '../x', record: {} },
      }),
      JSON.stringify({
        did: alice,
        time_us: 1,
        kind: 'commit',
        commit: { operation: 'create', collection: 'app.bsky.feed.post', rkey: '3lbyeqkxpfk2m' },
      }),
      JSON.stringify({
        did: alice,
        time_us: 1,
        kind: 'commit',
        commit: { operation: 'create', collection: 'app.bsky.feed.post', rkey: '3lbyeqkxpfk2m', record: { text: 7 } },
      }),
      `{"text":"${'x'.repeat(70_000)}"}`,
      Buffer.from([0xff, 0xfe]),
    ])
      harness.jetstream.send(frame);
    const uri = harness.world.post(alice, 'still here');
    await stream.until(() => harness.tweet(idOf(uri)) !== undefined);
    expect(harness.observer.rejections.toSorted()).toEqual([
      'invalid record',
      'too large',
      ...Array.from({ length: 5 }, () => 'unknown event'),
      ...Array.from({ length: 4 }, () => 'unreadable'),
    ]);
  });

  test('a time in the future does not become the position', async () => {
    const stream = await harness.follow({ targets: targets() });
    const record = { text: 'from tomorrow', createdAt: '2030-01-01T00:00:00Z' };
    const commit = { operation: 'create', collection: 'app.bsky.feed.post', rkey: '3lbyeqkxpfk2m', record };
    harness.jetstream.send(JSON.stringify({ did: alice, time_us: 8_000_000_000_000_000, kind: 'commit', commit }));
    const batch = await stream.next();
    expect(Number(batch?.position)).toBeLessThanOrEqual(harness.clock.now() * 1000);
    expect(batch?.records[0]).toMatchObject({ tweet: { created_at: new Date(harness.clock.now()).toISOString() } });
  });

  test('repeated, reordered and interrupted events lead to the same archive', async () => {
    const post = (index: number): string => harness.world.post(alice, `post ${index}`);
    const uris = Array.from({ length: 40 }, (_, index) => post(index));
    for (const uri of uris.slice(0, 10)) harness.world.delete(uri);
    const expected = uris.slice(10).map(idOf).toSorted();
    const first = Number(harness.world.events[0]?.time_us);
    const order = fc.record({
      repeats: fc.array(fc.nat(2), { minLength: 60, maxLength: 60 }),
      cuts: fc.array(fc.nat(50), { maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(order, async ({ repeats, cuts }) => {
        await harness.beginAnew();
        let sent = 0;
        const left = new Set(cuts);
        harness.jetstream.framesOf = (event, index) => {
          if (left.delete(sent++)) setImmediate(() => harness.jetstream.cut());
          return Array.from({ length: 1 + (repeats[index % 60] ?? 0) }, () => JSON.stringify(event));
        };
        let position = String(first);
        for (let isDone = false; !isDone;) {
          const stream = await harness.follow({ targets: targets(), position });
          try {
            await stream.until(() => stream.position === lastEvent());
            isDone = true;
          } catch (error) {
            expect(error).toBeInstanceOf(SourceError);
          }
          position = stream.position ?? position;
          await stream.stop();
        }
        expect(harness.archive.tweetIds.toSorted()).toEqual(expected);
      }),
      { numRuns: rounds(10) },
    );
  });

  test('pauses the socket where the consumer is slow, and loses nothing', async () => {
    const pauses = jest.spyOn(WebSocket.prototype, 'pause');
    const resumes = jest.spyOn(WebSocket.prototype, 'resume');
    const stream = await harness.follow({ targets: targets() });
    harness.world.post(alice, 'first');
    await stream.next();
    const commit = { operation: 'create', collection: 'app.bsky.feed.postgate', rkey: 'x', record: {} };
    const frame = JSON.stringify({ did: alice, time_us: 1, kind: 'commit', commit });
    const count = 21_000;
    for (let index = 0; index < count; index++) harness.jetstream.send(frame);
    harness.world.post(alice, 'last');
    while (pauses.mock.calls.length === 0) await turn();
    expect(resumes).not.toHaveBeenCalled();
    let events = 0;
    while (stream.position !== lastEvent()) events += (await stream.next())?.events?.postgate ?? 0;
    expect(events).toBe(count);
    expect(resumes).toHaveBeenCalled();
    for (const { records } of stream.batches) expect(records.length).toBeLessThanOrEqual(1000);
    jest.restoreAllMocks();
  });
});

describe('a silent server', () => {
  test('a pong shows that it is alive, and moves the position of a quiet stream', async () => {
    const stream = await harness.follow({ targets: targets() });
    const { alives } = harness.observer;
    const start = harness.clock.now();
    const next = stream.next();
    await harness.clock.passWhenAwaited(20_000);
    const batch = (await next) as LiveBatch;
    expect(harness.observer.alives).toBe(alives + 1);
    expect(batch).toEqual({ records: [], position: String((start + 20_000 - 30_000) * 1000) });
  });

  test('without any frame for a minute the next server is used, at the same position', async () => {
    const second = await JetstreamServer.start(harness.world);
    harness.source = createBlueskySource({
      streamUrls: [harness.jetstream.url, second.url],
      apiUrl: harness.appView.url,
      held: harness.stored.held,
      observer: harness.observer,
      clock: harness.clock,
    });
    const stream = await harness.follow({ targets: targets() });
    harness.jetstream.isSilent = true;
    const failed = stream.next().catch((error: unknown) => error);
    for (let minute = 0; minute < 4; minute++) await harness.clock.pass(20_000);
    expect(await failed).toMatchObject({
      name: 'SourceError',
      message: expect.stringContaining('no message for 60 s'),
    });
    const position = String((harness.clock.now() - 60_000) * 1000);
    const again = await harness.follow({ targets: targets(), position, failures: 1, isConnecting: false });
    while (second.updates.length === 0) await turn();
    expect(second.requests[0]?.searchParams.get('cursor')).toBe(String(Number(position) - 5_000_000));
    await again.stop();
    await second.close();
  });

  test('after three failed connections the next server is used, then the first again', async () => {
    const second = await JetstreamServer.start(harness.world);
    harness.source = createBlueskySource({
      streamUrls: [harness.jetstream.url, second.url],
      apiUrl: harness.appView.url,
      held: harness.stored.held,
      observer: harness.observer,
      clock: harness.clock,
    });
    harness.jetstream.refuseWith = 503;
    second.refuseWith = 503;
    const ports: string[] = [];
    for (let failures = 0; failures < 7; failures++) {
      const stream = await harness.follow({ targets: targets(), failures, isConnecting: false });
      const error: unknown = await stream.next().catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(SourceError);
      ports.push((error as Error).message.split(': ')[0] ?? '');
    }
    const [a, b] = [harness.jetstream.host, second.host];
    expect(ports).toEqual([a, a, a, b, b, b, a]);
    expect(harness.observer.hosts).toEqual([]);
    expect(harness.observer.alives).toBe(0);
    await second.close();
  });
});

describe('the boundary', () => {
  test('a redirect of a stream is not followed', async () => {
    const stream = harness.follow({ targets: targets(), isConnecting: false });
    harness.jetstream.refuseWith = 302;
    await expect((await stream).next()).rejects.toThrow('302');
  });

  test('a configured name that leads into a private network is refused, for the stream and the API', async () => {
    const asked: string[] = [];
    for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:127.0.0.1', 'fd00::1']) {
      const port = new URL(harness.jetstream.url).port;
      const source = createBlueskySource({
        streamUrls: [`ws://stream.example:${port}/subscribe`],
        apiUrl: `http://api.example:${new URL(harness.appView.url).port}`,
        held: harness.stored.held,
        observer: new RecordingObserver(),
        clock: harness.clock,
        resolve(hostname, done) {
          asked.push(hostname);
          done(null, [
            { address: '203.0.113.1', family: 4 },
            { address, family: address.includes(':') ? 6 : 4 },
          ]);
        },
      });
      const { signal } = new AbortController();
      const request = { targets: targets(), position: undefined, failures: 0, signal };
      const iterator = source.stream(request)[Symbol.asyncIterator]();
      await expect(iterator.next()).rejects.toThrow('private network');
      await expect(source.resolve(source.parse(alice), signal)).rejects.toThrow('private network');
    }
    expect(new Set(asked)).toEqual(new Set(['stream.example', 'api.example']));
    expect(harness.jetstream.requests).toEqual([]);
    expect(harness.appView.requests).toEqual([]);
  });

  test('creating a source and parsing targets opens no connection', async () => {
    const world = new World(() => harness.clock.now());
    const server = await JetstreamServer.start(world);
    const before = harness.appView.requests.length;
    const source = createBlueskySource({
      streamUrls: [server.url],
      apiUrl: harness.appView.url,
      held: harness.stored.held,
      observer: harness.observer,
    });
    source.parse('alice.test');
    source.stream({ targets: [], position: undefined, failures: 0, signal: new AbortController().signal });
    await turn();
    expect(server.requests).toEqual([]);
    expect(harness.appView.requests).toHaveLength(before);
    await server.close();
  });
});

describe('searches and the whole network', () => {
  test('a search keeps matching posts of anybody, with their authors, and removes them with their events', async () => {
    const stream = await harness.follow({ targets: [harness.target('search:"flat white" -decaf')] });
    expect(harness.jetstream.updates[0]?.payload.wantedDids).toEqual([]);
    const match = harness.world.post(bob, 'A flat white, please');
    harness.world.post(alice, 'A flat white decaf');
    harness.world.post(alice, 'White, flat');
    const end = harness.world.post(alice, 'one more flat white');
    await stream.until(() => harness.tweet(idOf(end)) !== undefined);
    expect(harness.archive.tweets).toBe(2);
    expect(harness.archive.profile(userId(bob))?.username).toBe('bob.test');
    harness.world.delete(match);
    await stream.until(() => harness.tweet(idOf(match)) === undefined);
    harness.world.setActive(alice, false);
    await stream.until(() => harness.archive.tweets === 0);
  });

  test('a search does not keep posts of accounts that ask for signed-in readers', async () => {
    harness.world.setSignedInOnly(bob, true);
    const stream = await harness.follow({ targets: [harness.target('search:coffee')] });
    harness.world.post(bob, 'coffee');
    harness.world.post(alice, 'coffee');
    await stream.until(() => stream.position === lastEvent());
    expect(harness.archive.tweets).toBe(1);
  });

  test('the network is everything, or the posts in some languages', async () => {
    const stream = await harness.follow({ targets: [harness.target('*:de+fr')] });
    expect(harness.jetstream.updates[0]?.payload).toMatchObject({
      wantedDids: [],
      wantedCollections: ['app.bsky.feed.post', 'app.bsky.actor.profile', 'app.bsky.feed.postgate'],
    });
    harness.world.post(alice, 'hello');
    const hallo = harness.world.post(alice, 'hallo', { langs: ['en', 'de-AT'] });
    harness.world.post(bob, 'hej', { langs: ['sv'] });
    const salut = harness.world.post(bob, 'salut', { langs: ['fr'] });
    await stream.until(() => stream.position === lastEvent());
    expect(harness.archive.tweets).toBe(2);
    expect([hallo, salut].every((uri) => harness.tweet(idOf(uri)) !== undefined)).toBe(true);
  });
});
