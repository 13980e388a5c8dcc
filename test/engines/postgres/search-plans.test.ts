/** PostgreSQL answers each kind of query by indexes. */
import { statementOf } from '../../../server/engines/postgres/store/postgres-dialect.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '../../../server/contract/page.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { SqlSearch } from '../../../server/engines/postgres/search/sql-search.ts';
import { timesOf } from '../../../server/engines/postgres/rows/time-buckets.ts';
import { WordStatistics } from '../../../server/engines/postgres/search/word-statistics.ts';
import { aliases, filters, hasOnly, operators } from '../../../server/search/language/operators.ts';
import { parse } from '../../../server/search/language/parse.ts';
import type { RunAny } from '../../../server/engines/postgres/store/database.ts';
import type { Statement } from '../../../server/engines/postgres/store/statement.ts';
import { createQueries } from '../../../scripts/sample/mixed-queries.ts';
import { writeTweets } from '../../../scripts/sample/many-tweets.ts';
import { postgresStorage, testDatabaseUrl, type PostgresStorage, vacuumTables } from '../../ports/postgres.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { createTables, World } from './search-world.ts';
import { variedRecords } from './varied-records.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const now = Date.UTC(2026, 5, 1);
const [plainTweets, variedTweets] = [20_000, 5_000];
type Order = 'latest' | 'top';
const orders: readonly Order[] = ['latest', 'top'];

/** 5,000 commits, each with the engagement of three tweets before it, and the texts of more long tweets. */
const history = `
INSERT INTO social_data.change (log, seq, record) SELECT 'tables', seq, '{}' FROM generate_series(1, 5000) seq;
INSERT INTO social_data.engagement_before (id, commit, engagement)
  SELECT id, row_number() OVER (ORDER BY id) % 5000 + 1, 10 FROM social_data.tweet LIMIT 15000;
INSERT INTO social_data.long_tweet (id, texts, links)
  SELECT id, repeat(' bi bo ', 300), '' FROM social_data.tweet LIMIT 5000 ON CONFLICT DO NOTHING;`;

/** The only table that a plan may read as a whole: it has one row. */
const smallTable = 'lookup_version';

/** The example of each operator, and each value of the operators with a fixed set of values. */
const examples = operators.map(({ example }) => example);
const values = [
  ...Object.keys(filters).flatMap((value) => [`filter:${value}`, `exclude:${value}`]),
  ...Object.entries(aliases).flatMap(([key, names]) => Object.keys(names).map((value) => `${key}:${value}`)),
  ...Object.keys(hasOnly).map((value) => `has:${value}`),
];
/** A query together with a common word and a rare one, negated, as an alternative, and with counts. */
const combinations = (query: string): string[] => [
  `(${query}) bi`,
  `(${query}) bakuda`,
  `bi -(${query})`,
  `(${query}) OR bakuda`,
  `(${query}) min_faves:9 -filter:links`,
];

/** The plans of the statements of searches. */
class Plans {
  readonly #storage: PostgresStorage;
  readonly #search: SqlSearch;
  #plans: string[] = [];

  constructor(storage: PostgresStorage, statistics: Pick<WordStatistics, 'shares'>) {
    this.#storage = storage;
    const explain: RunAny = async (statement) => {
      this.#plans.push(...(await this.#plansOf(statementOf(statement))));
      return storage.admin.run(statement);
    };
    this.#search = new SqlSearch(explain, statistics);
  }

  /** The plan with the parameters of a statement, and the one that a connection keeps for all parameters. */
  async #plansOf({ text, params = [], isPrepared }: Statement): Promise<readonly string[]> {
    const { run } = this.#storage.admin;
    const explained = [
      { text: `EXPLAIN ${text}`, params },
      ...(isPrepared === true ? [{ text: `EXPLAIN (GENERIC_PLAN) ${text}` }] : []),
    ];
    const plans: string[] = [];
    for (const each of explained)
      plans.push((await run<{ 'QUERY PLAN': string }>(each)).map((line) => line['QUERY PLAN']).join('\n'));
    return plans;
  }

  /** A page of 20 tweets, and the plans of the look-ups that it needs and of its own statement. */
  async page(
    query: string,
    order: Order,
    after?: readonly (string | number)[],
  ): Promise<{ readonly page: Page<string>; readonly plans: readonly string[] }> {
    this.#plans = [];
    const page = await this.#search[order](parse(query), { after, limit: 20 }, now);
    return { page, plans: this.#plans };
  }

  /** The sequential scans of the first page of a query, and of the second one if there is one and `pages` is 2. */
  async sequentialScans(query: string, pages: 1 | 2): Promise<string[]> {
    const found: string[] = [];
    for (const order of orders) {
      const first = await this.page(query, order);
      const { next } = first.page;
      const second = pages === 1 || next === null ? [] : (await this.page(query, order, next)).plans;
      found.push(...[...first.plans, ...second].flatMap(scansOf).map((table) => `${query}, ${order}: ${table}`));
    }
    return found;
  }
}

