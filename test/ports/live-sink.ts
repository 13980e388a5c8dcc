/** The behaviour of every adapter of the port for the records of live sources. */
import { describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { LiveSink, SourcePosition } from '../../server/ports/live-sink.ts';
import { openedSink, type SinkStorage } from './import-sink.ts';

const user = (n: number): ArchiveRecord => ({ kind: 'user', user: { id: String(n), username: `user${n}` } });
const reached = (n: number): SourcePosition => ({ position: `cursor ${n}`, at: 1_700_000_000_000 + n });

/** The suite for one adapter. */
export function describeLiveSink(name: string, create: () => Promise<SinkStorage<LiveSink>>): void {
  describe(`${name}: a live source`, () => {
    const opened = openedSink(create);

    test('has no position initially, and later the newest of each source, also after a restart', async () => {
      expect(await opened.sink.position('bluesky')).toBeUndefined();
      await opened.sink.follow('bluesky', reached(1), [user(1)]);
      await opened.sink.follow('x', reached(7), []);
      await opened.sink.follow('bluesky', reached(2), [user(2)]);
      expect([await opened.sink.position('bluesky'), await opened.sink.position('x')]).toEqual([
        reached(2),
        reached(7),
      ]);
      await opened.reopen();
      const after = ['bluesky', 'x', 'other'].map(async (source) => opened.sink.position(source));
      expect(await Promise.all(after)).toEqual([reached(2), reached(7), undefined]);
    });

    test('reports each position that is applied', async () => {
      const sources: string[] = [];
      opened.sink.onPosition((source) => sources.push(source));
      await opened.sink.follow('bluesky', reached(1), [user(1)]);
      await opened.sink.follow('bluesky', undefined, [user(2)]);
      await opened.sink.follow('x', reached(1), []);
      expect(sources).toEqual(['bluesky', 'x']);
    });

    test('keeps its position where records come without one', async () => {
      await opened.sink.follow('bluesky', reached(1), []);
      expect(await opened.sink.follow('bluesky', undefined, [user(1), user(2)])).toEqual(['added', 'added']);
      expect(await opened.sink.follow('bluesky', undefined, [])).toEqual([]);
      expect(await opened.sink.follow('bluesky', undefined, [user(1)])).toEqual(['unchanged']);
      await opened.reopen();
      expect(await opened.sink.position('bluesky')).toEqual(reached(1));
    });

    test('stores neither records nor position of a failed step', async () => {
      await opened.sink.follow('bluesky', reached(1), [user(1)]);
      await opened.storage.failWrites();
      await expect(opened.sink.follow('bluesky', reached(2), [user(2)])).rejects.toThrow();
      await opened.storage.repairWrites();
      expect(await opened.sink.position('bluesky')).toEqual(reached(1));
      expect(await opened.sink.follow('bluesky', reached(2), [user(2)])).toEqual(['added']);
      expect(await opened.sink.position('bluesky')).toEqual(reached(2));
    });

    test('lists the inputs by the start of their fingerprints', async () => {
      for (const fingerprint of ['follow a', 'follow b', 'file'])
        await opened.sink.apply(fingerprint, { values: 1, done: true }, []);
      expect(await opened.sink.fingerprints('follow ')).toEqual(['follow a', 'follow b']);
    });
  });
}
