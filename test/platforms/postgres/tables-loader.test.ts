/** A snapshot that is loaded into tables is what an archive in memory holds, and the copy of tables in a journal is too. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { join } from 'node:path';
import { writeTablesAsJournal } from '../../../server/maintenance/tables-copy.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { UnusableRecord, type Change } from '../../../server/platforms/archive/change.ts';
import { openArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { loadSnapshot } from '../../../server/platforms/postgres/maintenance/tables-loader.ts';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';
import { temporaryFolder } from '../../support/folder.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { history } from './changes.ts';
import { expectDerived } from './derived.ts';
import { PostgresTables, sortedContent } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

function applied(archive: Archive, change: Change): void {
  try {
    archive.apply(change);
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
  }
}

describeDatabase('a snapshot in tables', () => {
  let tables: PostgresTables;
  beforeAll(async () => {
    tables = await PostgresTables.create();
  });
  afterAll(() => tables.dispose());

  test('is the same content, and in a journal too', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const archive = new Archive();
        for (const change of batches.flat()) applied(archive, change);
        const counts: number[] = [];
        const loaded = await loadSnapshot(tables.database, archive.changes(), (count) => counts.push(count));
        expect(counts.at(-1) ?? 0).toBe(loaded);
        expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
        await expectDerived(tables, archive);
        await expectJournal(archive);
      }),
      { numRuns: rounds(15), endOnFailure: true },
    );
  }, 300_000);

  /** The tables as a journal, in a folder of an archive in memory. */
  async function expectJournal(archive: Archive): Promise<void> {
    const folder = await temporaryFolder();
    await tables.database.transaction((run) => writeTablesAsJournal(run, join(folder.path, 'archive'), () => {}));
    const store = await openLowdbStore(folder.path);
    const copy = await openArchive(store);
    expect(copy.setAside).toEqual([]);
    expect(sortedContent(copy.archive.changes())).toEqual(sortedContent(archive.changes()));
    await store.close();
    await folder.dispose();
  }

  test('is loaded in batches that divide no row', async () => {
    await tables.clear();
    const archive = new Archive();
    const at = '2026-01-01T00:00:00.000Z';
    const later = '2026-02-01T00:00:00.000Z';
    const follow = (id: number, created_at: string): Change => ({
      ...{ kind: 'follow', follower_id: '1', following_id: String(id + 10) },
      created_at,
    });
    for (let id = 0; id < 2500; id++) {
      archive.apply(follow(id, at));
      archive.apply(follow(id, later));
      archive.apply({ kind: 'unfollow', follower_id: String(id + 10), following_id: '1', at });
    }
    const counts: number[] = [];
    await loadSnapshot(tables.database, archive.changes(), (count) => counts.push(count));
    expect(counts.length).toBeGreaterThan(2);
    expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
  }, 60_000);
});
