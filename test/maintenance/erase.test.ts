import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectControl } from '../../server/admin/control-client.ts';
import { startControl } from '../../server/admin/control-server.ts';
import { openConversations } from '../../server/assistant/journal-conversations.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { damagedFolders, uploadedFiles } from '../../server/maintenance/data-directory.ts';
import { eraseRoutes, previewRoutes } from '../../server/maintenance/erase/erase-routes.ts';
import { SqlErasedArchive } from '../../server/maintenance/erase/sql-erased-archive.ts';
import { Eraser } from '../../server/maintenance/erase/eraser.ts';
import type { EraseRequest } from '../../server/maintenance/erase/erasure.ts';
import { openEraser } from '../../scripts/cli/open-eraser.ts';
import { Housekeeping } from '../../server/maintenance/retention/housekeeping.ts';
import { SqlRetainedArchive } from '../../server/maintenance/retention/sql-retained-archive.ts';
import { readConfig } from '../../server/config/config.ts';
import { openInFolder } from '../support/open-in-folder.ts';
import { openServiceArchive, type ServiceArchive } from '../support/stored-archive.ts';

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

const config = () => readConfig({ DATA_DIR: folder.path });

async function open(purgeWithinMs = 0) {
  const archive = await openServiceArchive(folder.path);
  opened.push(archive);
  const { store, log, engine, deadLetters } = archive;
  const conversations = await openConversations({
    store,
    secret: Buffer.alloc(32, 7),
    ttlMs: 1e9,
    waitMs: 1000,
    now: Date.now,
  });
  const parts = {
    conversations,
    purgeWithinMs,
    uploads: () => uploadedFiles(folder.path),
    damaged: () => damagedFolders(folder.path),
  };
  const erased = { ...engine.erased, archive: archive.archive, deadLetters: () => deadLetters.count };
  return {
    archive,
    log,
    conversations,
    parts,
    erased,
    eraser: new Eraser({ ...parts, archive: new SqlErasedArchive(erased) }),
  };
}
async function close(): Promise<void> {
  for (const each of opened.splice(0)) await each.close();
}

