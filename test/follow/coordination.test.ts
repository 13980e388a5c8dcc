// Tests server/follow/target-contents.ts.
/** Several services share a storage: one of them follows. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setTimeout as realTime } from 'node:timers/promises';
import { readConfig } from '../../server/config/config.ts';
import { FollowCoordination } from '../../server/follow/follow-coordination.ts';
import { FollowService } from '../../server/follow/follow-service.ts';
import { openTargetStore } from '../../server/follow/target-store.ts';
import { parseTargets } from '../../server/config/targets.ts';
import { leadingSink } from '../../server/follow/leading-sink.ts';
import type { TargetStatus } from '../../server/follow/status.ts';
import { openReadBudget } from '../../server/follow/x/budget.ts';
import { ReferencePlatform, ReferenceSource } from '../ports/reference/live-source.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openArchiveIn, type FileArchive } from '../support/stored-archive.ts';
import { SharedDocuments } from '../support/shared-document.ts';
import { accounts } from './accounts.ts';

const [alice, bob] = accounts;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let clock: ManualClock;
let platform: ReferencePlatform;
let archive: FileArchive;
let documents: SharedDocuments;
let leader: string | undefined;
let opened: { readonly source: string; readonly token: string | undefined }[];
let services: FollowService[];

async function open(name: string, follow = ''): Promise<FollowService> {
  const { store, sink, held } = archive;
  const shared = { shared: true, now: clock.now, document: documents.document.bind(documents) };
  const service = new FollowService({
    settings: { ...readConfig({}).follow, targets: parseTargets(follow) },
    keepsAll: true,
    store: await openTargetStore({ ...store, ...shared }),
    ...{ sink, held },
    documents: shared,
    openSource: async (source, { token, held, observer }) => {
      opened.push({ source, token });
      return new ReferenceSource(platform, held, observer);
    },
    logger: { info: () => {}, warn: () => {}, error: () => {} },
    announce: () => {},
    clock,
    coordination: await FollowCoordination.open({ ...store, ...shared }, clock, () => leader === name),
  });
  services.push(service);
  return service;
}
async function until(holds: () => boolean): Promise<void> {
  for (let steps = 0; !holds(); steps++) {
    if (steps > 5000) throw new Error(`it did not happen: ${String(holds)}`);
    await realTime(1);
    clock.jump(20);
  }
}
/** The result of something that needs time to pass. */
async function whenDone<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = (): void => void (isOver = true);
  work.then(end, end);
  await until(() => isOver);
  return work;
}
const statesOf = (service: FollowService): string =>
  service
    .statuses()
    .flatMap(({ targets }) => targets.map(({ state }) => state))
    .join();

beforeEach(async () => {
  folder = await temporaryFolder();
  clock = new ManualClock();
  platform = new ReferencePlatform(clock.now);
  for (const account of accounts) platform.addAccount(account);
  archive = await openArchiveIn(folder.path);
  documents = new SharedDocuments();
  [opened, services] = [[], []];
  leader = 'a';
});
afterEach(async () => {
  for (const service of services) await service.stop();
  await archive.close();
  await folder.dispose();
});

test('the leader follows, the others show its state, and the next leader goes on', async () => {
  const [a, b] = [await open('a', `bluesky:${alice}`), await open('b')];
  a.start();
  b.start();
  await until(() => statesOf(b) === 'following');
  expect(platform.openConnections).toBe(1);
  expect([a.isRunning, b.isRunning, a.reading, b.reading]).toEqual([true, false, ['bluesky'], []]);
  expect(b.following()).toMatchObject([{ following: '1 account on Bluesky', connected: true }]);
  expect([a.ownStatuses().length, b.ownStatuses().length]).toEqual([1, 0]);
  expect(await b.list()).toMatchObject({ isRunning: true, sources: [{ targets: [{ target: `bluesky:${alice}` }] }] });
  // A target that any process stores is followed by the leader.
  await b.add([`bluesky:${bob}`]);
  expect(await whenDone(b.resolutions([`bluesky:${bob}`]))).toMatchObject([{ title: `@${bob}` }]);
  platform.publish(bob, 'one');
  await until(() => archive.content.tweets === 1);
  leader = undefined;
  await until(() => platform.openConnections === 0);
  platform.publish(bob, 'two');
  leader = 'b';
  await until(() => archive.content.tweets === 2 && platform.openConnections === 1);
  expect(platform.connections.at(-1)?.position).toBe('1');
  expect([a.isRunning, b.isRunning, a.reading, b.reading]).toEqual([false, true, [], ['bluesky']]);
});

test('nobody follows: the others say so when the last state is old', async () => {
  const [a, b] = [await open('a', `bluesky:${alice}`), await open('b', `bluesky:${alice}`)];
  a.start();
  b.start();
  await until(() => statesOf(b) === 'following');
  expect(b.warnings()).toEqual([]);
  // Killed: it cannot say that it ends.
  leader = undefined;
  await until(() => b.warnings().length > 0);
  expect([b.warnings(), (await b.list()).isRunning]).toEqual([['no instance follows the live platforms'], false]);
  const refused = b.backfill([`bluesky:${alice}`], 5, () => {}, new AbortController().signal);
  await expect(refused).rejects.toThrow(/cannot be read yet/);
});

test('a history is read again at the request of any process, by the leader', async () => {
  const [a, b] = [await open('a', `bluesky:${alice}`), await open('b')];
  a.start();
  b.start();
  await until(() => statesOf(b) === 'following');
  const before = platform.histories.length;
  const seen: string[] = [];
  const report = (targets: readonly TargetStatus[]): void => void seen.push(targets.map(({ state }) => state).join());
  await whenDone(b.backfill([`bluesky:${alice}`], 77, report, new AbortController().signal));
  expect(platform.histories.length).toBe(before + 1);
  expect(platform.histories.at(-1)?.request.limit).toBe(77);
  expect(seen.at(-1)).toBe('following');
});

test('a token that another process stores is used at once', async () => {
  const [a, b] = [await open('a', 'x:someone'), await open('b')];
  a.start();
  b.start();
  await until(() => opened.length === 1);
  await b.setToken('x', 'a-new-token');
  await until(() => opened.length === 2);
  expect(opened.map(({ token }) => token)).toEqual([undefined, 'a-new-token']);
});

test('a process whose lease has ended writes nothing more', async () => {
  let leads = true;
  const sink = leadingSink(archive.sink, () => leads);
  await sink.follow('bluesky', { position: '1', at: 1 }, []);
  leads = false;
  await expect(sink.follow('bluesky', { position: '0', at: 1 }, [])).rejects.toMatchObject({ name: 'StoreError' });
  await expect(sink.apply('f', { values: 1, done: true }, [])).rejects.toMatchObject({ name: 'StoreError' });
  expect([(await sink.position('bluesky'))?.position, await sink.resume('f')]).toEqual(['1', undefined]);
});

test('two processes that count reads of one day do not lose any', async () => {
  const budgets = [await openReadBudget(documents, 100, clock), await openReadBudget(documents, 100, clock)];
  const reservations = await Promise.all(budgets.map((budget) => budget.take(10)));
  await budgets[0]?.take(5);
  await reservations[1]?.settle(3);
  const next = await openReadBudget(documents, 100, clock);
  expect(next.left).toBe(100 - 10 - 5 - 3);
});
