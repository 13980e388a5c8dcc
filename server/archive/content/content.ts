/**
 * The content of the tables as changes that create it: the common form of rows that are read, of what `Archive.changes` returns,
 * and of rows that are written.
 */
import type { Integer } from '../sql.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { time, type SnapshotChange } from '../rules/change.ts';
import { keyOfScrub } from '../rules/geo-scrubs.ts';

/** The tables of relations between an owner and a member, with their columns. */
export const relationTables = {
  follow: { owner: 'follower_id', member: 'following_id' },
  retweet: { owner: 'tweet_id', member: 'user_id' },
  highlight: { owner: 'user_id', member: 'tweet_id' },
  membership: { owner: 'user_id', member: 'community_id' },
  list_member: { owner: 'list_id', member: 'user_id' },
} as const;
export type RelationTable = keyof typeof relationTables;
type RelationRecord = Extract<ArchiveRecord, { kind: RelationTable | 'unfollow' | 'unretweet' }>;

/** An owner and a member, by their ids. */
export interface Pair {
  readonly owner: string;
  readonly member: string;
}

/** The tables whose rows are entities, removals or likes, by one id. */
export type EntityTableName =
  | 'tweet'
  | 'user'
  | 'community'
  | 'space'
  | 'place'
  | 'list'
  | 'like'
  | 'tombstone'
  | 'withdrawn'
  | 'geo_scrub';

/** The content of one row. */
export type Item = { readonly key: string; readonly json: string } & (
  | { readonly table: EntityTableName; readonly id: string; readonly changes: readonly SnapshotChange[] }
  | { readonly table: RelationTable; readonly pair: Pair; readonly changes: readonly SnapshotChange[] }
);

/** The relation that a record is about: its table, its owner and its member. */
export function pairOf(record: RelationRecord): Pair & { readonly table: RelationTable } {
  switch (record.kind) {
    case 'follow':
    case 'unfollow':
      return { table: 'follow', owner: record.follower_id, member: record.following_id };
    case 'retweet':
    case 'unretweet':
      return { table: 'retweet', owner: record.tweet_id, member: record.user_id };
    case 'highlight':
      return { table: 'highlight', owner: record.user_id, member: record.tweet_id };
    case 'membership':
      return { table: 'membership', owner: record.user_id, member: record.community_id };
    case 'list_member':
      return { table: 'list_member', owner: record.list_id, member: record.user_id };
  }
}

type Place =
  | { readonly table: EntityTableName; readonly id: string }
  | { readonly table: RelationTable; readonly pair: Pair };

/** The row that a change of a snapshot describes. */
function placeOf(change: SnapshotChange): Place {
  switch (change.kind) {
    case 'tweet':
      return { table: 'tweet', id: change.tweet.id };
    case 'user':
      return { table: 'user', id: change.user.id };
    case 'community':
      return { table: 'community', id: change.community.id };
    case 'space':
      return { table: 'space', id: change.space.id };
    case 'place':
      return { table: 'place', id: change.place.id };
    case 'list':
      return { table: 'list', id: change.list.id };
    case 'like':
    case 'unlike':
      return { table: 'like', id: change.tweet_id };
    case 'delete':
    case 'restore':
      return { table: 'tombstone', id: change.tweet_id };
    case 'withdraw':
    case 'reinstate':
      return { table: 'withdrawn', id: change.user_id };
    case 'scrub_geo':
      return { table: 'geo_scrub', id: keyOfScrub(change) };
    default: {
      const { table, owner, member } = pairOf(change);
      return { table, pair: { owner, member } };
    }
  }
}

const keyOf = (place: Place): string =>
  'id' in place ? `${place.table} ${place.id}` : `${place.table} ${place.pair.owner} ${place.pair.member}`;

