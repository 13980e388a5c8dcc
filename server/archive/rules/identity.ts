/**
 * What distinguishes two records with the same id. The id of a post of Bluesky is the number of its record key, which the owner
 * of a repository chooses: a copied key has the id of another post. The first record keeps the id.
 */
import type { Change } from './change.ts';

/** What is known of the origin of a record. */
export interface Identity {
  /** The address of a tweet. */
  readonly uri?: string | undefined;
  /** The author of a tweet. */
  readonly authorId?: string | undefined;
  /** The identifier of an account. */
  readonly did?: string | undefined;
}

/** The identity that a record of a tweet or a profile states, or the removal of a tweet; undefined for other records. */
function identityOf(change: Change): Identity | undefined {
  if (change.kind === 'tweet') return { uri: change.tweet.uri, authorId: change.tweet.author_id };
  if (change.kind === 'user') return { did: change.user.did };
  if (change.kind !== 'delete') return undefined;
  const tombstone = 'tombstone' in change ? change.tombstone : undefined;
  return { uri: change.uri, authorId: tombstone?.author_id ?? change.author_id };
}

/** Whether a record is about another tweet or account than the one that has its id. */
export function isOther(held: Identity, change: Change): boolean {
  const incoming = identityOf(change);
  if (incoming === undefined) return false;
  const { uri, authorId, did } = incoming;
  if (held.did !== undefined && did !== undefined) return held.did !== did;
  if (held.uri === uri) return false;
  if (held.uri !== undefined && uri !== undefined) return true;
  // One of them has no address: the author decides. A removal without an address is of whatever tweet has the id.
  if (change.kind === 'delete' && uri === undefined) return false;
  const isKnown = held.authorId !== undefined && (authorId !== undefined || change.kind === 'delete');
  return isKnown && held.authorId !== authorId;
}
