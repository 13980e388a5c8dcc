/** Secrets in a document of the store. */
import { randomBytes } from 'node:crypto';
import type { Secrets } from '../ports/secrets.ts';
import type { Document, Store } from '../ports/storage.ts';

/** The stored document: base64 by name. */
type SecretsFile = Record<string, unknown>;

/** Length of a secret in bytes. */
const secretBytes = 32;

class DocumentSecrets implements Secrets {
  readonly #document: Document<SecretsFile>;

  constructor(document: Document<SecretsFile>) {
    this.#document = document;
  }

  async secret(name: string): Promise<Buffer> {
    const stored = decode(this.#document.data, name);
    if (stored !== undefined) return stored;
    const created = randomBytes(secretBytes);
    let agreed: Buffer = created;
    // The mutator sees the newest value: the first of several concurrent calls decides.
    await this.#document.update((data) => {
      agreed = decode(data, name) ?? created;
      data[name] = agreed.toString('base64');
    });
    return agreed;
  }

  rotate(): Promise<void> {
    return this.#document.update((data) => {
      for (const name of Object.keys(data)) data[name] = randomBytes(secretBytes).toString('base64');
    });
  }
}

/** A damaged entry counts as missing: a new secret makes old cursors and ids invalid, but the service starts. */
function decode(data: SecretsFile, name: string): Buffer | undefined {
  const value = Object.hasOwn(data, name) ? data[name] : undefined;
  const bytes = typeof value === 'string' ? Buffer.from(value, 'base64') : undefined;
  return bytes?.length === secretBytes ? bytes : undefined;
}

/** Opens the secrets of a store. Throws StoreError if their document is damaged. */
export async function openSecrets(store: Pick<Store, 'document'>): Promise<Secrets> {
  return new DocumentSecrets(await store.document<SecretsFile>('secrets', {}));
}
