/** The index of the tweets with the highest engagement. */
import { statementOf } from '../../../server/engines/postgres/store/postgres-dialect.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { TopIndex } from '../../../server/engines/postgres/maintenance/top-index.ts';
import { lexemesOfEngagementSql } from '../../../server/engines/postgres/rows/engagement-lexemes.ts';
import { SqlSearch } from '../../../server/engines/postgres/search/sql-search.ts';
import { readShares, type WordShares } from '../../../server/engines/postgres/search/word-statistics.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage, vacuumTables } from '../../ports/postgres.ts';
import { until } from '../../support/until.ts';
import { createTables, World } from './search-world.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const count = 3000;
/** Half of the tweets have 64 likes or more, a quarter 128 or more, and so on. */
const likesOf = (number: number): number => Math.floor((32 * count) / (number + 1));
const tweets = Array.from({ length: count }, (_, index): ArchiveRecord => {
  // 7919 has no factor in common with the count, so the order of the likes is not that of time.
  const like_count = likesOf((index * 7919) % count);
  const text = [`tea`, ...(index % 3 === 0 ? ['cup of'] : ['of cup']), ...(index % 7 === 0 ? ['milk'] : [])].join(' ');
  const created_at = new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
  return { kind: 'tweet', tweet: { id: String(index + 1), text, created_at, author_id: '1', like_count } };
});

describeDatabase('the index of the top tweets', () => {
  let storage: PostgresStorage;
  const given = { isLeader: true, built: [] as number[], failures: [] as unknown[] };
  const openIndex = (minTweets = 1000): TopIndex =>
    new TopIndex({
      database: storage.admin,
      minTweets,
      mayRun: () => given.isLeader,
      onBuild: (level) => given.built.push(level),
      onFailed: (error) => given.failures.push(error),
    });
  const sharesNow = async (): Promise<WordShares> => {
    const shares = await readShares(storage.admin.run);
    if (shares === undefined) throw new Error('there are no statistics');
    return shares;
  };
  const indexes = async (): Promise<string[]> => {
    const rows = await storage.admin.run<{ name: string }>({
      text: `SELECT i.relname AS name FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
        WHERE x.indrelid = 'social_data.tweet'::regclass AND i.relname LIKE 'tweet_top%' ORDER BY 1`,
    });
    return rows.map(({ name }) => name);
  };
  beforeAll(async () => {
    storage = await postgresStorage();
    await createTables(storage);
    await World.create(storage, tweets);
    await vacuumTables(storage.admin);
  });
  afterAll(() => storage.dispose());
  beforeEach(() => void Object.assign(given, { isLeader: true, built: [], failures: [] }));

  test('is built by the leader, in an archive with enough tweets, and once', async () => {
    given.isLeader = false;
    await openIndex().check();
    given.isLeader = true;
    await openIndex(5000).check();
    const stopped = openIndex();
    stopped.stop();
    await stopped.check();
    expect([await indexes(), (await sharesNow()).topLevel]).toEqual([[], undefined]);
    const index = openIndex();
    await index.check();
    await index.check();
    // A little more than an eighth of the tweets has 256 likes or more.
    expect([await indexes(), given.built, given.failures]).toEqual([['tweet_top_words_288'], [288], []]);
    expect((await sharesNow()).topLevel).toBe(288);
  });

  test('has the tweets of the first page of Top, which is the same without it', async () => {
    await openIndex().check();
    const shares = await sharesNow();
    const plans: string[] = [];
    // So many tweets that it is worth it.
    const many = { ...shares, tweets: 1e7, ofLexeme: () => 1e-4 };
    const withIndex = new SqlSearch(
      async (given) => {
        const statement = statementOf(given);
        const explained = { text: `EXPLAIN ${statement.text}`, params: statement.params ?? [] };
        const plan = await storage.admin.run<{ 'QUERY PLAN': string }>(explained);
        plans.push(plan.map((line) => line['QUERY PLAN']).join('\n'));
        return storage.admin.run(statement);
      },
      { shares: many },
    );
    const without = new SqlSearch(storage.admin.run, { shares: { ...shares, topLevel: undefined } });
    const queries = ['milk', '"cup of"', '(milk OR nothing) (of OR never)', 'milk min_faves:300', 'milk -cup'];
    for (const query of queries) {
      const request = { after: undefined, limit: 20 };
      const [found, expected] = [
        await withIndex.top(parse(query), request, Date.UTC(2026, 5, 1)),
        await without.top(parse(query), request, Date.UTC(2026, 5, 1)),
      ];
      expect([query, found.items]).toEqual([query, expected.items]);
    }
    expect(plans.filter((plan) => plan.includes('on tweet_top_words_288')).length).toBeGreaterThanOrEqual(2);
  });

  test('is replaced when its share of the tweets is no longer suitable', async () => {
    await openIndex().check();
    await storage.admin.script(`
UPDATE social_data.tweet_count SET like_count = like_count * 16, engagement = engagement * 16;
UPDATE social_data.tweet t SET words = array_to_tsvector(${lexemesOfEngagementSql('c.engagement')}) || ts_delete(t.words,
    (SELECT coalesce(array_agg(w.lexeme), '{}') FROM unnest(t.words) w WHERE w.lexeme ~ '^[EL][0-9]+$'))
  FROM social_data.tweet_count c WHERE c.id = t.id;`);
    await vacuumTables(storage.admin);
    await openIndex().check();
    expect([await indexes(), given.built, given.failures]).toEqual([['tweet_top_words_4608'], [4608], []]);
  });

  test('is left to the one who builds it, and is built again after a build that was interrupted', async () => {
    for (const name of await indexes()) await storage.admin.run({ text: `DROP INDEX social_data.${name}` });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
    // A build waits for the transactions that have changed tweets.
    const change = storage.admin.transaction(async (run) => {
      await run({
        text: 'UPDATE social_data.tweet SET is_long = is_long WHERE id = (SELECT min(id) FROM social_data.tweet)',
      });
      hold();
      await released;
    });
    await isHeld;
    const build = openIndex().check();
    const builders = (): Promise<readonly object[]> =>
      storage.admin.run({
        text: `SELECT pid FROM pg_stat_progress_create_index WHERE relid = 'social_data.tweet'::regclass AND index_relid <> 0`,
      });
    await until(async () => (await builders()).length > 0);
    await openIndex().check();
    expect([given.built.length, given.failures]).toEqual([1, []]);
    await storage.admin.run({
      text: `SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index WHERE relid = 'social_data.tweet'::regclass`,
    });
    await build;
    release();
    await change;
    expect([(await sharesNow()).topLevel, given.failures.length]).toEqual([undefined, 1]);
    await openIndex().check();
    expect([(await indexes()).length, given.failures.length]).toEqual([1, 1]);
    expect((await sharesNow()).topLevel).toBe(given.built[0]);
  });

  test('reports a failure', async () => {
    const broken = new TopIndex({
      database: { run: () => Promise.reject(new Error('the database is down')), maintain: () => Promise.resolve() },
      ...{ mayRun: () => true, onBuild: () => {}, onFailed: (error) => given.failures.push(error) },
    });
    await broken.check();
    expect(given.failures).toEqual([new Error('the database is down')]);
  });
});
