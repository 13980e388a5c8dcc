/** The tables hold what an archive in memory holds after the same changes, and the events are the same. */
import { PostgresArchiveDatabase } from '../../../server/engines/postgres/writes/postgres-archive-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '../../../server/domain/events.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import { SqlArchive } from '../../../server/archive/writes/sql-archive.ts';
import { DatabaseError, type Database } from '../../../server/engines/postgres/store/database.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';
import { applied } from './applied.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { history } from './changes.ts';
import { expectDerived } from './derived.ts';
import { PostgresTables, sortedContent } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

describeDatabase('an archive in tables of PostgreSQL', () => {
  let tables: PostgresTables;
  beforeAll(async () => {
    tables = await PostgresTables.create();
  });
  afterAll(() => tables.dispose());

  test('holds after random batches what an archive in memory holds, with the same outcomes and events', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const archive = new Archive();
        const sql = new SqlArchive(new PostgresArchiveDatabase(tables.database), {
          eventRecord: (event) => event,
          now: () => 0,
        });
        for (const changes of batches) {
          const eventsBefore = await tables.eventCount();
          const expected = applied(archive, changes);
          const { outcomes } = await sql.apply(changes);
          expect([changes, outcomes]).toEqual([changes, expected.outcomes]);
          expect(sortedContent(await tables.events(eventsBefore))).toEqual(sortedContent(expected.events));
          expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
        }
        await expectDerived(tables, archive);
      }),
      { numRuns: rounds(20), endOnFailure: true },
    );
  }, 600_000);

  const like: Change = { kind: 'like', tweet_id: '100' };
  const options = { eventRecord: (event: DomainEvent) => event, now: () => 0 };

  test('a transaction whose answer was lost is not applied twice, and its outcomes are found', async () => {
    await tables.clear();
    await new SqlArchive(new PostgresArchiveDatabase(tables.database), options).apply([like]);
    let losses = 2;
    const losing: Pick<Database, 'transaction' | 'run' | 'reportStalled'> = {
      run: tables.database.run,
      reportStalled: () => {},
      async transaction(steps) {
        const result = await tables.database.transaction(steps);
        if (losses-- > 0) throw new DatabaseError('the answer is lost', { isUnknown: true, isDisconnected: true });
        return result;
      },
    };
    const community: Change = { kind: 'community', community: { id: '901', name: 'First' } };
    const joined: Change = { kind: 'membership', community_id: '901', user_id: '1', role: 'member' };
    const written = await new SqlArchive(new PostgresArchiveDatabase(losing), options).apply([community, like, joined]);
    expect(written).toEqual({ outcomes: ['added', 'unchanged', 'added'], unusable: [], commit: 2, lastEvent: 1 });
    expect(await tables.events(0)).toEqual([{ event: 'community.joined', id: '901', userId: '1' }]);
  });

  test('new and changed tweets keep every character', async () => {
    await tables.clear();
    const archive = new Archive();
    const sql = new SqlArchive(new PostgresArchiveDatabase(tables.database), options);
    const text = String.raw`tab	 \N \. \\ "it's" \t`;
    for (const each of [`${text}\n\r\n`, `\\.\n\u0000${text}日本\ud800`]) {
      const change: Change = {
        kind: 'tweet',
        tweet: { id: '1', author_id: '1', text: each, created_at: '2026-01-01T00:00:00Z', in_reply_to_username: text },
      };
      archive.apply(change);
      await sql.apply([change]);
      expect(await tables.content()).toEqual(Array.from(archive.changes()));
      await expectDerived(tables, archive);
    }
  });

  test('the words have the level of the engagement when only the counts change', async () => {
    await tables.clear();
    const archive = new Archive();
    const sql = new SqlArchive(new PostgresArchiveDatabase(tables.database), options);
    for (const [index, like_count] of [0, 63, 64, 79, 80, 1000, 70, 5].entries()) {
      const observed_at = new Date(Date.UTC(2026, 0, 2 + index)).toISOString();
      const change: Change = {
        kind: 'tweet',
        tweet: { id: '1', author_id: '1', text: 'a text', created_at: '2026-01-01T00:00:00Z', like_count, observed_at },
      };
      archive.apply(change);
      await sql.apply([change]);
      expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
      await expectDerived(tables, archive);
    }
  });
});
