// Tests server/follow/connection-state.ts, server/follow/followers.ts, server/follow/histories.ts,
// server/follow/operator-reports.ts and server/follow/target-resolver.ts.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { setTimeout as realTime } from 'node:timers/promises';
import { readConfig } from '../../server/config/config.ts';
import { FollowService, type FollowServiceParts } from '../../server/follow/follow-service.ts';
import { openTargetStore } from '../../server/follow/target-store.ts';
import { parseTargets } from '../../server/config/targets.ts';
import { SourceError } from '../../server/ports/live-source.ts';
import { ReferencePlatform, ReferenceSource } from '../ports/reference/live-source.ts';
import { temporaryFolder } from '../support/folder.ts';
import { accounts } from './accounts.ts';
import type { TargetStatus } from '../../server/follow/status.ts';
import { openArchiveIn, type FileArchive } from '../support/stored-archive.ts';
import { ManualClock } from '../support/manual-clock.ts';

const [alice, bob] = accounts;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let platform: ReferencePlatform;
let archive: FileArchive;
let service: FollowService;
let said: string[];
let logged: string[];
let opened: { readonly source: string; readonly token: string | undefined }[];

async function open(follow = '', more: Partial<FollowServiceParts> = {}): Promise<void> {
  archive = await openArchiveIn(folder.path);
  const { store, sink, held } = archive;
  const settings = { ...readConfig({}).follow, targets: parseTargets(follow) };
  const log = (level: string) => (about: unknown, message?: string) =>
    void logged.push(`${level}: ${message} ${JSON.stringify(about)}`);
  service = new FollowService({
    settings,
    keepsAll: true,
    store: await openTargetStore(store),
    ...{ sink, held },
    documents: store,
    openSource: async (source, { token, held, observer }) => {
      opened.push({ source, token });
      if (source === 'x') throw new SourceError(`the token ${token} is rejected`, { isPermanent: true });
      return new ReferenceSource(platform, held, observer);
    },
    logger: { info: log('info'), warn: log('warn'), error: log('error') },
    announce: (line) => void said.push(line),
    clock,
    ...more,
  });
}
async function close(): Promise<void> {
  await service.stop();
  await archive.close();
}
async function until(holds: () => boolean): Promise<void> {
  for (let steps = 0; !holds(); steps++) {
    if (steps > 5000) throw new Error(`it did not happen: ${JSON.stringify(service.statuses())} ${said.join('\n')}`);
    await realTime(1);
    clock.jump(20);
  }
}
const states = (): string[] => service.statuses().flatMap(({ targets }) => targets.map(({ state }) => state));

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  platform = new ReferencePlatform(clock.now);
  for (const account of accounts) platform.addAccount(account);
  [said, logged, opened] = [[], [], []];
});
afterEach(async () => {
  await close();
  await folder.dispose();
});

test('follows what the configuration and the stored list name, and says so once', async () => {
  await open(`bluesky:${alice}`);
  expect(service.isFollowing).toBe(true);
  service.start();
  await until(() => platform.openConnections === 1);
  expect(await service.add([`bluesky:@${bob.toUpperCase()}`, `bluesky:${bob}`])).toEqual([`bluesky:${bob}`]);
  await until(() => states().every((state) => state === 'following') && states().length === 2);
  platform.publish(bob, 'live');
  await until(() => said.length === 1 && archive.content.tweets === 1);
  expect(said).toEqual([expect.stringMatching(/^following [12] accounts? on Bluesky(, 0\.\d s behind)?$/)]);
  expect(service.following()).toEqual([
    {
      source: 'bluesky',
      title: 'Bluesky',
      following: '2 accounts on Bluesky',
      connected: true,
      lag_seconds: expect.any(Number),
    },
  ]);
  await close();
  // The stored one is followed by the next process too.
  said = [];
  await open();
  expect(service.isFollowing).toBe(true);
  service.start();
  await until(() => states().join() === 'following');
  expect(service.statuses()[0]?.targets[0]?.target).toBe(`bluesky:${bob}`);
});

test('a start while the platform cannot find accounts streams at once those that were found before', async () => {
  await open(`bluesky:${alice}`);
  service.start();
  await until(() => states().join() === 'following');
  await close();
  platform.publish(alice, 'meanwhile');
  const openSource: FollowServiceParts['openSource'] = async (_name, { held, observer }) =>
    Object.assign(new ReferenceSource(platform, held, observer), {
      resolve: async () => Promise.reject(new SourceError('the directory is away')),
    });
  await open(`bluesky:${alice},bluesky:${bob}`, { openSource });
  service.start();
  await until(() => platform.openConnections === 1 && archive.content.tweets === 1);
  platform.publish(alice, 'live');
  await until(() => archive.content.tweets === 2 && states().join() === 'following,failed');
  expect(service.statuses()[0]?.targets).toMatchObject([
    { title: `@${alice}`, state: 'following', error: 'the directory is away' },
    { state: 'failed', error: 'the directory is away' },
  ]);
  // A new target waits for the platform; the caller learns why it is not followed.
  expect(await service.resolutions([`bluesky:${bob}`])).toMatchObject([{ error: 'the directory is away' }]);
});

