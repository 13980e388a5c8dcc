/** API keys: made here, shown once, kept as hashes only. */
import { hash as digestOf, randomInt, timingSafeEqual } from 'node:crypto';
import { scopes as allScopes, type Scope } from '../../generated/scopes.ts';
import { StoreError, type Document } from '../ports/storage.ts';
import { readRate, type RateLimit } from './rate.ts';

/** A stored key, without what would let anyone use it. Members that older files lack have the widest meaning. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  /** RFC 3339, UTC, as all times here. */
  readonly created_at: string;
  /** What it was made for; all where it is left out. */
  readonly scopes?: readonly Scope[];
  /** Its own rate, as `600/1m` or `off`; the usual one where it is left out. */
  readonly rate?: string;
  /** From when on it is no key any more; never where it is left out. */
  readonly expires_at?: string;
  /** When it was last used; not yet, or not since it is noted, where it is left out. */
  readonly last_used_at?: string;
}

/** The document that the store keeps. */
export interface KeyFile {
  keys: (KeyEntry & {
    /** SHA-256 of the whole key, in hex: nobody guesses a random secret of 190 bits, so there is nothing to slow down. */
    readonly hash: string;
  })[];
}

/** A valid key. The object is the same as long as the key is valid: what belongs to the key can be kept by it, weakly. */
export interface AuthenticatedKey {
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Its own rate; undefined for the usual one. */
  readonly rate: RateLimit | 'off' | undefined;
  /** Milliseconds since 1970; Infinity for one that does not expire. */
  readonly expiresAt: number;
  /** Written by whoever lets the key in: milliseconds since 1970, 0 for not yet, and the address. */
  readonly lastUse: { at: number; from: string };
}

/** What a new key is made for. */
export interface NewKey {
  readonly name: string;
  readonly scopes?: readonly Scope[];
  readonly rate?: string;
  readonly expiresAt?: Date;
}

