/** The port to the tokens of a key: short-lived ones for browsers, and feed tokens. */

/** A short-lived token. */
export interface MintedToken {
  readonly token: string;
  readonly scopes: readonly string[];
  /** When it ends: milliseconds since 1970. */
  readonly endsAt: number;
}

/** A feed token without its text. Times are RFC 3339 in UTC. */
export interface FeedToken {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
}

export interface Tokens {
  /**
   * A token of a key for `seconds`, at most until the key expires. By default it has all scopes of the key but `tokens`. Throws
   * ServiceError 403 for a scope that the key lacks.
   */
  mint(keyId: string, scopes: readonly string[] | undefined, seconds: number): MintedToken;
  /**
   * Stores a feed token of a key; undefined where the key has the most that it may have. Rejects with ServiceError 403 for a key
   * that may not read feeds, and with StoreError.
   */
  createFeedToken(keyId: string, name: string): Promise<{ readonly id: string; readonly token: string } | undefined>;
  /** The id of the key that a credential with this id belongs to: of the key of a feed token, else the id itself. */
  owner(id: string): string;
  /** The feed tokens of a key, oldest first. */
  feedTokens(keyId: string): Promise<FeedToken[]>;
  /** Revokes a feed token durably; false for one that the key does not have. Rejects with StoreError. */
  revokeFeedToken(keyId: string, id: string): Promise<boolean>;
}
