/** An export from tables has the records of an export from memory, of one moment. */
import { PostgresArchiveDatabase } from '../../server/platforms/postgres/writes/postgres-archive-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { openExport, type Export } from '../../server/maintenance/export/export.ts';
import type { ExportRequest } from '../../server/maintenance/export/selection.ts';
import { openTablesExport } from '../../server/maintenance/export/tables-export.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import { UnusableRecord, type Change } from '../../server/platforms/archive/change.ts';
import { SqlArchive } from '../../server/archive/writes/sql-archive.ts';
import { history, usernames, users } from '../platforms/postgres/changes.ts';
import { PostgresTables, sortedContent } from '../platforms/postgres/tables.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const minute = (step: number): number => 1_770_000_000_000 + step * 60_000;

/** The records of an export, in an order of their own. */
async function recordsOf(opening: Promise<Export>): Promise<string[]> {
  const { chunks, counts, close } = await opening;
  let text = '';
  for await (const chunk of chunks) text += chunk;
  await close();
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ArchiveRecord);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(records.length);
  return sortedContent(records);
}

function applied(archive: Archive, change: Change): void {
  try {
    archive.apply(change);
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
  }
}

const user = fc.constantFrom(...users, ...usernames, 'nobody');
const query = fc.constantFrom(
  'coffee',
  '-coffee',
  'from:mira OR to:mira',
  '(@mira OR @tom OR beans) include:nativeretweets',
);
const since = fc.nat(6).map(minute);
const until = fc.integer({ min: 3, max: 10 }).map(minute);
const request: fc.Arbitrary<ExportRequest> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ user }) },
  { weight: 3, arbitrary: fc.record({ query }) },
  fc.record({ since }),
  fc.record({ since, until }),
  fc.record({ user, until }),
  fc.record({ query, since }),
);

describeDatabase('an export from tables', () => {
  let tables: PostgresTables;
  let sql: SqlArchive;
  beforeAll(async () => {
    tables = await PostgresTables.create();
    sql = new SqlArchive(new PostgresArchiveDatabase(tables.database), { eventRecord: (event) => event, now: () => 0 });
  });
  afterAll(() => tables.dispose());

  test('has the records of an export from memory, whole and in parts', async () => {
    let partial = 0;
    await fc.assert(
      fc.asyncProperty(history, fc.array(request, { maxLength: 4 }), async (batches, requests) => {
        await tables.clear();
        const archive = new Archive();
        for (const change of batches.flat()) applied(archive, change);
        for (const changes of batches) await sql.apply(changes);
        for (const wanted of [{}, ...requests]) {
          const message = (error: Error): string => error.message;
          const expected = await recordsOf(openExport(archive, wanted)).catch(message);
          expect([wanted, await recordsOf(openTablesExport(tables.database, wanted)).catch(message)]).toEqual([
            wanted,
            expected,
          ]);
          if (Object.keys(wanted).length > 0 && typeof expected === 'object') partial += expected.length;
        }
      }),
      { numRuns: rounds(24, 24), endOnFailure: true },
    );
    expect(partial).toBeGreaterThan(100);
  }, 300_000);

  test('an import of it into an empty archive in memory gives the same content, and back', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        for (const changes of batches) await sql.apply(changes);
        const exported = await recordsOf(openTablesExport(tables.database, {}));
        const records = exported.map((line) => JSON.parse(line) as ArchiveRecord);
        const archive = new Archive();
        for (const record of records) archive.apply(structuredClone(record));
        await tables.clear();
        await sql.apply(records);
        const again = await recordsOf(openTablesExport(tables.database, {}));
        expect(again).toEqual(await recordsOf(openExport(archive, {})));
      }),
      { numRuns: rounds(10), endOnFailure: true },
    );
  }, 300_000);

  test('is of one moment, reads no more than its reader, and leaves nothing behind', async () => {
    await tables.clear();
    const tweet = (number: number): Change => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(number), author_id: '7', text: `number ${number} ${'x'.repeat(200)}` },
        created_at: new Date(minute(number)).toISOString(),
      },
    });
    await sql.apply(Array.from({ length: 2500 }, (_, number) => tweet(number)));
    const wanted: ExportRequest = { query: 'number' };
    const { chunks, counts, close } = await openTablesExport(tables.database, wanted);
    const reader = chunks[Symbol.asyncIterator]();
    await reader.next();
    expect(counts['tweet']).toBeLessThan(1000);
    await sql.apply([tweet(9999), { kind: 'delete', tweet_id: '2400', at: new Date(minute(9999)).toISOString() }]);
    while ((await reader.next()).done !== true);
    expect(counts).toEqual({ tweet: 2500 });
    await close();
    const abandoned = await openTablesExport(tables.database, wanted);
    await abandoned.close();
    for (let round = 0; round < 4; round++)
      await expect(openTablesExport(tables.database, { user: 'x' })).rejects.toThrow('no user x');
    // All connections are free again, and the temporary tables are gone.
    const found = await tables.database.run({ text: `SELECT FROM pg_class WHERE relname = 'chosen'` });
    expect(found).toEqual([]);
  }, 60_000);
});
