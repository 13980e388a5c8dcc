/** A position is durable with its batch: a kill at any moment must lose nothing that comes before it. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { HeldRecords } from '../../../server/ports/held-records.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { Harness, type RunningStream } from '../../support/bluesky/harness.ts';
import { idOf, userId } from '../../support/bluesky/world.ts';
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
const timeOf = (index: number): number => Number(harness.world.events.at(index)?.time_us);

describe('a position', () => {
  test('does not pass an event whose quoted post is on the way; the post itself does not wait', async () => {
    const quoted = harness.world.post(bob, 'quoted');
    const stream = await harness.follow({ targets: targets() });
    harness.world.post(alice, 'before');
    await stream.until(() => harness.archive.profile(userId(alice)) !== undefined);
    const { position: before } = stream;

    const { promise, resolve } = Promise.withResolvers<void>();
    harness.appView.gate = promise;
    const quote = harness.world.post(alice, 'quote', { quotes: quoted });
    const first = stream.next();
    await harness.clock.passWhenAwaited(300);
    expect((await first)?.records).toHaveLength(1);
    expect(harness.tweet(idOf(quote))).toBeDefined();
    expect(stream.position).toBe(String(timeOf(-1) - 1));
    expect(Number(before)).toBeLessThan(timeOf(-1));

    const later = harness.world.post(alice, 'later');
    const second = stream.next();
    await harness.clock.passWhenAwaited(300);
    await second;
    expect(harness.tweet(idOf(later))).toBeDefined();
    expect(stream.position).toBe(String(timeOf(-2) - 1));

    resolve();
    await stream.until(() => stream.position === String(timeOf(-1)));
    expect(harness.tweet(idOf(quoted))?.text).toBe('quoted');
  });

  test.each(['events', 'an answer'])('does not move where the archive cannot be read for %s', async (what) => {
    const { held } = harness.stored;
    let mustFail = (): boolean => false;
    const read: HeldRecords['read'] = (keys) => {
      if (mustFail()) throw new StoreError('the database cannot be used');
      return held.read(keys);
    };
    harness.newSource({ held: { read, followings: (id) => held.followings(id), tweetsOf: (id) => held.tweetsOf(id) } });
    const begin = String(timeOf(-1));
    const stream = await harness.follow({ targets: targets(), position: begin });
    const asked = harness.appView.requests.length;
    // An answer is read after a request.
    mustFail = () => what === 'events' || harness.appView.requests.length > asked;
    const post = harness.world.post(alice, 'first');
    await expect(stream.until(() => false)).rejects.toThrow('the database cannot be used');
    expect(stream.position ?? begin).toBe(begin);
    mustFail = () => false;
    const again = await harness.follow({ targets: targets(), position: begin });
    await again.until(
      () => harness.tweet(idOf(post)) !== undefined && harness.archive.profile(userId(alice)) !== undefined,
    );
  });

  test('what was ready when a connection ended comes with the next one, by the same source', async () => {
    const quoted = harness.world.post(bob, 'quoted');
    const begin = String(timeOf(-1));
    const stream = await harness.follow({ targets: targets(), position: begin });
    const { promise, resolve } = Promise.withResolvers<void>();
    harness.appView.gate = promise;
    harness.world.post(alice, 'quote', { quotes: quoted });
    const first = stream.next();
    await harness.clock.passWhenAwaited(300);
    await first;
    resolve();
    while (harness.observer.statuses.length < 2) await turn();
    await stream.stop();
    expect(harness.tweet(idOf(quoted))).toBeUndefined();
    const again = await harness.follow({ targets: targets(), position: stream.position ?? begin });
    await again.until(() => again.position === String(timeOf(-1)));
    expect(harness.tweet(idOf(quoted))).toBeDefined();
    expect(harness.archive.profile(userId(alice))).toBeDefined();
  });

  test('passes an event that is given up, and counts that', async () => {
    const quoted = harness.world.post(bob, 'quoted');
    const stream = await harness.follow({ targets: targets() });
    harness.world.post(alice, 'known');
    await stream.until(() => harness.archive.profile(userId(alice)) !== undefined);
    for (let attempt = 0; attempt < 5; attempt++) harness.appView.next.push({ status: 500 });
    harness.world.post(alice, 'quote', { quotes: quoted });
    const done = stream.until(() => stream.position === String(timeOf(-1)));
    for (const delay of [2_000, 6_000, 18_000, 30_000]) await harness.clock.passWhenAwaited(delay);
    await done;
    expect(harness.observer.rejections).toEqual(['post not fetched']);
    expect(harness.observer.statuses.filter((status) => status === 500)).toHaveLength(5);
    expect(harness.tweet(idOf(quoted))).toBeUndefined();
  });

  test('waits as long as the platform asks, before the next attempt', async () => {
    const quoted = harness.world.post(bob, 'quoted');
    const stream = await harness.follow({ targets: targets() });
    harness.world.post(alice, 'known');
    await stream.until(() => harness.archive.profile(userId(alice)) !== undefined);
    harness.appView.next.push({ status: 429, headers: { 'retry-after': '30' } });
    harness.world.post(alice, 'quote', { quotes: quoted });
    const done = stream.until(() => harness.tweet(idOf(quoted)) !== undefined);
    const asked = harness.appView.requests.length;
    while (harness.observer.statuses.at(-1) !== 429) await turn();
    await harness.clock.pass(29_000);
    expect(harness.appView.requests).toHaveLength(asked + 1);
    await harness.clock.pass(1_000);
    await done;
  });

  test('an address that the AppView declines does not keep the others from being fetched', async () => {
    const quoted = harness.world.post(bob, 'quoted');
    const stream = await harness.follow({ targets: targets() });
    harness.world.post(alice, 'known');
    await stream.until(() => harness.archive.profile(userId(alice)) !== undefined);
    harness.appView.next.push({ status: 400, body: '{"error":"InvalidRequest","message":"uris must be valid"}' });
    harness.world.post(alice, 'quote', { quotes: quoted });
    harness.world.post(alice, 'quote too', { quotes: `at://${bob}/app.bsky.feed.post/gone` });
    await stream.until(() => stream.position === String(timeOf(-1)));
    expect(harness.tweet(idOf(quoted))).toBeDefined();
    // Both together, then each alone.
    expect(harness.appView.count('getPosts')).toBe(3);
  });

  test('after a kill at any batch, the archive is the same as without', async () => {
    const carol = harness.world.account('carol.test', 'Carol');
    const others = [bob, carol].map((did) => harness.world.post(did, `by ${did}`));
    const begin = timeOf(-1) + 1;
    for (let index = 0; index < 12; index++) {
      harness.world.post(alice, `quote ${index}`, { quotes: others[index % 2]! });
      if (index % 3 === 0) harness.world.repost(alice, others[index % 2]!);
      if (index % 4 === 0) harness.world.follow(alice, index === 0 ? bob : carol);
    }
    const contents = (): string[] => {
      const { archive } = harness;
      const follows = archive.followings(userId(alice)).map((id) => `follows ${id}`);
      return [...archive.tweetIds, ...archive.profileIds, ...follows].toSorted();
    };

    /** Takes a batch. `isSlow`: the AppView answers nothing until the batch is there. */
    async function take(stream: RunningStream, isSlow: boolean): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      harness.appView.gate = isSlow ? promise : undefined;
      let isTaken = false;
      const next = stream.next().finally(() => (isTaken = true));
      // Where only the answer can bring a batch, it comes.
      for (let turns = 0; !isTaken; turns++) {
        await turn();
        if (harness.clock.waits.includes(300)) await harness.clock.pass(300);
        if (turns > 200) resolve();
      }
      resolve();
      await next;
    }

    async function run(kills: readonly number[], slow: readonly boolean[] = []): Promise<string[]> {
      await harness.beginAnew();
      let position = String(begin);
      const [pending, isSlow] = [[...kills], [...slow]];
      for (;;) {
        // A new process: it knows the archive and the position, nothing else.
        harness.newSource();
        const stream = await harness.follow({ targets: targets(), position });
        const batches = pending.shift() ?? Number.POSITIVE_INFINITY;
        for (let taken = 0; taken < batches && stream.position !== String(timeOf(-1)); taken++)
          await take(stream, isSlow.shift() ?? false);
        position = stream.position ?? position;
        await stream.stop();
        if (position === String(timeOf(-1))) return contents();
      }
    }
    const whole = await run([]);
    expect(whole).toHaveLength(12 + 4 + 2 + 3 + 2);
    const kills = fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(kills, fc.array(fc.boolean(), { maxLength: 20 }), async (at, slow) => {
        expect(await run(at, slow)).toEqual(whole);
      }),
      { numRuns: rounds(15) },
    );
  });
});
