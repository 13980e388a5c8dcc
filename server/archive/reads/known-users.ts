/** Finds users: those with a profile, those whom mentions describe, and those whom any other record names. */
import { nameKey } from '../content/stored-text.ts';
import type { UserRef } from '../../ports/platform.ts';
import { sql, type RunSql } from '../sql.ts';
import type { KnownUser } from '../../ports/platform.ts';
import { idOf } from '../content/database-id.ts';
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
    const username = ref.username.replace(/^@/, '');
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
  return (await isReferenced(run, id)) ? { user: { id, username: undefined }, records } : undefined;
}

/** Whether a tweet mentions a username or replies to it. */
async function isNamed(run: RunSql, username: string): Promise<boolean> {
  const name = nameKey(username);
  const [row] = await run<{ is_named: boolean | number }>(
    sql`SELECT EXISTS (SELECT 1 FROM social_data.mention WHERE username = ${name})
      OR EXISTS (SELECT 1 FROM social_data.tweet WHERE reply_to = ${name}) AS is_named`,
  );
  return Boolean(row?.is_named);
}

/** Whether a record names the id of a user who is not withdrawn. */
async function isReferenced(run: RunSql, id: string): Promise<boolean> {
  const user = idOf(id);
  const [row] = await run<{ is_referenced: boolean | number }>(
    sql`SELECT NOT EXISTS (SELECT 1 FROM social_data.withdrawn WHERE user_id = ${user}) AND (
      EXISTS (SELECT 1 FROM social_data.tweet WHERE author_id = ${user})
      OR EXISTS (SELECT 1 FROM social_data.follow WHERE follower_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.follow WHERE following_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.retweet WHERE user_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.highlight WHERE user_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.membership WHERE user_id = ${user} AND at IS NOT NULL)
      OR EXISTS (SELECT 1 FROM social_data.space_participant WHERE user_id = ${user})) AS is_referenced`,
  );
  return Boolean(row?.is_referenced);
}
