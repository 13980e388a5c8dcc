/** API keys: made here, shown once, kept as hashes only. */
import { hash, randomInt, timingSafeEqual } from 'node:crypto';
import type { Document } from '../store/store.ts';

/** A stored key, without what would let anyone use it. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  /** RFC 3339, UTC. */
  readonly created_at: string;
}

/** The document that the store keeps. */
export interface KeyFile {
  keys: (KeyEntry & {
    /** SHA-256 of the whole key, in hex: nobody guesses a random secret of 190 bits, so there is nothing to slow down. */
    readonly hash: string;
  })[];
}

export interface Keys {
  /** Names the key, or undefined when it is not one of ours. */
  verify(key: string): { readonly id: string } | undefined;
  /** Whether the key of this name is still valid. */
  has(id: string): boolean;
  /** Makes a key; valid at once, durable when this resolves. The key itself cannot be had again. */
  create(name: string): Promise<{ readonly id: string; readonly key: string }>;
  list(): KeyEntry[];
  /** Ends a key at once; false when there is none of this id. Durable when this resolves. */
  revoke(id: string): Promise<boolean>;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const random = (length: number): string => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
const digest = (key: string): Buffer => hash('sha256', key, 'buffer');

/** Where a digest is looked up. The rest of it is compared in constant time. */
const slot = (hash: Buffer): string => hash.toString('latin1', 0, 8);

interface Known {
  readonly id: string;
  readonly hash: Buffer;
}
const index = (known: readonly Known[]): Map<string, Known> => new Map(known.map((key) => [slot(key.hash), key]));

/** The operator's own keys have no id; this one stays the same when they are listed in another order. */
const outside = (key: string): Known => {
  const hash = digest(key);
  return { id: `env_${hash.toString('hex', 0, 4)}`, hash };
};

/** The keys that `document` holds, with `extra` ones that are accepted beside them and not stored. */
export function keysOf(document: Document<KeyFile>, extra: readonly string[] = []): Keys {
  const extras = extra.map(outside);
  let known = new Map<string, Known>();
  let ids = new Set<string>();
  const refresh = (): void => {
    known = index([...extras, ...document.data.keys.map(({ id, hash }) => ({ id, hash: Buffer.from(hash, 'hex') }))]);
    ids = new Set(known.values().map(({ id }) => id));
  };
  refresh();

  return {
    verify(key) {
      const hash = digest(key);
      const found = known.get(slot(hash));
      return found && timingSafeEqual(found.hash, hash) ? { id: found.id } : undefined;
    },
    has: (id) => ids.has(id),
    async create(name) {
      const id = random(8);
      const key = `sd_${id}_${random(32)}`;
      const entry = { id, name, created_at: new Date().toISOString(), hash: digest(key).toString('hex') };
      const durable = document.update((data) => void data.keys.push(entry));
      refresh();
      await durable;
      return { id, key };
    },
    list: () => document.data.keys.map(({ id, name, created_at }) => ({ id, name, created_at })),
    async revoke(id) {
      if (!document.data.keys.some((key) => key.id === id)) return false;
      const durable = document.update((data) => void (data.keys = data.keys.filter((key) => key.id !== id)));
      refresh();
      await durable;
      return true;
    },
  };
}

/** The same for a server that starts: where there would be no key at all it makes one, `first`, to be shown once. */
export async function openKeys(
  document: Document<KeyFile>,
  extra: readonly string[],
): Promise<{ keys: Keys; first: string | undefined }> {
  const keys = keysOf(document, extra);
  const none = extra.length === 0 && keys.list().length === 0;
  return { keys, first: none ? (await keys.create('first')).key : undefined };
}

const text = (value: unknown, what: string): string => {
  if (typeof value === 'string' && value !== '' && value.length <= 100) return value;
  throw new Error(`${what} must be a text of 1 to 100 characters`);
};

/** What `npm run keys` asks a running server: JSON in, JSON out. Throws for a name or an id that is not a short text. */
export const keyRoutes = (keys: Keys) => ({
  'keys/create': async (name: unknown) => keys.create(text(name, 'the name')),
  'keys/list': async (_value: unknown) => keys.list(),
  'keys/revoke': async (id: unknown) => keys.revoke(text(id, 'the id')),
});
