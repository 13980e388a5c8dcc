/** The behaviour of every adapter of the port for the records of live sources. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { LiveSink, SourcePosition } from '../../server/ports/live-sink.ts';
import type { SinkStorage } from './import-sink.ts';

const user = (n: number): ArchiveRecord => ({ kind: 'user', user: { id: String(n), username: `user${n}` } });
const reached = (n: number): SourcePosition => ({ position: `cursor ${n}`, at: 1_700_000_000_000 + n });

/** The suite for one adapter. */
export function describeLiveSink(name: string, create: () => Promise<SinkStorage<LiveSink>>): void {
  describe(`${name}: a live source`, () => {
    let storage: SinkStorage<LiveSink>;
    let sink: LiveSink;
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

    test('has no position initially, and later the newest of each source, also after a restart', async () => {
      expect(sink.position('bluesky')).toBeUndefined();
      await sink.follow('bluesky', reached(1), [user(1)]);
      await sink.follow('x', reached(7), []);
      await sink.follow('bluesky', reached(2), [user(2)]);
      expect([sink.position('bluesky'), sink.position('x')]).toEqual([reached(2), reached(7)]);
      await reopen();
      expect(['bluesky', 'x', 'other'].map((source) => sink.position(source))).toEqual([
        reached(2),
        reached(7),
        undefined,
      ]);
    });

    test('keeps its position where records come without one', async () => {
      await sink.follow('bluesky', reached(1), []);
      expect(await sink.follow('bluesky', undefined, [user(1), user(2)])).toEqual(['added', 'added']);
      expect(await sink.follow('bluesky', undefined, [])).toEqual([]);
      expect(await sink.follow('bluesky', undefined, [user(1)])).toEqual(['unchanged']);
      await reopen();
      expect(sink.position('bluesky')).toEqual(reached(1));
    });

    test('stores neither records nor position of a failed step', async () => {
      await sink.follow('bluesky', reached(1), [user(1)]);
      storage.failWrites();
      await expect(sink.follow('bluesky', reached(2), [user(2)])).rejects.toThrow();
      storage.repairWrites();
      expect(sink.position('bluesky')).toEqual(reached(1));
      expect(await sink.follow('bluesky', reached(2), [user(2)])).toEqual(['added']);
      expect(sink.position('bluesky')).toEqual(reached(2));
    });

    test('lists the inputs by the start of their fingerprints', async () => {
      for (const fingerprint of ['follow a', 'follow b', 'file'])
        await sink.apply(fingerprint, { values: 1, done: true }, []);
      expect(sink.fingerprints('follow ')).toEqual(['follow a', 'follow b']);
    });
  });
}
