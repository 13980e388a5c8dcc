/** Creates the assistant from the configuration. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Store } from '../ports/storage.ts';
import type { TokenResolver } from '../ports/token-resolver.ts';
import { readAccountsFile } from './accounts.ts';
import { createAssistant, type Assistant, type AssistantParts } from './assistant.ts';
import { openConversations } from './conversations.ts';
import { openAccountPool, type AccountPool } from './pool.ts';
import { createHealthCheck, type HealthCheck } from './health-check.ts';
import type { Provider } from '../ports/assistant-provider.ts';
import { accountCommands, createAccountRegistry, type AccountRegistry } from './account-registry.ts';

/** Time limit of a question in milliseconds. */
const deadlineMs = 60_000;

type AccountConfig = Pick<Config, 'assistant' | 'assistantAccounts' | 'assistantQuota'>;

export interface OpenAccounts {
  readonly provider: Provider;
  readonly pool: AccountPool;
  readonly registry: AccountRegistry;
  readonly healthCheck: HealthCheck;
  readonly routes: ReturnType<typeof accountCommands>;
}

/** Imports only the configured provider: the OpenAI SDK would take a tenth of the start-up time. */
async function openProvider(name: Config['assistant']): Promise<Provider> {
  return name === 'local'
    ? (await import('./providers/local.ts')).localProvider()
    : (await import('./providers/openai.ts')).openaiProvider();
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
  const file = config.assistantAccounts === undefined ? undefined : await readAccountsFile(config.assistantAccounts);
  if (file?.exposed)
    logger.warn(
      { file: config.assistantAccounts },
      'the keys of the assistant accounts can be read by others: chmod 600 the file',
    );
  const provider = await openProvider(config.assistant);
  const pool = await openAccountPool({ store, quota: config.assistantQuota, deadlineMs });
  const registry = createAccountRegistry(
    config.assistant,
    await store.document('accounts', { accounts: [] }),
    file?.entries ?? [],
    pool,
  );
  const healthCheck = createHealthCheck(pool, provider, logger);
  return { provider, pool, registry, healthCheck, routes: accountCommands(registry, healthCheck) };
}

export interface AssistantOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'conversationTtlMs'>;
  readonly accounts: Pick<OpenAccounts, 'pool' | 'provider'>;
  /** Secret of the HMAC in conversation ids. */
  readonly secret: Buffer;
  readonly subjectOf: AssistantParts['subjectOf'];
  readonly resolver: TokenResolver;
  readonly logger: Pick<Logger, 'warn'>;
}

/** Creates the assistant with these accounts. Throws StoreError if the stored conversations are damaged. */
export async function openAssistant({
  store,
  config,
  accounts: { pool, provider },
  secret,
  ...parts
}: AssistantOptions): Promise<Assistant> {
  // A call waits for an earlier call of the conversation as long as a question can take.
  const conversations = await openConversations({
    store,
    secret,
    ttlMs: config.conversationTtlMs,
    waitMs: deadlineMs,
    now: pool.now,
  });
  return createAssistant({ pool, provider, conversations, ...parts });
}
