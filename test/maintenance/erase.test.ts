import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectControl } from '../../server/admin/control-client.ts';
import { startControl } from '../../server/admin/control-server.ts';
import { openConversations } from '../../server/assistant/journal-conversations.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { uploadedFiles } from '../../server/maintenance/data-directory.ts';
import { eraseRoutes, previewRoutes } from '../../server/maintenance/erase/erase-routes.ts';
import { ErasedDurableArchive } from '../../server/maintenance/erase/erased-archive.ts';
import { Eraser } from '../../server/maintenance/erase/eraser.ts';
import type { EraseRequest } from '../../server/maintenance/erase/erasure.ts';
import { openEraser } from '../../server/maintenance/erase/open-eraser.ts';
import { Housekeeping } from '../../server/maintenance/retention/housekeeping.ts';
import { RetainedDurableArchive } from '../../server/maintenance/retention/retained-archive.ts';
import type { DurableArchive } from '../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { readConfig } from '../../server/config/config.ts';
import { openEventLog } from '../../server/realtime/journal-event-log.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { openInFolder } from '../support/open-in-folder.ts';

const day = 86_400_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const user = (id: string): ArchiveRecord => ({
  kind: 'user',
  user: { id, username: `u${id}`, name: `secret name ${id}` },
});
const tweet = (id: number, author_id: string, more: object = {}): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    id: String(id),
    author_id,
    text: `secret text ${id}`,
    created_at: new Date(start + id * day).toISOString(),
    ...more,
  },
});
const records: ArchiveRecord[] = [
  ...['1', '2', '3'].map(user),
  tweet(1, '1'),
  tweet(2, '1', { text: 'secret coffee' }),
  tweet(3, '2', { text: 'secret coffee too', quoted_tweet_id: '1' }),
  tweet(4, '2', { in_reply_to_id: '1' }),
  tweet(5, '3', { retweeted_tweet_id: '1', text: 'RT secret text 1' }),
  { kind: 'follow', follower_id: '1', following_id: '2' },
  { kind: 'follow', follower_id: '2', following_id: '1' },
  { kind: 'follow', follower_id: '2', following_id: '3' },
  { kind: 'retweet', tweet_id: '1', user_id: '3' },
  { kind: 'highlight', user_id: '2', tweet_id: '2' },
  { kind: 'like', tweet_id: '2' },
];

const { folder, opened } = openInFolder();

async function open(purgeWithinMs = 0) {
  const store = await openLowdbStore(folder.path);
  opened.push(store);
  const log = await openEventLog(store, { ageMs: 1e12, events: 1e6 });
  const durable = await openArchive(store, log);
  const conversations = await openConversations({
    store,
    secret: Buffer.alloc(32, 7),
    ttlMs: 1e9,
    waitMs: 1000,
    now: Date.now,
  });
  const parts = { durable, conversations, purgeWithinMs, uploads: () => uploadedFiles(folder.path) };
  return {
    store,
    log,
    durable,
    conversations,
    parts,
    eraser: new Eraser({ ...parts, archive: new ErasedDurableArchive(durable, async () => []) }),
  };
}

async function filled(purgeWithinMs = 0) {
  const service = await open(purgeWithinMs);
  await service.durable.apply('f', { values: 1, done: true }, structuredClone(records));
  for (const tweetId of ['1', '4']) {
    const conversation = await service.conversations.start('key', tweetId);
    await conversation.append(
      { prompt: null, answer: `secret answer about ${tweetId}` },
      { tweetIds: new Set([tweetId]), userIds: new Set() },
    );
    conversation.release();
  }
  return service;
}

const served = ({ archive }: DurableArchive): string[] =>
  ['1', '2', '3', '4', '5'].filter((id) => archive.ordinal(id) !== undefined);

/** Returns no text for a file that disappeared. Throws any other error. */
function unlessMissing(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error;
  return '';
}

