/** The rows of records and removals from their changes, without the columns by which an engine searches. */
import { nameKey, storedText } from './stored-text.ts';
import { isDid } from '../../domain/at-uri.ts';
import type { Integer, Row } from '../sql.ts';
import { counts, type ArchivedPlace, type ArchivedTweet, type ArchivedUser } from '../../domain/records.ts';
import type { Tombstone } from '../../domain/tombstone.ts';
import { time, type DeleteChange, type SnapshotChange } from '../rules/change.ts';
import { tweetPoint } from '../../search/document.ts';
import { communityRank } from '../../search/community-rank.ts';
import { engagementOfTweet } from '../../search/engagement.ts';
import { boxOf } from '../../domain/geo.ts';
import { placeTerms } from '../../search/place-terms.ts';
import { parseTime } from '../../text/iso-time.ts';
import { relationTables, relationValues, type EntityTableName, type Item } from './content.ts';
import { toDatabaseId } from './database-id.ts';
import { documentOf } from './tweet-record.ts';

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
  return first === undefined ? undefined : entityRow(key, first);
}

function entityRow(key: Row, change: SnapshotChange): Row | undefined {
  switch (change.kind) {
    case 'user':
      return profileRow(change.user);
    case 'community':
      return { ...key, document: JSON.stringify(change.community) };
    case 'space': {
      const { host_id } = change.space;
      return { ...key, host_id: toDatabaseId(host_id), document: JSON.stringify(change.space) };
    }
    case 'place':
      return placeRow(change.place);
    case 'list': {
      const { owner_id, slug } = change.list;
      const name = slug === undefined ? null : storedText(slug.toLowerCase());
      return { ...key, owner_id: toDatabaseId(owner_id), slug: name, document: JSON.stringify(change.list) };
    }
    case 'like':
      return { ...key, is_liked: true, at: time(change.created_at) };
    case 'unlike':
      return { ...key, is_liked: false, at: time(change.at) };
    case 'delete':
      return tombstoneRow(key, change);
    case 'withdraw':
      return { ...key, at: time(change.at) };
    case 'scrub_geo':
      return { ...key, document: JSON.stringify(change) };
    default:
      return undefined;
  }
}

/** The row of a profile. */
export const profileRow = (user: ArchivedUser): Row => ({
  id: toDatabaseId(user.id),
  username: nameKey(user.username),
  verified: user.verified === true,
  blue_verified: user.is_blue_verified === true,
  document: JSON.stringify(user),
  observed_at: time(user.observed_at),
  did: isDid(user.did) ? user.did : null,
  described_at: null,
  described_by: null,
});

/** The row of a user whom the newest mention describes; `at` and `by`: the time and the stored id of its tweet. */
export const describedRow = (user: ArchivedUser, at: Integer, by: Integer): Row => ({
  ...profileRow(user),
  described_at: at,
  described_by: by,
});

function placeRow(place: ArchivedPlace): Row {
  const [west = null, south = null, east = null, north = null] =
    (place.bounding_box && boxOf(place.bounding_box)) ?? [];
  return { id: place.id, west, south, east, north, document: JSON.stringify(place) };
}

/** A table with several rows for one row of another table, and the column that has the key of that row. */
export interface ChildTable {
  readonly table: string;
  readonly parent: string;
}

/** The child tables by the table of their parents. */
export const childTables: Readonly<Partial<Record<string, ChildTable>>> = {
  place: { table: 'place_term', parent: 'place_id' },
  space: { table: 'space_participant', parent: 'space_id' },
  withdrawn: { table: 'withdrawn_list', parent: 'user_id' },
};

/** The rows of an item in the child table of its table. */
export function childRowsOf({ changes }: Item): Row[] {
  return changes.flatMap((change): Row[] => {
    switch (change.kind) {
      case 'place':
        return Array.from(new Set(placeTerms(change.place)), (term) => ({
          place_id: change.place.id,
          term: storedText(term),
        }));
      case 'space': {
        const { id, host_id, speaker_ids = [] } = change.space;
        return Array.from(new Set([host_id, ...speaker_ids]), (user) => ({
          space_id: id,
          user_id: toDatabaseId(user),
        }));
      }
      case 'withdraw':
        return Array.from(new Set(change.list_ids ?? []), (list) => ({
          user_id: toDatabaseId(change.user_id),
          list_id: list,
        }));
      default:
        return [];
    }
  });
}

export const optionalId = (id: string | undefined): string | null => (id === undefined ? null : toDatabaseId(id));

/** The row of a tweet. */
export function tweetRow(tweet: ArchivedTweet): Row {
  const point = tweetPoint(tweet);
  return {
    id: toDatabaseId(tweet.id),
    created_at: parseTime(tweet.created_at),
    author_id: toDatabaseId(tweet.author_id),
    place_id: tweet.place_id ?? null,
    longitude: point?.longitude ?? null,
    latitude: point?.latitude ?? null,
    in_reply_to_id: optionalId(tweet.in_reply_to_id),
    quoted_id: optionalId(tweet.quoted_tweet_id),
    retweeted_id: optionalId(tweet.retweeted_tweet_id),
    community_id: optionalId(tweet.community_id),
    has_media: (tweet.media ?? []).length > 0,
    reply_to: tweet.in_reply_to_username === undefined ? null : nameKey(tweet.in_reply_to_username),
    document: documentOf(tweet),
  };
}

/** The row of the counts of a tweet. */
export const countRow = (tweet: ArchivedTweet): Row => ({ id: toDatabaseId(tweet.id), ...countColumns(tweet) });

/** The columns of that row without its key. */
export function countColumns(tweet: ArchivedTweet): Row {
  const row: Record<string, string | number | null> = {};
  let known = 0;
  for (const [bit, name] of counts.entries()) {
    const count = tweet[name];
    row[name] = count ?? 0;
    if (count !== undefined) known |= 1 << bit;
  }
  const engagement = engagementOfTweet(tweet);
  row['known'] = known;
  row['engagement'] = engagement;
  row['observed_at'] = time(tweet.observed_at);
  row['community_id'] = optionalId(tweet.community_id);
  row['rank'] = tweet.community_id === undefined ? null : communityRank(engagement, parseTime(tweet.created_at));
  return row;
}

function tombstoneRow(key: Row, change: Extract<SnapshotChange, { kind: 'delete' }>): Row {
  const { tweet_id: id, uri, reason = 'deleted', at } = change;
  const tweet = tombstoneTweet(change);
  const tombstone: Tombstone = {
    ...{ id, reason, at: time(at) },
    ...(uri === undefined ? {} : { uri }),
    ...(tweet === undefined ? {} : { tweet }),
  };
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
