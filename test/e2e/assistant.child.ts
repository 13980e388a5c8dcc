/** The assistant with its pool, provider and store, and without what is in front of it: a process that starts fast. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openAccounts, openAssistant } from '../../server/assistant/open-assistant.ts';
import { readConfig } from '../../server/config/config.ts';
import type { ServiceError } from '../../server/contract/service-error.ts';
import { openSqliteStore } from '../../server/engines/sqlite/sqlite-store.ts';
import { build, fullArchive } from '../assistant/providers/subjects.ts';

const config = readConfig(process.env);
const logger = pino({ level: config.logLevel }, pino.destination({ fd: 2, sync: true }));
const store = await openSqliteStore(config.dataDir);
const accounts = await openAccounts(store, config, logger);
const { assistant } = await openAssistant({
  store,
  config,
  accounts,
  secret: Buffer.alloc(32, 7),
  requireTweet: async () => {},
  subjectOf: async () => build,
  archiveFor: () => fullArchive,
  resolver: { resolve: async () => null },
  logger,
});

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost');
  const hungUp = new AbortController();
  response.once('close', () => hungUp.abort());
  try {
    const call = { ...Object.fromEntries(searchParams), keyId: 'one', signal: hungUp.signal };
    response.end(JSON.stringify(pathname.endsWith('/status') ? assistant.status() : await assistant.explain(call)));
  } catch (error) {
    const { status, headers, message } = error as ServiceError;
    response.writeHead(status, headers).end(JSON.stringify({ error: message }));
  }
});
server.listen(0, '127.0.0.1', () => {
  accounts.healthCheck.start();
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', async () => {
  await accounts.healthCheck.stop();
  await store.close();
  process.exit(0);
});
