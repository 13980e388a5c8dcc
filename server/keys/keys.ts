/** The API keys in a document of the store. */
import { hash as digestOf, timingSafeEqual } from 'node:crypto';
import { scopes as allScopes, type Scope } from '../../generated/scopes.ts';
import type { AuthenticatedKey, KeyEntry, Keys, NewKey } from '../ports/keys.ts';
import { StoreError, type Document } from '../ports/storage.ts';
import { messageOf } from '../text/error-text.ts';
import { randomText } from '../text/random-text.ts';
import { readRate } from '../text/rate.ts';
import { withIncluded } from './scopes.ts';

/** The stored document. */
export interface KeyFile {
  keys: (KeyEntry & {
    /**
     * SHA-256 of the whole key, in hex. A random secret of 190 bits cannot be guessed, so a slow hash is not needed.
     */
    readonly hash: string;
  })[];
}

/** SHA-256 as text with one character for each byte: three times as fast as a Buffer. */
const digest = (key: string): string => digestOf('sha256', key, 'binary');

/** The part of a digest that the lookup uses. The whole digest is then compared in constant time. */
const hashPrefix = (hash: string): string => hash.slice(0, 8);
/** Buffer for the comparison of a presented digest. The comparison is synchronous, so one buffer is enough. */
const presentedDigest = Buffer.alloc(32);

interface HashedKey extends AuthenticatedKey {
  readonly hash: Buffer;
  /** The id of the key of a feed token. */
  readonly issuerId: string | undefined;
  /** The key of a feed token; undefined while it is not known. */
  issuer: HashedKey | undefined;
  readonly lastUse: { at: number; from: string };
}

const isScope = (name: string): name is Scope => Object.hasOwn(allScopes, name);
const everyScope: ReadonlySet<Scope> = new Set(Object.keys(allScopes).filter(isScope));

/** A key with all scopes and no expiry. */
export const unrestrictedKey = (id: string): Omit<HashedKey, 'hash'> => ({
  ...{ issuerId: undefined, issuer: undefined },
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
  issuer: issuerId,
}: KeyFile['keys'][number]): HashedKey {
  const key: HashedKey = {
    ...{ id, issuerId, issuer: undefined },
    hash: Buffer.from(hash, 'hex'),
    scopes: scopes === undefined ? everyScope : issuerId === undefined ? withIncluded(scopes) : new Set(scopes),
    rate: rate === undefined ? undefined : readRate(rate),
    expiresAt: expires === undefined ? Infinity : Date.parse(expires),
    lastUse: { at: lastUsed === undefined ? 0 : Date.parse(lastUsed), from: '' },
  };
  if (rate !== undefined && key.rate === undefined)
    throw new StoreError(`the stored key ${id} has an invalid rate: '${rate}'`);
  if (Number.isNaN(key.expiresAt)) throw new StoreError(`the stored key ${id} has an invalid expiry: '${expires}'`);
  return key;
}

/** Whether a key is expired; a feed token is so with its key, and without one. */
const isExpired = ({ expiresAt, issuerId, issuer }: HashedKey): boolean =>
  expiresAt <= Date.now() || (issuerId !== undefined && (issuer === undefined || isExpired(issuer)));
const time = (ms: number): string => new Date(ms).toISOString();

/** The adapter over a document, and over keys of the environment, which are accepted but not stored. */
export class DocumentKeys implements Keys {
  readonly #document: Document<KeyFile>;
  readonly #environmentKeys: readonly HashedKey[];
  #byHashPrefix = new Map<string, HashedKey>();
  #byId = new Map<string, HashedKey>();
  /**
   * The last valid key of each connection. It is compared only with keys of the same connection, so timing discloses
   * no other key.
   */
  readonly #lastByConnection = new WeakMap<object, { readonly text: string; readonly verified: HashedKey }>();
  readonly #listeners = new Set<() => void>();
  /** Why the stored keys cannot be read: another process has written an invalid key. */
  #fault: StoreError | undefined;

