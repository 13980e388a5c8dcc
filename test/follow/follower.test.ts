// Tests server/follow/stream-writer.ts.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { maxQueuedRecords, maxStepRecords } from '../../server/follow/batch-queue.ts';
import { parseTarget } from '../../server/config/targets.ts';
import type { LiveSink } from '../../server/ports/live-sink.ts';
import { SourceError } from '../../server/ports/live-source.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import fc from '../support/property.ts';
import { linesOf } from '../support/stored-archive.ts';
import { rounds } from '../support/rounds.ts';
import { ReferenceSource } from '../ports/reference/live-source.ts';
import { accounts, targets } from './accounts.ts';
import { World } from './world.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let world: World;
beforeEach(async () => {
  folder = await temporaryFolder();
  world = new World(folder.path);
});
afterEach(async () => {
  jest.restoreAllMocks();
  world.platform.disturbances.refuse = world.platform.disturbances.failRequests = undefined;
  await world.stop();
  await folder.dispose();
});

const [alice, bob] = accounts;
const hourMs = 3_600_000;

/** A sink that a test changes. */
function wrapped(changes: (sink: LiveSink) => Partial<LiveSink>): { wrap: (sink: LiveSink) => LiveSink } {
  return {
    wrap: (sink) => ({
      resume: (fingerprint) => sink.resume(fingerprint),
      apply: (...call) => sink.apply(...call),
      position: (source) => sink.position(source),
      onPosition: (listener) => sink.onPosition(listener),
      follow: (...call) => sink.follow(...call),
      fingerprints: (prefix) => sink.fingerprints(prefix),
      ...changes(sink),
    }),
  };
}

