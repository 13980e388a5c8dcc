/** The lexemes of the engagement, and the levels that they select. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  lexemesOfEngagement,
  levelWithShare,
  lowestLevelWithin,
  shareFromLevel,
  startOfLevel,
} from '../../../server/archive/search/engagement-levels.ts';
import { engagementQuery, lexemesOfEngagementSql } from '../../../server/engines/postgres/rows/engagement-lexemes.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage } from '../../ports/postgres.ts';
import fc from '../../support/property.ts';

const lexemesIn = (query: string): string[] => query.split(' | ').map((lexeme) => lexeme.slice(1, -1));
/** As many small values as large ones. */
const engagement = fc.oneof(fc.nat(600), fc.nat(2 ** 30), fc.maxSafeNat());
const start = engagement.map(startOfLevel).filter((each) => each > 0);

test('a level has an eighth of the engagement between two powers of two, at least 16', () => {
  const starts = [0, 63, 64, 79, 80, 255, 256, 287, 288, 1000, 2 ** 24 - 1, 2 ** 24, 2 ** 40].map(startOfLevel);
  expect(starts).toEqual([0, 0, 64, 64, 80, 240, 256, 256, 288, 960, 2 ** 24 - 2 ** 20, 2 ** 24, 2 ** 24]);
  expect([63, 100, 2 ** 24].map(lexemesOfEngagement)).toEqual([[], ['E6', 'L96'], ['E24']]);
});

test('the query of levels finds the tweets with this engagement only, each by one lexeme', () => {
  fc.assert(
    fc.property(start, fc.option(start, { nil: undefined }), engagement, (from, to, each) => {
      const wanted = to !== undefined && to <= from ? [] : lexemesIn(engagementQuery(from, to));
      const found = lexemesOfEngagement(each).filter((lexeme) => wanted.includes(lexeme));
      expect(found).toHaveLength(from <= each && startOfLevel(each) < (to ?? Infinity) ? 1 : 0);
      expect(wanted.length).toBeLessThan(40);
    }),
  );
});

test('the highest level with a share is found from the shares of the lexemes', () => {
  const known: Record<string, number> = { E10: 0.01, E9: 0.02, E8: 0.1, L480: 0.03, L448: 0.05, L256: 0.02 };
  const ofLexeme = (lexeme: string): number => known[lexeme] ?? 0;
  const levels = [0.005, 0.02, 0.03, 0.05, 0.1, 0.12, 0.2].map((share) => levelWithShare(share, ofLexeme));
  expect(levels).toEqual([1024, 512, 512, 480, 448, 256, 0]);
  expect([480, 448, 64, 0].map((from) => shareFromLevel(from, ofLexeme).toFixed(2))).toEqual([
    '0.06',
    '0.11',
    '0.13',
    '1.00',
  ]);
});

test('the lowest level within a share is found from the shares of the lexemes', () => {
  const known: Record<string, number> = { E10: 0.01, E9: 0.02, E8: 0.1, L480: 0.03, L448: 0.05, L256: 0.02 };
  const ofLexeme = (lexeme: string): number => known[lexeme] ?? 0;
  const levels = [0.005, 0.01, 0.05, 0.06, 0.115, 0.2].map((share) => lowestLevelWithin(share, ofLexeme));
  expect(levels).toEqual([1152, 576, 512, 480, 288, 64]);
  expect(lowestLevelWithin(0.1, () => 0.2)).toBeUndefined();
});

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
describeDatabase('in PostgreSQL', () => {
  let storage: PostgresStorage;
  beforeAll(async () => {
    storage = await postgresStorage();
  });
  afterAll(() => storage.dispose());

  test('an expression has the same lexemes', async () => {
    const values = [...Array(1000).keys(), ...fc.sample(engagement, 1000)];
    const rows = await storage.admin.run<{ lexemes: string[] }>({
      text: `SELECT ${lexemesOfEngagementSql('e')} AS lexemes FROM unnest($1::bigint[]) WITH ORDINALITY AS given (e, place)
        ORDER BY place`,
      params: [values],
    });
    expect(rows.map(({ lexemes }) => lexemes)).toEqual(values.map(lexemesOfEngagement));
  });
});
