/** The rows of entities, relations and removals from their changes; for tweets see search-rows.ts. */
import { isDid } from '../../../domain/at-uri.ts';
import type { ArchivedTweet, ArchivedUser } from '../../../domain/records.ts';
import type { Tombstone } from '../../../domain/tombstone.ts';
import { time, type DeleteChange, type SnapshotChange } from '../../archive/change.ts';
import { relationTables, relationValues, type EntityTableName, type Item } from './content.ts';
import { toDatabaseId } from './database-id.ts';
import { lexemeOf } from './lexemes.ts';
import { nameKey, personRow, placeRow, type Row } from './search-rows.ts';

/** A table with the columns of its key, and their type if it is not bigint. */
export interface Target {
  readonly table: string;
  readonly keys: readonly string[];
  readonly textKeys?: readonly string[];
}

const entityTargets: Readonly<Record<Exclude<EntityTableName, 'tweet'>, Target>> = {
  user: { table: 'person', keys: ['id'] },
  community: { table: 'community', keys: ['id'], textKeys: ['id'] },
  space: { table: 'space', keys: ['id'], textKeys: ['id'] },
  place: { table: 'place', keys: ['id'], textKeys: ['id'] },
  list: { table: 'list', keys: ['id'], textKeys: ['id'] },
  like: { table: 'tweet_like', keys: ['tweet_id'] },
  tombstone: { table: 'tombstone', keys: ['id'] },
  withdrawn: { table: 'withdrawn', keys: ['user_id'] },
  geo_scrub: { table: 'geo_scrub', keys: ['key'], textKeys: ['key'] },
};

/** Where an item is stored. Undefined for a tweet, which has several rows. */
export function targetOf(item: Item): Target | undefined {
  if ('pair' in item) {
    const { owner, member } = relationTables[item.table];
    return { table: item.table, keys: [owner, member], textKeys: ['list_id'] };
  }
  return item.table === 'tweet' ? undefined : entityTargets[item.table];
}

/** The key of the row of an item. */
export function keyOf(item: Item): readonly string[] {
  if (!('pair' in item)) return [targetOf(item)?.textKeys === undefined ? toDatabaseId(item.id) : item.id];
  const { owner, member } = item.pair;
  return [item.table === 'list_member' ? owner : toDatabaseId(owner), toDatabaseId(member)];
}

/** The row of an item; undefined for a tweet. */
export function rowOf(item: Item): Row | undefined {
  const target = targetOf(item);
  if (target === undefined) return undefined;
  const key = Object.fromEntries(target.keys.map((name, index) => [name, keyOf(item)[index] ?? '']));
  if ('pair' in item) return { ...key, ...relationValues(item.changes) };
  const [first] = item.changes;
  return first === undefined ? undefined : entityRow(key, first, item.changes);
}

function entityRow(key: Row, change: SnapshotChange, changes: readonly SnapshotChange[]): Row | undefined {
  switch (change.kind) {
    case 'user':
      return profileRow(change.user);
    case 'community':
      return { ...key, document: JSON.stringify(change.community) };
    case 'space': {
      const { host_id, speaker_ids = [] } = change.space;
      const participants = [...new Set([host_id, ...speaker_ids])].map(toDatabaseId);
      return { ...key, host_id: toDatabaseId(host_id), participants, document: JSON.stringify(change.space) };
    }
    case 'place':
      return { ...placeRow(change.place), document: JSON.stringify(change.place) };
    case 'list': {
      const { owner_id, slug } = change.list;
      const name = slug === undefined ? null : lexemeOf(slug.toLowerCase());
      return { ...key, owner_id: toDatabaseId(owner_id), slug: name, document: JSON.stringify(change.list) };
    }
    case 'like':
      return { ...key, is_liked: true, at: time(change.created_at) };
    case 'unlike':
      return { ...key, is_liked: false, at: time(change.at) };
    case 'delete':
      return tombstoneRow(key, change);
    case 'withdraw': {
      const lists = changes.flatMap((each) => (each.kind === 'withdraw' ? (each.list_ids ?? []) : []));
      return { ...key, at: time(change.at), list_ids: lists };
    }
    case 'scrub_geo':
      return { ...key, document: JSON.stringify(change) };
    default:
      return undefined;
  }
}

/** The row of a profile. */
const profileRow = (user: ArchivedUser): Row => ({
  ...personRow(user),
  document: JSON.stringify(user),
  observed_at: time(user.observed_at),
  did: isDid(user.did) ? user.did : null,
  described_at: null,
  described_by: null,
});

/** The row of a user whom the newest mention describes; `at` and `by`: the time and the stored id of its tweet. */
export const describedRow = (user: ArchivedUser, at: string, by: string): Row => ({
  ...profileRow(user),
  described_at: at,
  described_by: by,
});

function tombstoneRow(key: Row, change: Extract<SnapshotChange, { kind: 'delete' }>): Row {
  const { tweet_id: id, uri, reason = 'deleted', at } = change;
  const tweet = tombstoneTweet(change);
  const tombstone: Tombstone = {
    ...{ id, reason, at: time(at) },
    ...(uri === undefined ? {} : { uri }),
    ...(tweet === undefined ? {} : { tweet }),
  };
  const optionalId = (each: string | undefined): string | null => (each === undefined ? null : toDatabaseId(each));
  return {
    ...{ ...key, reason, document: JSON.stringify(tombstone) },
    ...{ author_id: optionalId(tweet?.author_id), retweeted_id: optionalId(tweet?.retweeted_tweet_id) },
  };
}

/** What a snapshot states of a removed tweet. */
const tombstoneTweet = (change: Extract<SnapshotChange, { kind: 'delete' }>): DeleteChange['tombstone'] =>
  'tombstone' in change ? change.tombstone : undefined;

const isId = (id: string | undefined): id is string => id !== undefined && /^\d{1,19}$/.test(id);

/** The rows of the mentions of a tweet. */
export function mentionRows(tweet: ArchivedTweet): Row[] {
  const tweetId = toDatabaseId(tweet.id);
  const createdAt = time(tweet.created_at);
  return (tweet.entities?.mentions ?? []).map(({ username, id }, place) => ({
    ...{ tweet_id: tweetId, place, created_at: createdAt },
    ...{ username: nameKey(username), user_id: isId(id) ? toDatabaseId(id) : null },
  }));
}
