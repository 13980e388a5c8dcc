/** The list of accounts that the operator manages, and the operator commands. */
import type { Document } from '../ports/storage.ts';
import type { InternalEndpoints } from '../config/urls.ts';
import {
  AccountError,
  accountOf,
  idOf,
  isModelServer,
  localAccounts,
  readEntry,
  requireSafeEndpoint,
  type AccountEntry,
} from './accounts.ts';
import type { AccountPool, AccountView } from '../ports/account-pool.ts';
import type { HealthCheck } from './health-check.ts';

/** The stored document, which only its owner may read. */
export interface AccountFile {
  accounts: AccountEntry[];
}

/** A listed account, without its key. */
export interface ListedAccount extends Omit<AccountEntry, 'api_key' | 'base_url'> {
  readonly id: string;
  /** The origin of the account. Local accounts always exist; an account of the file is changed in the file. */
  readonly source: 'local' | 'file' | 'stored';
  readonly base_url?: string;
  /** Undefined if the active provider does not use the account. */
  readonly pool: AccountView | undefined;
}

export interface AccountRegistry {
  /**
   * Adds an account, or replaces the one with the same endpoint and key; durable when the promise resolves. Throws
   * AccountError.
   */
  add(value: unknown): Promise<ListedAccount>;
  list(): ListedAccount[];
  /** Removes a stored account; durable when the promise resolves. Throws AccountError. */
  remove(id: string): Promise<void>;
}

/** Creates the registry and adds the accounts of the active provider to the pool. */
export const createAccountRegistry = (
  provider: 'local' | 'openai',
  document: Document<AccountFile>,
  file: readonly AccountEntry[],
  pool: AccountPool,
  internal: InternalEndpoints,
): AccountRegistry => new DocumentAccountRegistry(provider, document, file, pool, internal);

class DocumentAccountRegistry implements AccountRegistry {
  readonly #provider: 'local' | 'openai';
  readonly #document: Document<AccountFile>;
  readonly #fromFile: ReadonlyMap<string, AccountEntry>;
  readonly #pool: AccountPool;
  readonly #internal: InternalEndpoints;

  constructor(
    provider: 'local' | 'openai',
    document: Document<AccountFile>,
    file: readonly AccountEntry[],
    pool: AccountPool,
    internal: InternalEndpoints,
  ) {
    this.#provider = provider;
    this.#internal = internal;
    this.#document = document;
    this.#fromFile = new Map(file.map((entry) => [idOf(entry), entry]));
    this.#pool = pool;
    if (provider === 'local') for (const account of localAccounts) pool.add(account, 'capable');
    for (const entry of [...document.data.accounts, ...file]) this.#addToPool(entry);
    document.onChange(() => this.#follow());
  }

  list(): ListedAccount[] {
    const views = this.#views();
    const local = this.#provider === 'local' ? localAccounts : [];
    return [
      ...local.map(({ id }) => ({ id, source: 'local' as const, pool: views.get(id) })),
      ...[...this.#fromFile].map(([id, entry]) => listed(id, 'file', entry, views)),
      ...[...this.#stored()]
        .filter(([id]) => !this.#fromFile.has(id))
        .map(([id, entry]) => listed(id, 'stored', entry, views)),
    ];
  }

  async add(value: unknown): Promise<ListedAccount> {
    const entry = readEntry(value);
    requireSafeEndpoint(entry, this.#internal);
    const id = idOf(entry);
    if (this.#fromFile.has(id))
      throw new AccountError(`account ${id} is in the file of ASSISTANT_ACCOUNTS: change it there`);
    await this.#document.update((data) => {
      data.accounts = [...data.accounts.filter((other) => idOf(other) !== id), entry];
    });
    this.#addToPool(entry);
    return listed(id, 'stored', entry, this.#views());
  }

  async remove(id: string): Promise<void> {
    if (this.#fromFile.has(id))
      throw new AccountError(
        `account ${id} is in the file of ASSISTANT_ACCOUNTS: remove it there, and restart the server`,
      );
    if (!this.#stored().has(id))
      throw new AccountError(`there is no stored account ${id}: see \`npm run accounts -- list\``);
    await this.#document.update((data) => {
      data.accounts = data.accounts.filter((entry) => idOf(entry) !== id);
    });
    this.#pool.remove(id);
  }

  /** Takes the changes of another process. */
  #follow(): void {
    const stored = this.#stored();
    const pooled = new Set(this.#pool.list().map(({ id }) => id));
    for (const [id, entry] of stored) if (!pooled.has(id)) this.#addToPool(entry);
    const local = new Set(localAccounts.map(({ id }) => id));
    for (const id of pooled) if (!stored.has(id) && !this.#fromFile.has(id) && !local.has(id)) this.#pool.remove(id);
  }

  /** Adds an account to the pool if the active provider uses it: `local` uses what stays on this machine. */
  #addToPool(entry: AccountEntry): void {
    if (this.#provider === 'openai' || isModelServer(entry)) this.#pool.add(accountOf(entry), 'untested');
  }

  #stored(): Map<string, AccountEntry> {
    return new Map(this.#document.data.accounts.map((entry) => [idOf(entry), entry]));
  }

  #views(): Map<string, AccountView> {
    return new Map(this.#pool.list().map((view) => [view.id, view]));
  }
}

/** An account without its key. */
const listed = (
  id: string,
  source: 'file' | 'stored',
  { api_key: _, ...entry }: AccountEntry,
  views: ReadonlyMap<string, AccountView>,
): ListedAccount => ({ ...entry, id, source, pool: views.get(id) });

/**
 * The commands of `npm run accounts` to a running server: JSON in, JSON out. They throw AccountError with a message for
 * the operator.
 */
export function accountCommands(registry: AccountRegistry, healthCheck: Pick<HealthCheck, 'probe'>) {
  const find = (id: unknown): ListedAccount | undefined => registry.list().find((account) => account.id === id);
  return {
    'accounts/add': async (entry: unknown): Promise<ListedAccount> => {
      const added = await registry.add(entry);
      // In the same step, so that the background check finds this check pending: it costs one question, not two.
      if (added.pool !== undefined) await healthCheck.probe(added.id);
      return find(added.id) ?? added;
    },
    'accounts/list': async (_value: unknown): Promise<ListedAccount[]> => registry.list(),
    'accounts/remove': async (id: unknown): Promise<void> => registry.remove(String(id)),
    'accounts/probe': async (id: unknown): Promise<ListedAccount> => {
      const account = find(id);
      if (account === undefined)
        throw new AccountError(`there is no account ${String(id)}: see \`npm run accounts -- list\``);
      if (account.pool === undefined)
        throw new AccountError(`account ${account.id} does not belong to the configured provider: set ASSISTANT`);
      if (!(await healthCheck.probe(account.id)))
        throw new AccountError(`account ${account.id} has no question left for a health check`);
      return find(id) ?? account;
    },
  };
}