test('a purge of a search erases the posts that no other target brings', async () => {
  await open(`bluesky:${alice}`);
  service.start();
  await service.add(['bluesky:search:tea', 'bluesky:search:tea -milk', 'bluesky:search:coffee', 'x:search:tea']);
  await until(() => states().filter((state) => state === 'following').length === 4);
  const aliceId = (await archive.held.userIdOfName(alice)) ?? '';
  const post = (id: string, text: string, author_id: string, uri: string | undefined = `at://did:web:x/p/${id}`) => ({
    kind: 'tweet' as const,
    tweet: { id, text, author_id, created_at: '2026-01-01T00:00:00.000Z', ...(uri === '' ? {} : { uri }) },
  });
  await archive.sink.apply('f', { values: 1, done: true }, [
    ...[post('1', 'tea with milk', '77'), post('2', 'green tea', '77'), post('3', 'coffee, tea, milk', '77')],
    ...[post('4', 'tea with milk', aliceId), post('5', 'tea with milk of X', '78', ''), post('6', 'water', '77')],
  ]);
  expect(await service.postsOf(['bluesky:search:tea'])).toEqual(['1']);
  expect((await service.postsOf(['bluesky:search:tea', 'bluesky:search:tea -milk'])).toSorted()).toEqual(['1', '2']);
  expect(await service.postsOf([`bluesky:${alice}`])).toEqual([]);
  expect(await service.userIdsOf(['bluesky:search:tea'])).toEqual(new Map([['bluesky:search:tea', []]]));
  await expect(service.userIdsOf(['x:search:tea'])).rejects.toThrow('npm run erase -- --query QUERY');
});

test('lists what the archive holds of each target', async () => {
  platform.publish(alice, 'first');
  clock.jump(3_600_000);
  platform.publish(alice, 'second');
  await open(`bluesky:${alice},bluesky:did:web:${bob},bluesky:search:tea`);
  service.start();
  await until(() => states().every((state) => state === 'following'));
  const { sources, isRunning } = await service.list();
  expect(isRunning).toBe(true);
  expect(sources[0]?.targets).toMatchObject([
    {
      target: `bluesky:${alice}`,
      tweets: 2,
      newest: platform.postsOf(alice)[0]?.at,
      isConfigured: true,
      isCounted: true,
    },
    { target: `bluesky:did:web:${bob}`, tweets: 0, oldest: undefined, isCounted: true },
    { target: 'bluesky:search:tea', isCounted: false },
  ]);
  expect(sources[0]!.targets[0]!.newest! - sources[0]!.targets[0]!.oldest!).toBe(3_600_000);
  // Without a server the handle and the DID are found in the archive.
  await close();
  await open(`bluesky:${alice},bluesky:did:web:${alice}`);
  expect(await service.list()).toMatchObject({
    isRunning: false,
    sources: [{ targets: [{ tweets: 2 }, { tweets: 2 }] }],
  });
});

describe('removing a target', () => {
  test('ends the connection with the last one, and keeps what it brought', async () => {
    const id = platform.publish(alice, 'stays');
    await open();
    service.start();
    await service.add([`bluesky:${alice}`]);
    await until(() => states().join() === 'following');
    expect(await service.remove([`bluesky:${alice}`], false)).toEqual({ removed: [`bluesky:${alice}`], userIds: [] });
    await until(() => platform.openConnections === 0);
    expect(archive.content.has(id)).toBe(true);
    expect([service.isFollowing, service.statuses(), service.following()]).toEqual([false, [], []]);
    await expect(service.remove([`bluesky:${alice}`], false)).rejects.toThrow(/is not followed/);
  });

  test('of the configuration is rejected', async () => {
    await open(`bluesky:${alice}`);
    await expect(service.remove([`bluesky:${alice}`], false)).rejects.toThrow(/comes from FOLLOW or --follow/);
  });

  test('names its accounts for an erasure, also when the command is repeated; adding it again ends the erasure', async () => {
    const id = platform.publish(alice, 'erased');
    await open();
    service.start();
    await service.add([`bluesky:${alice}`]);
    await until(() => states().join() === 'following');
    const { userIds } = await service.remove([`bluesky:${alice}`], true);
    expect(userIds).toHaveLength(1);
    await archive.sink.apply('erase', { values: 1, done: true }, [{ kind: 'withdraw', user_id: userIds[0]! }]);
    expect(archive.content.tweets).toBe(0);
    // As after a crash between the removal and the erasure.
    expect(await service.remove([`bluesky:${alice}`], true)).toEqual({ removed: [`bluesky:${alice}`], userIds });
    await service.add([`bluesky:${alice}`]);
    await until(() => archive.content.has(id));
    expect(archive.content.isWithdrawn(userIds[0]!)).toBe(false);
  });

  test('that is a search of X cannot be erased with it', async () => {
    await open();
    await service.add(['x:search:tea']);
    await expect(service.remove(['x:search:tea'], true)).rejects.toThrow(/use npm run erase -- --query/);
    expect(service.isFollowing).toBe(true);
  });
});

