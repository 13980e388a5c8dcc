/** The port to the secrets of the service, such as the one that seals page cursors. */

export interface Secrets {
  /**
   * The secret of this name: 32 random bytes, created by the first call and stored. Every later call returns the same
   * bytes, also after a restart and in every process that shares the storage. Calls at the same time agree on one
   * secret. Rejects with StoreError if the secret is new and cannot be stored.
   */
  secret(name: string): Promise<Buffer>;
  /**
   * Replaces every stored secret with a new one, which later calls of `secret` return. Rejects with StoreError.
   */
  rotate(): Promise<void>;
}
