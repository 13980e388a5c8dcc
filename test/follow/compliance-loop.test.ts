import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import { ComplianceLoop } from '../../server/follow/compliance-loop.ts';
import type { LiveBatch, LiveSource } from '../../server/ports/live-source.ts';
import { temporaryFolder } from '../support/folder.ts';
import { ManualClock, until } from '../support/manual-clock.ts';
import { openArchiveIn, type FileArchive } from '../support/stored-archive.ts';

const dayMs = 24 * 60 * 60 * 1000;
const tweet = (id: string): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, text: `text ${id}`, created_at: '2026-01-01T00:00:00.000Z', author_id: '1' },
});

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let archive: FileArchive;
let clock: ManualClock;
let asked: string[][];
let failures: string[];
let fails: boolean;
let running: { abort: AbortController; done: Promise<void> } | undefined;

/** A platform that wants the tweet 2 removed. */
async function* complianceCheck(tweets: AsyncIterable<ArchivedTweet>): AsyncGenerator<LiveBatch> {
  const ids: string[] = [];
  for await (const { id } of tweets) ids.push(id);
  asked.push(ids);
  yield { records: [{ kind: 'delete', tweet_id: '2', reason: 'withheld' }] };
  if (fails) throw new Error('the job failed');
}

function start(source: Pick<LiveSource, 'name' | 'complianceCheck'> = { name: 'x', complianceCheck }): void {
  const abort = new AbortController();
  const { sink, held } = archive;
  const loop = new ComplianceLoop({
    ...{ source, sink, clock },
    allTweets: () => held.tweets(),
    metrics: { rejected() {}, events() {}, requested() {}, reconnected() {}, gap() {} },
    onInvalid: (reason) => void failures.push(reason),
    onFailed: (error) => void failures.push((error as Error).message),
  });
  running = { abort, done: loop.run(abort.signal) };
}

async function stop(): Promise<void> {
  running?.abort.abort();
  await running?.done;
  running = undefined;
}

beforeEach(async () => {
  folder = await temporaryFolder();
  archive = await openArchiveIn(folder.path);
  clock = new ManualClock(Date.parse('2026-11-20T10:00:00Z'));
  [asked, failures, fails] = [[], [], false];
  await archive.sink.apply('file', { values: 3, done: true }, [tweet('1'), tweet('2'), tweet('3')]);
});
afterEach(async () => {
  await stop();
  await archive.close();
  await folder.dispose();
});

test('removes what the platform names, once a day, also across a restart', async () => {
  start();
  await until(() => clock.waits.length > 0);
  expect(asked).toEqual([['1', '2', '3']]);
  expect(archive.content.tombstone('2')).toMatchObject({ reason: 'withheld' });
  await stop();
  await archive.close();
  archive = await openArchiveIn(folder.path);
  start();
  await until(() => clock.waits.length > 0);
  expect(asked).toHaveLength(1);
  clock.jump(dayMs);
  await until(() => asked.length === 2);
  expect(asked[1]).toEqual(['1', '3']);
});

test('repeats a check that failed, and keeps what it removed', async () => {
  fails = true;
  start();
  await until(() => failures.length === 1);
  expect(failures).toEqual(['the job failed']);
  expect(archive.content.isRemoved('2')).toBe(true);
  fails = false;
  await until(() => clock.waits.length > 0);
  clock.jump(600_000);
  await until(() => asked.length === 2);
});

test('a platform without a compliance check is not asked', async () => {
  start({ name: 'bluesky' });
  await running?.done;
  expect(archive.content.position('compliance bluesky')).toBeUndefined();
});