async function filled(purgeWithinMs = 0) {
  const service = await open(purgeWithinMs);
  await service.archive.sink.apply('f', { values: 1, done: true }, structuredClone(records));
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

const served = ({ content }: ServiceArchive): string[] => ['1', '2', '3', '4', '5'].filter((id) => content.has(id));

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
    for (const [secret] of text.matchAll(/secret (?:answer about|text|name) \d+|secret coffee(?: too)?/g))
      found.add(secret);
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
    const { archive, eraser, log } = await filled();
    const head = log.head;
    expect(await eraser.preview(request)).toEqual(counts);
    expect([served(archive), log.head]).toEqual([['1', '2', '3', '4', '5'], head]);
    const progress: number[][] = [];
    const report = await eraser.erase(request, (done, of) => progress.push([done, of]));
    expect(report).toMatchObject({ kind: request.kind, erased: counts });
    expect(served(archive)).toEqual(left);
    expect(progress.at(-1)?.[0]).toBe(progress.at(-1)?.[1]);
    // After an erasure only the id of a user is known.
    const again: EraseRequest = request.kind === 'user' ? { kind: 'user', user: '1' } : request;
    expect(await eraser.preview(again)).toEqual({ tweets: 0, users: 0, relations: 0, conversations: 0 });
    expect((await eraser.erase(again)).erased).toMatchObject({ tweets: 0 });
  });

  test('removes the texts from every file, the names and the conversations too', async () => {
    const { eraser } = await filled();
    expect(await secretsOnDisk()).toContain('secret answer about 1');
    const report = await eraser.erase({ kind: 'user', user: 'u1' });
    const left = ['secret answer about 4', 'secret coffee too', 'secret name 2', 'secret name 3', 'secret text 4'];
    expect(await secretsOnDisk()).toEqual(left);
    expect(Date.parse(report.off_disk_by)).toBeLessThanOrEqual(Date.parse(report.finished_at));
    await close();
    const { archive } = await open();
    expect(served(archive)).toEqual(['3', '4']);
    await archive.sink.apply('g', { values: 1, done: true }, structuredClone(records));
    expect(served(archive)).toEqual(['3', '4']);
  });

  test('reports a proof without a text, a name or an id', async () => {
    const { eraser } = await filled(day);
    const before = Date.now();
    const report = await eraser.erase({ kind: 'user', user: 'u1' });
    expect(report.ids_sha256).toBe(createHash('sha256').update(['1', '1', '2', '5'].join('\n')).digest('hex'));
    expect(Date.parse(report.off_disk_by) - before).toBeGreaterThanOrEqual(day);
    expect(report.remaining).toEqual([
      expect.stringContaining('backups and exports made before'),
      'backups and copies of the database file',
    ]);
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
    const { archive, eraser, erased, parts } = await filled();
    const many = Array.from({ length: 1200 }, (_, index) => tweet(1000 + index, '3'));
    await archive.sink.apply('m', { values: 1, done: true }, many);
    let batches = 0;
    const failing: typeof erased.archive = {
      apply(...call) {
        if (++batches === 2) throw new Error('the process is killed');
        return erased.archive.apply(...call);
      },
    };
    const interrupted = new Eraser({ ...parts, archive: new SqlErasedArchive({ ...erased, archive: failing }) });
    const request = { kind: 'query', query: 'from:u3' } as const;
    await expect(interrupted.erase(request)).rejects.toThrow('killed');
    expect((await eraser.preview(request)).tweets).toBe(700);
    expect((await eraser.erase(request)).erased.tweets).toBe(700);
    expect((await eraser.preview(request)).tweets).toBe(0);
  });

  test('over the control socket does and reports the same; without a server, the command does it itself', async () => {
    const { eraser, archive } = await filled();
    const server = await startControl(folder.path, previewRoutes(eraser), eraseRoutes(eraser));
    const remote = await openEraser(config());
    const request = { kind: 'tweets', ids: ['2'] } as const;
    expect(await remote.preview(request)).toEqual(await eraser.preview(request));
    const progress: number[][] = [];
    expect(await remote.erase(request, (done, of) => progress.push([done, of]))).toMatchObject({
      erased: { tweets: 1 },
    });
    expect(progress.at(-1)).toEqual([1, 1]);
    expect(served(archive)).toEqual(['1', '3', '4', '5']);
    await expect(remote.erase({ kind: 'user', user: 'nobody' }, () => {})).rejects.toThrow('no user nobody');
    await remote.close();
    await server.close();
    expect(await connectControl(folder.path)).toBeUndefined();
    await close();
    const local = await openEraser(config());
    opened.push(local);
    expect(await local.erase({ kind: 'tweets', ids: ['3'] }, () => {})).toMatchObject({ erased: { tweets: 1 } });
    expect(await secretsOnDisk()).not.toContain('secret coffee too');
  });
});

test('a purge loses no change that is made during it', async () => {
  const { archive } = await filled();
  const { sink, engine } = archive;
  const writing = Array.from({ length: 50 }, (_, index) =>
    sink.apply(`w${index}`, { values: 1, done: true }, [tweet(100 + index, '2')]),
  );
  const purging = [engine.erased.purge(), engine.erased.purge()];
  const later = sink.apply('later', { values: 1, done: true }, [tweet(999, '2')]);
  await Promise.all([...writing, ...purging, later]);
  await close();
  const { content } = (await open()).archive;
  for (let id = 100; id < 150; id++) expect([id, content.has(String(id))]).toEqual([id, true]);
  expect(content.has('999')).toBe(true);
});

