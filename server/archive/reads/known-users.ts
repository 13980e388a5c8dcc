/** Finds users: those with a profile, those whom mentions describe, and those whom any other record names. */
import { nameKey } from '../content/stored-text.ts';
import type { UserRef } from '../../ports/platform.ts';
import { given, raw, sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import type { KnownUser } from '../../ports/platform.ts';
import { fromDatabaseId, idsOf } from '../content/database-id.ts';
import { isId } from '../../domain/record-id.ts';
import { LoadedRecords } from './loaded-records.ts';

/** A user, and the records that were read to find it. */
export interface FoundUser {
  readonly user: KnownUser;
  readonly records: LoadedRecords;
}

/** Finds a user; undefined for a user whom no record names. Rejects with StoreError. */
export async function findUser(run: RunSql, ref: UserRef): Promise<FoundUser | undefined> {
  const records = new LoadedRecords(run);
  if ('username' in ref) {
    const username = withoutAt(ref.username);
    await records.readNames([username]);
    const user = records.userByName(username);
    if (user !== undefined) return { user: { id: user.id, username: user.username }, records };
    return (await isNamed(run, username)) ? { user: { id: undefined, username }, records } : undefined;
  }
  const id = ref.user_id;
  if (!isId(id)) return undefined;
  await records.readUsers([id]);
  const user = records.user(id);
  if (user !== undefined) return { user: { id, username: user.username }, records };
  return (await referencedAmong(run, [id])).has(id) ? { user: { id, username: undefined }, records } : undefined;
}

/**
 * The ids of users, in the order of the references, and the records of those with a profile; undefined for a user whom no record
 * names by id. Rejects with StoreError.
 */
export async function knownIds(
  run: RunSql,
  refs: readonly UserRef[],
): Promise<{ readonly ids: readonly (string | undefined)[]; readonly records: LoadedRecords }> {
  const records = new LoadedRecords(run);
  await records.readNames(refs.flatMap((ref) => ('username' in ref ? [withoutAt(ref.username)] : [])));
  const userIds = refs.flatMap((ref) => ('user_id' in ref && isId(ref.user_id) ? [ref.user_id] : []));
  await records.readUsers(userIds);
  const others = userIds.filter((id) => records.user(id) === undefined);
  const referenced = others.length === 0 ? undefined : await referencedAmong(run, others);
  const ids = refs.map((ref) => {
    if ('username' in ref) return records.userByName(withoutAt(ref.username))?.id;
    return records.user(ref.user_id) !== undefined || referenced?.has(ref.user_id) === true ? ref.user_id : undefined;
  });
  return { ids, records };
}

const withoutAt = (username: string): string => username.replace(/^@/, '');

/** Whether a tweet mentions a username or replies to it. */
async function isNamed(run: RunSql, username: string): Promise<boolean> {
  const name = nameKey(username);
  const [row] = await run<{ is_named: boolean | number }>(
    sql`SELECT EXISTS (SELECT 1 FROM social_data.mention WHERE username = ${name})
      OR EXISTS (SELECT 1 FROM social_data.tweet WHERE reply_to = ${name}) AS is_named`,
  );
  return Boolean(row?.is_named);
}

/** Which of these ids belong to users whom a record names and who are not withdrawn. */
async function referencedAmong(run: RunSql, ids: readonly string[]): Promise<Set<string>> {
  const rows = await run<{ id: Integer }>(
    sql`SELECT id FROM ${given({ id: idsOf(ids) })} WHERE ${isReferenced(raw('given.id'))}`,
  );
  return new Set(rows.map(({ id }) => fromDatabaseId(id)));
}

/** The condition that a record names the id of a user who is not withdrawn. */
const isReferenced = (user: Fragment): Fragment =>
  sql`NOT EXISTS (SELECT 1 FROM social_data.withdrawn WHERE user_id = ${user}) AND (
      EXISTS (SELECT 1 FROM social_data.tweet WHERE author_id = ${user})
      OR EXISTS (SELECT 1 FROM social_data.follow WHERE follower_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.follow WHERE following_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.retweet WHERE user_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.highlight WHERE user_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.membership WHERE user_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.space_participant WHERE user_id = ${user}))`;
