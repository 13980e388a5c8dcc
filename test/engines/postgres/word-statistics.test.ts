/** The estimates of shares by the statistics of PostgreSQL. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { ResolvedCondition } from '../../../server/archive/search/resolved-condition.ts';
import { shareOf, WordStatistics, type WordShares } from '../../../server/engines/postgres/search/word-statistics.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage, vacuumTables } from '../../ports/postgres.ts';
import { until } from '../../support/until.ts';
import { createTables, World } from './search-world.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const words = (...tokens: string[]): ResolvedCondition => ({ is: 'words', within: 'text', tokens });

test('the share of a condition comes from the shares of its lexemes', () => {
  const known: Record<string, number> = { a: 0.5, b: 0.2, 'place:1': 0.1, '#c': 0.3 };
  const ofLexeme = (lexeme: string): number => known[lexeme] ?? 0;
  const shares: WordShares = { tweets: 100, ofLexeme, ofCommonLexeme: ofLexeme, ofCount: (_, min) => 1 / min };
  const share = (condition: ResolvedCondition): number => shareOf(condition, shares);
  expect(share(words('a'))).toBe(0.5);
  expect(share({ is: 'all', parts: [words('a'), words('b')] })).toBeCloseTo(0.1);
  expect(share({ is: 'any', parts: [words('a'), words('b')] })).toBeCloseTo(0.6);
  expect(share({ is: 'not', part: words('b') })).toBeCloseTo(0.8);
  expect(share({ is: 'term', term: '#c' })).toBe(0.3);
  expect(share({ is: 'ids', prefix: 'place:', ids: ['1', '2'] })).toBeCloseTo(0.1);
  expect(share({ is: 'count', count: 'like_count', min: 4 })).toBe(0.25);
  // Both words are common, but not beside each other.
  expect(share(words('a', 'b'))).toBe(0);
});

describeDatabase('the statistics of words', () => {
  let storage: PostgresStorage;
  beforeAll(async () => {
    storage = await postgresStorage();
    await createTables(storage);
  });
  afterAll(() => storage.dispose());

  test('are those of the last ANALYZE, at most ten minutes old', async () => {
    let now = 0;
    const statistics = new WordStatistics(storage.admin.run, () => now);
    const read = async (): Promise<WordShares> => {
      now += 600_000;
      let shares: WordShares | undefined;
      await until(() => (shares = statistics.shares)?.tweets === 1000);
      return shares!;
    };
    expect(statistics.shares).toBeUndefined();
    const tweets = Array.from({ length: 1000 }, (_, index): ArchiveRecord => {
      const text = `all of them ${index % 10 === 0 ? 'tenth' : 'other'}`;
      const created_at = new Date(index).toISOString();
      return { kind: 'tweet', tweet: { id: String(index + 1), text, created_at, author_id: '1', like_count: index } };
    });
    await World.create(storage, tweets);
    await vacuumTables(storage.admin);
    const shares = await read();
    expect(shares.ofLexeme('all')).toBeCloseTo(1);
    expect(shares.ofLexeme('tenth')).toBeCloseTo(0.1);
    expect(shares.ofLexeme('never')).toBeLessThan(0.1);
    expect(shares.ofCommonLexeme('tenth')).toBeCloseTo(0.1);
    expect(shares.ofCommonLexeme('never')).toBe(0);
    expect(shares.ofCount('like_count', 0)).toBeCloseTo(1);
    expect(shares.ofCount('like_count', 900)).toBeCloseTo(0.1, 1);
    expect(shares.ofCount('retweet_count', 1)).toBe(0);
    expect(shares.times?.newest).toBe(999);
    expect(shares.times?.timeAt(0.5)).toBeCloseTo(500, -1);
    // A count without statistics selects nothing.
    expect(shares.ofCount('view_count', 1)).toBe(1);
  });
});