describe('the housekeeping', () => {
  const retained = ({ engine: { run, search }, archive }: ServiceArchive) =>
    new SqlRetainedArchive({ run, search, archive });
  const tombstones = async ({ engine }: ServiceArchive): Promise<number> => (await engine.counts()).tombstones;
  const logger = { info: () => {}, error: (error: unknown) => Promise.reject(error) };

  test('evicts the oldest tweets beyond a number, never those to keep, and leaves no tombstone', async () => {
    const { archive, parts } = await filled();
    const housekeeping = new Housekeeping({
      ...parts,
      archive: retained(archive),
      retain: { tweets: 3 },
      keep: 'from:u1',
      logger,
    });
    expect(await housekeeping.evict()).toBe(2);
    expect(served(archive)).toEqual(['1', '2', '5']);
    expect(await housekeeping.evict()).toBe(0);
    expect(await tombstones(archive)).toBe(0);
    await archive.sink.apply('again', { values: 1, done: true }, structuredClone(records));
    expect(served(archive)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('evicts profiles and tombstones of unfollowed, and comes early when there are too many tweets', async () => {
    const { archive, parts } = await filled();
    const profile = (id: string): ArchiveRecord => ({
      kind: 'user',
      user: { id, username: `s${id}`, did: `did:plc:${id}`, observed_at: new Date(start).toISOString() },
    });
    const uri = (id: number): object => ({ uri: `at://did:plc:7/app.bsky.feed.post/${id}` });
    await archive.sink.apply('s', { values: 1, done: true }, [
      ...['6', '7', '8', '9'].map(profile),
      ...[tweet(59, '7', uri(59)), tweet(60, '7', uri(60)), tweet(61, '7', uri(61)), tweet(62, '8')],
      { kind: 'follow', follower_id: '1', following_id: '9' },
      { kind: 'delete', tweet_id: '60', at: new Date(start + 61 * day).toISOString() },
      { kind: 'delete', tweet_id: '59', reason: 'erased' },
    ]);
    let [isFollowed, moment] = [false, start];
    const now = (): number => moment;
    const housekeeping = new Housekeeping({
      ...{ ...parts, archive: retained(archive), retain: { tweets: 2 }, keep: '', logger, now },
      unfollowed: () => (isFollowed ? ({ id }) => id !== '6' : undefined),
    });
    const held = (): string[] => archive.content.tweetIds.toSorted();
    const known = (): string[] => archive.content.profileIds.toSorted();
    await housekeeping.pass();
    expect(held()).toEqual(['61', '62']);
    expect([known(), await tombstones(archive)]).toEqual([['1', '2', '3', '6', '7', '8', '9'], 2]);
    isFollowed = true;
    moment += 2 * 3_600_000;
    await archive.sink.apply('s', { values: 1, done: true }, [tweet(63, '2'), tweet(64, '2'), tweet(65, '2')]);
    await housekeeping.pass();
    expect(held()).toEqual(['64', '65']);
    // 6 is no stranger; the others that stay are in relations.
    expect([known(), await tombstones(archive)]).toEqual([['1', '2', '3', '6', '9'], 1]);
    expect(archive.content.isRemoved('59')).toBe(true);
    moment += 60_000;
    await archive.sink.apply('s', { values: 1, done: true }, [tweet(66, '2')]);
    await housekeeping.pass();
    expect(held()).toEqual(['65', '66']);
  });

  test('an imported archive does not keep the tombstones of a followed network', async () => {
    const { archive, parts } = await filled();
    const post = (id: number): ArchiveRecord => tweet(id, '7', { uri: `at://did:plc:7/app.bsky.feed.post/${id}` });
    const at = new Date(start + 62 * day).toISOString();
    await archive.sink.apply('s', { values: 1, done: true }, [
      { kind: 'user', user: { id: '7', username: 's7', did: 'did:plc:7' } },
      ...[post(60), post(61), post(70), post(71)],
      { kind: 'delete', tweet_id: '61', at },
    ]);
    const housekeeping = (tweets: number): Housekeeping =>
      new Housekeeping({
        ...parts,
        archive: retained(archive),
        retain: { tweets },
        keep: '-from:s7',
        logger,
        unfollowed: () => () => true,
      });
    await housekeeping(100).pass();
    // The post 60 is as old as the deleted one: an older record of 61 would stay as well.
    expect(await tombstones(archive)).toBe(1);
    // The retweet 5, which no query finds, and the post 60.
    await housekeeping(6).pass();
    expect([...served(archive), archive.content.has('60')]).toEqual(['1', '2', '3', '4', false]);
    expect(await tombstones(archive)).toBe(0);
  });

  test('evicts by age, ends the conversations about it, and a purge removes the texts', async () => {
    const { archive, conversations, parts } = await filled();
    const now = (): number => start + 13 * day + 1;
    await new Housekeeping({
      ...parts,
      archive: retained(archive),
      retain: { ageMs: 10 * day },
      keep: '',
      logger,
      now,
    }).pass();
    expect(served(archive)).toEqual(['4']);
    expect([...conversations.usedTweets()]).toEqual(['4']);
    await conversations.purge();
    await archive.engine.erased.purge();
    expect(await secretsOnDisk()).toEqual([
      'secret answer about 4',
      'secret name 1',
      'secret name 2',
      'secret name 3',
      'secret text 4',
    ]);
  });
});