describe('a follower', () => {
  test('reads the history of its targets, then what comes, and reports that it follows', async () => {
    const old = [world.platform.publish(alice, 'old'), world.platform.publish(bob, 'old too')];
    await world.start();
    await world.until(() => old.every((id) => world.has(id)) && world.platform.openConnections === 1);
    const id = world.platform.publish(alice, 'new');
    await world.until(() => world.has(id) && world.isCurrent);
    await world.pass(2000);
    expect(world.reports).toEqual([expect.stringMatching(/^following, \d{1,2} ms$/)]);
    expect(world.follower.status()).toMatchObject({
      connected: true,
      host: 'platform.test',
      targets: [{ target: `bluesky:${alice}`, title: `@${alice}`, state: 'following', read: 1 }, {}, {}],
    });
    expect(world.platform.histories.map(({ request }) => [request.limit, request.reconcile])).toEqual([
      [200, true],
      [200, true],
      [200, true],
    ]);
    expect(await world.metric('follow_events_total', { kind: 'post' })).toBe(1);
    expect(await world.metric('follow_connected')).toBe(1);
    expect(await world.metric('follow_targets')).toBe(3);
  });

  test('continues after a restart at its position, and reads no history again', async () => {
    await world.start();
    await world.until(() => world.platform.openConnections === 1);
    const before = world.platform.publish(alice, 'before');
    await world.until(() => world.isCurrent);
    await world.stop();
    const during = world.platform.publish(bob, 'while it was away');
    world.platform.remove(before);
    const histories = world.platform.histories.length;
    await world.start();
    await world.until(() => world.isCurrent);
    expect([world.has(before), world.has(during)]).toEqual([false, true]);
    expect(world.platform.histories.length).toBe(histories);
    expect(world.platform.connections.at(-1)?.position).toBe('1');
  });

  test('writes what comes within 20 ms, or 1,000 records, in one durable step', async () => {
    const steps: number[] = [];
    await world.start(
      targets,
      wrapped((sink) => ({
        follow: (source, position, records) => {
          steps.push(records.length);
          return sink.follow(source, position, records);
        },
      })),
    );
    await world.until(() => world.platform.openConnections === 1);
    for (let n = 0; n < 2000; n++) world.platform.publish(alice, `post ${n}`);
    await world.until(() => world.isCurrent, 1);
    // Each post is a record and a profile.
    expect(steps.reduce((sum, size) => sum + size, 0)).toBe(4000);
    expect(Math.max(...steps)).toBeLessThanOrEqual(maxStepRecords);
    expect(steps.length).toBeLessThan(20);
  });

  test('never holds more than its limit while the archive is slow, and loses nothing', async () => {
    let isBlocked = true;
    const gate = Promise.withResolvers<void>();
    await world.start(
      targets,
      wrapped((sink) => ({
        follow: async (...call) => {
          if (isBlocked) await gate.promise;
          return sink.follow(...call);
        },
      })),
    );
    await world.until(() => world.platform.openConnections === 1);
    const total = 3 * maxQueuedRecords;
    for (let n = 0; n < total; n++) world.platform.publish(alice, `post ${n}`);
    let largest = 0;
    let taken = -1;
    while (taken !== world.platform.taken) {
      taken = world.platform.taken;
      await world.pass(100, 10);
      largest = Math.max(largest, world.follower.status().queue);
    }
    expect(await world.metric('follow_queue')).toBe(largest);
    expect(largest).toBeGreaterThan(maxQueuedRecords - 2 * maxStepRecords);
    expect(largest).toBeLessThanOrEqual(maxQueuedRecords);
    expect(world.platform.taken * world.platform.batchSize).toBeLessThan(maxQueuedRecords);
    isBlocked = false;
    gate.resolve();
    await world.until(() => world.isCurrent);
    expect(world.archive.content.tweets).toBe(total);
  });

  test('connects again at the position of everything that came before', async () => {
    let gate = Promise.resolve();
    await world.start(
      targets,
      wrapped((sink) => ({
        follow: async (...call) => {
          await gate;
          return sink.follow(...call);
        },
      })),
    );
    await world.until(() => world.platform.openConnections === 1);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    for (let n = 0; n < 9; n++) world.platform.publish(alice, `post ${n}`);
    await world.until(() => world.platform.taken === 3);
    world.platform.cut();
    await world.pass(2000);
    expect(world.platform.connections.length).toBe(1);
    resolve();
    await world.until(() => world.platform.connections.length === 2);
    expect(world.platform.connections[1]?.position).toBe('9');
  });

  test('reads no history before the stream is connected, which brings what comes meanwhile', async () => {
    world.platform.disturbances.refuse = new SourceError('maintenance');
    await world.start();
    await world.pass(20_000, 200);
    expect([world.platform.connections.length > 2, world.platform.histories.length]).toEqual([true, 0]);
    world.platform.disturbances.refuse = undefined;
    await world.until(() => world.platform.histories.length === 3, 100);
    expect(world.platform.openConnections).toBe(1);
  });

  test('tries a write again while the archive fails, and keeps the order', async () => {
    let isFailing = false;
    await world.start(
      targets,
      wrapped((sink) => ({
        follow: (...call) => (isFailing ? Promise.reject(new Error('disk full')) : sink.follow(...call)),
      })),
    );
    await world.until(() => world.platform.openConnections === 1);
    isFailing = true;
    const id = world.platform.publish(alice, 'waits');
    world.platform.remove(id);
    await world.pass(5000);
    expect(world.has(id)).toBe(false);
    isFailing = false;
    await world.until(() => world.isCurrent, 50);
    expect(world.archive.content.isRemoved(id)).toBe(true);
    expect(world.reports.filter((line) => line.startsWith('archive'))).toEqual(['archive: failed', 'archive: good']);
  });

  test('counts records that are invalid, and goes on', async () => {
    await world.start();
    await world.until(() => world.platform.openConnections === 1);
    world.platform.publish(alice, 'x'.repeat(3_000_000));
    world.platform.sendRubbish();
    const id = world.platform.publish(alice, 'good');
    await world.until(() => world.has(id));
    expect(world.reports.filter((line) => line.startsWith('invalid'))).toEqual([
      expect.stringMatching(/^invalid: tweet\.text must/),
    ]);
    expect(await world.metric('follow_rejected_total', { reason: 'invalid' })).toBe(1);
    expect(await world.metric('follow_rejected_total', { reason: 'unreadable' })).toBe(1);
  });

  test('writes a position alone at most once a second, and the last one when it stops', async () => {
    const written: number[] = [];
    const sink = memorySink();
    const follow = sink.follow.bind(sink);
    sink.follow = (...call) => {
      written.push(Number(call[1]?.position));
      return follow(...call);
    };
    await world.start(targets.slice(0, 1), { wrap: () => sink });
    await world.until(() => world.platform.openConnections === 1);
    for (let n = 0; n < 200; n++) {
      world.platform.publish(bob, 'of an account that is not followed');
      await world.pass(50);
    }
    expect(written.length).toBeGreaterThan(5);
    expect(written.length).toBeLessThanOrEqual(12);
    world.platform.publish(bob, 'the last one');
    await world.pass(100);
    await world.follower.stop();
    expect(written.at(-1)).toBe(201);
  });
});

