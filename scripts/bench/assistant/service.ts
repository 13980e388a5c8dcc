/** The measured server: the service with the bundled sample and providers that take no time, and a bare server beside it. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SqlPlatform } from '../../../server/archive/sql-platform.ts';
import { readConfig } from '../../../server/config/config.ts';
import { openStoredArchive } from '../../../server/engines/open-archive.ts';
import { createAssistant } from '../../../server/assistant/assistant.ts';
import { archiveReader } from '../../../server/assistant/archive-reader.ts';
import { openConversations } from '../../../server/assistant/journal-conversations.ts';
import { openAccountPool } from '../../../server/assistant/journal-account-pool.ts';
import type { Provider } from '../../../server/ports/assistant-provider.ts';
import { localProvider } from '../../../server/assistant/providers/local.ts';
import { openaiProvider } from '../../../server/assistant/providers/openai.ts';
import { subjectOf } from '../../../server/assistant/subject.ts';
import { createApp } from '../../../server/http/express/app.ts';
import { listen } from '../../../server/http/server/listen.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import { LocalRateLimiter } from '../../../server/keys/rate-limiter.ts';
import { seedSample } from '../../../server/demo/seed-sample.ts';
import { createCursors } from '../../../server/operations/cursor.ts';
import { createOperations } from '../../../server/operations/index.ts';
import { openEventLog } from '../../../server/archive/events/journal-event-log.ts';
import { publishPoolStatus } from '../../../server/realtime/pool-events.ts';
import { answerCalls } from '../stream/calls.ts';
import { createSite } from '../../../server/site.ts';

const quota = 20;
const summary = 'An answer that was there all along. '.repeat(10);

const bare = createServer((request, response) => {
  request.resume().once('end', () => {
    const choice = { index: 0, message: { role: 'assistant', content: summary }, finish_reason: 'stop' };
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ id: '1', object: 'chat.completion', created: 1, model: 'stub', choices: [choice] }));
  });
}).listen(0, '127.0.0.1');
const bareUrl = (): string => `http://127.0.0.1:${(bare.address() as AddressInfo).port}`;

const providers = {
  stub: {
    name: 'local',
    probe: async () => {},
    ask: async () => ({ summary, citations: [], model: 'stub' }),
  } satisfies Provider,
  openai: openaiProvider(),
  local: localProvider(),
};
let provider: keyof typeof providers = 'stub';
let made = 0;

const dataDir = await mkdtemp(join(tmpdir(), 'bench-assistant-'));
process.once('exit', () => void rm(dataDir, { recursive: true, force: true }));
const { archive, engine, sink, store } = await openStoredArchive(readConfig({ DATA_DIR: dataDir }));
const log = await openEventLog(store, { ageMs: 86_400_000, events: 1_000_000 });
await seedSample(sink);
const journal = await store.journal('alone');
await journal.replay(() => {});
const pool = await openAccountPool({ store, quota, deadlineMs: 60_000 });
publishPoolStatus(pool, log);
const logger = pino({ level: 'warn' }, pino.destination(2));
const resolver = { resolve: async () => null };
const platform = new SqlPlatform({ run: engine.run, archive, search: engine.search, commits: undefined });
const assistant = createAssistant({
  pool,
  provider: { name: 'local', probe: async () => {}, ask: (...question) => providers[provider].ask(...question) },
  conversations: await openConversations({
    store,
    secret: Buffer.alloc(32),
    ttlMs: 3_600_000,
    waitMs: 60_000,
    now: pool.now,
  }),
  resolver,
  subjectOf: (tweetId, options) => subjectOf(platform, tweetId, options),
  archiveFor: (options) => archiveReader(platform, options),
  logger,
});
const benchKey = unrestrictedKey('bench');
const app = await createApp({
  handlers: createOperations({
    platform,
    cursors: createCursors(Buffer.alloc(32)),
    assistant,
    resolver,
  }),
  authenticate: () => benchKey,
  addressOf: () => '127.0.0.1',
  rateLimiter: new LocalRateLimiter('off'),
  corsOrigins: '*',
  logger,
  ready: () => true,
  eventCursor: () => 'bench.0',
  site: createSite(),
});
const http = await listen(app.handle, { host: '127.0.0.1', port: 0 });

const handlers = {
  urls: () => ({ service: http.url, bare: bareUrl() }),
  /** From now on this provider answers, with as many new accounts as so many questions need. */
  use({ name, questions }: { name: keyof typeof providers; questions: number }): void {
    provider = name;
    for (const { id } of pool.list()) pool.remove(id);
    for (let n = 0; n < Math.ceil(questions / quota); n++)
      pool.add({ id: `account-${(made += 1)}`, baseUrl: bareUrl() }, 'capable');
  },
  /** Milliseconds that each of so many durable lines took, one after the other. */
  async append(lines: number): Promise<number[]> {
    const times: number[] = [];
    for (let n = 0; n < lines; n++) {
      const began = performance.now();
      await journal.append(['x'.repeat(200)]);
      times.push(performance.now() - began);
    }
    return times;
  },
};
export type Service = typeof handlers;
answerCalls(handlers);
