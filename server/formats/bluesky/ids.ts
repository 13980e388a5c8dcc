/** The ids of accounts, which are hashes: events name the same accounts again and again. */
import { LRUCache } from 'lru-cache';
import { userId } from '../../domain/tid.ts';

const ids = new LRUCache<string, string>({ max: 50_000 });

/** The id of an account by its DID. */
export function accountId(did: string): string {
  const known = ids.get(did);
  if (known !== undefined) return known;
  const id = userId(did);
  ids.set(did, id);
  return id;
}
