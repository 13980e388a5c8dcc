/** The port to the API keys: creation, verification, revocation. A key is shown once and stored only as a hash. */
import type { Scope } from '../../generated/scopes.ts';
import type { RateLimitedKey } from './rate-limiter.ts';

/**
 * What a key permits: a scope of the contract, or `admin`, the operator's interface. A key has `admin` only where its
 * entry names it.
 */
export type KeyScope = Scope | 'admin';

/** A stored key without its hash. A member that an older file lacks means no restriction. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  /** RFC 3339 in UTC, like all times of this type. */
  readonly created_at: string;
  /** The scopes of the key; all scopes of the contract when absent. */
  readonly scopes?: readonly KeyScope[];
  /** The rate limit of the key, such as `600/1m` or `off`; the default rate limit when absent. */
  readonly rate?: string;
  /** When the key expires; never when absent. */
  readonly expires_at?: string;
  /** The time of the last use; absent when the key was never used. */
  readonly last_used_at?: string;
  /** The id of the key that a feed token belongs to: it is valid while that key is. Absent for a key. */
  readonly issuer?: string;
}

/** A valid key. The object stays the same while the key is valid, so it can be the key of a WeakMap. */
export interface AuthenticatedKey extends RateLimitedKey {
  readonly scopes: ReadonlySet<KeyScope>;
  /** Milliseconds since 1970; Infinity for a key that does not expire. */
  readonly expiresAt: number;
  /** The last use in this process: milliseconds since 1970 (0: never used) and the client address. */
  readonly lastUse: { readonly at: number; readonly from: string };
  /** The key that this token was made from; undefined for a key. Its limits count the requests of all its tokens. */
  readonly issuer?: AuthenticatedKey | undefined;
}

/** The options of a new key. */
export interface NewKey {
  readonly name: string;
  readonly scopes?: readonly KeyScope[];
  readonly rate?: string;
  readonly expiresAt?: Date;
  /** The id of a valid key, for a feed token of that key. */
  readonly issuer?: string;
}

/**
 * The API keys. `verify`, `has` and `recordUse` are synchronous, because each request calls them: an adapter holds the
 * valid keys in memory and follows the changes of its storage. A key that another process created or revoked is valid
 * or invalid here at most one second later. An adapter that has had no contact with its storage for ten seconds no
 * longer trusts its copy: `verify` throws StoreError.
 */
export interface Keys {
  /**
   * Returns the key, or undefined when it is unknown, revoked or expired. Finds it by its hash and compares in constant
   * time. `connection`: when the same connection presents the same key again, the key is not hashed again. Throws
   * StoreError when the stored keys are not known.
   */
  verify(key: string, connection?: object): AuthenticatedKey | undefined;
  /** Whether the key with this id is still valid. */
  has(id: string): boolean;
  /** The valid key with this id. Throws StoreError when the stored keys are not known. */
  find(id: string): AuthenticatedKey | undefined;
  /** Records a use of a valid key, now, from this client address. Does no I/O: `saveLastUses` stores it. */
  recordUse(key: AuthenticatedKey, address: string): void;
  /**
   * Calls `listener` after each creation and revocation, by this process or by another one, when `verify` and `has`
   * already show it. An expiry is not a change: only `has` and `verify` detect it. Returns the function that removes
   * the listener.
   */
  onChange(listener: () => void): () => void;
  /**
   * Creates a key, which is valid and durable when the promise resolves. The key text cannot be read again. Rejects
   * with StoreError.
   */
  create(newKey: NewKey): Promise<{ readonly id: string; readonly key: string }>;
  /** The stored keys with their last use, oldest first. */
  list(): Promise<KeyEntry[]>;
  /**
   * Revokes a key and its feed tokens durably; false when the id is unknown. If the store cannot be written, it rejects with StoreError and
   * the key stays valid.
   */
  revoke(id: string): Promise<boolean>;
  /** Stores the uses since the last call, if there were any. Never replaces a later use by an earlier one. Rejects with StoreError. */
  saveLastUses(): Promise<void>;
}
