// Tests server/archive/writes/content-writer.ts, server/archive/writes/tweet-writer.ts,
// server/archive/content/content-rows.ts and server/archive/content/content.ts.
/** The tables hold what an archive in memory holds after the same changes, and the events are the same. */
import { setImmediate as turn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import { eventRecord } from '../../../server/archive/events/event-record.ts';
import { sql, type Integer } from '../../../server/archive/sql.ts';
import type { ArchiveDatabase } from '../../../server/archive/writes/archive-database.ts';
import { SqlArchive } from '../../../server/archive/writes/sql-archive.ts';
import { StoreError } from '../../../server/ports/storage.ts';
import { applied } from '../../engines/postgres/applied.ts';
import { holdTimers } from '../../support/held-timers.ts';
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

  /** The tables, whose first transactions are committed although they fail. */
  const losing = (losses: number, isUnknown = true): ArchiveDatabase => ({
    async transaction(task) {
      const result = await tables.database.transaction(task);
      if (losses-- > 0) throw Object.assign(new StoreError('the answer is lost'), { isUnknown });
      return result;
    },
  });
  const community: Change = { kind: 'community', community: { id: '901', name: 'First' } };
  const joined: Change = { kind: 'membership', community_id: '901', user_id: '1', role: 'member' };

  describe('a transaction whose answer was lost', () => {
    /** Applies changes without the waits between the attempts. */
    async function apply(database: ArchiveDatabase, changes: readonly Change[]): Promise<unknown> {
      const timers = holdTimers(250);
      let isDone = false;
      const written = archiveOn({ database }).apply(changes);
      void written.catch(() => {}).then(() => (isDone = true));
      while (!isDone) {
        await turn();
        timers.end();
      }
      jest.restoreAllMocks();
      return written;
    }
    beforeEach(async () => {
      await tables.clear();
      await archiveOn(tables).apply([like]);
    });

    test('is not applied twice, and its outcomes are found', async () => {
      const tweet = { id: '1', author_id: '1', text: 'a', created_at: 'yesterday' };
      expect(await apply(losing(3), [community, like, joined, { kind: 'tweet', tweet }])).toEqual({
        ...{ outcomes: ['added', 'unchanged', 'added', 'dead letter'], unusable: [], commit: 2, lastEvent: 1 },
      });
      const events = await eventsIn(tables, 0);
      expect(events).toEqual([{ event: 'community.joined', id: '901', user_id: '1' }]);
    });

    test('fails where it is lost again and again; applied later, the changes change nothing more', async () => {
      await expect(apply(losing(4), [community, joined])).rejects.toThrow('the answer is lost');
      expect(await apply(losing(0), [community, joined])).toMatchObject({
        outcomes: ['unchanged', 'unchanged'],
        commit: 2,
      });
    });

    test('is not tried again where nothing of it is stored', async () => {
      await expect(apply(losing(1, false), [community])).rejects.toThrow('the answer is lost');
    });
  });

  test('a long transaction ends early where others wait, without the progress of its import', async () => {
    await tables.clear();
    const likes = ['1', '2', '3', '4', '5'].map((tweet_id): Change => ({ kind: 'like', tweet_id }));
    const progress = { fingerprint: 'file', progress: { values: 5, done: true } };
    const archive = new SqlArchive(tables.database, { eventRecord, now: () => 0 });
    let asked = 0;
    const endsEarly = async (): Promise<boolean> => ++asked === 2;
    const { outcomes } = await archive.transact(likes, progress, { endsEarly, stepSize: 2 });
    expect([outcomes, (await contentIn(tables)).length]).toEqual([Array(4).fill('added'), 4]);
    const stored = () => tables.run<object>(sql`SELECT applied FROM social_data.import_progress`);
    expect(await stored()).toEqual([]);
    expect((await archive.transact(likes, progress, { endsEarly, stepSize: 2 })).outcomes).toEqual([
      ...[...Array(4).fill('unchanged'), 'added'],
    ]);
    expect(await stored()).toHaveLength(1);
  });

  test('a new position of a source has a number in the log of the transactions where answers show it', async () => {
    await tables.clear();
    const follow = (at: number, isShown: boolean) =>
      archiveOn(tables).apply([], { source: 's', position: { position: `p${at}`, at: at + 0.5 }, isShown });
    expect(await follow(1, true)).toEqual({ outcomes: [], unusable: [], commit: 1, lastEvent: 0 });
    expect(await follow(2, false)).toMatchObject({ commit: 1 });
    const rows = await tables.run<{ position: string; at: Integer }>(
      sql`SELECT position, at FROM social_data.source_position`,
    );
    expect(rows.map(({ position, at }) => [position, Number(at)])).toEqual([['p2', 2]]);
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
