/** Secrets in memory that any number of processes share: a value is written only if none is stored. */
import { randomBytes } from 'node:crypto';
import type { Secrets } from '../../../server/ports/secrets.ts';
import { StoreError } from '../../../server/ports/storage.ts';

/** What outlives a process. */
export class SharedSecrets {
  readonly stored = new Map<string, Buffer>();
  isFailing = false;
}

export class ReferenceSecrets implements Secrets {
  readonly #shared: SharedSecrets;

  constructor(shared: SharedSecrets) {
    this.#shared = shared;
  }

  async secret(name: string): Promise<Buffer> {
    const { stored, isFailing } = this.#shared;
    const candidate = randomBytes(32);
    await new Promise(setImmediate);
    const existing = stored.get(name);
    if (existing !== undefined) return existing;
    if (isFailing) throw new StoreError('the storage has failed');
    stored.set(name, candidate);
    return candidate;
  }

  async rotate(): Promise<void> {
    const { stored, isFailing } = this.#shared;
    if (isFailing) throw new StoreError('the storage has failed');
    for (const name of stored.keys()) stored.set(name, randomBytes(32));
  }
}
