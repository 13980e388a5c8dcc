/** API keys: creation, verification, revocation. A key is shown once and stored only as a hash. */
import { hash as digestOf, randomInt, timingSafeEqual } from 'node:crypto';
import { scopes as allScopes, type Scope } from '../../generated/scopes.ts';
import { StoreError, type Document } from '../ports/storage.ts';
import { readRate, type RateLimit } from './rate.ts';

/** A stored key without its hash. A member that an older file lacks means no restriction. */
export interface KeyEntry {
  readonly id: string;
  readonly name: string;
  /** RFC 3339 in UTC, like all times of this type. */
  readonly created_at: string;
  /** The scopes of the key; all scopes when absent. */
  readonly scopes?: readonly Scope[];
  /** The rate limit of the key, such as `600/1m` or `off`; the default rate limit when absent. */
  readonly rate?: string;
  /** When the key expires; never when absent. */
  readonly expires_at?: string;
  /** The saved time of the last use; absent when no use was saved. */
  readonly last_used_at?: string;
}

/** The stored document. */
export interface KeyFile {
  keys: (KeyEntry & {
    /**
     * SHA-256 of the whole key, in hex. A random secret of 190 bits cannot be guessed, so a slow hash is not needed.
     */
    readonly hash: string;
  })[];
}

/** A valid key. The object stays the same while the key is valid, so it can be the key of a WeakMap. */
export interface AuthenticatedKey {
  readonly id: string;
  readonly scopes: ReadonlySet<Scope>;
  /** The rate limit of the key; undefined for the default rate limit. */
  readonly rate: RateLimit | 'off' | undefined;
  /** Milliseconds since 1970; Infinity for a key that does not expire. */
  readonly expiresAt: number;
  /** The last use, written by the authenticator: milliseconds since 1970 (0: never used) and the client address. */
  readonly lastUse: { at: number; from: string };
}

/** The options of a new key. */
export interface NewKey {
  readonly name: string;
  readonly scopes?: readonly Scope[];
  readonly rate?: string;
  readonly expiresAt?: Date;
}

export interface Keys {
  /**
   * Returns the key, or undefined when it is unknown, revoked or expired. Compares in constant time. `connection`:
   * when the same connection presents the same key again, the key is not hashed again.
   */
  verify(key: string, connection?: object): AuthenticatedKey | undefined;
  /** Whether the key with this id is still valid. */
  has(id: string): boolean;
  /** Calls `listener` after each revocation. Only `has` and `verify` detect an expired key. */
  onRevoked(listener: () => void): void;
  /** Creates a key, which is valid and durable when the promise resolves. The key text cannot be read again. */
  create(newKey: NewKey): Promise<{ readonly id: string; readonly key: string }>;
  /** The stored keys with their current last use. */
  list(): KeyEntry[];
  /**
   * Revokes a key durably; false when the id is unknown. If the store cannot be written, it rejects and the key stays
   * valid.
   */
  revoke(id: string): Promise<boolean>;
  /** Saves the uses since the last save, if there were any. Rejects with StoreError. */
  saveLastUses(): Promise<void>;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomText = (length: number): string =>
  Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
/** SHA-256 as text with one character for each byte: three times as fast as a Buffer. */
const digest = (key: string): string => digestOf('sha256', key, 'binary');

/** The part of a digest that the lookup uses. The whole digest is then compared in constant time. */
const hashPrefix = (hash: string): string => hash.slice(0, 8);
/** Buffer for the comparison of a presented digest. The comparison is synchronous, so one buffer is enough. */
const presentedDigest = Buffer.alloc(32);

interface HashedKey extends AuthenticatedKey {
  readonly hash: Buffer;
}

const everyScope: ReadonlySet<Scope> = new Set(Object.keys(allScopes) as Scope[]);

/** A key with all scopes and no expiry. */
export const unrestrictedKey = (id: string): AuthenticatedKey => ({
  id,
  scopes: everyScope,
  rate: undefined,
  expiresAt: Infinity,
  lastUse: { at: 0, from: '' },
});

/**
 * A key from the environment: unrestricted, with an id from its hash, so that the order of the keys does not change
 * the id.
 */
function environmentKey(key: string): HashedKey {
  const hash = Buffer.from(digest(key), 'latin1');
  return { ...unrestrictedKey(`env_${hash.toString('hex', 0, 4)}`), hash };
}

/** Parses a stored key. Throws StoreError for an invalid member, because a limit must not be dropped silently. */
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
    throw new StoreError(`the stored key ${id} has an invalid rate: '${rate}'`);
  if (Number.isNaN(key.expiresAt)) throw new StoreError(`the stored key ${id} has an invalid expiry: '${expires}'`);
  return key;
}

const isExpired = ({ expiresAt }: AuthenticatedKey): boolean => expiresAt <= Date.now();
const time = (ms: number): string => new Date(ms).toISOString();

/**
 * Creates the key service for the stored keys of `document` and for `environmentKeys`, which are accepted but not
 * stored. Throws StoreError for an invalid stored key.
 */
export function createKeys(document: Document<KeyFile>, environmentKeys: readonly string[] = []): Keys {
  const byHashPrefix = new Map<string, HashedKey>();
  const byId = new Map<string, HashedKey>();
  /**
   * The last valid key of each connection. It is compared only with keys of the same connection, so timing discloses
   * no other key.
   */
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
 * Creates the first key when there are no stored keys and no environment keys. Returns its text, which must be shown
 * once; otherwise undefined.
 */
export async function createFirstKey(
  keys: Pick<Keys, 'list' | 'create'>,
  environmentKeys: readonly string[],
): Promise<string | undefined> {
  if (environmentKeys.length > 0 || keys.list().length > 0) return undefined;
  return (await keys.create({ name: 'first' })).key;
}

/**
 * Saves the last uses every minute, in one write. `stop` saves them one last time. `onError` receives failed writes.
 */
export function recordKeyUses(
  keys: Pick<Keys, 'saveLastUses'>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  const save = (): Promise<void> => keys.saveLastUses().catch(onError);
  const timer = setInterval(() => void save(), 60_000);
  timer.unref();
  return {
    stop() {
      clearInterval(timer);
      return save();
    },
  };
}
