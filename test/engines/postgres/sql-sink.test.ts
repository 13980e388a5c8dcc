/** The sink of live sources orders the records of a call so that deletions come together. */
import { expect, test } from '@jest/globals';
import type { ArchiveRecord, ChangeOutcome } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import { UnusableRecord, withTime, type Change } from '../../../server/archive/rules/change.ts';
import { SqlSink } from '../../../server/archive/writes/sql-sink.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { history } from './changes.ts';

/** Applies changes one after the other. Returns the outcomes. */
function applied(archive: Archive, changes: readonly Change[]): ChangeOutcome[] {
  return changes.map((change) => {
    try {
      return archive.apply(change).outcome;
    } catch (error) {
      if (error instanceof UnusableRecord) return 'dead letter';
      throw error;
    }
  });
}

/** A sink on an archive in memory, and the kinds of the changes of each call. */
function sinkOn(archive: Archive): { sink: SqlSink; calls: string[] } {
  const calls: string[] = [];
  const apply = async (changes: readonly Change[]) => {
    calls.push(changes.map(({ kind }) => kind).join(' '));
    return { outcomes: applied(archive, changes), unusable: [], commit: 1, lastEvent: 1 };
  };
  return { sink: new SqlSink(async () => [], { apply }, { onUnusable: () => {} }), calls };
}

const content = (archive: Archive): string[] =>
  Array.from(archive.changes(), (change) => JSON.stringify(change)).toSorted();
const isRecord = (change: Change): change is Exclude<Change, { kind: 'evict' | 'unlike' }> =>
  change.kind !== 'evict' && change.kind !== 'unlike';

test('outcomes and content are those of the given order', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (batches) => {
      const [expected, ordered] = [new Archive(), new Archive()];
      const { sink } = sinkOn(ordered);
      for (const batch of batches) {
        // Without a time, a removal gets that of the call.
        const changes = batch.filter(isRecord).map((change) => withTime(change, '2026-02-02T02:45:30.000Z'));
        const outcomes = applied(expected, structuredClone(changes));
        expect(await sink.follow('bluesky', undefined, structuredClone(changes) as ArchiveRecord[])).toEqual(outcomes);
        expect(content(ordered)).toEqual(content(expected));
      }
    }),
    { numRuns: rounds(150) },
  );
});

test('deletions come behind what has nothing to do with them', async () => {
  const tweet = (id: string, retweeted_tweet_id?: string): ArchiveRecord => ({
    kind: 'tweet',
    tweet: {
      ...{ id, author_id: '7', text: 'a', created_at: '2026-01-01T00:00:00.000Z' },
      ...(retweeted_tweet_id === undefined ? {} : { retweeted_tweet_id }),
    },
  });
  const gone = (tweet_id: string): ArchiveRecord => ({ kind: 'delete', tweet_id });
  const user: ArchiveRecord = { kind: 'user', user: { id: '7', username: 'ada' } };
  const { sink, calls } = sinkOn(new Archive());
  await sink.follow('bluesky', undefined, [tweet('1'), tweet('2')]);
  expect(await sink.follow('bluesky', undefined, [gone('1'), tweet('3'), gone('2'), user, tweet('4')])).toEqual([
    'updated',
    'added',
    'updated',
    'added',
    'added',
  ]);
  await sink.follow('bluesky', undefined, [gone('3'), user, tweet('3'), gone('4'), tweet('5', '4'), tweet('6')]);
  expect(calls.slice(1)).toEqual(['tweet user tweet delete delete', 'user delete tweet delete tweet tweet']);
});