test('reads the history of a target again with another depth, and reports the progress', async () => {
  for (let n = 0; n < 6; n++) platform.publish(alice, `old ${n}`);
  await open(`bluesky:${alice}`, {
    settings: { ...readConfig({}).follow, targets: parseTargets(`bluesky:${alice}`), backfill: 2 },
  });
  service.start();
  await until(() => states().join() === 'following');
  expect(archive.content.tweets).toBe(2);
  const progress: number[] = [];
  const { signal } = new AbortController();
  let isDone = false;
  const reading = service
    .backfill([`bluesky:${alice}`], 6, ([state]) => void progress.push(state?.read ?? -1), signal)
    .then(() => (isDone = true));
  await until(() => isDone);
  await reading;
  expect(archive.content.tweets).toBe(6);
  expect([...new Set(progress)]).toEqual([0, 2, 4, 6]);
  await expect(service.backfill(['bluesky:nobody.example.com'], 6, () => {}, signal)).rejects.toThrow(
    /is not followed/,
  );
});

describe('what cannot be followed', () => {
  test('the whole network without RETAIN: rejected as a new target, one line for a stored one; the rest is followed', async () => {
    await open('', { keepsAll: false });
    await service.add(['bluesky:*', `bluesky:${alice}`]);
    await close();
    await open();
    await expect(service.add(['bluesky:*'])).rejects.toThrow(/needs a limit: set RETAIN/);
    service.start();
    await until(() => states().includes('following'));
    expect(states()).toEqual(['failed', 'following']);
    expect(said.filter((line) => line.startsWith('cannot'))).toEqual([
      'cannot follow bluesky:*: the whole network needs a limit: set RETAIN, such as RETAIN=1000000 or RETAIN=7d',
    ]);
  });

  test('an unknown account is one line, and is tried again', async () => {
    await open('bluesky:nobody.example.com');
    service.start();
    await until(() => said.length > 0);
    for (let n = 0; n < 20; n++) {
      clock.jump(60_000);
      await realTime(1);
    }
    expect(said).toEqual([
      'cannot follow bluesky:nobody.example.com: no account nobody.example.com; the service tries again',
    ]);
    expect(service.warnings()).toEqual([]);
  });

  test('a stored target that this version cannot read does not stop the start', async () => {
    await open();
    await service.add([`bluesky:${alice}`]);
    await close();
    const other = await openArchiveIn(folder.path);
    const document = await other.store.document<{ targets: unknown[] }>('follow', { targets: [] });
    await document.update(
      (data) => void data.targets.push({ target: 'myspace:tom', added_at: '2026-01-01T00:00:00.000Z' }),
    );
    await other.close();
    await open();
    service.start();
    await until(() => states().join() === 'following');
  });
});

test('a platform that is away is a warning without details, and one log line; its return is another', async () => {
  await open(`bluesky:${alice}`);
  service.start();
  await until(() => platform.openConnections === 1);
  platform.publish(alice, 'data');
  await until(() => said.length === 1);
  expect(service.warnings()).toEqual([]);
  platform.disturbances.refuse = new SourceError('connect ECONNREFUSED 10.0.0.1:443');
  platform.cut();
  await until(() => service.warnings().length > 0);
  expect(service.warnings()).toEqual([expect.stringMatching(/^Bluesky is away: its data is \d+\.\d s old$/)]);
  expect(service.following()).toMatchObject([{ connected: false }]);
  platform.disturbances.refuse = undefined;
  await until(() => service.warnings().length === 0);
  expect(logged).toEqual([
    expect.stringMatching(/^warn: Bluesky is away; the service tries again .*ECONNREFUSED/),
    expect.stringMatching(/^info: following 1 account on Bluesky/),
  ]);
});

test('a target whose source cannot be opened has the error of the source', async () => {
  await open('', { openSource: async () => Promise.reject(new SourceError('X needs a bearer token')) });
  service.start();
  await service.add(['x:ada']);
  let found: readonly TargetStatus[] | undefined;
  void service.resolutions(['x:ada']).then((states) => (found = states));
  await until(() => found !== undefined);
  expect(found).toMatchObject([{ target: 'x:ada', state: 'waiting', error: expect.stringContaining('bearer token') }]);
});

test('a token is used for its source, replaces the last one, and appears in no line, log or list', async () => {
  const [first, second] = ['the-first-secret-token', 'the-second-secret-token'];
  await open();
  await service.setToken('x', first);
  await expect(service.setToken('y', first)).rejects.toThrow("there is no source 'y'");
  service.start();
  await service.add(['x:ada']);
  await until(() => said.length > 0);
  expect(said).toEqual(['cannot follow X: the token … is rejected; the service tries again']);
  await service.setToken('x', second);
  await until(() => opened.length > 1);
  expect(opened.map(({ token }) => token)).toEqual([first, second]);
  await until(() => service.statuses()[0]?.error !== undefined);
  const shown = JSON.stringify([said, logged, service.list(), service.warnings(), service.following()]);
  expect(shown).toContain('the token … is rejected');
  expect(shown).not.toMatch(/secret-token/);
});
