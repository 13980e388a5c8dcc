/** The measured server: archive, event log on disk, hub and gateway as the service wires them, and a source of tweets. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openArchive } from '../../../server/platforms/archive/durable-archive.ts';
import type { Assistant } from '../../../server/assistant/assistant.ts';
import { listen } from '../../../server/http/server/listen.ts';
import { unrestrictedKey } from '../../../server/keys/keys.ts';
import { openEventLog } from '../../../server/realtime/event-log.ts';
import { createGateway } from '../../../server/realtime/gateway.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { answerCalls, cpuTime, memory } from './calls.ts';
import { author, pace, tweet, type Telling } from './workload.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'bench-stream-'));
process.once('exit', () => void rm(dataDir, { recursive: true, force: true }));
const store = await openLowdbStore(dataDir);
const log = await openEventLog(store, { ageMs: 86_400_000, events: 1_000_000 });
const durable = await openArchive(store, log);
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
const gateway = createGateway({
  log,
  archive: durable.archive,
  assistant,
  keys: { has: () => true, onChange: () => () => {}, recordUse: () => {} },
  authenticate: () => benchKey,
  addressOf: () => '127.0.0.1',
  corsOrigins: '*',
  logger: pino({ level: 'error' }, pino.destination(2)),
  registry: new Registry(),
  // One key for all listeners, and none that is sent anything but what is measured.
  limits: { connections: 1e6, connectsPerMinute: 1e9, heartbeatMs: 3_600_000 },
});
const http = await listen((_request, response) => response.end(), {
  host: '127.0.0.1',
  port: 0,
  upgrade: gateway.upgrade,
});
await durable.apply('bench', { values: 0, done: false }, [author]);
let made = 0;

const handlers = {
  port: () => http.port,
  cpuTime,
  memory,
  /** The place of the log that is its end now. */
  cursor: () => `${log.epoch}.${log.head}`,
  /** Takes in tweets. Resolves, when they are durable in the archive, with when it began. */
  async tell(telling: Telling): Promise<{ began: number }> {
    // Event n is for topic n: also where another telling has stopped in between.
    made = Math.ceil(made / 100) * 100;
    const first = made;
    made += telling.events;
    const began = await pace(telling, (from, upTo, timeOf) =>
      durable.apply(
        'bench',
        { values: first + upTo, done: false },
        Array.from({ length: upTo - from }, (_, place) => tweet(first + from + place, timeOf(from + place))),
      ),
    );
    return { began };
  },
};
export type Service = typeof handlers;
answerCalls(handlers);