export interface Keys {
  /**
   * The key, or undefined when it is not one of ours, or not any more. Compares in constant time. `connection`: what it came by, by which
   * the same key is known again without being hashed.
   */
  verify(key: string, connection?: object): AuthenticatedKey | undefined;
  /** Whether the key of this name is still valid. */
  has(id: string): boolean;
  /** Calls `listener` whenever a key was revoked. What expires is only known to `has` and `verify`. */
  onRevoked(listener: () => void): void;
  /** Makes a key; valid and durable when this resolves. The key itself cannot be had again. */
  create(newKey: NewKey): Promise<{ readonly id: string; readonly key: string }>;
  /** The stored keys, with their last use as it is now. */
  list(): KeyEntry[];
  /** Ends a key; false when there is none of this id. Durable when this resolves; where it cannot be, the key stays valid. */
  revoke(id: string): Promise<boolean>;
  /** Writes down the uses since the last time; nothing where there was none. Rejects with StoreError. */
  saveLastUses(): Promise<void>;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
/** As text of one character a byte: a third of the time of a Buffer of its own. */
const digest = (key: string): string => digestOf('sha256', key, 'binary');

/** Where a digest is looked up. The rest of it is compared in constant time. */
const hashPrefix = (hash: string): string => hash.slice(0, 8);
/** Into which a presented digest is written to be compared: there is only one at a time. */
const presentedDigest = Buffer.alloc(32);

interface HashedKey extends AuthenticatedKey {
  readonly hash: Buffer;
}

const everyScope: ReadonlySet<Scope> = new Set(Object.keys(allScopes) as Scope[]);

/** A key that may do everything, for as long as it likes. */
export const unrestrictedKey = (id: string): AuthenticatedKey => ({
  id,
  scopes: everyScope,
  rate: undefined,
  expiresAt: Infinity,
  lastUse: { at: 0, from: '' },
});

/** The operator's own keys have no id; this one stays the same when they are listed in another order. They are full ones. */
function environmentKey(key: string): HashedKey {
  const hash = Buffer.from(digest(key), 'latin1');
  return { ...unrestrictedKey(`env_${hash.toString('hex', 0, 4)}`), hash };
}

/** A stored key made ready. Throws StoreError where a member of it cannot be read: a limit must not get lost in silence. */
function parseEntry({
  id,
  hash,
  scopes,
  rate,
  expires_at: expires,
  last_used_at: lastUsed,
}: KeyFile['keys'][number]): HashedKey {
  const key = {
    id,
    hash: Buffer.from(hash, 'hex'),
    scopes: scopes === undefined ? everyScope : new Set(scopes),
    rate: rate === undefined ? undefined : readRate(rate),
    expiresAt: expires === undefined ? Infinity : Date.parse(expires),
    lastUse: { at: lastUsed === undefined ? 0 : Date.parse(lastUsed), from: '' },
  };
  if (rate !== undefined && key.rate === undefined)
    throw new StoreError(`the stored key ${id} has a rate that cannot be read: '${rate}'`);
  if (Number.isNaN(key.expiresAt))
    throw new StoreError(`the stored key ${id} has an expiry that cannot be read: '${expires}'`);
  return key;
}

const isExpired = ({ expiresAt }: AuthenticatedKey): boolean => expiresAt <= Date.now();
const time = (ms: number): string => new Date(ms).toISOString();

/** The keys that `document` holds, with `extra` ones that are accepted beside them and not stored. Throws StoreError for a broken one. */
export function createKeys(document: Document<KeyFile>, environmentKeys: readonly string[] = []): Keys {
  const byHashPrefix = new Map<string, HashedKey>();
  const byId = new Map<string, HashedKey>();
  /** What was right last on each connection. Only what came by it is compared with it: its time tells nothing of other callers' keys. */
  const lastByConnection = new WeakMap<object, { readonly text: string; readonly verified: HashedKey }>();
  const listeners: (() => void)[] = [];
  const add = (hashedKey: HashedKey): void => {
    byHashPrefix.set(hashPrefix(hashedKey.hash.toString('latin1')), hashedKey);
    byId.set(hashedKey.id, hashedKey);
  };
  for (const key of environmentKeys) add(environmentKey(key));
  for (const entry of document.data.keys) add(parseEntry(entry));

  const lastUsed = ({ id, last_used_at: savedAt }: KeyEntry): string | undefined => {
    const at = byId.get(id)?.lastUse.at ?? 0;
    return at > 0 ? time(at) : savedAt;
  };

  return {
    verify(key, connection) {
      const last = connection && lastByConnection.get(connection);
      if (last?.text === key && byId.get(last.verified.id) === last.verified)
        return isExpired(last.verified) ? undefined : last.verified;
      const hash = digest(key);
      const match = byHashPrefix.get(hashPrefix(hash));
      if (match === undefined) return undefined;
      presentedDigest.write(hash, 'latin1');
      if (!timingSafeEqual(match.hash, presentedDigest) || isExpired(match)) return undefined;
      if (connection !== undefined) lastByConnection.set(connection, { text: key, verified: match });
      return match;
    },

    has(id) {
      const key = byId.get(id);
      return key !== undefined && !isExpired(key);
    },

    onRevoked: (listener) => void listeners.push(listener),

    async create({ name, scopes, rate, expiresAt }) {
      const id = randomText(8);
      const key = `sd_${id}_${randomText(32)}`;
      const entry = {
        id,
        name,
        created_at: new Date().toISOString(),
        ...(scopes === undefined ? {} : { scopes }),
        ...(rate === undefined ? {} : { rate }),
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }),
        hash: Buffer.from(digest(key), 'latin1').toString('hex'),
      };
      await document.update((data) => void data.keys.push(entry));
      add(parseEntry(entry));
      return { id, key };
    },

    list: () =>
      document.data.keys.map(({ hash: _, ...entry }) => {
        const at = lastUsed(entry);
        return at === undefined ? entry : { ...entry, last_used_at: at };
      }),

    async revoke(id) {
      if (!document.data.keys.some((key) => key.id === id)) return false;
      await document.update((data) => void (data.keys = data.keys.filter((key) => key.id !== id)));
      const revoked = byId.get(id);
      byId.delete(id);
      if (revoked !== undefined) byHashPrefix.delete(hashPrefix(revoked.hash.toString('latin1')));
      for (const listener of listeners) listener();
      return true;
    },

    async saveLastUses() {
      if (document.data.keys.every((entry) => lastUsed(entry) === entry.last_used_at)) return;
      await document.update((data) => {
        data.keys = data.keys.map((entry) => {
          const at = lastUsed(entry);
          return at === undefined ? entry : { ...entry, last_used_at: at };
        });
      });
    },
  };
}

/**
 * Makes the first key, to be shown once, where there would be no key at all: neither a stored one nor one of `extra`.
 */
export async function createFirstKey(
  keys: Pick<Keys, 'list' | 'create'>,
  environmentKeys: readonly string[],
): Promise<string | undefined> {
  if (environmentKeys.length > 0 || keys.list().length > 0) return undefined;
  return (await keys.create({ name: 'first' })).key;
}

/** Writes the uses down every minute: one write for however many requests. `stop` does it a last time. */
export function recordKeyUses(
  keys: Pick<Keys, 'saveLastUses'>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const save = (): Promise<void> => keys.saveLastUses().catch(onError);
  const timer = setInterval(save, 60_000);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return save();
    },
  };
}
