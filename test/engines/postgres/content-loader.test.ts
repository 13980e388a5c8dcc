// Tests server/engines/postgres/writes/postgres-search-rows.ts, server/engines/postgres/rows/binary-rows.ts and
// server/engines/postgres/rows/search-rows.ts.
/** A snapshot that is loaded into tables is what an archive in memory holds. */
import { textOf } from '../../support/statement-text.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import { checkTables } from '../../../server/engines/postgres/maintenance/content-check.ts';
import type { ContentPage } from '../../../server/archive/writes/loaded-rows.ts';
import { describeLoadedUsers, loadPages } from '../../../server/engines/postgres/maintenance/content-loader.ts';
import { buildIndexes, dropIndexes } from '../../../server/engines/postgres/maintenance/bulk-indexes.ts';
import type { Database } from '../../../server/engines/postgres/store/database.ts';
import type { Statement } from '../../../server/engines/postgres/store/statement.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';
import { ContentContext } from '../../support/content-context.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { history } from './changes.ts';
import { expectDerived } from './derived.ts';
import { applyUsable } from './platforms.ts';
import { PostgresTables, sortedContent } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;

const noEntities = { mentions: [], hashtags: [], cashtags: [], urls: [] };

/** Loads pages as a migration does, each given list in a transaction. */
async function load(database: Database, ...parts: readonly (readonly ContentPage[])[]): Promise<number> {
  await dropIndexes(database);
  let changes = 0;
  for (const pages of parts) changes += await loadPages(database, pages);
  await buildIndexes(database);
  await describeLoadedUsers(database);
  return changes;
}

const contentOf = (archive: Archive): ContentPage[] => [
  { changes: archive.changes(), context: new ContentContext(archive.changes()) },
];

describeDatabase('a snapshot in tables', () => {
  let tables: PostgresTables;
  /** The indexes of new tables. */
  let created: readonly string[];
  beforeAll(async () => {
    tables = await PostgresTables.create();
    created = await indexes();
  });
  afterAll(() => tables.dispose());

  test('is the same content', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const archive = new Archive();
        for (const change of batches.flat()) applyUsable(archive, change);
        expect(await load(tables.database, contentOf(archive))).toBe([...archive.changes()].length);
        expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
        await expectDerived(tables, archive);
      }),
      { numRuns: rounds(15), endOnFailure: true },
    );
  }, 300_000);

  const indexes = async (): Promise<readonly string[]> => {
    const rows = await tables.database.run<{ indexdef: string }>({
      text: 'SELECT indexdef FROM pg_indexes WHERE schemaname = $1',
      params: [tables.database.inSchema('social_data')],
    });
    return rows.map(({ indexdef }) => indexdef).toSorted();
  };

  test('has the words of every kind of text, and the tables keep their indexes', async () => {
    await tables.clear();
    const archive = new Archive();
    const texts = [
      ...['𝒳 😀 naïve 東京都 한국 "quoted" back\\slash it\'s\ttab\nline', 'é'.repeat(400), 'ﬁ ﷺ'],
      ...[`start ${'word '.repeat(300)}`, `${'many '.repeat(255)}end`],
      Array.from({ length: 17_000 }, (_, index) => `w${index}`).join(' '),
    ];
    for (const [index, text] of texts.entries())
      archive.apply({
        kind: 'tweet',
        tweet: {
          ...{ id: String(18_446_744_073_709_551_600n / 2n + BigInt(index)), author_id: '7', text, like_count: 70_000 },
          ...{ created_at: '2026-01-01T00:00:00.000Z', observed_at: '2026-01-02T00:00:00.000Z' },
          ...{ view_count: 9_007_199_254_740_991, bookmark_count: 4_294_967_296 },
          ...{
            entities: {
              ...noEntities,
              mentions: [{ username: 'Mira' }, { username: 'Ünï', id: '9223372036854775808' }],
            },
          },
          ...{ coordinates: { longitude: -0.125, latitude: 51.5 }, in_reply_to_id: '9', in_reply_to_username: 'Ünï' },
        },
      });
    await load(tables.database, contentOf(archive));
    await expectDerived(tables, archive);
    expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
    const long = await tables.database.run({ text: 'SELECT FROM social_data.tweet WHERE is_long' });
    expect(long).toHaveLength(2);
    expect(await checkTables(tables.database.run)).toEqual([]);
    expect(await indexes()).toEqual(created);
    expect(created.length).toBeGreaterThan(20);
  }, 60_000);

  test('has its tweets from one COPY, in parts', async () => {
    await tables.clear();
    const archive = new Archive();
    for (let id = 1; id <= 1_000; id++)
      archive.apply({
        kind: 'tweet',
        tweet: { id: String(id), author_id: '7', text: `text ${id}`, created_at: '2026-01-01T00:00:00.000Z' },
      });
    const copied: number[] = [];
    const transaction: Database['transaction'] = (steps) =>
      tables.database.transaction((run) =>
        steps((statement) => {
          if (!textOf(statement).startsWith('COPY social_data.tweet ')) return run(statement);
          const { copied: parts } = statement as { copied: AsyncIterable<Uint8Array> };
          return run({ ...(statement as Statement), copied: counted(parts) });
        }),
      );
    async function* counted(parts: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
      for await (const part of parts) {
        copied.push(part.length);
        yield part;
      }
    }
    await loadPages({ transaction }, contentOf(archive));
    expect(copied.length).toBeGreaterThan(2);
    expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
  });

  test('is loaded in parts that have the start and the removal of a relation apart', async () => {
    await tables.clear();
    const archive = new Archive();
    const [at, later] = ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'];
    const follow = (created_at: string): Change => ({
      ...{ kind: 'follow', follower_id: '1', following_id: '10', created_at },
    });
    archive.apply({ kind: 'unfollow', follower_id: '1', following_id: '10', at });
    archive.apply(follow(at));
    archive.apply(follow(later));
    const changes = [...archive.changes()];
    const context = new ContentContext([]);
    const parts = [...Map.groupBy(changes, ({ kind }) => kind).values()];
    expect(parts).toHaveLength(2);
    await load(tables.database, ...parts.map((part) => [{ changes: part, context }]));
    expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
  });
});
