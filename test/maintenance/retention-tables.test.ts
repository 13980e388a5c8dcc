/** What the housekeeping evicts from tables is what it evicts from an archive in memory. */
import { PostgresArchiveDatabase } from '../../server/platforms/postgres/writes/postgres-archive-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Retain } from '../../server/config/retain.ts';
import { Housekeeping } from '../../server/maintenance/retention/housekeeping.ts';
import { RetainedDurableArchive, type RetainedArchive } from '../../server/maintenance/retention/retained-archive.ts';
import { estimatedTweets } from '../../server/platforms/postgres/maintenance/tables-statistics.ts';
import { SqlSearch } from '../../server/platforms/postgres/search/sql-search.ts';
import { RetainedTables } from '../../server/maintenance/retention/retained-tables.ts';
import { Archive } from '../../server/platforms/archive/archive.ts';
import { UnusableRecord, type Change } from '../../server/platforms/archive/change.ts';
import { SqlArchive } from '../../server/archive/writes/sql-archive.ts';
import { history } from '../platforms/postgres/changes.ts';
import { PostgresTables } from '../platforms/postgres/tables.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const start = 1_770_000_000_000;
const now = start + 100 * 60_000;
const keeps = ['', 'from:mira', 'coffee', '"new beans"', 'min_faves:3', '-coffee'];
const retention: fc.Arbitrary<Exclude<Retain, 'off'>> = fc.oneof(
  fc.record({ tweets: fc.integer({ min: 1, max: 9 }) }),
  fc.record({ ageMs: fc.integer({ min: 90, max: 100 }).map((minutes) => minutes * 60_000) }),
);

async function flat<Each>(pages: AsyncIterable<readonly Each[]>): Promise<Each[]> {
  const found: Each[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

/** A pass of the housekeeping. Every account is a stranger. */
async function evict(archive: RetainedArchive, retain: Retain, keep: string): Promise<number> {
  const logger = { info: () => {}, error: (error: unknown) => Promise.reject(error) };
  const conversations = { usedTweets: () => new Set<string>(), endUsing: async () => 0, stop: () => {} };
  const strangers = () => () => true;
  return new Housekeeping({ archive, conversations, retain, keep, logger, strangers, now: () => now }).evict();
}

const retained = ({ database: { run } }: PostgresTables, archive: SqlArchive): RetainedTables =>
  new RetainedTables({ run, archive, search: new SqlSearch(run), estimate: () => estimatedTweets(run) });

(testDatabaseUrl === undefined ? describe.skip : describe)('the housekeeping of tables of PostgreSQL', () => {
  let tables: PostgresTables;
  beforeAll(async () => void (tables = await PostgresTables.create()));
  afterAll(() => tables.dispose());
  const sqlArchive = () =>
    new SqlArchive(new PostgresArchiveDatabase(tables.database), { eventRecord: (event) => event, now: Date.now });

  test('evicts after random histories what it evicts in memory', async () => {
    await fc.assert(
      fc.asyncProperty(history, retention, fc.constantFrom(...keeps), async (batches, retain, keep) => {
        await tables.clear();
        const [archive, sql] = [new Archive(), sqlArchive()];
        const apply = (change: Change): void => {
          try {
            archive.apply(change);
          } catch (error) {
            if (!(error instanceof UnusableRecord)) throw error;
          }
        };
        for (const changes of batches) {
          await sql.apply(changes);
          changes.forEach(apply);
        }
        const memory = new RetainedDurableArchive({
          archive,
          evict: async (evicted) =>
            apply({ kind: 'evict', tweet_ids: [], user_ids: [], tombstone_ids: [], at: '', ...evicted }),
        });
        const stored = retained(tables, sql);
        expect(await flat(stored.evictable({ retain, keep, now }))).toEqual(
          await flat(memory.evictable({ retain, keep, now })),
        );
        expect(await evict(stored, retain, keep)).toBe(await evict(memory, retain, keep));
        const content = (changes: Iterable<Change>): string[] =>
          Array.from(changes, (change) => `${change.kind} ${identity(change)}`).toSorted();
        expect(content(await tables.content())).toEqual(content(archive.changes()));
      }),
      { numRuns: rounds(6), endOnFailure: true },
    );
  }, 300_000);

  test('counts tweets about, and evicts thousands without a row that stays', async () => {
    await tables.clear();
    const [sql, ids] = [sqlArchive(), Array.from({ length: 2500 }, (_, index) => String(1000 + index))];
    const tweetOf = (id: string, index: number, like_count: number): Change => ({
      kind: 'tweet',
      tweet: {
        ...{ id, author_id: '7', text: `@ada tea ${'word '.repeat(index === 0 ? 20_000 : 3)}`, like_count },
        created_at: new Date(start + Math.floor(index / 7)).toISOString(),
        observed_at: new Date(start + like_count).toISOString(),
        entities: { mentions: [{ username: 'ada', id: '9' }], hashtags: [], cashtags: [], urls: [] },
      },
    });
    await sql.apply(ids.map((id, index) => tweetOf(id, index, 1)));
    await sql.apply(ids.slice(0, 100).map((id, index) => tweetOf(id, index, 2)));
    const stored = retained(tables, sql);
    await tables.database.script('ANALYZE social_data.tweet');
    expect(Math.abs((await stored.size()) - 2500)).toBeLessThan(50);
    expect([...(await stored.missing(['1000', '9999999']))]).toEqual(['9999999']);
    expect(await evict(stored, { tweets: 1 }, 'tea -word')).toBe(2499);
    expect(await stored.missing(ids)).toEqual(new Set(ids.slice(0, -1)));
    expect(await evict(stored, { ageMs: 1 }, '')).toBe(1);
    for (const table of ['tweet', 'tweet_count', 'mention', 'long_tweet', 'engagement_before', 'person', 'tombstone'])
      expect([table, await tables.database.run({ text: `SELECT FROM social_data.${table}` })]).toEqual([table, []]);
  }, 60_000);
});

/** Identifies what a change is about. */
const identity = (change: object): string =>
  JSON.stringify(change, (key, value: unknown) => (key === 'observed_at' ? undefined : value))
    .match(/"(?:\w*_)?id":"[^"]*"/g)
    ?.slice(0, 2)
    .toSorted()
    .join(' ') ?? '';
