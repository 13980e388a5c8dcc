/** The secrets that seal page cursors and conversation ids. They are stored, so that both stay valid after a restart. */
import { randomBytes } from 'node:crypto';
import type { Store } from '../ports/storage.ts';
import type { Routes } from './control-server.ts';

/** The stored document; an empty text stands for a secret that is not made yet. */
interface SecretFile {
  cursor: string;
  conversation: string;
}

export interface Secrets {
  readonly cursor: Buffer;
  readonly conversation: Buffer;
  /** Stores new secrets, which the next start uses. Rejects with StoreError. */
  rotate(): Promise<void>;
}

const randomSecret = (): string => randomBytes(32).toString('base64');

/** Opens the secrets of a store, and creates them the first time. Rejects with StoreError. */
export async function openSecrets(store: Store): Promise<Secrets> {
  const document = await store.document<SecretFile>('secrets', { cursor: '', conversation: '' });
  const rotate = (): Promise<void> =>
    document.update((data) => {
      data.cursor = randomSecret();
      data.conversation = randomSecret();
    });
  if (!document.data.cursor || !document.data.conversation) await rotate();
  return {
    cursor: Buffer.from(document.data.cursor, 'base64'),
    conversation: Buffer.from(document.data.conversation, 'base64'),
    rotate,
  };
}

/** The control command that makes new secrets. */
export const secretRoutes = (secrets: Secrets): Routes => ({ 'secrets/rotate': () => secrets.rotate() });
