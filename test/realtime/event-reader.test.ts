import { expect, test } from '@jest/globals';
import type { LogEntry } from '../../server/ports/event-log.ts';
import { Deletions } from '../../server/realtime/deletions.ts';
import { EventReader } from '../../server/realtime/event-reader.ts';

const unused = (): never => {
  throw new Error('not used');
};

test('keeps the events that connections read, for the others, and not those that the hub reads', async () => {
  const log = {
    head: 600,
    read: async (after: number, limit: number) =>
      Array.from({ length: limit }, (_, place): LogEntry => ({ event: 'pool.status', seq: after + 1 + place, at: 0 })),
  };
  const platform = { snapshots: unused, communityOf: unused };
  const context = { epoch: 'epoch', poolStatus: unused, reportInvalid: unused };
  const deletions = new Deletions();
  const events = new EventReader(log, platform, context, { signal: new AbortController().signal }, deletions);

  const [live] = await events.load(0, { once: true });
  expect(live?.seq).toBe(1);
  expect(events.prepared(1)).toBeUndefined();
  // Nothing holds the text of a tweet, so the hub has to publish no deletions.
  expect(deletions.isIdle).toBe(true);

  const [read] = await events.load(0);
  expect(events.prepared(1)).toBe(read);
  expect(deletions.isIdle).toBe(false);
});
