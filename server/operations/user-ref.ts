/** The parameters `username` and `user_id`. */
import type { UserRef } from '../ports/platform.ts';

/** The user in the query. Validation guarantees exactly one of the two parameters. */
export const userRef = ({ username, user_id = '' }: { username?: string; user_id?: string }): UserRef =>
  username === undefined ? { user_id } : { username };
