/** What a view or a result depends on, as keys. A transaction states the keys that it changes. */
import { nameKey } from './stored-text.ts';
import { hash } from 'node:crypto';

export const tweetDependency = (id: string): string => `t${id}`;
export const userDependency = (id: string): string => `u${id}`;
/** The user who has a username now. */
export const nameDependency = (username: string): string => storedNameDependency(nameKey(username));
/**
 * As `nameDependency`, by the stored form of the username. 30 bits of a hash: the log of the transactions keeps keys after an erasure, so they must not
 * name a user. Usernames with equal keys are only read again too often.
 */
export const storedNameDependency = (stored: string): string => `n${hash('sha256', stored, 'base64url').slice(0, 5)}`;

/** A transaction that changes more keys does not state them: the caches of all instances then begin anew. */
const maxStatedKeys = 200;

/** Adds keys to those of a transaction, until they are too many to state. */
export function addKeys(keys: Set<string>, added: Iterable<string>): void {
  for (const key of added) {
    if (keys.size > maxStatedKeys) return;
    keys.add(key);
  }
}

/** The keys for the record of a transaction; undefined for too many. */
export const statedKeys = (keys: ReadonlySet<string>): readonly string[] | undefined =>
  keys.size > maxStatedKeys ? undefined : [...keys];
