/** Creates the assistant from the configuration. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { PurgeOptions } from './purge-schedule.ts';
import type { Conversations } from '../ports/conversations.ts';
import type { Store } from '../ports/storage.ts';
import type { Platform } from '../ports/platform.ts';
import { lazy } from '../collections/lazy.ts';
import { readAccountsFile } from './accounts.ts';
import { archiveReader } from './archive-reader.ts';
import { subjectOf } from './subject.ts';
import { openCostLedger, type CostLedger } from './cost-ledger.ts';
import { createAssistant, type AssistantParts, type HoldingAssistant } from './assistant.ts';
import type { AccountPool } from '../ports/account-pool.ts';
import type { Account, Provider } from '../ports/assistant-provider.ts';
import { HealthCheck } from './health-check.ts';
import { openAccountPool } from './journal-account-pool.ts';
import { openConversations } from './journal-conversations.ts';
import { localProvider } from './providers/local.ts';
import { accountCommands, createAccountRegistry, type AccountRegistry } from './account-registry.ts';

/** Time limit of a question in milliseconds. */
const deadlineMs = 60_000;

type AccountConfig = Pick<
  Config,
  | 'assistant'
  | 'assistantAccounts'
  | 'assistantHttp'
  | 'assistantQuota'
  | 'assistantToolCalls'
  | 'assistantPrices'
  | 'assistantBudget'
>;

export interface OpenAccounts {
  readonly provider: Provider;
  readonly costs: CostLedger;
  readonly pool: AccountPool;
  readonly registry: AccountRegistry;
  readonly healthCheck: HealthCheck;
  readonly routes: ReturnType<typeof accountCommands>;
}

/**
 * The provider of each account: the local one for an account without an endpoint. The other one is loaded at the start only where it is
 * configured, because its modules would make each start longer; otherwise with the first account that needs it.
 */
async function openProvider(
  { assistant, assistantToolCalls, assistantPrices }: AccountConfig,
  costs: CostLedger,
): Promise<Provider> {
  const local = localProvider();
  let loaded: Provider | undefined;
  const load = lazy(async () => {
    const { openaiProvider } = await import('./providers/openai.ts');
    return (loaded = openaiProvider(assistantToolCalls, assistantPrices.size === 0 ? undefined : costs.count));
  });
  if (assistant === 'openai') await load();
  const of = async ({ baseUrl }: Account): Promise<Provider> => (baseUrl === undefined ? local : load());
  return {
    get usage() {
      return loaded?.usage ?? { input: 0, output: 0, cached: 0 };
    },
    probe: async (account, signal) => (await of(account)).probe(account, signal),
    ask: async (account, question, options) => (await of(account)).ask(account, question, options),
  };
}

/**
 * Opens the accounts of a store, for a server or for a command while no server runs. Throws StoreError, and ConfigError
 * for the accounts file.
 */
export async function openAccounts(
  store: Store,
  config: AccountConfig,
  logger: Pick<Logger, 'info' | 'warn'>,
): Promise<OpenAccounts> {
  const file =
    config.assistantAccounts === undefined
      ? undefined
      : await readAccountsFile(config.assistantAccounts, config.assistantHttp);
  if (file?.exposed)
    logger.warn(
      { file: config.assistantAccounts },
      'other users can read the keys of the assistant accounts: run chmod 600 on the file',
    );
  const { assistantPrices: prices, assistantBudget: budget } = config;
  const costs = await openCostLedger(store, { prices, budget, logger });
  const provider = await openProvider(config, costs);
  const pool = await openAccountPool({ store, quota: config.assistantQuota, deadlineMs });
  const registry = createAccountRegistry(
    config.assistant,
    await store.document('accounts', { accounts: [] }),
    file?.entries ?? [],
    pool,
    config.assistantHttp,
  );
  const healthCheck = new HealthCheck(pool, provider, logger);
  return { provider, costs, pool, registry, healthCheck, routes: accountCommands(registry, healthCheck) };
}

export interface AssistantOptions extends Pick<
  AssistantParts,
  'requireTweet' | 'subjectOf' | 'archiveFor' | 'resolver' | 'logger'
> {
  readonly store: Store;
  readonly config: Pick<Config, 'conversationTtlMs'>;
  readonly accounts: Pick<OpenAccounts, 'pool' | 'provider'> & Partial<Pick<OpenAccounts, 'costs'>>;
  /** Secret of the HMAC in conversation ids. */
  readonly secret: Buffer;
  /** When the texts of expired and ended conversations leave the storage. Without it, only `purge` removes them. */
  readonly purge?: PurgeOptions;
}

export interface StoredConversationOptions extends Pick<AssistantOptions, 'purge'> {
  readonly store: Store;
  /** Secret of the HMAC in conversation ids. */
  readonly secret: Buffer;
  /** Time after the last use when a conversation expires, in milliseconds. */
  readonly conversationTtlMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Opens the conversations of a store. Throws StoreError if they are damaged. */
export const openStoredConversations = ({
  conversationTtlMs: ttlMs,
  ...options
}: StoredConversationOptions): Promise<Conversations> =>
  // A call waits for an earlier call of the conversation as long as a question can take.
  openConversations({ ...options, ttlMs, waitMs: deadlineMs });

export interface OpenAssistant {
  readonly assistant: HoldingAssistant;
  readonly conversations: Conversations;
}

/** Creates the assistant with these accounts. Throws StoreError if the stored conversations are damaged. */
export async function openAssistant({
  store,
  config: { conversationTtlMs },
  accounts: { pool, provider, costs },
  secret,
  purge,
  ...parts
}: AssistantOptions): Promise<OpenAssistant> {
  const conversations = await openStoredConversations({
    ...{ store, secret, conversationTtlMs, now: pool.now },
    ...(purge && { purge }),
  });
  return {
    assistant: createAssistant({ pool, provider, conversations, ...(costs && { costs }), ...parts }),
    conversations,
  };
}

export interface ServiceAssistantOptions extends Pick<AssistantOptions, 'resolver' | 'secret' | 'store'> {
  readonly config: AccountConfig & Pick<Config, 'conversationTtlMs' | 'purgeWithinMs'>;
  /** What the assistant reads. */
  readonly platform: Platform;
  readonly logger: Logger;
  /** Whether this process removes the texts of expired and ended conversations from the storage. */
  readonly mayPurge: () => boolean;
}

/** Opens the accounts and the assistant of a service. Throws ConfigError and StoreError. */
export async function openServiceAssistant({
  config,
  store,
  platform,
  logger,
  mayPurge,
  ...options
}: ServiceAssistantOptions): Promise<OpenAssistant & { readonly accounts: OpenAccounts }> {
  const accounts = await openAccounts(store, config, logger);
  if (accounts.registry.list().every(({ pool }) => pool === undefined))
    logger.warn('the assistant has no accounts: npm run accounts -- add');
  const opened = await openAssistant({
    ...{ ...options, store, config, accounts, logger },
    purge: {
      withinMs: config.purgeWithinMs,
      mayRun: mayPurge,
      onFailed: (error) =>
        logger.error({ err: error }, 'the conversations of the assistant could not be purged; it is tried again'),
    },
    requireTweet: (tweetId, call) => platform.tweet(tweetId, call),
    subjectOf: (tweetId, call) => subjectOf(platform, tweetId, call),
    archiveFor: (call) => archiveReader(platform, call),
  });
  return { ...opened, accounts };
}