/** The items of a snapshot, by key. */
export function itemsOf(snapshot: Iterable<SnapshotChange>): Map<string, Item> {
  const places = new Map<string, { readonly place: Place; readonly changes: SnapshotChange[] }>();
  for (const change of snapshot) {
    const place = placeOf(change);
    const key = keyOf(place);
    const known = places.get(key);
    if (known === undefined) places.set(key, { place, changes: [change] });
    else known.changes.push(change);
  }
  const items = new Map<string, Item>();
  for (const [key, { place, changes }] of places)
    items.set(key, { ...place, key, changes, json: JSON.stringify(changes) });
  return items;
}

/** The values of a row of a relation. */
export interface RelationValues {
  /** The first known start in milliseconds since the epoch, 0 if unknown; null without a start. */
  readonly at: number | null;
  /** The last known start, if it differs. */
  readonly last: number | null;
  /** The removal that excludes earlier starts. */
  readonly removed_at: number | null;
  readonly role?: string;
}

/** A row of a relation as the database returns it, with both of its ids. */
export interface RelationRow {
  readonly owner: Integer;
  readonly member: Integer;
  readonly at: Integer | null;
  readonly last: Integer | null;
  readonly removed_at: Integer | null;
  readonly role: string | null;
}

const optionalNumber = (value: Integer | null): number | null => (value === null ? null : Number(value));

/** The values of a row that a statement returned. */
export const valuesOfRow = ({ at, last, removed_at, role }: RelationRow): RelationValues => ({
  at: optionalNumber(at),
  last: optionalNumber(last),
  removed_at: optionalNumber(removed_at),
  ...(role === null ? {} : { role }),
});

/** The row of a relation from its changes. */
export function relationValues(changes: readonly SnapshotChange[]): RelationValues {
  const starts: number[] = [];
  let removedAt: number | null = null;
  let role: string | undefined;
  for (const change of changes) {
    if (change.kind === 'unfollow' || change.kind === 'unretweet') removedAt = time(change.at);
    else if (isStart(change)) starts.push(time(change.created_at));
    if (change.kind === 'membership') role = change.role;
  }
  const [at = null, last = null] = starts;
  return { at, last, removed_at: removedAt, ...(role === undefined ? {} : { role }) };
}

const isStart = (change: SnapshotChange): change is Extract<ArchiveRecord, { kind: RelationTable }> =>
  change.kind in relationTables;
const isoTime = (at: number): string => new Date(at).toISOString();
const createdAt = (at: number): { created_at?: string } => (at === 0 ? {} : { created_at: isoTime(at) });

/** The changes that create the row of a relation: the removal first. */
export function relationChanges(
  table: RelationTable,
  { owner, member }: Pair,
  values: RelationValues,
): SnapshotChange[] {
  const changes: SnapshotChange[] = [];
  const { at, last, removed_at: removedAt } = values;
  if (removedAt !== null && table === 'follow')
    changes.push({ kind: 'unfollow', follower_id: owner, following_id: member, at: isoTime(removedAt) });
  if (removedAt !== null && table === 'retweet')
    changes.push({ kind: 'unretweet', tweet_id: owner, user_id: member, at: isoTime(removedAt) });
  for (const start of [at, last])
    if (start !== null) changes.push(startOf(table, { owner, member }, start, values.role));
  return changes;
}

function startOf(table: RelationTable, { owner, member }: Pair, at: number, role = 'member'): SnapshotChange {
  switch (table) {
    case 'follow':
      return { kind: table, follower_id: owner, following_id: member, ...createdAt(at) };
    case 'retweet':
      return { kind: table, tweet_id: owner, user_id: member, ...createdAt(at) };
    case 'highlight':
      return { kind: table, user_id: owner, tweet_id: member, ...createdAt(at) };
    case 'membership':
      return { kind: table, community_id: member, user_id: owner, role: roleOf(role), ...createdAt(at) };
    case 'list_member':
      return { kind: table, list_id: owner, user_id: member, ...createdAt(at) };
  }
}

type Role = Extract<ArchiveRecord, { kind: 'membership' }>['role'];
const roles: readonly Role[] = ['member', 'moderator', 'admin'];
const roleOf = (text: string): Role => roles.find((role) => role === text) ?? 'member';
