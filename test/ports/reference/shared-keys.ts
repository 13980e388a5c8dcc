/** A simple adapter whose processes share a table of keys with versioned updates, as they would share a database. */
import { createHash, randomUUID } from 'node:crypto';
import { readRate } from '../../../server/text/rate.ts';
import { withIncluded } from '../../../server/keys/scopes.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import type { AuthenticatedKey, KeyEntry, Keys, NewKey } from '../../../server/ports/keys.ts';
import { StoreError } from '../../../server/ports/storage.ts';

interface Row extends KeyEntry {
  readonly hash: string;
}
type Rows = readonly Row[];

/** The shared table: a value with a version, and a notice of each change. */
export class SharedKeyTable {
  #rows: Rows = [];
  #version = 0;
  readonly #listeners = new Set<() => void>();

  read(): { readonly rows: Rows; readonly version: number } {
    return { rows: this.#rows, version: this.#version };
  }

  /** Replaces the rows unless they have changed since this version was read. */
  async write(rows: Rows, version: number): Promise<boolean> {
    await Promise.resolve();
    if (version !== this.#version) return false;
    this.#rows = rows;
    this.#version += 1;
    for (const listener of [...this.#listeners]) setImmediate(listener);
    return true;
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}

type Known = AuthenticatedKey & {
  readonly hash: string;
  readonly lastUse: { at: number; from: string };
  /** The id of the key of a feed token. */
  readonly of: string | undefined;
};

const digest = (key: string): string => createHash('sha256').update(key).digest('hex');

function knownOf({ id, hash, scopes, rate, expires_at: expires, issuer }: Row): Known {
  const all = unrestrictedKey(id);
  return {
    ...all,
    of: issuer,
    hash,
    scopes: scopes === undefined ? all.scopes : issuer === undefined ? withIncluded(scopes) : new Set(scopes),
    rate: rate === undefined ? undefined : readRate(rate),
    expiresAt: expires === undefined ? Infinity : Date.parse(expires),
  };
}

/** The keys of one process: a copy of the table, which notices keep current. */
export class SharedKeys implements Keys {
  readonly #table: SharedKeyTable;
  #known = new Map<string, Known>();
  #version = -1;
  #isCutOff = false;
  readonly #listeners = new Set<() => void>();
  readonly #stop: () => void;

  constructor(table: SharedKeyTable) {
    this.#table = table;
    this.#stop = table.listen(() => this.#refresh());
    this.#refresh();
  }

  /** Ends the notices of the table. */
  close(): void {
    this.#stop();
  }

  /** From now on the table cannot be reached. */
  cutOff(): void {
    this.#isCutOff = true;
  }

  verify(key: string): AuthenticatedKey | undefined {
    if (this.#isCutOff) throw new StoreError('the table of keys cannot be reached');
    const hash = digest(key);
    const known = this.#known.values().find((each) => each.hash === hash);
    return known !== undefined && this.has(known.id) ? known : undefined;
  }

  has(id: string): boolean {
    const known = this.#known.get(id);
    return known !== undefined && known.expiresAt > Date.now() && (known.of === undefined || this.has(known.of));
  }

  find(id: string): AuthenticatedKey | undefined {
    if (this.#isCutOff) throw new StoreError('the table of keys cannot be reached');
    return this.has(id) ? this.#known.get(id) : undefined;
  }

  recordUse({ id }: AuthenticatedKey, from: string): void {
    const known = this.#known.get(id);
    if (known !== undefined) Object.assign(known.lastUse, { at: Date.now(), from });
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
    const id = randomUUID();
    const key = `sd_${id}_${randomUUID()}`;
    const row: Row = {
      id,
      name,
      created_at: new Date().toISOString(),
      hash: digest(key),
      ...(scopes && { scopes }),
      ...(rate !== undefined && { rate }),
      ...(expiresAt && { expires_at: expiresAt.toISOString() }),
      ...(issuer !== undefined && { issuer }),
    };
    await this.#update((rows) => [...rows, row]);
    return { id, key };
  }

  async list(): Promise<KeyEntry[]> {
    return this.#table.read().rows.map(({ hash: _, ...entry }) => this.#withLastUse(entry));
  }

  async revoke(id: string): Promise<boolean> {
    return this.#update((rows) =>
      rows.some((row) => row.id === id) ? rows.filter((row) => row.id !== id && row.issuer !== id) : undefined,
    );
  }

  async saveLastUses(): Promise<void> {
    await this.#update((rows) => rows.map((row) => this.#withLastUse(row)));
  }

  #withLastUse<Entry extends KeyEntry>(entry: Entry): Entry {
    const at = this.#known.get(entry.id)?.lastUse.at ?? 0;
    return at > Date.parse(entry.last_used_at ?? '1970-01-01T00:00:00Z')
      ? { ...entry, last_used_at: new Date(at).toISOString() }
      : entry;
  }

  /** Writes what `change` makes of the rows, again where another process was faster; false where it makes nothing. */
  async #update(change: (rows: Rows) => Rows | undefined): Promise<boolean> {
    for (;;) {
      const { rows, version } = this.#table.read();
      const changed = change(rows);
      if (changed === undefined) return false;
      if (await this.#table.write(changed, version)) break;
    }
    this.#refresh();
    return true;
  }

  #refresh(): void {
    const { rows, version } = this.#table.read();
    if (version === this.#version) return;
    this.#version = version;
    this.#known = new Map(rows.map((row) => [row.id, this.#known.get(row.id) ?? knownOf(row)]));
    for (const known of this.#known.values())
      Object.assign(known, { issuer: known.of === undefined ? undefined : this.#known.get(known.of) });
    for (const listener of [...this.#listeners]) listener();
  }
}
