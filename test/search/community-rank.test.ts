/** JavaScript and the databases calculate the same ranks, and positions of versions before mean the same places. */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from '@jest/globals';
import { communityRank, communityRankSql, rankOfLogarithm } from '../../server/search/community-rank.ts';
import { postgresStorage, testDatabaseUrl } from '../ports/postgres.ts';
import { random } from '../support/random.ts';

const at = Date.UTC(2026, 2, 4, 5, 6, 7, 89);
const draw = random(20_261_129);
const engagements = [
  ...Array.from({ length: 20_000 }, (_, engagement) => engagement),
  ...Array.from({ length: 20_000 }, () => draw(2 ** 31)),
  ...Array.from({ length: 53 }, (_, power) => 2 ** power).flatMap((power) => [power - 1, power, power + 1]),
  Number.MAX_SAFE_INTEGER,
].filter(Number.isSafeInteger);

test('a rank grows by a day when the engagement and one doubles, whatever the time is', () => {
  const day = 86_400_000;
  expect([0, 1, 3, 7].map((engagement) => communityRank(engagement, at) - at)).toEqual([0, day, 2 * day, 3 * day]);
  expect(communityRank(0, at + day)).toBe(communityRank(1, at));
});

test('SQLite calculates the same ranks', () => {
  const database = new DatabaseSync(':memory:');
  const rank = database.prepare(`SELECT ${communityRankSql('?', '?')} AS rank`);
  for (const engagement of engagements)
    expect(rank.get(at, BigInt(engagement))?.['rank']).toBe(communityRank(engagement, at));
  database.close();
});

test('the logarithms by which versions before ranked give the same ranks', () => {
  for (let n = 0; n < 20_000; n++) {
    const [engagement, createdAt] = [draw(100_000), 1_500_000_000_000 + draw(2 ** 31) * 100];
    const logarithm = Math.log2(engagement + 1) + createdAt / 86_400_000;
    expect(rankOfLogarithm(logarithm, createdAt)).toBe(communityRank(engagement, createdAt));
  }
});

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
describeDatabase('in PostgreSQL', () => {
  test('the ranks are the same', async () => {
    const storage = await postgresStorage();
    const rows = await storage.admin.run<{ engagement: string; rank: string }>({
      text: `SELECT engagement, ${communityRankSql('engagement', '$2::bigint')} AS rank FROM unnest($1::bigint[]) AS engagement`,
      params: [engagements, at],
    });
    await storage.dispose();
    expect(rows).toHaveLength(engagements.length);
    for (const { engagement, rank } of rows) expect(Number(rank)).toBe(communityRank(Number(engagement), at));
  });
});
