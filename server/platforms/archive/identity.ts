/**
 * What distinguishes two records with the same id. The id of a post of Bluesky is the number of its record key, which the owner
 * of a repository chooses: a copied key has the id of another post. The first record keeps the id.
 */
import { TransientMap } from '../../collections/transient-map.ts';
import type { TweetHead } from '../../domain/tweet-head.ts';
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

/** The identity of the pending records of one tweet or account, and their number. */
interface PendingIdentity {
  uri: string | undefined;
  authorId: string | undefined;
  did: string | undefined;
  records: number;
}

/**
 * The identities of the records that are on their way to the journal. Two calls at the same time must not write different
 * tweets with one id: after a purge the order of their records would decide which one stays.
 */
export class PendingIdentities {
  readonly #byKey = new TransientMap<string, PendingIdentity>();

  /** Whether a pending record is about another tweet or account with the same id. */
  excludes(change: Change, key: string): boolean {
    const held = this.#byKey.get(key);
    return held !== undefined && isOther(held, change);
  }

  /** Adds a tweet or a profile that `excludes` permits. Returns whether to `remove` it later. */
  add(change: Change, key: string): boolean {
    if (change.kind !== 'tweet' && change.kind !== 'user') return false;
    const held = this.#byKey.get(key);
    const incoming = identityOf(change);
    if (held === undefined) {
      this.#byKey.set(key, { uri: incoming?.uri, authorId: incoming?.authorId, did: incoming?.did, records: 1 });
      return true;
    }
    held.uri ??= incoming?.uri;
    held.authorId ??= incoming?.authorId;
    held.did ??= incoming?.did;
    held.records++;
    return true;
  }

  /** Whether no pending record is about the id of a tweet, or one that has neither another address nor another author. */
  permits({ uri, author_id }: TweetHead, key: string): boolean {
    const held = this.#byKey.get(key);
    return held === undefined || (held.uri === uri && held.authorId === author_id);
  }

  /** As `add`, for a tweet that `permits` permits. */
  addTweet({ uri, author_id }: TweetHead, key: string): void {
    const held = this.#byKey.get(key);
    if (held === undefined) this.#byKey.set(key, { uri, authorId: author_id, did: undefined, records: 1 });
    else held.records++;
  }

  /** Removes a record that the archive applied, or that could not be written. */
  remove(key: string): void {
    const held = this.#byKey.get(key);
    if (held === undefined) return;
    if (--held.records === 0) this.#byKey.delete(key);
  }
}
