/** Puts the parts of the assistant together. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { Store } from '../ports/storage.ts';
import type { TokenResolver } from '../ports/token-resolver.ts';
import { readAccountsFile } from './accounts.ts';
import { createAssistant, type Assistant } from './assistant.ts';
import { openConversations } from './conversations.ts';
import { openAccountPool, type AccountPool } from './pool.ts';
import { createHealthCheck, type HealthCheck } from './health-check.ts';
import type { Provider, Subject } from '../ports/assistant-provider.ts';
import { accountCommands, createAccountRegistry, type AccountRegistry } from './account-registry.ts';

/** How long a question may take. */
const deadlineMs = 60_000;

type AccountConfig = Pick<Config, 'assistant' | 'assistantAccounts' | 'assistantQuota'>;

export interface OpenAccounts {
  readonly provider: Provider;
  readonly pool: AccountPool;
  readonly registry: AccountRegistry;
  readonly healthCheck: HealthCheck;
  readonly routes: ReturnType<typeof accountCommands>;
}

/** Loads the one that is asked for only: what the other needs, as the SDK of OpenAI, is a tenth of a start. */
async function openProvider(name: Config['assistant']): Promise<Provider> {
  return name === 'local'
    ? (await import('./providers/local.ts')).localProvider()
    : (await import('./providers/openai.ts')).openaiProvider();
}

/** The accounts of a store, for a server or for a command while none runs. Throws StoreError, and ConfigError for the file of accounts. */
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
  const roster = createAccountRegistry(
    config.assistant,
    await store.document('accounts', { accounts: [] }),
    file?.entries ?? [],
    pool,
  );
  const prober = createHealthCheck(pool, provider, logger);
  return { provider, pool, registry: roster, healthCheck: prober, routes: accountCommands(roster, prober) };
}

export interface AssistantOptions {
  readonly store: Store;
  readonly config: Pick<Config, 'conversationTtlMs'>;
  readonly accounts: Pick<OpenAccounts, 'pool' | 'provider'>;
  /** Seals the ids of conversations. */
  readonly secret: Buffer;
  readonly subjectOf: (tweetId: string) => Subject | undefined;
  readonly resolver: TokenResolver;
  readonly logger: Pick<Logger, 'warn'>;
}

/** The assistant over these accounts. Throws StoreError where what it keeps is damaged. */
export async function openAssistant({
  store,
  config,
  accounts: { pool, provider },
  secret,
  ...parts
}: AssistantOptions): Promise<Assistant> {
  // A call waits for the one before it as long as that one may take.
  const conversations = await openConversations({
    store,
    secret,
    ttlMs: config.conversationTtlMs,
    waitMs: deadlineMs,
    now: pool.now,
  });
  return createAssistant({ pool, provider, conversations, ...parts });
}
