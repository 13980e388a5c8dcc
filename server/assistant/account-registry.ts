/** Which accounts are in the pool, and what the operator does with them. */
import type { Document } from '../ports/storage.ts';
import { AccountError, accountOf, idOf, localAccounts, readEntry, type AccountEntry } from './accounts.ts';
import type { AccountView, AccountPool } from './pool.ts';
import type { HealthCheck } from './health-check.ts';

/** The document that the store keeps, for its owner's eyes only. */
export interface AccountFile {
  accounts: AccountEntry[];
}

/** An account as it is listed; without its key. */
export interface ListedAccount extends Omit<AccountEntry, 'api_key' | 'base_url'> {
  readonly id: string;
  /** Where it was added: a local one is always there, one of the file is changed in the file. */
  readonly source: 'local' | 'file' | 'stored';
  readonly base_url?: string;
  /** Undefined where the provider in use does not ask it. */
  readonly pool: AccountView | undefined;
}

export interface AccountRegistry {
  /** Adds an account, or changes the one with the same endpoint and key; durable when it resolves. Throws AccountError. */
  add(value: unknown): Promise<ListedAccount>;
  list(): ListedAccount[];
  /** Takes a stored account out; durable when it resolves. Throws AccountError. */
  remove(id: string): Promise<void>;
}

/** Puts the accounts of the provider in use into the pool. */
export function createAccountRegistry(
  provider: 'local' | 'openai',
  document: Document<AccountFile>,
  file: readonly AccountEntry[],
  pool: AccountPool,
): AccountRegistry {
  const fromFile = new Map(file.map((entry) => [idOf(entry), entry]));
  const enter = (entry: AccountEntry): void => {
    if (provider === 'openai') pool.add(accountOf(entry), 'untested');
  };
  if (provider === 'local') for (const account of localAccounts) pool.add(account, 'capable');
  for (const entry of [...document.data.accounts, ...file]) enter(entry);

  const stored = (): Map<string, AccountEntry> => new Map(document.data.accounts.map((entry) => [idOf(entry), entry]));

  function list(): ListedAccount[] {
    const views = new Map(pool.list().map((view) => [view.id, view]));
    const listed =
      (source: 'file' | 'stored') =>
      ([id, { api_key: _, ...entry }]: [string, AccountEntry]) => ({ ...entry, id, source, pool: views.get(id) });
    return [
      ...(provider === 'local'
        ? localAccounts.map(({ id }) => ({ id, source: 'local' as const, pool: views.get(id) }))
        : []),
      ...[...fromFile].map(listed('file')),
      ...[...stored()].filter(([id]) => !fromFile.has(id)).map(listed('stored')),
    ];
  }

  return {
    list,

    async add(value) {
      const entry = readEntry(value);
      const id = idOf(entry);
      if (fromFile.has(id))
        throw new AccountError(`account ${id} is in the file of ASSISTANT_ACCOUNTS: change it there`);
      await document.update((data) => {
        data.accounts = [...data.accounts.filter((other) => idOf(other) !== id), entry];
      });
      enter(entry);
      return list().find((account) => account.id === id)!;
    },

    async remove(id) {
      if (fromFile.has(id))
        throw new AccountError(
          `account ${id} is in the file of ASSISTANT_ACCOUNTS: take it out there, and start again`,
        );
      if (!stored().has(id))
        throw new AccountError(`there is no stored account ${id}: see \`npm run accounts -- list\``);
      await document.update((data) => {
        data.accounts = data.accounts.filter((entry) => idOf(entry) !== id);
      });
      pool.remove(id);
    },
  };
}

/** What `npm run accounts` asks a running server: JSON in, JSON out. Throws AccountError with a message for the operator. */
export function accountCommands(roster: AccountRegistry, prober: Pick<HealthCheck, 'probe'>) {
  const find = (id: unknown): ListedAccount | undefined => roster.list().find((account) => account.id === id);
  return {
    'accounts/add': async (entry: unknown): Promise<ListedAccount> => {
      const added = await roster.add(entry);
      // In the same step, so that the background finds it under way: it costs one question, not two.
      if (added.pool !== undefined) await prober.probe(added.id);
      return find(added.id) ?? added;
    },
    'accounts/list': async (_value: unknown): Promise<ListedAccount[]> => roster.list(),
    'accounts/remove': async (id: unknown): Promise<void> => roster.remove(String(id)),
    'accounts/probe': async (id: unknown): Promise<ListedAccount> => {
      const known = find(id);
      if (known === undefined)
        throw new AccountError(`there is no account ${String(id)}: see \`npm run accounts -- list\``);
      if (known.pool === undefined)
        throw new AccountError(`account ${known.id} is not asked by the provider in use: set ASSISTANT`);
      if (!(await prober.probe(known.id)))
        throw new AccountError(`account ${known.id} has no question left to probe it with`);
      return find(id) ?? known;
    },
  };
}
