import { createBlueskySource } from '../../../server/follow/bluesky/source.ts';
import { describeLiveSource, type LivePlatform } from '../../ports/live-source.ts';
import { AppViewServer } from '../../support/bluesky/app-view.ts';
import { JetstreamServer } from '../../support/bluesky/jetstream-server.ts';
import { ManualClock } from '../../support/bluesky/manual-clock.ts';
import { idOf, World } from '../../support/bluesky/world.ts';

async function standIns(): Promise<LivePlatform> {
  const clock = new ManualClock();
  const world = new World(() => clock.now());
  const [jetstream, appView] = [await JetstreamServer.start(world), await AppViewServer.start(world)];
  const accounts = ['alice.test', 'bob.test'] as const;
  const dids = accounts.map((handle) => world.account(handle));
  const uris = new Map<string, string>();
  return {
    open: async (held, observer) =>
      createBlueskySource({ streamUrls: [jetstream.url], apiUrl: appView.url, held, observer, clock }),
    accounts,
    unknownAccount: 'nobody.test',
    invalidTargets: ['', 'alice', 'did:', 'list:somewhere', '*:everything'],
    async publish(account, text) {
      const uri = world.post(dids[account]!, text);
      uris.set(idOf(uri), uri);
      return idOf(uri);
    },
    async remove(id, isReported) {
      const uri = uris.get(id)!;
      if (isReported) return world.delete(uri);
      world.silently(() => world.delete(uri));
      // What is younger can be missing because the AppView is behind the stream.
      clock.set(clock.now() + 3_600_000);
    },
    setLikes: async (id, likes) => void world.likes.set(uris.get(id)!, likes),
    cut: async () => jetstream.cut(),
    sendRubbish: async () => jetstream.send('{"kind":"rubbish"}'),
    connections: () => jetstream.requests.length,
    async limitNextRequest(retryAfterMs) {
      appView.next.push({ status: 429, headers: { 'retry-after': String(retryAfterMs / 1000) } });
      // The request after it waits so long.
      void clock.passWhenAwaited(retryAfterMs);
    },
    async dispose() {
      await jetstream.close();
      await appView.close();
    },
  };
}

describeLiveSource('Bluesky', standIns);
