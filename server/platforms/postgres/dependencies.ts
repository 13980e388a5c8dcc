/** What a view or a result depends on, as keys. A transaction states the keys that it changes. */
import { nameKey } from './search-rows.ts';

export const tweetDependency = (id: string): string => `t${id}`;
export const userDependency = (id: string): string => `u${id}`;
/** The user who has a username now. */
export const nameDependency = (username: string): string => storedNameDependency(nameKey(username));
/** As `nameDependency`, by the stored form of the username. */
export const storedNameDependency = (stored: string): string => `n${stored}`;

/** A transaction that changes more keys does not state them: the caches of all instances then begin anew. */
const maxStatedKeys = 200;

/** The keys for the record of a transaction; undefined for too many. */
export const statedKeys = (keys: ReadonlySet<string>): readonly string[] | undefined =>
  keys.size > maxStatedKeys ? undefined : [...keys];
