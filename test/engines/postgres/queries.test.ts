// Tests server/engines/postgres/search/lookup-cache.ts and server/engines/postgres/search/word-pages.ts.
/** Searches in tables return the pages of the reference, which evaluates each tweet: random queries, and real ones on real tweets. */
import { textOf } from '../../support/statement-text.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { Schemas } from '../../../server/contract/operations.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import { SqlSink } from '../../../server/archive/writes/sql-sink.ts';
import { timesOf } from '../../../server/engines/postgres/rows/time-buckets.ts';
import type { WordShares } from '../../../server/engines/postgres/search/word-statistics.ts';
import { parse } from '../../../server/search/language/parse.ts';
import type { RunAny } from '../../../server/engines/postgres/store/database.ts';
import { testDatabaseUrl, vacuumTables } from '../../ports/postgres.ts';
import { query, readable, record } from '../../search/arbitrary.ts';
import { collected, importSets, madeOf, sinkOf } from '../../search/real-queries.ts';
import { options } from '../../support/call-options.ts';
import { ContentContext } from '../../support/content-context.ts';
import fc from '../../support/property.ts';
import { hasSets } from '../../support/real-sets.ts';
import { rounds } from '../../support/rounds.ts';
import { applyUsable, differences, referenceOf, sqlArchive, walk, type Ask, tablesPlatform } from './platforms.ts';
import { PostgresTables } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
/** The queries of each random archive: 10,000 in all with TEST_ROUNDS=10. */
const queriesEach = 40;
const archives = rounds(25, 3);

/** The first and the last day of the random tweets. */
const times = timesOf([Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 7)]);
/** Statistics by which all words have one share, and all levels of the engagement another one. */
const assumed = (share: number, ofLevel = 0): WordShares => ({
  ...{ tweets: 1e7, ofLexeme: () => share, ofCommonLexeme: () => ofLevel, ofCount: () => 1, times },
});
const forWindows = 1.2e-4;
/**
 * By them, a search is planned by PostgreSQL, walks through all tweets, or finds all tweets with the words; or it has windows of time: for one
 * word, and for two. By the last ones, a page of `Top` begins with high levels of the engagement.
 */
const statistics = [
  undefined,
  ...[1, 1e-9, forWindows, Math.sqrt(forWindows)].map((share) => assumed(share)),
  ...[2e-4, 3e-3, 0.03].map((ofLevel) => assumed(forWindows, ofLevel)),
];

describeDatabase('searches in tables', () => {
  let tables: PostgresTables;
  /** The number of statements with windows of time, and with windows of the engagement. */
  let windowed = 0;
  let engaged = 0;
  const run: RunAny = (statement) => {
    const text = textOf(statement);
    if (text.includes('AS MATERIALIZED')) {
      if (text.includes('AS score')) engaged++;
      else windowed++;
    }
    return tables.database.run(statement);
  };
  beforeEach(() => {
    windowed = 0;
    engaged = 0;
  });
  beforeAll(async () => {
    tables = await PostgresTables.create();
  });
  afterAll(() => tables.dispose());

  test(`of ${archives * queriesEach} random queries return the pages of the reference, in both orders`, async () => {
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
        const reference = referenceOf(archive);
        for (const [index, text] of asked.entries()) {
          const shares = statistics[index % statistics.length];
          const platform = tablesPlatform({ run }, sql, { shares: { shares } });
          expect(await differences([reference, platform], text, limit)).toEqual([]);
        }
      }),
      { numRuns: archives, endOnFailure: true },
    );
    expect(windowed).toBeGreaterThan(archives);
    expect(engaged).toBeGreaterThan(archives);
  }, 3_600_000);

  test('in windows of time return each tweet once, also those of the future and of long ago, and those within limits of time', async () => {
    await tables.clear();
    const sql = sqlArchive(tables);
    const day = 86_400_000;
    const ages = [
      -9000,
      -400,
      -2,
      -1,
      ...Array.from({ length: 60 }, (_, index) => index),
      90,
      200,
      201,
      900,
      9000,
      21_000,
    ];
    const created = ages.map((age) => new Date(Date.now() - age * day).toISOString());
    await sql.apply(
      // The ids have another order than the times.
      created.map((created_at, index): ArchiveRecord => {
        const id = String(((index * 7) % 100) + 1);
        return { kind: 'tweet', tweet: { id, text: 'coffee', created_at, author_id: '1' } };
      }),
    );
    const newest = Date.now();
    /** A limit in seconds. */
    const ago = (days: number): number => Math.floor((newest - days * day) / 1000);
    const limits: readonly { readonly since?: number; readonly until?: number }[] = [
      ...[{}, { since: ago(40) }, { until: ago(2.5) }, { since: ago(-100) }],
      ...[
        { since: ago(300), until: ago(30.5) },
        { since: ago(0.5), until: ago(-1.5) },
      ],
    ];
    for (const oldest of [1, 10, 90, 9000]) {
      const shares = { ...assumed(forWindows), times: timesOf([newest - oldest * day, newest]) };
      const platform = tablesPlatform({ run }, sql, { shares: { shares } });
      for (const limit of [1, 3, 20])
        for (const { since = -Infinity, until = Infinity } of limits) {
          const since_time = since > -Infinity ? ` since_time:${since}` : '';
          const text = `coffee${since_time}${until < Infinity ? ` until_time:${until}` : ''}`;
          const ask: Ask = (asked, page) => asked.search(parse(text), 'Latest', page, options);
          const found = (await walk(platform, ask, limit)) as Schemas['Tweet'][];
          const expected = created.filter((at) => since * 1000 <= Date.parse(at) && Date.parse(at) < until * 1000);
          expect([text, found.map((tweet) => tweet.created_at)]).toEqual([text, expected]);
        }
    }
    expect(windowed).toBeGreaterThan(100);
  });

  (hasSets ? test : test.skip)(
    'of the real sets return the pages of the reference for the collected queries and those made of the tweets',
    async () => {
      await tables.clear();
      const archive = new Archive();
      const sql = sqlArchive(tables);
      const onUnusable = ({ reason }: { readonly reason: string }): void => {
        throw new Error(reason);
      };
      const [inMemory, inTables] = [sinkOf(archive), new SqlSink(tables.database.run, sql, { onUnusable })];
      // Each file is read once for both.
      const sink: Parameters<typeof importSets>[0] = {
        resume: (fingerprint) => inTables.resume(fingerprint),
        async apply(fingerprint, progress, records, prepared) {
          await inMemory.apply(fingerprint, progress, records);
          return inTables.apply(fingerprint, progress, records, prepared);
        },
      };
      await importSets(sink);
      await vacuumTables(tables.database);
      const platforms = [referenceOf(archive), tablesPlatform(tables.database, sql)] as const;
      const found: object[] = [];
      const { tweets } = new ContentContext(archive.changes());
      for (const text of new Set([...collected(), ...madeOf(tweets)]))
        found.push(...(await differences(platforms, text, 20, 3)));
      expect(found).toEqual([]);
      expect(tweets.length).toBeGreaterThan(1_000);
    },
    3_600_000,
  );
});