  /** Throws StoreError for an invalid stored key. */
  constructor(document: Document<KeyFile>, environmentKeys: readonly string[] = []) {
    this.#document = document;
    this.#environmentKeys = environmentKeys.map(environmentKey);
    this.#load();
    document.onChange(() => this.#follow());
  }

  verify(key: string, connection?: object): AuthenticatedKey | undefined {
    const last = connection && this.#lastByConnection.get(connection);
    if (last?.text === key && this.#byId.get(last.verified.id) === last.verified) {
      if (this.#distrusts(last.verified)) this.#throwUnknown();
      return isExpired(last.verified) ? undefined : last.verified;
    }
    const hash = digest(key);
    const match = this.#byHashPrefix.get(hashPrefix(hash));
    if (this.#distrusts(match)) this.#throwUnknown();
    if (match === undefined) return undefined;
    presentedDigest.write(hash, 'latin1');
    if (!timingSafeEqual(match.hash, presentedDigest) || isExpired(match)) return undefined;
    if (connection !== undefined) this.#lastByConnection.set(connection, { text: key, verified: match });
    return match;
  }

  /** Whether the stored keys, and so this result, may be outdated. Keys of the environment do not change. */
  #distrusts(key: HashedKey | undefined): boolean {
    const fault = this.#fault ?? this.#document.stale;
    return fault !== undefined && (key === undefined || !this.#environmentKeys.includes(key));
  }

  #throwUnknown(): never {
    throw this.#fault ?? this.#document.stale ?? new StoreError('the stored keys are not known');
  }

  has(id: string): boolean {
    const key = this.#byId.get(id);
    return key !== undefined && !isExpired(key);
  }

  find(id: string): AuthenticatedKey | undefined {
    const key = this.#byId.get(id);
    if (this.#distrusts(key)) this.#throwUnknown();
    return key === undefined || isExpired(key) ? undefined : key;
  }

  recordUse(key: AuthenticatedKey, address: string): void {
    const known = this.#byId.get(key.id);
    if (known !== undefined) setLastUse(known, address);
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async create({
    name,
    scopes,
    rate,
    expiresAt,
    issuer,
  }: NewKey): Promise<{ readonly id: string; readonly key: string }> {
    const id = randomText(8);
    const key = `${issuer === undefined ? 'sd' : 'sdf'}_${id}_${randomText(32)}`;
    const entry = {
      id,
      name,
      created_at: new Date().toISOString(),
      ...(scopes === undefined ? {} : { scopes }),
      ...(rate === undefined ? {} : { rate }),
      ...(expiresAt === undefined ? {} : { expires_at: expiresAt.toISOString() }),
      ...(issuer === undefined ? {} : { issuer }),
      hash: Buffer.from(digest(key), 'latin1').toString('hex'),
    };
    await this.#document.update((data) => void data.keys.push(entry));
    this.#changed();
    return { id, key };
  }

  async list(): Promise<KeyEntry[]> {
    return this.#document.data.keys.map(({ hash: _, ...entry }) => this.#withLastUse(entry));
  }

  async revoke(id: string): Promise<boolean> {
    const isStored = (data: KeyFile): boolean => data.keys.some((key) => key.id === id);
    if (!isStored(this.#document.data)) return false;
    let revoked = false;
    // The value may have changed since: two calls for the same key revoke it once.
    await this.#document.update((data) => {
      revoked = isStored(data);
      data.keys = data.keys.filter((key) => key.id !== id && key.issuer !== id);
    });
    this.#changed();
    return revoked;
  }

  async saveLastUses(): Promise<void> {
    const isSaved = (entry: KeyEntry): boolean => this.#withLastUse(entry) === entry;
    if (this.#document.data.keys.every(isSaved)) return;
    await this.#document.update((data) => {
      data.keys = data.keys.map((entry) => this.#withLastUse(entry));
    });
  }

  /** The entry with the last use in this process, if it is later than the stored one; else the same object. */
  #withLastUse<Entry extends KeyEntry>(entry: Entry): Entry {
    const at = this.#byId.get(entry.id)?.lastUse.at ?? 0;
    const savedAt = entry.last_used_at === undefined ? 0 : Date.parse(entry.last_used_at);
    return at > savedAt ? { ...entry, last_used_at: time(at) } : entry;
  }

  /** Loads the keys that another process has changed. */
  #follow(): void {
    try {
      this.#fault = undefined;
      this.#changed();
    } catch (error) {
      this.#fault = new StoreError(messageOf(error), { cause: error });
    }
  }

  #changed(): void {
    this.#load();
    for (const listener of [...this.#listeners]) listener();
  }

  /** Builds the maps from the document. A key that was known before keeps its object. Throws StoreError. */
  #load(): void {
    const stored = this.#document.data.keys.map((entry) => this.#byId.get(entry.id) ?? parseEntry(entry));
    const byId = new Map<string, HashedKey>();
    const byHashPrefix = new Map<string, HashedKey>();
    for (const key of [...this.#environmentKeys, ...stored]) {
      byHashPrefix.set(hashPrefix(key.hash.toString('latin1')), key);
      byId.set(key.id, key);
    }
    for (const key of stored) if (key.issuerId !== undefined) key.issuer = issuerOf(byId.get(key.issuerId));
    this.#byId = byId;
    this.#byHashPrefix = byHashPrefix;
  }
}

/** What can be the key of a feed token: no feed token. */
const issuerOf = (key: HashedKey | undefined): HashedKey | undefined => (key?.issuerId === undefined ? key : undefined);

function setLastUse(key: { readonly lastUse: { at: number; from: string } }, address: string): void {
  key.lastUse.at = Date.now();
  key.lastUse.from = address;
}

/**
 * Creates the first key when there are no stored keys and no environment keys. Returns its text, which must be shown
 * once; otherwise undefined.
 */
export async function createFirstKey(
  keys: Pick<Keys, 'list' | 'create'>,
  environmentKeys: readonly string[],
): Promise<string | undefined> {
  if (environmentKeys.length > 0 || (await keys.list()).length > 0) return undefined;
  return (await keys.create({ name: 'first' })).key;
}

/** Creates a key of the operator, which permits nothing but the operator's interface. Returns its text. */
export const createOperatorKey = async (keys: Pick<Keys, 'create'>): Promise<string> =>
  (await keys.create({ name: 'operator', scopes: ['admin'] })).key;

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