/** The large tables that a plan reads as a whole. */
const scansOf = (plan: string): string[] =>
  [...plan.matchAll(/Seq Scan on (\w+)/g)].flatMap(([, table]) =>
    table === undefined || table === smallTable ? [] : [table],
  );

async function bytesOf({ admin }: PostgresStorage): Promise<number> {
  const [size] = await admin.run<{ bytes: string }>({
    text: `SELECT sum(pg_total_relation_size(name)) AS bytes
      FROM unnest(ARRAY['social_data.tweet', 'social_data.tweet_count']::regclass[]) name`,
  });
  return Number(size?.bytes);
}

async function plainRecords(): Promise<ArchiveRecord[]> {
  const folder = await temporaryFolder();
  const file = join(folder.path, 'tweets.jsonl');
  await writeTweets(file, plainTweets);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  await folder.dispose();
  return lines.map((line) => JSON.parse(line) as ArchiveRecord);
}

describeDatabase('the plans of searches by SQL', () => {
  let storage: PostgresStorage;
  let statistics: WordStatistics;
  let plans: Plans;
  /** The size of the tables with the plain tweets only. */
  let plainBytes: number;
  beforeAll(async () => {
    const url = new URL(testDatabaseUrl ?? '');
    // A database of this size is in memory.
    url.searchParams.set('options', '-c random_page_cost=1.1');
    storage = await postgresStorage(url.href);
    await createTables(storage);
    const world = await World.create(storage, await plainRecords());
    await storage.admin.run({ text: 'VACUUM social_data.tweet, social_data.tweet_count' });
    plainBytes = await bytesOf(storage);
    await world.add([...variedRecords(variedTweets)]);
    await storage.admin.script(history);
    await vacuumTables(storage.admin);
    statistics = new WordStatistics(storage.admin.run);
    await until(() => statistics.shares !== undefined);
    plans = new Plans(storage, statistics);
  }, 120_000);
  afterAll(() => storage.dispose());

  const scans = async (queries: readonly string[], pages: 1 | 2): Promise<string[]> => {
    const found: string[] = [];
    for (const query of queries) found.push(...(await plans.sequentialScans(query, pages)));
    return found;
  };

  test('the example and each value of every operator finds tweets by an index', async () => {
    const queries = [...examples, ...values];
    for (const query of queries) {
      const { items } = (await plans.page(query, 'latest')).page;
      // Without results, PostgreSQL may know that there is nothing to read: add such tweets to varied-records.ts.
      expect([query, items.length > 0]).toEqual([query, true]);
    }
    expect(await scans(queries, 2)).toEqual([]);
  }, 60_000);

  test('every operator in combinations', async () => {
    expect(await scans(examples.flatMap(combinations), 1)).toEqual([]);
  }, 60_000);

  test('words, phrases and queries of the benchmark', async () => {
    const queries = createQueries(plainTweets, 2).map(({ text }) => text);
    const others = ['"of the"', 'since_id:5 max_id:9', 'coffee min_faves:9 -filter:links'];
    expect(await scans([...queries, ...others], 2)).toEqual([]);
  }, 60_000);

  test('the statistics of words choose the plan of a page, which a connection keeps for all words', async () => {
    // Both plans of the page, behind those of look-ups.
    const plansOf = async (query: string): Promise<readonly string[]> =>
      (await plans.page(query, 'latest')).plans.slice(-2);
    for (const plan of await plansOf('bi -ta')) expect(plan).toContain('using tweet_newest');
    for (const query of ['bakuda', '"of the"'])
      for (const plan of await plansOf(query)) expect(plan).toContain('on tweet_words');
  });

  test('the second page of Top expects that the engagement of most tweets is the same as before', async () => {
    const { next } = (await plans.page('-bakuda', 'top')).page;
    const [plan = ''] = (await plans.page('-bakuda', 'top', next ?? [])).plans.slice(-1);
    const [, rows] = /Incremental Sort .* rows=(\d+)/.exec(plan) ?? [];
    expect(Number(rows)).toBeGreaterThan((plainTweets + variedTweets) / 20);
  });

  test('an area has the lexeme of the tweets with a point, so that the index of words can find them', async () => {
    for (const query of ['geocode:10,10,1km', 'bounding_box:[1 2 3 4]', 'baba OR point_radius:[10 10 1km]'])
      for (const order of orders) {
        const [plan = ''] = (await plans.page(query, order)).plans.slice(-1);
        expect([query, order, plan]).toEqual([query, order, expect.stringContaining("@@ '''has:coordinates'''")]);
      }
  });

  test('pages in windows of time read the index of words for each window', async () => {
    const known = statistics.shares;
    if (known === undefined) throw new Error('there are no statistics');
    // So many tweets in so long a time that windows are worth it.
    const times = timesOf([Date.UTC(2025, 0, 1), now])!;
    const windowed = new Plans(storage, { shares: { ...known, tweets: 1e7, times } });
    for (const query of ['baba', '"of the"', 'baba OR bakuda', 'baba min_faves:9']) {
      const first = await windowed.page(query, 'latest');
      const second = await windowed.page(query, 'latest', [now - 86_400_000, '5']);
      for (const [plans, start] of [
        [first.plans, 1],
        [second.plans, 0],
      ] as const)
        // Both plans of the page, behind those of look-ups.
        for (const plan of plans.slice(-2)) {
          expect([query, scansOf(plan)]).toEqual([query, []]);
          expect([query, plan.match(/on tweet_words/g)?.length]).toEqual([query, 3]);
          expect([query, plan.match(/using tweet_newest/g)?.length ?? 0]).toEqual([query, start]);
        }
    }
    // The newest tweet is years old: the windows end with it.
    const old = new Plans(storage, { shares: { ...known, tweets: 1e7, times: timesOf([0, Date.UTC(2020, 0, 1)])! } });
    for (const plan of (await old.page('baba', 'latest')).plans.slice(-2))
      expect(plan.match(/on tweet_words/g)).toHaveLength(3);
    // Two windows have all tweets between two times.
    const { plans: between } = await windowed.page('baba since:2025-02-15 until:2025-03-11', 'latest');
    for (const plan of between.slice(-2))
      expect([scansOf(plan), plan.match(/on tweet_words/g)?.length]).toEqual([[], 2]);
  });

  test('the index of words finds the tweets of the level that counts need', async () => {
    const known = statistics.shares;
    if (known === undefined) throw new Error('there are no statistics');
    const share = (): number => 1e-3;
    const counted = new Plans(storage, { shares: { ...known, ofLexeme: share, ofCommonLexeme: share } });
    for (const plan of (await counted.page('baba min_faves:450', 'latest')).plans.slice(-2))
      expect(plan).toMatch(/Index Cond: \(\(words @@ .+\) AND \(words @@ .+\)\)/);
  });

  test('Top reads the index of words for each window of the engagement', async () => {
    const known = statistics.shares;
    if (known === undefined) throw new Error('there are no statistics');
    // So many tweets that windows are worth it.
    const windowed = new Plans(storage, {
      shares: { ...known, tweets: 1e7, ofLexeme: () => 1e-4, ofCommonLexeme: () => 5e-3 },
    });
    for (const [query, windows] of [
      ['baba', 3],
      ['(baba OR bakuda) -bi', 3],
    ] as const)
      for (const plan of (await windowed.page(query, 'top')).plans.slice(-2)) {
        expect([query, scansOf(plan)]).toEqual([query, []]);
        expect([query, plan.match(/on tweet_words/g)?.length]).toEqual([query, windows]);
      }
  });

  test('tweets with counts are found by the words, whatever the form of the condition', async () => {
    const forms = ['min_faves:9', 'min_faves:9 min_retweets:9', 'filter:has_engagement', '-min_replies:9'];
    for (const form of forms)
      for (const order of orders) {
        const { page, plans: both } = await plans.page(`bakuda ${form}`, order);
        expect([form, page.items.length > 0]).toEqual([form, true]);
        for (const plan of both.slice(-2))
          expect([form, plan]).toEqual([form, expect.stringContaining('on tweet_words')]);
      }
  });

  test('groups of alternatives are separate conditions for the index of words', async () => {
    for (const plan of (await plans.page('(bakuda OR baba) (bi OR ta) -bo', 'latest')).plans.slice(-2))
      expect(plan).toMatch(/Index Cond: \(\(words @@ .+\) AND \(words @@ .+\)\)/);
  });

  test('the index of words finds a phrase of common words by its pair only', async () => {
    const { page, plans: both } = await plans.page('"bi ta"', 'latest');
    expect(page.items.length).toBeGreaterThan(0);
    for (const plan of both.slice(-2)) {
      expect(plan).toContain('on tweet_words');
      expect(plan).toMatch(/Filter: .*ts_match_vq/);
    }
    const { page: none } = await plans.page('"bi nowherewritten"', 'latest');
    expect(none.items).toEqual([]);
  });

  test('a page of an author walks through the tweets of the author, and is prepared', async () => {
    const { page, plans: both } = await plans.page('from:user_7 -bi until:2026-01-01', 'latest');
    expect(page.items.length).toBeGreaterThan(0);
    for (const plan of both.slice(-2)) expect(plan).toContain('using tweet_by_author');
  });

  test('Top does not sort the tweets with the commonest word', async () => {
    expect((await plans.page('bi', 'top')).plans.join('\n')).toContain('using tweet_count_engagement');
  });
  test('a small archive needs less than 1.25 kB for a tweet', () => {
    expect(plainBytes / plainTweets).toBeLessThan(1_250);
  });
});
