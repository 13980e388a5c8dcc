import { expect, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change, SnapshotChange } from '../../../server/archive/rules/change.ts';
import { withdrawChanges } from '../../../server/archive/rules/snapshot.ts';

const at = '2026-01-01T00:00:00.000Z';
const later = '2026-02-01T00:00:00.000Z';
/** The content of an archive with something of each kind. */
const content: SnapshotChange[] = [
  { kind: 'withdraw', user_id: '9', at, list_ids: ['90'] },
  { kind: 'withdraw', user_id: '8' },
  { kind: 'delete', tweet_id: '50', uri: 'at://a', at, reason: 'deleted', tombstone: { author_id: '1' } },
  { kind: 'delete', tweet_id: '51', reason: 'erased' },
  { kind: 'scrub_geo', user_id: '1', tweet_id: '40', at },
  { kind: 'unfollow', follower_id: '1', following_id: '4', at },
  { kind: 'unretweet', tweet_id: '10', user_id: '4', at },
  { kind: 'user', user: { id: '1', username: 'mira' } },
  { kind: 'community', community: { id: '70', name: 'Makers' } },
  { kind: 'tweet', tweet: { id: '10', text: 'a', created_at: at, author_id: '1' } },
  { kind: 'space', space: { id: 's', title: 'S', host_id: '1', created_at: at, state: 'ended' } },
  { kind: 'place', place: { id: 'p' } },
  { kind: 'list', list: { id: '80', owner_id: '1', slug: 'l' } },
  { kind: 'list_member', list_id: '80', user_id: '2', created_at: at },
  { kind: 'follow', follower_id: '1', following_id: '2', created_at: at },
  { kind: 'follow', follower_id: '1', following_id: '2', created_at: later },
  { kind: 'follow', follower_id: '1', following_id: '3' },
  { kind: 'retweet', tweet_id: '10', user_id: '2', created_at: at },
  { kind: 'highlight', user_id: '1', tweet_id: '10', created_at: at },
  { kind: 'membership', user_id: '1', community_id: '70', role: 'moderator', created_at: at },
  { kind: 'like', tweet_id: '10', created_at: at },
  { kind: 'like', tweet_id: '11' },
  { kind: 'unlike', tweet_id: '12', at: Date.parse(at) },
] as SnapshotChange[];

test('the changes of an archive are its content, with the removals first', () => {
  const [applied, restored] = [new Archive(), new Archive()];
  for (const change of content) applied.apply(change as Change, { snapshot: true });
  restored.restore(content);
  expect([...applied.changes()]).toEqual(content);
  expect([...restored.changes()]).toEqual(content);
});

test('a restored archive has removed things beside those that exclude them', () => {
  const archive = new Archive();
  const tweet: SnapshotChange = { kind: 'tweet', tweet: { id: '50', text: 'a', created_at: at, author_id: '9' } };
  archive.restore([tweet, ...content]);
  expect([archive.tweet('50')?.text, archive.isRemoved('50'), archive.isWithdrawn('9')]).toEqual(['a', true, true]);
  expect(archive.apply({ kind: 'like', tweet_id: '13' })).toEqual({ outcome: 'added', events: [] });
});

test('a withdrawal names its lists in as many records as they need', () => {
  const ids = Array.from({ length: 10_001 }, (_, n) => `${n}`);
  const withdrawal = { kind: 'withdraw', user_id: '1' } as const;
  expect(withdrawChanges(withdrawal, [])).toEqual([withdrawal]);
  expect(withdrawChanges(withdrawal, ids.slice(1))).toEqual([{ ...withdrawal, list_ids: ids.slice(1) }]);
  expect(withdrawChanges(withdrawal, ids).map(({ list_ids }) => list_ids?.length)).toEqual([10_000, 1]);
  expect(withdrawChanges(withdrawal, ids).flatMap(({ list_ids = [] }) => list_ids)).toEqual(ids);
});
