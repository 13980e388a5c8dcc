/** Several instances on one database, in this process. */
import { pino } from 'pino';
import { startService, type Service } from '../../server/compose.ts';
import { openSource, type OpenSource } from '../../server/follow/sources.ts';
import { readConfig } from '../../server/config/config.ts';
import { readStartOptions } from '../../server/config/start-options.ts';
import { postgresStorage, type PostgresStorage } from '../ports/postgres.ts';
import { temporaryFolder } from '../support/folder.ts';

export const key = 'cluster-test-key-0001';

export interface Instance {
  readonly service: Service;
  readonly dataDir: string;
  /** Stops it as a signal does. */
  stop(): Promise<void>;
  readonly url: string;
  /** A request with the key of the environment, or with another one. */
  request(target: string, init?: RequestInit & { readonly key?: string }): Promise<Response>;
}

export interface Cluster {
  readonly storage: PostgresStorage;
  readonly databaseUrl: string;
  /** `open` creates the live sources. */
  start(env?: Readonly<Record<string, string>>, open?: OpenSource): Promise<Instance>;
  stop(): Promise<void>;
}

/** `url`: the database, instead of the one of all tests. */
export async function openCluster(url?: string): Promise<Cluster> {
  const storage = await postgresStorage(url);
  const databaseUrl = `${storage.url}?schema=${storage.schema}`;
  const running = new Set<() => Promise<void>>();
  return {
    storage,
    databaseUrl,
    async start(env = {}, open = openSource) {
      const folder = await temporaryFolder();
      const config = readConfig({
        ...{ DATABASE_URL: databaseUrl, DATA_DIR: folder.path, PORT: '0', DEMO: '0', API_KEYS: key },
        ...{ LOG_LEVEL: 'silent', TOKEN_RESOLVER: 'off', ...env },
      });
      const service = await startService(config, readStartOptions([]), pino({ level: 'silent' }), open);
      const stop = async (): Promise<void> => {
        if (!running.delete(stop)) return;
        await service.stop();
        await folder.dispose();
      };
      running.add(stop);
      return {
        service,
        dataDir: folder.path,
        stop,
        url: service.url,
        request: (target, { key: presented = key, ...init } = {}) =>
          fetch(new URL(target, service.url), { ...init, headers: { 'x-api-key': presented, ...init.headers } }),
      };
    },
    async stop() {
      await Promise.all([...running].map((stop) => stop()));
      await storage.dispose();
    },
  };
}
