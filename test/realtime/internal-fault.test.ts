/** Faults of the server's own, put into its parts: they stay with the event, or the connection, that they hit. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { toDatabaseId } from '../../server/archive/content/database-id.ts';
import type { LogEntry } from '../../server/ports/event-log.ts';
import type { Platform } from '../../server/ports/platform.ts';
import { resolveChannel } from '../../server/realtime/channels.ts';
import { Deletions } from '../../server/realtime/deletions.ts';
import { EventReader } from '../../server/realtime/event-reader.ts';
import { Hub, type HubSubscription, type Recipient } from '../../server/realtime/hub.ts';
import { options } from '../support/call-options.ts';
import { listener, startStream, type Listener, type Stream } from '../support/stream.ts';

let stream: Stream;
beforeEach(async () => {
  stream = await startStream();
  await stream.take({ kind: 'user', user: { id: '1', username: 'mira' } });
});
afterEach(async () => {
  jest.restoreAllMocks();
  await stream.stop();
});

interface Listening extends HubSubscription<Listening> {}

const tweet = (id: string): ArchiveRecord => ({
  kind: 'tweet',
  tweet: { id, text: 'hello', created_at: '2026-01-01T00:00:00Z', author_id: '1' },
});
async function listening(cursor?: string): Promise<Listener> {
  const each = await listener(stream.url);
  await each.ask({
    type: 'subscribe',
    id: '1',
    channel: 'search:tweets',
    params: { query: 'hello' },
    ...(cursor === undefined ? {} : { cursor }),
  });
  return each;
}
const ids = (each: Listener): string[] => each.of('event').map(({ data }) => (data as { id: string }).id);

test('skips the event of a damaged record, live and in replays, and delivers the next ones', async () => {
  using database = new DatabaseSync(join(stream.folder, 'archive.db'));
  database.exec(`CREATE TRIGGER damage AFTER INSERT ON tweet WHEN new.id = ${toDatabaseId('101')}
    BEGIN UPDATE tweet SET document = '{"te' WHERE pos = new.pos; END`);
  const live = await listening();
  const { cursor } = await live.first('connected');
  await stream.take(tweet('100'), tweet('101'), tweet('102'));
  await live.first('event', ({ data }) => (data as { id: string }).id === '102');
  expect(ids(live)).toEqual(['100', '102']);
  const replayed = await listening(cursor);
  await replayed.first('caught_up');
  expect(ids(replayed)).toEqual(['100', '102']);
  expect(stream.log.head).toBe(3);
});

test('closes a failing connection with 4111, which resumes by cursor; others continue', async () => {
  const [hit, other] = [await listening(), await listening()];
  const { retention } = stream.log;
  let faults = 1;
  Object.defineProperty(stream.log, 'retention', {
    get() {
      if (faults-- > 0) throw new Error('a fault');
      return retention;
    },
  });
  expect(await hit.closed).toEqual({ code: 4111, reason: 'internal error' });
  const { cursor } = await hit.first('connected');
  await stream.take(tweet('100'));
  await other.first('event');
  const again = await listening(cursor);
  await again.first('caught_up');
  expect([ids(other), ids(again)]).toEqual([['100'], ['100']]);
});

test('reports an event that cannot be delivered, and delivers the next one to all', async () => {
  const platform: Platform = stream.archive.platform;
  const reported: unknown[] = [];
  const { log } = stream;
  const context = {
    epoch: log.epoch,
    poolStatus: () => {
      throw new Error('not asked for');
    },
    reportInvalid: (entry: LogEntry, why: unknown) => void reported.push([entry.seq, (why as Error).message]),
  };
  const deletions = new Deletions();
  const events = new EventReader(log, platform, context, options, deletions);
  const hub = new Hub<Listening>({
    ...context,
    log,
    events,
    platform,
    deletions,
    reportFault: (_what, fault) => reported.push(fault),
  });
  const delivered: string[] = [];
  const audience = (name: string): Recipient<Listening> => ({
    matched: [],
    deliver({ seq }) {
      if (name === 'bad' && seq === 1) throw new Error('a fault');
      delivered.push(`${name} ${seq}`);
    },
  });
  const target = await resolveChannel('user:tweets', { user_id: '1' }, platform, options);
  for (const name of ['bad', 'good']) {
    const alone: Listening[] = [];
    const listening = { target, recipient: audience(name), alone };
    alone.push(listening);
    hub.add(listening);
  }
  log.onHead(() => hub.publishPending());
  await stream.take(tweet('100'), tweet('101'));
  while (hub.position < 2) await new Promise(setImmediate);
  expect([reported, delivered, hub.position]).toEqual([[[1, 'a fault']], ['bad 2', 'good 2'], 2]);
});
