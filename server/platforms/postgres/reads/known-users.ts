/** Finds users: those with a profile, those whom mentions describe, and those whom any other record names. */
import type { UserRef } from '../../../ports/platform.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import type { UserIdentity } from '../../archive/user-directory.ts';
import { toDatabaseId } from '../rows/database-id.ts';
import { isId } from '../../../domain/record-id.ts';
import { LoadedRecords } from './loaded-records.ts';
import { nameKey } from '../rows/search-rows.ts';

/** A user, and the records that were read to find it. */
export interface FoundUser {
  readonly user: UserIdentity;
  readonly records: LoadedRecords;
}

/** Finds a user; undefined for a user whom no record names. Rejects with StoreError. */
export async function findUser(run: Run, ref: UserRef): Promise<FoundUser | undefined> {
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
async function isNamed(run: Run, username: string): Promise<boolean> {
  const [row] = await run<{ is_named: boolean }>({
    text: `SELECT EXISTS (SELECT FROM social_data.mention WHERE username = $1)
      OR EXISTS (SELECT FROM social_data.tweet WHERE reply_to = $1) AS is_named`,
    params: [nameKey(username)],
  });
  return row?.is_named === true;
}

/** Whether a record names the id of a user who is not withdrawn. */
async function isReferenced(run: Run, id: string): Promise<boolean> {
  const [row] = await run<{ is_referenced: boolean }>({
    text: `SELECT NOT EXISTS (SELECT FROM social_data.withdrawn WHERE user_id = $1) AND (
      EXISTS (SELECT FROM social_data.tweet WHERE author_id = $1)
      OR EXISTS (SELECT FROM social_data.follow WHERE follower_id = $1 AND at IS NOT NULL)
      OR EXISTS (SELECT FROM social_data.follow WHERE following_id = $1 AND at IS NOT NULL)
      OR EXISTS (SELECT FROM social_data.retweet WHERE user_id = $1 AND at IS NOT NULL)
      OR EXISTS (SELECT FROM social_data.highlight WHERE user_id = $1 AND at IS NOT NULL)
      OR EXISTS (SELECT FROM social_data.membership WHERE user_id = $1 AND at IS NOT NULL)
      OR EXISTS (SELECT FROM social_data.space WHERE participants @> ARRAY[$1::bigint])) AS is_referenced`,
    params: [toDatabaseId(id)],
  });
  return row?.is_referenced === true;
}