describe('the time between connections', () => {
  test('doubles from 250 ms to 30 s with full jitter, and begins anew after data', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    world.platform.disturbances.refuse = new SourceError('not now');
    await world.start(targets.slice(0, 1), { backfill: 0 });
    await world.until(() => world.platform.connections.length === 10, 100);
    const waits = world.clock.sleeps.filter((ms) => ms % 125 === 0 && ms <= 15_000 && ms !== 5000 && ms !== 10_000);
    expect(waits.slice(0, 9)).toEqual([125, 250, 500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
    expect(world.platform.connections.map(({ failures }) => failures)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await world.metric('follow_reconnects_total')).toBeGreaterThanOrEqual(9);
    world.platform.disturbances.refuse = undefined;
    await world.until(() => world.platform.openConnections === 1, 100);
    world.platform.publish(alice, 'data');
    await world.until(() => world.isCurrent);
    const sleeps = world.clock.sleeps.length;
    world.platform.cut();
    await world.until(() => world.platform.connections.length === 12);
    expect(world.clock.sleeps.slice(sleeps)).toContain(125);
    expect(world.platform.connections.at(-1)?.failures).toBe(1);
  });

  test('is at least what the platform asks for, and ten minutes after an error that lasts', async () => {
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
    world.platform.disturbances.refuse = new SourceError('too many', { retryAfterMs: 90_000 });
    await world.start(targets.slice(0, 1));
    await world.until(() => world.platform.connections.length === 1);
    await world.pass(89_000, 1000);
    expect(world.platform.connections.length).toBe(1);
    world.platform.disturbances.refuse = new SourceError('the token is rejected', { isPermanent: true });
    await world.pass(2000);
    expect(world.platform.connections.length).toBe(2);
    await world.pass(590_000, 10_000);
    expect(world.platform.connections.length).toBe(2);
    await world.pass(20_000, 1000);
    expect(world.platform.connections.length).toBe(3);
  });

  test('one report for a source that stays away, and one for its return; none for a reconnect', async () => {
    await world.start();
    await world.until(() => world.platform.openConnections === 1);
    world.platform.publish(alice, 'data');
    await world.pass(2000);
    for (let n = 0; n < 5; n++) {
      world.platform.cut();
      await world.until(() => world.platform.openConnections === 1);
      await world.pass(1500);
    }
    expect(world.reports).toEqual([expect.stringMatching(/^following/)]);
    expect(world.follower.isAway).toBe(false);
    world.platform.disturbances.refuse = new SourceError('maintenance');
    world.platform.cut();
    await world.pass(60_000, 500);
    expect(world.reports.slice(1)).toEqual(['away: maintenance']);
    expect(world.follower.isAway).toBe(true);
    expect(world.follower.status().lagMs).toBeGreaterThan(50_000);
    expect(await world.metric('follow_connected')).toBe(0);
    world.platform.disturbances.refuse = undefined;
    await world.pass(60_000, 500);
    expect(world.reports.slice(2)).toEqual([expect.stringMatching(/^following/)]);
  });
});

describe('targets', () => {
  test('change without a new connection; the history of a new one is read', async () => {
    const old = world.platform.publish(bob, 'old');
    await world.start(targets.slice(0, 1));
    await world.until(() => world.platform.openConnections === 1);
    world.follower.setTargets(targets.slice(0, 2));
    await world.until(() => world.has(old));
    const added = world.platform.publish(bob, 'by the stream');
    await world.until(() => world.has(added) && world.isCurrent);
    world.follower.setTargets(targets.slice(1, 2));
    await world.pass(100);
    const removed = world.platform.publish(alice, 'no longer followed');
    const last = world.platform.publish(bob, 'still followed');
    await world.until(() => world.has(last));
    expect(world.has(removed)).toBe(false);
    expect(world.platform.connections.length).toBe(1);
    expect(world.platform.updates.map((update) => update.map(({ title }) => title))).toEqual([
      [`@${alice}`, `@${bob}`],
      [`@${bob}`],
    ]);
  });

  test('one that is followed again after a while gets what was missed', async () => {
    await world.start(targets.slice(0, 2));
    await world.until(() => world.platform.openConnections === 1);
    const gone = world.platform.publish(bob, 'will be removed');
    await world.until(() => world.isCurrent);
    await world.stop();
    await world.start(targets.slice(0, 1));
    await world.until(() => world.platform.openConnections === 1);
    const missed = world.platform.publish(bob, 'missed');
    world.platform.remove(gone);
    await world.until(() => world.isCurrent);
    expect([world.has(gone), world.has(missed)]).toEqual([true, false]);
    await world.stop();
    await world.start(targets.slice(0, 2));
    await world.until(() => world.isCurrent);
    expect([world.has(gone), world.has(missed)]).toEqual([false, true]);
  });

  test('one that the platform does not know is reported once and tried again; the others are followed', async () => {
    const nobody = parseTarget('bluesky:nobody.example.com');
    await world.start([...targets.slice(0, 1), nobody]);
    await world.until(() => world.platform.openConnections === 1);
    const id = world.platform.publish(alice, 'post');
    await world.until(() => world.has(id));
    await world.pass(30 * 60_000, 10_000);
    const said = 'bluesky:nobody.example.com: no account nobody.example.com';
    expect(world.reports.filter((line) => line.startsWith('bluesky:'))).toEqual([said]);
    expect(world.follower.status().targets[1]).toMatchObject({
      state: 'failed',
      error: 'no account nobody.example.com',
    });
    world.platform.addAccount('nobody.example.com');
    const late = world.platform.publish('nobody.example.com', 'before it was known');
    await world.until(() => world.has(late), 1000);
    expect(world.platform.connections.length).toBe(1);
  });

  test('one that was not resolved while the position moved on is reconciled later, also after a crash', async () => {
    await world.start(targets.slice(0, 2));
    await world.until(() => world.platform.openConnections === 1);
    world.platform.publish(bob, 'first');
    await world.until(() => world.isCurrent);
    await world.stop();
    // At the next start the platform does not know one of them.
    const held = world.platform.hasAccount.bind(world.platform);
    const spy = jest
      .spyOn(world.platform, 'hasAccount')
      .mockImplementation((account) => account !== bob && held(account));
    await world.start(targets.slice(0, 2));
    await world.until(() => world.platform.openConnections === 1);
    const missed = world.platform.publish(bob, 'missed');
    const other = world.platform.publish(alice, 'seen');
    await world.until(() => world.has(other));
    await world.stop();
    spy.mockRestore();
    await world.start(targets.slice(0, 2));
    await world.until(() => world.isCurrent);
    expect(world.has(missed)).toBe(true);
  });

  test('without any, there is no connection; the first one opens it, and without the last one it ends', async () => {
    await world.start([]);
    await world.pass(60_000, 1000);
    expect(world.platform.connections.length).toBe(0);
    world.follower.setTargets(targets.slice(0, 1));
    await world.until(() => world.platform.openConnections === 1);
    world.follower.setTargets([]);
    await world.until(() => world.platform.openConnections === 0);
    expect(await world.metric('follow_reconnects_total')).toBe(0);
  });
});

describe('a gap', () => {
  const missed = (): { gone: string; added: string } => {
    const gone = world.platform.postsOf(alice)[0]!.id;
    world.platform.removeSilently(gone);
    const added = world.platform.publish(alice, 'missed');
    world.platform.forgotten = world.platform.log.length;
    return { gone, added };
  };
  beforeEach(async () => {
    await world.start();
    await world.until(() => world.platform.openConnections === 1);
    world.platform.publish(alice, 'first');
    await world.until(() => world.isCurrent);
  });

  test('of more than the source bridges, between two starts, is reconciled', async () => {
    await world.stop();
    const { gone, added } = missed();
    world.clock.jump(13 * hourMs);
    await world.start();
    await world.until(() => world.has(added));
    await world.until(() => !world.has(gone));
    expect(await world.metric('follow_gaps_total')).toBe(1);
  });

  test('that the source reports is reconciled', async () => {
    const { gone, added } = missed();
    world.platform.cut();
    world.platform.reportGap();
    await world.until(() => world.has(added) && !world.has(gone), 100);
    expect(await world.metric('follow_gaps_total')).toBe(1);
  });

  test('while it runs is reconciled once the source is back', async () => {
    world.platform.disturbances.refuse = new SourceError('maintenance');
    world.platform.cut();
    const { gone, added } = missed();
    await world.pass(13 * hourMs, 60_000);
    world.platform.disturbances.refuse = undefined;
    await world.until(() => world.has(added) && !world.has(gone), 1000);
    expect(await world.metric('follow_gaps_total')).toBe(1);
  });

  test('that is not reconciled before a crash is reconciled after it', async () => {
    await world.stop();
    const { gone, added } = missed();
    world.clock.jump(13 * hourMs);
    world.platform.disturbances.failRequests = undefined;
    let isHistoryFailing = true;
    const history = world.platform.histories;
    await world.start(targets, {
      open: async (observer) => {
        const source = new ReferenceSource(world.platform, world.archive.held, observer);
        const read = source.history.bind(source);
        source.history = async function* (target, request) {
          if (isHistoryFailing) throw new SourceError('the API is away');
          yield* read(target, request);
        };
        return source;
      },
    });
    await world.until(() => world.platform.openConnections === 1);
    const live = world.platform.publish(bob, 'live');
    await world.until(() => world.has(live));
    expect(world.reports.filter((line) => line.endsWith('the API is away'))).toHaveLength(3);
    await world.stop();
    isHistoryFailing = false;
    expect(history.length).toBe(3);
    await world.start();
    await world.until(() => world.isCurrent);
    expect([world.has(added), world.has(gone)]).toEqual([true, false]);
  });

  test('is measured from the last time at which the source was alive, not from its last event', async () => {
    for (let passed = 0; passed < 5 * 60_000; passed += 20_000) {
      world.platform.beat();
      await world.pass(20_000, 20_000);
    }
    await world.stop();
    world.clock.jump(12 * hourMs - 120_000);
    await world.start();
    await world.until(() => world.platform.openConnections === 1);
    expect(await world.metric('follow_gaps_total')).toBe(0);
  });

  test('is none after a long silence in which the source was alive', async () => {
    await world.stop();
    await world.start();
    await world.until(() => world.platform.openConnections === 1);
    for (let passed = 0; passed < 30 * hourMs; passed += 300_000) {
      world.platform.beat();
      await world.pass(300_000, 300_000);
    }
    expect(world.follower.status().lagMs).toBe(0);
    await world.stop();
    await world.start();
    await world.until(() => world.platform.openConnections === 1);
    expect(await world.metric('follow_gaps_total')).toBe(0);
  });
});

describe('whatever happens to the connection and the process', () => {
  /** The archive after an undisturbed reading of what a script publishes. */
  type Step =
    | { readonly do: 'publish'; readonly account: number }
    | { readonly do: 'remove'; readonly post: number }
    | { readonly do: 'cut' | 'rubbish' | 'wait' | 'restart' | 'crash' | 'crash after the write' };
  const content = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant('publish' as const), account: fc.nat(2) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), post: fc.nat(50) }) },
  );
  const fault = fc.record({
    do: fc.constantFrom('cut', 'rubbish', 'wait', 'restart', 'crash', 'crash after the write'),
  }) as fc.Arbitrary<Step>;

  /** A sink that stops to work, as the process that it belongs to. `after`: the last write is durable, but nobody learns it. */
  function mortal(): { options: ReturnType<typeof wrapped>; kill: (after: boolean) => void } {
    let state: 'alive' | 'dying' | 'dead' = 'alive';
    const dead = (): Promise<never> => Promise.reject(new Error('the process has ended'));
    return {
      kill: (after) => void (state = after ? 'dying' : 'dead'),
      options: wrapped((sink) => ({
        follow: async (...call) => {
          if (state === 'dead') return dead();
          const outcomes = await sink.follow(...call);
          if (state === 'alive') return outcomes;
          state = 'dead';
          return dead();
        },
        apply: (...call) => (state === 'dead' ? dead() : sink.apply(...call)),
      })),
    };
  }

  async function play(run: World, steps: readonly Step[], isDisturbed: boolean): Promise<string[]> {
    const posts: string[] = [];
    let process = mortal();
    await run.start(targets, process.options);
    await run.until(() => run.platform.openConnections === 1);
    // Without an event a source has no position: what was published and removed before that is not known.
    run.platform.publish(accounts[0], 'the first post');
    await run.until(() => run.isCurrent);
    for (const step of steps) {
      if (step.do === 'publish') posts.push(run.platform.publish(accounts[step.account]!, `post ${posts.length}`));
      else if (step.do === 'remove') {
        const id = posts[step.post % Math.max(1, posts.length)];
        if (id !== undefined && !run.platform.post(id).isRemoved) run.platform.remove(id);
      } else if (!isDisturbed) continue;
      else if (step.do === 'cut') run.platform.cut();
      else if (step.do === 'rubbish') run.platform.sendRubbish();
      else if (step.do === 'wait') await run.pass(40, 10);
      else {
        if (step.do !== 'restart') {
          process.kill(step.do === 'crash after the write');
          await run.pass(40, 10);
        }
        await run.stop();
        process = mortal();
        await run.start(targets, process.options);
      }
    }
    await run.until(() => run.isCurrent, 20);
    return linesOf(run.archive);
  }

  test('the archive has the same content as without', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: content }, { weight: 1, arbitrary: fault }), { maxLength: 40 }),
        fc.nat(5),
        fc.boolean(),
        async (steps, repeat, reorder) => {
          const [own, other] = [await temporaryFolder(), await temporaryFolder()];
          const [disturbed, quiet] = [new World(own.path), new World(other.path)];
          Object.assign(disturbed.platform.disturbances, { repeat, reorder });
          try {
            const times = (lines: readonly string[]): string[] =>
              lines.map((line) => line.replaceAll(/"20\d\d-[^"]*"/g, '""'));
            expect(times(await play(disturbed, steps, true))).toEqual(times(await play(quiet, steps, false)));
          } finally {
            await disturbed.stop();
            await quiet.stop();
            await own.dispose();
            await other.dispose();
          }
        },
      ),
      { numRuns: rounds(30, 2) },
    );
  });
});

test('a secret in an error of the source is in no report and no state', async () => {
  const secret = 'the-secret-token';
  await world.start(targets, {
    redact: (text) => text.replaceAll(secret, '…'),
    open: () => Promise.reject(new SourceError(`the token ${secret} is rejected`, { isPermanent: true })),
  });
  await world.pass(20_000, 1000);
  expect(world.reports).toEqual(['away: the token … is rejected']);
  expect(JSON.stringify(world.follower.status())).not.toContain(secret);
});
