import { expect, test } from '@jest/globals';
import { RecentRecords } from '../../../server/follow/bluesky/recent.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { ArchiveHeldRecords } from '../../../server/platforms/archive/held-records.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const minute = 60_000;
const profile = { kind: 'user' as const, user: { id: '7', username: 'seven.example.com', did: 'did:plc:seven' } };

test('a delivered profile is known before the archive has it', async () => {
  const recent = new RecentRecords(new ArchiveHeldRecords(new Archive()), new ManualClock());
  recent.note(profile);
  const known = await recent.read({ tweets: [], users: ['7'] });
  expect(known.profile('7')).toEqual(profile.user);
});

test('a profile that the archive has evicted since is read again', async () => {
  const [archive, clock] = [new Archive(), new ManualClock()];
  const recent = new RecentRecords(new ArchiveHeldRecords(archive), clock);
  recent.note(profile);
  archive.apply(profile);
  await clock.pass(60 * minute);
  const read = () => recent.read({ tweets: [], users: ['7'] });
  expect((await read()).profile('7')).toEqual(profile.user);
  archive.apply({
    kind: 'evict',
    tweet_ids: [],
    user_ids: ['7'],
    tombstone_ids: [],
    at: new Date(clock.now()).toISOString(),
  });
  const after = await read();
  expect(after.profile('7')).toBeUndefined();
  expect(after.hasAnythingOf('7')).toBe(false);
});
