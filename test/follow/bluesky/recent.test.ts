import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { RecentRecords } from '../../../server/follow/bluesky/recent.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { HeldRecords } from '../../../server/ports/held-records.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openArchiveIn, type FileArchive } from '../../support/stored-archive.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stored: FileArchive;
beforeEach(async () => {
  folder = await temporaryFolder();
  stored = await openArchiveIn(folder.path);
});
afterEach(async () => {
  await stored.close();
  await folder.dispose();
});
const apply = (...records: ArchiveRecord[]): Promise<unknown> => stored.sink.follow('bluesky', undefined, records);

const minute = 60_000;
const profile = { kind: 'user' as const, user: { id: '7', username: 'seven.example.com', did: 'did:plc:seven' } };

test('a delivered profile is known before the archive has it', async () => {
  const recent = new RecentRecords(stored.held, new ManualClock());
  recent.note(profile);
  const known = await recent.read({ tweets: [], users: ['7'] });
  expect(known.profile('7')).toEqual(profile.user);
});

/** A post of the account of `profile`. */
const post = (id: string) => ({
  kind: 'tweet' as const,
  tweet: { id, text: 'coffee', author_id: '7', created_at: '2026-11-01T00:00:00Z', lang: 'en' },
});

/** Notes as many records as are between two purges. */
async function purge(recent: RecentRecords): Promise<void> {
  for (let n = 0; n < 1000; n++) recent.note({ kind: 'follow', follower_id: '7', following_id: String(n) });
  await new Promise((resolve) => setImmediate(resolve));
}

test('what the archive has is not kept here as well, so that a fast stream does not fill the memory', async () => {
  const clock = new ManualClock();
  const recent = new RecentRecords(stored.held, clock);
  const [applied, waiting] = [post('70'), post('71')];
  for (const record of [profile, applied, waiting]) recent.note(record);
  await apply(profile, applied);
  await purge(recent);
  // A read that began before the archive had them may still be in use.
  expect([recent.tweet('70'), recent.profile('7')]).toEqual([applied.tweet, profile.user]);
  await clock.pass(minute);
  const changed = { ...waiting, tweet: { ...waiting.tweet, text: 'changed' } };
  await apply(waiting);
  recent.note(changed);
  await purge(recent);
  expect([recent.tweet('70'), recent.profile('7')]).toEqual([undefined, undefined]);
  expect(recent.tweet('71')).toBe(changed.tweet);
  const known = await recent.read({ tweets: ['70'], users: ['7'] });
  expect(known.tweet('70')).toMatchObject({ text: 'coffee' });
  expect(known.profile('7')).toMatchObject(profile.user);
});

test('what the archive does not have, or cannot tell, is kept', async () => {
  const clock = new ManualClock();
  const away = (): never => {
    throw new Error('the database is away');
  };
  const broken: HeldRecords = { read: async () => away(), followings: away, tweetsOf: away };
  for (const archive of [stored.held, broken]) {
    const recent = new RecentRecords(archive, clock);
    recent.note(post('70'));
    recent.note({ kind: 'delete', tweet_id: '72' });
    await clock.pass(minute);
    await purge(recent);
    expect(recent.tweet('70')).toMatchObject({ text: 'coffee' });
    expect(recent.tweet('72')).not.toBeUndefined();
  }
});

test('a profile that the archive has evicted since is read again', async () => {
  const clock = new ManualClock();
  const recent = new RecentRecords(stored.held, clock);
  recent.note(profile);
  await apply(profile);
  await clock.pass(60 * minute);
  const read = () => recent.read({ tweets: [], users: ['7'] });
  expect((await read()).profile('7')).toEqual(profile.user);
  const evicted = { tweet_ids: [], user_ids: ['7'], tombstone_ids: [] };
  await stored.archive.apply([{ kind: 'evict', ...evicted, at: new Date(clock.now()).toISOString() }]);
  const after = await read();
  expect(after.profile('7')).toBeUndefined();
  expect(after.hasAnythingOf('7')).toBe(false);
});
