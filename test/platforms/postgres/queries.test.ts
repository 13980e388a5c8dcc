/** Searches in tables return the pages that an archive in memory returns: random queries, and real ones on real tweets. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { archivePlatform } from '../../../server/platforms/archive/archive-platform.ts';
import { PostgresPlatform } from '../../../server/platforms/postgres/postgres-platform.ts';
import { TablesSink } from '../../../server/platforms/postgres/tables-sink.ts';
import type { WordShares } from '../../../server/platforms/postgres/word-statistics.ts';
import type { Platform } from '../../../server/ports/platform.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';
import { query, readable, record } from '../../search/arbitrary.ts';
import { collected, hasSets, importSets, madeOf, sinkOf } from '../../search/real-queries.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { applyUsable, differences, sqlArchive } from './platforms.ts';
import { PostgresTables } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
/** The queries of each random archive: 10,000 in all with TEST_ROUNDS=10. */
const queriesEach = 40;
const archives = rounds(25, 3);
const memoryOf = (archive: Archive): Platform => archivePlatform({ archive, unlike: async () => false });

/** Statistics by which all words have one share. */
const assumed = (share: number): WordShares => ({ tweets: 1e9, ofLexeme: () => share, ofCount: () => 1 });

describeDatabase('searches in tables', () => {
  let tables: PostgresTables;
  beforeAll(async () => {
    tables = await PostgresTables.create();
  });
  afterAll(() => tables.dispose());

  test(`of ${archives * queriesEach} random queries return the pages of memory, in both orders`, async () => {
    // Most queries find some of so many tweets.
    const changes = fc.array(record, { minLength: 40, maxLength: 80 });
    const texts = fc.array(query.filter(readable), { minLength: queriesEach, maxLength: queriesEach });
    await fc.assert(
      fc.asyncProperty(changes, texts, fc.integer({ min: 1, max: 30 }), async (records, asked, limit) => {
        await tables.clear();
        const archive = new Archive();
        const sql = sqlArchive(tables);
        await sql.apply(records);
        for (const record of records) applyUsable(archive, record);
        for (const [index, text] of asked.entries()) {
          // The plan of PostgreSQL, the walk through all tweets, and the index of words.
          const statistics = { shares: [undefined, assumed(1), assumed(1e-9)][index % 3] };
          const platform = new PostgresPlatform(tables.database, sql, undefined, statistics);
          expect(await differences([memoryOf(archive), platform], text, limit)).toEqual([]);
        }
      }),
      { numRuns: archives, endOnFailure: true },
    );
  }, 3_600_000);

  (hasSets ? test : test.skip)(
    'of the real sets return the pages of memory for the collected queries and those made of the tweets',
    async () => {
      await tables.clear();
      const archive = new Archive();
      const sql = sqlArchive(tables);
      const onUnusable = ({ reason }: { readonly reason: string }): void => {
        throw new Error(reason);
      };
      const [inMemory, inTables] = [sinkOf(archive), new TablesSink(tables.database.run, sql, { onUnusable })];
      // Each file is read once for both.
      const sink: Parameters<typeof importSets>[0] = {
        resume: (fingerprint) => inTables.resume(fingerprint),
        async apply(fingerprint, progress, records, prepared) {
          await inMemory.apply(fingerprint, progress, records);
          return inTables.apply(fingerprint, progress, records, prepared);
        },
      };
      await importSets(sink, rounds(1, 0) >= 1);
      await tables.database.maintain('ANALYZE');
      const platforms = [memoryOf(archive), new PostgresPlatform(tables.database, sql)] as const;
      const found: object[] = [];
      for (const text of new Set([...collected(), ...madeOf(archive)]))
        found.push(...(await differences(platforms, text, 20, 3)));
      expect(found).toEqual([]);
      expect(archive.size).toBeGreaterThan(4_000);
    },
    3_600_000,
  );
});
