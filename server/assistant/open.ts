/** Puts the parts of the assistant together. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Store } from '../store/store.ts';
import type { TokenResolver } from '../tokens/resolver.ts';
import { readAccountsFile } from './accounts.ts';
import { createAssistant, type Assistant } from './assistant.ts';
import { openConversations } from './conversations.ts';
import { openPool, type Pool } from './pool.ts';
import { createProber, type Prober } from './prober.ts';
import type { Provider, Subject } from './provider.ts';
import { accountRoutes, createRoster, type Roster } from './roster.ts';

/** How long a question may take. */
const deadlineMs = 60_000;

type AccountConfig = Pick<Config, 'assistant' | 'assistantAccounts' | 'assistantQuota'>;

export interface OpenAccounts {
  readonly provider: Provider;
  readonly pool: Pool;
  readonly roster: Roster;
  readonly prober: Prober;
  readonly routes: ReturnType<typeof accountRoutes>;
}

/** Loads the one that is asked for only: what the other needs, as the SDK of OpenAI, is a tenth of a start. */
async function openProvider(name: Config['assistant']): Promise<Provider> {
  return name === 'local' ? (await import('./providers/local.ts')).localProvider() : (await import('./providers/openai.ts')).openaiProvider();
}

/** The accounts of a store, for a server or for a command while none runs. Throws StoreError, and ConfigError for the file of accounts. */
export async function openAccounts(store: Store, config: AccountConfig, logger: Pick<Logger, 'info' | 'warn'>): Promise<OpenAccounts> {
  const file = config.assistantAccounts === undefined ? undefined : await readAccountsFile(config.assistantAccounts);
  if (file?.exposed) logger.warn({ file: config.assistantAccounts }, 'the keys of the assistant accounts can be read by others: chmod 600 the file');
  const provider = await openProvider(config.assistant);
  const pool = await openPool({ store, quota: config.assistantQuota, deadlineMs });
  const roster = createRoster(config.assistant, await store.document('accounts', { accounts: [] }), file?.entries ?? [], pool);
  const prober = createProber(pool, provider, logger);
  return { provider, pool, roster, prober, routes: accountRoutes(roster, prober) };
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
export async function openAssistant({ store, config, accounts: { pool, provider }, secret, ...parts }: AssistantOptions): Promise<Assistant> {
  // A call waits for the one before it as long as that one may take.
  const conversations = await openConversations({ store, secret, ttlMs: config.conversationTtlMs, waitMs: deadlineMs, now: pool.now });
  return createAssistant({ pool, provider, conversations, ...parts });
}
