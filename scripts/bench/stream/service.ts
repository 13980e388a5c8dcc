/** The measured server: the archive, the event log on disk, the hub and the gateway of the service, and a source of tweets. */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from '@prometheus-io/client';
import type { Assistant } from '../../../server/assistant/assistant.ts';
import { listen } from '../../../server/http/server/listen.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import { LocalRateLimiter } from '../../../server/keys/rate-limiter.ts';
import { Gateway } from '../../../server/realtime/gateway.ts';
import { boundGarbage, createYoung } from '../../../server/process/heap-bounds.ts';
import { openServiceArchive } from '../../../test/support/stored-archive.ts';
import { answerCalls, cpuTime } from '../calls.ts';
import { author, pace, tweet, type Publication } from './workload.ts';

createYoung();
boundGarbage();
const dataDir = await mkdtemp(join(tmpdir(), 'bench-stream-'));
process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const { log, platform, sink } = await openServiceArchive(dataDir, { isThread: true });
const assistant: Assistant = {
  explain: () => Promise.reject(new Error('no assistant')),
  status: () => ({
    capable: 0,
    available: 0,
    cooling: 0,
    untested: 0,
    incapable: 0,
    capacity: { capable: 0, usable_now: 0, daily_capacity: 0, remaining_now: 0, used_24h: 0 },
  }),
};
const benchKey = unrestrictedKey('bench');
const gateway = new Gateway({
  log,
  platform,
  assistant,
  keys: { has: () => true, find: () => benchKey, onChange: () => () => {}, recordUse: () => {} },
  authenticate: () => benchKey,
  rateLimiter: new LocalRateLimiter('off'),
  addressOf: () => '127.0.0.1',
  corsOrigins: '*',
  logger: pino({ level: 'error' }, pino.destination(2)),
  registry: new Registry(),
  // All listeners use one key, and heartbeats do not disturb the measurement.
  limits: { connections: 1e6, connectsPerMinute: 1e9, heartbeatMs: 3_600_000 },
});
const http = await listen((_request, response) => response.end(), {
  host: '127.0.0.1',
  port: 0,
  upgrade: (...request) => gateway.upgrade(...request),
});
await sink.apply('bench', { values: 0, done: false }, [author]);
let created = 0;

const handlers = {
  port: () => http.port,
  cpuTime,
  collectGarbage: () => globalThis.gc?.(),
  /** The cursor of the last event. */
  cursor: () => `${log.epoch}.${log.head}`,
  /** Publishes tweets. Resolves with the start time when the archive has stored them. */
  async publish(publication: Publication): Promise<{ startedAt: number }> {
    // The first event of each publication belongs to topic 0.
    created = Math.ceil(created / 100) * 100;
    const first = created;
    created += publication.events;
    const startedAt = await pace(publication, (from, upTo, timeOf) =>
      sink.apply(
        'bench',
        { values: first + upTo, done: false },
        Array.from({ length: upTo - from }, (_, index) => tweet(first + from + index, timeOf(from + index))),
      ),
    );
    return { startedAt };
  },
};
export type Service = typeof handlers;
answerCalls(handlers);
