/** The content of an archive as changes. */
import type {
  ArchivedCommunity,
  ArchivedList,
  ArchivedPlace,
  ArchivedSpace,
  ArchivedTweet,
  ArchivedUser,
  ArchiveSchemas,
} from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import { toIsoTime } from '../../text/iso-time.ts';
import type { DeleteChange, SnapshotChange } from './change.ts';
import type { Likes } from './likes.ts';
import type { Relation } from './relation.ts';
import type { Removals } from './removals.ts';

type Values<Entity> = { values(): Iterable<Entity> };
type Relations = Iterable<readonly [owner: string, relation: Pick<Relation, 'starts' | 'removals'>]>;

/** The tables of an archive. */
export interface SnapshotTables {
  readonly tweets: Values<ArchivedTweet>;
  readonly profiles: Values<ArchivedUser>;
  readonly communities: Values<ArchivedCommunity>;
  readonly spaces: Values<ArchivedSpace>;
  readonly places: Values<ArchivedPlace>;
  readonly lists: Values<ArchivedList>;
  readonly listMembers: Relations;
  readonly follows: Relations;
  readonly retweeters: Relations;
  readonly highlights: Relations;
  readonly memberships: Relations;
  readonly role: (communityId: string, userId: string) => ArchiveSchemas['MembershipRecord']['role'];
  readonly likes: Pick<Likes, 'entries'>;
  readonly removals: Pick<Removals, 'tombstones' | 'withdrawals' | 'scrubs'>;
}

/** The maximum length of `list_ids` in the native format. */
const maxListIds = 10_000;

const removedAt = (at: number): { at?: string } => (at === 0 ? {} : { at: toIsoTime(at) });
const createdAt = (at: number): { created_at?: string } => (at === 0 ? {} : { created_at: toIsoTime(at) });

/** The changes that create the same archive. */
export function* snapshotOf(tables: SnapshotTables): Generator<SnapshotChange, void> {
  // The removals come first: what follows them in the snapshot is there although they are.
  for (const [user_id, at, listIds] of tables.removals.withdrawals())
    yield* withdrawChanges({ kind: 'withdraw', user_id, ...removedAt(at) }, listIds);
  for (const tombstone of tables.removals.tombstones()) yield deleteChange(tombstone);
  yield* tables.removals.scrubs.records();
  for (const [follower_id, following_id, at] of removalsOf(tables.follows))
    yield { kind: 'unfollow', follower_id, following_id, at };
  for (const [tweet_id, user_id, at] of removalsOf(tables.retweeters))
    yield { kind: 'unretweet', tweet_id, user_id, at };
  for (const user of tables.profiles.values()) yield { kind: 'user', user };
  for (const community of tables.communities.values()) yield { kind: 'community', community };
  for (const tweet of tables.tweets.values()) yield { kind: 'tweet', tweet };
  for (const space of tables.spaces.values()) yield { kind: 'space', space };
  for (const place of tables.places.values()) yield { kind: 'place', place };
  for (const list of tables.lists.values()) yield { kind: 'list', list };
  yield* relationChanges(tables);
  for (const [tweet_id, { liked, at }] of tables.likes.entries())
    yield liked ? { kind: 'like', tweet_id, ...createdAt(at) } : { kind: 'unlike', tweet_id, at };
}

function* relationChanges(tables: SnapshotTables): Generator<SnapshotChange, void> {
  for (const [list_id, user_id, at] of membersOf(tables.listMembers))
    yield { kind: 'list_member', list_id, user_id, ...at };
  for (const [follower_id, following_id, at] of membersOf(tables.follows))
    yield { kind: 'follow', follower_id, following_id, ...at };
  for (const [tweet_id, user_id, at] of membersOf(tables.retweeters))
    yield { kind: 'retweet', tweet_id, user_id, ...at };
  for (const [user_id, tweet_id, at] of membersOf(tables.highlights))
    yield { kind: 'highlight', user_id, tweet_id, ...at };
  for (const [user_id, community_id, at] of membersOf(tables.memberships))
    yield { kind: 'membership', community_id, user_id, role: tables.role(community_id, user_id), ...at };
}

function* membersOf(relations: Relations): Generator<[owner: string, id: string, at: { created_at?: string }], void> {
  for (const [owner, relation] of relations) {
    for (const { id, at } of relation.starts()) yield [owner, id, createdAt(at)];
  }
}

function* removalsOf(relations: Relations): Generator<[owner: string, id: string, at: string], void> {
  for (const [owner, relation] of relations) {
    for (const { id, at } of relation.removals()) yield [owner, id, toIsoTime(at)];
  }
}

/** The records of a withdrawal that name all these lists: one record holds a limited number of ids. */
export function withdrawChanges(
  withdrawal: ArchiveSchemas['WithdrawRecord'],
  listIds: readonly string[],
): ArchiveSchemas['WithdrawRecord'][] {
  const records = [];
  for (let from = 0; from < listIds.length || from === 0; from += maxListIds) {
    const list_ids = listIds.slice(from, from + maxListIds);
    records.push(list_ids.length === 0 ? withdrawal : { ...withdrawal, list_ids });
  }
  return records;
}

/** The change that records a tombstone. */
export const deleteChange = ({ id, reason, at, uri, tweet }: Tombstone): DeleteChange => ({
  kind: 'delete',
  tweet_id: id,
  ...(uri === undefined ? {} : { uri }),
  ...removedAt(at),
  reason,
  ...(tweet === undefined ? {} : { tombstone: tweet }),
});
