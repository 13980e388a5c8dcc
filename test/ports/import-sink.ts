/** The behaviour of every adapter of the import sink port. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { ImportProgress, ImportSink } from '../../server/ports/import-sink.ts';

/** Storage that outlives the sinks that are opened on it. */
export interface SinkStorage<Sink extends ImportSink = ImportSink> {
  /** Opens the sink, as a new process does. */
  open(): Promise<Sink>;
  close(): Promise<void>;
  /** Every write fails from now on, until `repairWrites`. */
  failWrites(): void | Promise<void>;
  repairWrites(): void | Promise<void>;
  dispose(): Promise<void>;
}

const tweet = (
  n: number,
  changes: { like_count?: number; observed_at?: string; uri?: string } = {},
): ArchiveRecord => ({
  kind: 'tweet',
  tweet: {
    id: String(n),
    text: `text ${n}`,
    created_at: '2026-01-01T00:00:00.000Z',
    author_id: '1',
    observed_at: '2026-02-01T00:00:00.000Z',
    ...changes,
  },
});
const reached = (values: number, done = false): ImportProgress => ({ values, done });

interface OpenedSink<Sink extends ImportSink> {
  readonly sink: Sink;
  readonly storage: SinkStorage<Sink>;
  /** Closes the sink and opens it again, as a new process does. */
  reopen(): Promise<void>;
}

/** A sink that is opened before each test of a block, and closed and removed after it. */
export function openedSink<Sink extends ImportSink>(create: () => Promise<SinkStorage<Sink>>): OpenedSink<Sink> {
  let storage: SinkStorage<Sink>;
  let sink: Sink;
  beforeEach(async () => {
    storage = await create();
    sink = await storage.open();
  });
  afterEach(async () => {
    await storage.repairWrites();
    await storage.close();
    await storage.dispose();
  });
  return {
    get sink() {
      return sink;
    },
    get storage() {
      return storage;
    },
    async reopen() {
      await storage.close();
      sink = await storage.open();
    },
  };
}

/** The suite for one adapter. */
export function describeImportSink(name: string, create: () => Promise<SinkStorage>): void {
  describe(`${name}: an import`, () => {
    const opened = openedSink(create);

    test('has no progress initially, and later the newest, also after a restart and for each input', async () => {
      expect(await opened.sink.resume('a')).toBeUndefined();
      await opened.sink.apply('a', reached(1), [tweet(1)]);
      await opened.sink.apply('b', reached(7, true), []);
      await opened.sink.apply('a', reached(2), [tweet(2)]);
      expect(await opened.sink.resume('a')).toEqual(reached(2));
      await opened.reopen();
      expect([await opened.sink.resume('a'), await opened.sink.resume('b'), await opened.sink.resume('c')]).toEqual([
        reached(2),
        reached(7, true),
        undefined,
      ]);
    });

    test('reports for each record in order whether it was added, updated or unchanged', async () => {
      expect(await opened.sink.apply('a', reached(2), [tweet(1), tweet(2)])).toEqual(['added', 'added']);
      const later = tweet(2, { like_count: 5, observed_at: '2026-02-02T00:00:00.000Z' });
      expect(await opened.sink.apply('a', reached(5), [tweet(1), later, tweet(3)])).toEqual([
        'unchanged',
        'updated',
        'added',
      ]);
    });

    test('changes nothing when repeated, also after a restart', async () => {
      const records = [tweet(1), tweet(2), tweet(3)];
      await opened.sink.apply('a', reached(3), records);
      expect(await opened.sink.apply('a', reached(3, true), records)).toEqual(['unchanged', 'unchanged', 'unchanged']);
      await opened.reopen();
      expect(await opened.sink.apply('other', reached(3, true), records)).toEqual([
        'unchanged',
        'unchanged',
        'unchanged',
      ]);
    });

    test('applies concurrent batches in the order of the calls', async () => {
      // The first batch is large: the others must wait for it.
      const many = Array.from({ length: 1000 }, (_, index) => tweet(10 + index));
      const outcomes = await Promise.all(
        [1, 2, 3].map((values) =>
          opened.sink.apply('a', reached(values, values === 3), [
            ...(values === 1 ? many : []),
            tweet(1),
            tweet(values + 1),
          ]),
        ),
      );
      expect(outcomes.map((each) => each.slice(-2))).toEqual([
        ['added', 'added'],
        ['unchanged', 'added'],
        ['unchanged', 'added'],
      ]);
      expect(await opened.sink.resume('a')).toEqual(reached(3, true));
    });

    test('a call after another one fails with it, although the storage works again', async () => {
      await opened.sink.apply('a', reached(1), [tweet(1)]);
      await opened.storage.failWrites();
      const failing = opened.sink.apply('a', reached(2), [tweet(2)]);
      const next = opened.sink.apply('a', reached(3), [tweet(3)], { after: failing });
      await expect(failing).rejects.toThrow();
      await opened.storage.repairWrites();
      const last = opened.sink.apply('a', reached(4, true), [tweet(4)], { after: next });
      await expect(next).rejects.toThrow();
      await expect(last).rejects.toThrow();
      expect(await opened.sink.resume('a')).toEqual(reached(1));
      const again = opened.sink.apply('a', reached(2), [tweet(2), tweet(1)]);
      expect(await opened.sink.apply('a', reached(4, true), [tweet(2), tweet(3)], { after: again })).toEqual([
        'unchanged',
        'added',
      ]);
      expect(await again).toEqual(['added', 'unchanged']);
      await opened.reopen();
      expect(await opened.sink.resume('a')).toEqual(reached(4, true));
    });

    test('rejects a tweet with the id of another one, and keeps the first', async () => {
      const post = (did: string, changes = {}): ArchiveRecord =>
        tweet(1, { uri: `at://${did}/app.bsky.feed.post/2222222222223`, ...changes });
      const later = { like_count: 5, observed_at: '2026-02-02T00:00:00.000Z' };
      expect(await opened.sink.apply('a', reached(1), [post('did:plc:alice'), post('did:plc:mallory')])).toEqual([
        'added',
        'rejected',
      ]);
      expect(
        await opened.sink.apply('a', reached(2), [post('did:plc:mallory', later), post('did:plc:alice', later)]),
      ).toEqual(['rejected', 'updated']);
      await opened.reopen();
      expect(
        await opened.sink.apply('b', reached(1), [post('did:plc:mallory', later), post('did:plc:alice', later)]),
      ).toEqual(['rejected', 'unchanged']);
    });

    test('stores neither records nor progress of a failed batch', async () => {
      await opened.sink.apply('a', reached(1), [tweet(1)]);
      await opened.storage.failWrites();
      await expect(opened.sink.apply('a', reached(2, true), [tweet(2)])).rejects.toThrow();
      await opened.storage.repairWrites();
      expect(await opened.sink.resume('a')).toEqual(reached(1));
      expect(await opened.sink.apply('a', reached(2, true), [tweet(2)])).toEqual(['added']);
      await opened.reopen();
      expect(await opened.sink.resume('a')).toEqual(reached(2, true));
      expect(await opened.sink.apply('a', reached(2, true), [tweet(1), tweet(2)])).toEqual(['unchanged', 'unchanged']);
    });
  });
}
