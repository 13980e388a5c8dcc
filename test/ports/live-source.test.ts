// Not in `npm run test:fast`: it follows platforms in memory for seconds.
import { systemClock } from '../../server/follow/clock.ts';
import { createBlueskySource } from '../../server/follow/bluesky/source.ts';
import { ReadBudget } from '../../server/follow/x/budget.ts';
import { createXSource } from '../../server/follow/x/source.ts';
import { SourceError } from '../../server/ports/live-source.ts';
import { AppViewServer } from '../support/bluesky/app-view.ts';
import { JetstreamServer } from '../support/bluesky/jetstream-server.ts';
import { idOf, World } from '../support/bluesky/world.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { XStandIn } from '../support/x/stand-in.ts';
import { describeLiveSource, type LivePlatform } from './live-source.ts';
import { ReferencePlatform, ReferenceSource } from './reference/live-source.ts';

const accounts = ['alice.example.com', 'bob.example.com'] as const;

async function inMemory(): Promise<LivePlatform> {
  const platform = new ReferencePlatform();
  for (const account of accounts) platform.addAccount(account);
  return {
    open: async (held, observer) => new ReferenceSource(platform, held, observer),
    accounts,
    unknownAccount: 'nobody.example.com',
    invalidTargets: ['', 'no spaces', 'search:'],
    publish: async (account, text) => platform.publish(accounts[account], text),
    remove: async (id, isReported) => (isReported ? platform.remove(id) : platform.removeSilently(id)),
    setLikes: async (id, likes) => platform.setLikes(id, likes),
    cut: async () => platform.cut(),
    sendRubbish: async () => platform.sendRubbish(),
    settle: async () => {},
    connections: () => platform.connections.length,
    limitNextRequest: async (retryAfterMs) => {
      const error = new SourceError('too many requests', { retryAfterMs });
      platform.disturbances.failNextRequest = error;
    },
    dispose: async () => {},
  };
}

/** Bluesky: a stand-in of Jetstream and one of the AppView over the same records. */
async function bluesky(): Promise<LivePlatform> {
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => Date.now() + aheadMs };
  const world = new World(clock.now);
  const dids = accounts.map((account) => world.account(account, account));
  const [jetstream, appView] = [await JetstreamServer.start(world), await AppViewServer.start(world)];
  const uris = new Map<string, string>();
  const uriOf = (id: string): string => uris.get(id) ?? '';
  return {
    open: async (held, observer) =>
      createBlueskySource({ streamUrls: [jetstream.url], apiUrl: appView.url, held, observer, clock }),
    accounts,
    unknownAccount: 'nobody.example.com',
    invalidTargets: ['', 'no spaces', 'list:https://example.com'],
    async publish(account, text) {
      const uri = world.post(dids[account] ?? '', text);
      const id = idOf(uri);
      uris.set(id, uri);
      return id;
    },
    async remove(id, isReported) {
      if (isReported) world.delete(uriOf(id));
      else world.silently(() => world.delete(uriOf(id)));
    },
    setLikes: async (id, likes) => void world.likes.set(uriOf(id), likes),
    cut: async () => jetstream.cut(),
    sendRubbish: async () => jetstream.send('{"kind":'),
    settle: async () => void (aheadMs += 3_600_000),
    connections: () => jetstream.requests.length,
    limitNextRequest: async (retryAfterMs) =>
      void appView.next.push({ status: 429, headers: { 'retry-after': String(retryAfterMs / 1000) } }),
    async dispose() {
      await jetstream.close();
      await appView.close();
    },
  };
}

/** X: its stand-in, with a clock that is faster than the real one, because recent search is half a minute late. */
async function x(): Promise<LivePlatform> {
  const clock = new ManualClock(Date.parse('2026-11-20T10:00:00Z'));
  const standIn = await XStandIn.start(clock);
  const ticking = setInterval(() => {
    clock.jump(500);
    standIn.heartbeat();
  }, 5);
  const ids = ['11', '12'] as const;
  for (const [index, name] of (['alice', 'bob'] as const).entries()) standIn.user(ids[index] ?? '', name);
  let kept: { day: string; reads: number } | undefined;
  const store = { get: () => kept, set: async (value: { day: string; reads: number }) => void (kept = value) };
  return {
    open: async (held, observer) =>
      createXSource({
        ...{ apiUrl: standIn.url, token: () => standIn.token, held, observer, clock },
        budget: new ReadBudget(1_000_000, store, clock),
      }),
    accounts: ['alice', 'bob'],
    unknownAccount: 'nobody',
    invalidTargets: ['', 'no spaces', 'alice.example.com'],
    publish: async (account, text) => standIn.post(ids[account], text).id,
    remove: () => Promise.reject(new Error('X reports no removals')),
    async setLikes(id, likes) {
      const post = standIn.posts.find((each) => each.id === id) as
        | { public_metrics: { like_count: number } }
        | undefined;
      if (post !== undefined) post.public_metrics.like_count = likes;
    },
    cut: async () => standIn.disconnect(),
    sendRubbish: async () => standIn.raw('{"data":\r\n'),
    settle: async () => clock.jump(3_600_000),
    connections: () => standIn.count('GET /2/tweets/search/stream'),
    limitNextRequest: async (retryAfterMs) => {
      const headers = { 'retry-after': String(retryAfterMs / 1000) };
      standIn.fault('GET /2/users/by/username/{username}', { status: 429, headers });
    },
    async dispose() {
      clearInterval(ticking);
      await standIn.stop();
    },
  };
}

describeLiveSource('the source in memory', inMemory);
describeLiveSource('Bluesky', bluesky);
describeLiveSource('X', x, { removals: false });