/** The secrets that a file of the folder holds. */
async function secretsOnDisk(): Promise<string[]> {
  const found = new Set<string>();
  for (const entry of await readdir(folder.path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    // A file that replaces another one disappears under its temporary name.
    const text = await readFile(join(entry.parentPath, entry.name), 'utf8').catch(unlessMissing);
    for (const [secret] of text.matchAll(/secret [^"]*/g)) found.add(secret);
  }
  return [...found].toSorted();
}

describe('an erasure', () => {
  test.each<[string, EraseRequest, object, string[]]>([
    [
      'of tweets',
      { kind: 'tweets', ids: ['2', '2', '77'] },
      { tweets: 2, users: 0, relations: 2, conversations: 0 },
      ['1', '3', '4', '5'],
    ],
    [
      'of a tweet with its native retweets',
      { kind: 'tweets', ids: ['1'] },
      { tweets: 2, users: 0, relations: 1, conversations: 1 },
      ['2', '3', '4'],
    ],
    ['of a user', { kind: 'user', user: 'U1' }, { tweets: 3, users: 1, relations: 5, conversations: 1 }, ['3', '4']],
    [
      'before a time',
      { kind: 'before', time: start + 2 * day },
      { tweets: 2, users: 0, relations: 1, conversations: 1 },
      ['2', '3', '4'],
    ],
    [
      'by a query',
      { kind: 'query', query: 'coffee' },
      { tweets: 2, users: 0, relations: 2, conversations: 0 },
      ['1', '4', '5'],
    ],
  ])('%s counts first, then removes exactly that, once', async (_name, request, counts, left) => {
    const { durable, eraser, log } = await filled();
    const head = log.head;
    expect(await eraser.preview(request)).toEqual(counts);
    expect([served(durable), log.head]).toEqual([['1', '2', '3', '4', '5'], head]);
    const progress: number[][] = [];
    const report = await eraser.erase(request, (done, of) => progress.push([done, of]));
    expect(report).toMatchObject({ kind: request.kind, erased: counts });
    expect(served(durable)).toEqual(left);
    expect(progress.at(-1)?.[0]).toBe(progress.at(-1)?.[1]);
    // After an erasure only the id of a user is known.
    const again: EraseRequest = request.kind === 'user' ? { kind: 'user', user: '1' } : request;
    expect(await eraser.preview(again)).toEqual({ tweets: 0, users: 0, relations: 0, conversations: 0 });
    expect((await eraser.erase(again)).erased).toMatchObject({ tweets: 0 });
  });

  test('removes the texts from every file, the names and the conversations too', async () => {
    const { eraser, store } = await filled();
    expect(await secretsOnDisk()).toContain('secret answer about 1');
    const report = await eraser.erase({ kind: 'user', user: 'u1' });
    const left = ['secret answer about 4', 'secret coffee too', 'secret name 2', 'secret name 3', 'secret text 4'];
    expect(await secretsOnDisk()).toEqual(left);
    expect(Date.parse(report.off_disk_by)).toBeLessThanOrEqual(Date.parse(report.finished_at));
    await store.close();
    opened.length = 0;
    const { durable } = await open();
    expect(served(durable)).toEqual(['3', '4']);
    await durable.apply('g', { values: 1, done: true }, structuredClone(records));
    expect(served(durable)).toEqual(['3', '4']);
  });

  test('reports a proof without a text, a name or an id', async () => {
    const { eraser } = await filled(day);
    const before = Date.now();
    const report = await eraser.erase({ kind: 'user', user: 'u1' });
    expect(report.ids_sha256).toBe(createHash('sha256').update(['1', '1', '2', '5'].join('\n')).digest('hex'));
    expect(Date.parse(report.off_disk_by) - before).toBeGreaterThanOrEqual(day);
    expect(report.remaining).toEqual([expect.stringContaining('backups and exports made before')]);
    expect(JSON.stringify(report)).not.toMatch(/secret|u1/);
  });

  test('names the uploaded files that are not imported', async () => {
    const { eraser } = await filled();
    await mkdir(join(folder.path, 'uploads'));
    for (const name of ['ab', 'ab.json', 'cd']) await writeFile(join(folder.path, 'uploads', name), '{}');
    const { remaining } = await eraser.erase({ kind: 'tweets', ids: ['1'] });
    expect(remaining.at(-1)).toBe(
      'uploads/: uploaded files that are not imported (2); cancel them on /import, or a running server removes each a day after its last part',
    );
  });

  test('of a user that is erased already is known by the id, and by no name', async () => {
    const { eraser } = await filled();
    await eraser.erase({ kind: 'user', user: '1' });
    expect((await eraser.erase({ kind: 'user', user: '1' })).erased).toMatchObject({ tweets: 0, users: 0 });
    await expect(eraser.preview({ kind: 'user', user: 'u1' })).rejects.toThrow('the archive has no user u1');
    await expect(eraser.preview({ kind: 'query', query: '(a' })).rejects.toThrow("'query' cannot be read");
  });

  test('that is interrupted is completed by the same request', async () => {
    const { durable, eraser, parts } = await filled();
    const many = Array.from({ length: 1200 }, (_, index) => tweet(1000 + index, '3'));
    await durable.apply('m', { values: 1, done: true }, many);
    let batches = 0;
    const apply: DurableArchive['apply'] = (...call) => {
      if (++batches === 2) throw new Error('the process is killed');
      return durable.apply(...call);
    };
    const { archive, setAside } = durable;
    const purge = (): ReturnType<DurableArchive['purge']> => durable.purge();
    const interrupted = new Eraser({
      ...parts,
      archive: new ErasedDurableArchive({ archive, setAside, apply, purge }, async () => []),
    });
    const request = { kind: 'query', query: 'from:u3' } as const;
    await expect(interrupted.erase(request)).rejects.toThrow('killed');
    expect((await eraser.preview(request)).tweets).toBe(700);
    expect((await eraser.erase(request)).erased.tweets).toBe(700);
    expect((await eraser.preview(request)).tweets).toBe(0);
  });

  test('over the control socket does and reports the same; without a server, the command does it itself', async () => {
    const { eraser, durable, store } = await filled();
    const server = await startControl(folder.path, previewRoutes(eraser), eraseRoutes(eraser));
    const remote = await openEraser(readConfig({ DATA_DIR: folder.path }));
    const request = { kind: 'tweets', ids: ['2'] } as const;
    expect(await remote.preview(request)).toEqual(await eraser.preview(request));
    const progress: number[][] = [];
    expect(await remote.erase(request, (done, of) => progress.push([done, of]))).toMatchObject({
      erased: { tweets: 1 },
    });
    expect(progress.at(-1)).toEqual([1, 1]);
    expect(served(durable)).toEqual(['1', '3', '4', '5']);
    await expect(remote.erase({ kind: 'user', user: 'nobody' }, () => {})).rejects.toThrow('no user nobody');
    await remote.close();
    await server.close();
    expect(await connectControl(folder.path)).toBeUndefined();
    await store.close();
    opened.length = 0;
    const local = await openEraser(readConfig({ DATA_DIR: folder.path }));
    opened.push(local);
    expect(await local.erase({ kind: 'tweets', ids: ['3'] }, () => {})).toMatchObject({ erased: { tweets: 1 } });
    expect(await secretsOnDisk()).not.toContain('secret coffee too');
  });

  test('without a server it saves the tables for the next start, without the erased texts', async () => {
    const { durable, store } = await filled();
    const others = Array.from({ length: 5_000 }, (_, index) => tweet(1000 + index, '2', { text: `other ${index}` }));
    await durable.apply('others', { values: 5_000, done: true }, others);
    await durable.saveTables();
    await store.close();
    opened.length = 0;
    expect(await secretsOnDisk()).toContain('secret coffee');
    const local = await openEraser(readConfig({ DATA_DIR: folder.path }));
    await local.erase({ kind: 'tweets', ids: ['2'] }, () => {});
    await local.close();
    expect(await secretsOnDisk()).not.toContain('secret coffee');
    const next = (await open()).durable;
    expect(next.restoredSeq).toBeGreaterThan(5_000);
    expect(served(next)).toEqual(['1', '3', '4', '5']);
  });
});

test('a purge loses no change that is made during it', async () => {
  const { durable, store } = await filled();
  const writing = Array.from({ length: 50 }, (_, index) =>
    durable.apply(`w${index}`, { values: 1, done: true }, [tweet(100 + index, '2')]),
  );
  const purging = [durable.purge(), durable.purge()];
  const later = durable.apply('later', { values: 1, done: true }, [tweet(999, '2')]);
  await Promise.all([...writing, ...purging, later]);
  await store.close();
  opened.length = 0;
  const { archive } = (await open()).durable;
  for (let id = 100; id < 150; id++) expect([id, archive.ordinal(String(id))]).toEqual([id, expect.any(Number)]);
  expect(archive.ordinal('999')).toBeDefined();
});

describe('the housekeeping', () => {
  const retained = (durable: DurableArchive) => new RetainedDurableArchive(durable);
  const logger = { info: () => {}, error: (error: unknown) => Promise.reject(error) };

  test('evicts the oldest tweets beyond a number, never those to keep, and leaves no tombstone', async () => {
    const { durable, parts } = await filled();
    const housekeeping = new Housekeeping({
      ...parts,
      archive: retained(durable),
      retain: { tweets: 3 },
      keep: 'from:u1',
      logger,
    });
    expect(await housekeeping.evict()).toBe(2);
    expect(served(durable)).toEqual(['1', '2', '5']);
    expect(await housekeeping.evict()).toBe(0);
    expect(durable.archive.removals).toEqual({ tombstones: 0, withdrawn: 0 });
    await durable.apply('again', { values: 1, done: true }, structuredClone(records));
    expect(served(durable)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('evicts profiles and tombstones of strangers, and comes early when there are too many tweets', async () => {
    const { durable, parts } = await filled();
    const profile = (id: string): ArchiveRecord => ({
      kind: 'user',
      user: { id, username: `s${id}`, did: `did:plc:${id}`, observed_at: new Date(start).toISOString() },
    });
    const uri = (id: number): object => ({ uri: `at://did:plc:7/app.bsky.feed.post/${id}` });
    await durable.apply('s', { values: 1, done: true }, [
      ...['6', '7', '8', '9'].map(profile),
      ...[tweet(59, '7', uri(59)), tweet(60, '7', uri(60)), tweet(61, '7', uri(61)), tweet(62, '8')],
      { kind: 'follow', follower_id: '1', following_id: '9' },
      { kind: 'delete', tweet_id: '60', at: new Date(start + 61 * day).toISOString() },
      { kind: 'delete', tweet_id: '59', reason: 'erased' },
    ]);
    let [isFollowed, moment] = [false, start];
    const now = (): number => moment;
    const housekeeping = new Housekeeping({
      ...{ ...parts, archive: retained(durable), retain: { tweets: 2 }, keep: '', logger, now },
      strangers: () => (isFollowed ? ({ id }) => id !== '6' : undefined),
    });
    const held = (): string[] =>
      Array.from(durable.archive.ordinals(), (ordinal) => String(durable.archive.id(ordinal))).toSorted();
    const known = (): string[] => [...durable.archive.users.keys()].toSorted();
    await housekeeping.pass();
    expect(held()).toEqual(['61', '62']);
    expect([known(), durable.archive.removals.tombstones]).toEqual([['1', '2', '3', '6', '7', '8', '9'], 2]);
    isFollowed = true;
    moment += 2 * 3_600_000;
    await durable.apply('s', { values: 1, done: true }, [tweet(63, '2'), tweet(64, '2'), tweet(65, '2')]);
    await housekeeping.pass();
    expect(held()).toEqual(['64', '65']);
    // 6 is no stranger; the others that stay are in relations.
    expect([known(), durable.archive.removals.tombstones]).toEqual([['1', '2', '3', '6', '9'], 1]);
    expect(durable.archive.isRemoved('59')).toBe(true);
    moment += 60_000;
    await durable.apply('s', { values: 1, done: true }, [tweet(66, '2')]);
    await housekeeping.pass();
    expect(held()).toEqual(['65', '66']);
  });

  test('an imported archive does not keep the tombstones of a followed network', async () => {
    const { durable, parts } = await filled();
    const post = (id: number): ArchiveRecord => tweet(id, '7', { uri: `at://did:plc:7/app.bsky.feed.post/${id}` });
    const at = new Date(start + 62 * day).toISOString();
    await durable.apply('s', { values: 1, done: true }, [
      { kind: 'user', user: { id: '7', username: 's7', did: 'did:plc:7' } },
      ...[post(60), post(61), post(70), post(71)],
      { kind: 'delete', tweet_id: '61', at },
    ]);
    const housekeeping = (tweets: number): Housekeeping =>
      new Housekeeping({
        ...parts,
        archive: retained(durable),
        retain: { tweets },
        keep: '-from:s7',
        logger,
        strangers: () => () => true,
      });
    await housekeeping(100).pass();
    // The post 60 is as old as the deleted one: an older record of 61 would stay as well.
    expect(durable.archive.removals.tombstones).toBe(1);
    // The retweet 5, which no query finds, and the post 60.
    await housekeeping(6).pass();
    expect([...served(durable), durable.archive.ordinal('60')]).toEqual(['1', '2', '3', '4', undefined]);
    expect(durable.archive.removals.tombstones).toBe(0);
  });

  test('evicts by age, ends the conversations about it, and a purge removes the texts', async () => {
    const { durable, conversations, parts } = await filled();
    const now = (): number => start + 13 * day + 1;
    await new Housekeeping({
      ...parts,
      archive: retained(durable),
      retain: { ageMs: 10 * day },
      keep: '',
      logger,
      now,
    }).pass();
    expect(served(durable)).toEqual(['4']);
    expect([...conversations.usedTweets()]).toEqual(['4']);
    await durable.purge();
    await conversations.purge();
    expect(await secretsOnDisk()).toEqual([
      'secret answer about 4',
      'secret name 1',
      'secret name 2',
      'secret name 3',
      'secret text 4',
    ]);
  });
});
