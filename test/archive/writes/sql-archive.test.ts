// Tests server/archive/writes/content-writer.ts, server/archive/writes/tweet-writer.ts,
// server/archive/content/content-rows.ts and server/archive/content/content.ts.
/** The tables hold what an archive in memory holds after the same changes, and the events are the same. */
import { beforeAll, expect, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import type { ArchiveDatabase } from '../../../server/archive/writes/archive-database.ts';
import { applied } from '../../engines/postgres/applied.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { history } from '../../engines/postgres/changes.ts';
import { sortedContent } from '../../engines/postgres/tables.ts';
import {
  archiveOn,
  contentIn,
  describeEngines,
  eventCount,
  eventsIn,
  recordsOf,
  type ArchiveTables,
} from '../engines.ts';

describeEngines('an archive in tables', (opened) => {
  let tables: ArchiveTables;
  beforeAll(() => void (tables = opened()));

  test('holds after random batches what an archive in memory holds, with the same outcomes and events', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const archive = new Archive();
        const sql = archiveOn(tables);
        for (const changes of batches) {
          const eventsBefore = await eventCount(tables);
          const expected = applied(archive, changes);
          const { outcomes } = await sql.apply(changes);
          expect([changes, outcomes]).toEqual([changes, expected.outcomes]);
          expect(sortedContent(await eventsIn(tables, eventsBefore))).toEqual(
            sortedContent(recordsOf(expected.events)),
          );
          expect(sortedContent(await contentIn(tables))).toEqual(sortedContent(archive.changes()));
        }
      }),
      { numRuns: rounds(20), endOnFailure: true },
    );
  }, 600_000);

  const like: Change = { kind: 'like', tweet_id: '100' };
  test('a failure changes nothing, and transactions at the same time get consecutive numbers', async () => {
    await tables.clear();
    const failing: ArchiveDatabase = {
      transaction: (task) =>
        tables.database.transaction(async (transaction) => {
          await task(transaction);
          throw new Error('the end of the process');
        }),
    };
    await expect(archiveOn({ database: failing }).apply([like])).rejects.toThrow('the end of the process');
    expect(await contentIn(tables)).toEqual([]);
    const likes = Array.from({ length: 6 }, (_, index): Change => ({ ...like, tweet_id: String(index) }));
    const written = await Promise.all(likes.map((each) => archiveOn(tables).apply([each])));
    expect(written.map(({ commit }) => commit).toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await contentIn(tables)).toHaveLength(6);
  });

  test('new and changed tweets keep every character', async () => {
    await tables.clear();
    const archive = new Archive();
    const sql = archiveOn(tables);
    const text = String.raw`tab	 \N \. \\ "it's" \t`;
    for (const each of [`${text}\n\r\n`, `\\.\n\u0000${text}日本\ud800`]) {
      const change: Change = {
        kind: 'tweet',
        tweet: { id: '1', author_id: '1', text: each, created_at: '2026-01-01T00:00:00Z', in_reply_to_username: text },
      };
      archive.apply(change);
      await sql.apply([change]);
      expect(await contentIn(tables)).toEqual(Array.from(archive.changes()));
    }
  });

  test('a removed list that another account owns by now belongs to the withdrawal of that account', async () => {
    await tables.clear();
    const archive = new Archive();
    const sql = archiveOn(tables);
    const at = '2026-01-01T00:00:00.000Z';
    const list = (owner_id: string): Change => ({ kind: 'list', list: { id: '801', owner_id, name: 'List' } });
    const withdraw = (user_id: string): Change => ({ kind: 'withdraw', user_id, at });
    for (const change of [list('1'), withdraw('1'), list('2'), withdraw('2')]) {
      archive.apply(change);
      await sql.apply([change]);
      expect(sortedContent(await contentIn(tables))).toEqual(sortedContent(archive.changes()));
    }
  });

  test('a change that cannot be applied is reported with the reason', async () => {
    await tables.clear();
    const change: Change = { kind: 'tweet', tweet: { id: '1', author_id: '1', text: 'a', created_at: 'yesterday' } };
    const written = await archiveOn(tables).apply([change, like]);
    const reason = 'its created_at is not a valid time';
    expect(written).toEqual({
      ...{ outcomes: ['dead letter', 'added'], unusable: [{ change, reason }], commit: 1, lastEvent: 0 },
    });
    const withoutLists = { id: '2', author_id: '1', text: 'a', created_at: '2026-01-01T00:00:00Z', entities: {} };
    const others = [{ kind: 'tweet', tweet: withoutLists } as unknown as Change];
    expect(await archiveOn(tables).apply(others)).toMatchObject({
      outcomes: ['dead letter'],
    });
  });
});
