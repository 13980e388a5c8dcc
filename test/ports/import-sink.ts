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
  failWrites(): void;
  repairWrites(): void;
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

/** The suite for one adapter. */
export function describeImportSink(name: string, create: () => Promise<SinkStorage>): void {
  describe(`${name}: an import`, () => {
    let storage: SinkStorage;
    let sink: ImportSink;
    beforeEach(async () => {
      storage = await create();
      sink = await storage.open();
    });
    afterEach(async () => {
      storage.repairWrites();
      await storage.close();
      await storage.dispose();
    });
    async function reopen(): Promise<void> {
      await storage.close();
      sink = await storage.open();
    }

    test('has no progress initially, and later the newest, also after a restart and for each input', async () => {
      expect(await sink.resume('a')).toBeUndefined();
      await sink.apply('a', reached(1), [tweet(1)]);
      await sink.apply('b', reached(7, true), []);
      await sink.apply('a', reached(2), [tweet(2)]);
      expect(await sink.resume('a')).toEqual(reached(2));
      await reopen();
      expect([await sink.resume('a'), await sink.resume('b'), await sink.resume('c')]).toEqual([
        reached(2),
        reached(7, true),
        undefined,
      ]);
    });

    test('reports for each record in order whether it was added, updated or unchanged', async () => {
      expect(await sink.apply('a', reached(2), [tweet(1), tweet(2)])).toEqual(['added', 'added']);
      const later = tweet(2, { like_count: 5, observed_at: '2026-02-02T00:00:00.000Z' });
      expect(await sink.apply('a', reached(5), [tweet(1), later, tweet(3)])).toEqual(['unchanged', 'updated', 'added']);
    });

    test('changes nothing when repeated, also after a restart', async () => {
      const records = [tweet(1), tweet(2), tweet(3)];
      await sink.apply('a', reached(3), records);
      expect(await sink.apply('a', reached(3, true), records)).toEqual(['unchanged', 'unchanged', 'unchanged']);
      await reopen();
      expect(await sink.apply('other', reached(3, true), records)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    });

    test('applies concurrent batches in the order of the calls', async () => {
      const outcomes = await Promise.all(
        [1, 2, 3].map((values) => sink.apply('a', reached(values, values === 3), [tweet(1), tweet(values + 1)])),
      );
      expect(outcomes).toEqual([
        ['added', 'added'],
        ['unchanged', 'added'],
        ['unchanged', 'added'],
      ]);
      expect(await sink.resume('a')).toEqual(reached(3, true));
    });

    test('rejects a tweet with the id of another one, and keeps the first', async () => {
      const post = (did: string, changes = {}): ArchiveRecord =>
        tweet(1, { uri: `at://${did}/app.bsky.feed.post/2222222222223`, ...changes });
      const later = { like_count: 5, observed_at: '2026-02-02T00:00:00.000Z' };
      expect(await sink.apply('a', reached(1), [post('did:plc:alice'), post('did:plc:mallory')])).toEqual([
        'added',
        'rejected',
      ]);
      expect(await sink.apply('a', reached(2), [post('did:plc:mallory', later), post('did:plc:alice', later)])).toEqual(
        ['rejected', 'updated'],
      );
      await reopen();
      expect(await sink.apply('b', reached(1), [post('did:plc:mallory', later), post('did:plc:alice', later)])).toEqual(
        ['rejected', 'unchanged'],
      );
    });

    test('stores neither records nor progress of a failed batch', async () => {
      await sink.apply('a', reached(1), [tweet(1)]);
      storage.failWrites();
      await expect(sink.apply('a', reached(2, true), [tweet(2)])).rejects.toThrow();
      storage.repairWrites();
      expect(await sink.resume('a')).toEqual(reached(1));
      expect(await sink.apply('a', reached(2, true), [tweet(2)])).toEqual(['added']);
      await reopen();
      expect(await sink.resume('a')).toEqual(reached(2, true));
      expect(await sink.apply('a', reached(2, true), [tweet(1), tweet(2)])).toEqual(['unchanged', 'unchanged']);
    });
  });
}
