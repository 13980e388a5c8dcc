/** A snapshot that is loaded into tables is what an archive in memory holds. */
import { textOf } from '../../support/statement-text.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Archive } from '../../../server/archive/rules/archive.ts';
import type { Change } from '../../../server/archive/rules/change.ts';
import { checkTables } from '../../../server/engines/postgres/maintenance/content-check.ts';
import type { ContentPage } from '../../../server/archive/writes/loaded-rows.ts';
import { loadSnapshot } from '../../../server/engines/postgres/maintenance/content-loader.ts';
import type { Database } from '../../../server/engines/postgres/store/database.ts';
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
        const counts: number[] = [];
        const loaded = await loadSnapshot(tables.database, contentOf(archive), (count) => counts.push(count));
        expect(counts.at(-1) ?? 0).toBe(loaded);
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
    await loadSnapshot(tables.database, contentOf(archive));
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
    const copies: string[] = [];
    const transaction: Database['transaction'] = (steps) =>
      tables.database.transaction((run) =>
        steps((statement) => {
          const text = textOf(statement);
          if (text.startsWith('COPY')) copies.push(/\.(\w+)/.exec(text)?.[1] ?? '');
          return run(statement);
        }),
      );
    const { maintain, run } = tables.database;
    const counts: number[] = [];
    const database = { transaction, run, maintain: maintain.bind(tables.database) };
    await loadSnapshot(database, contentOf(archive), (count) => counts.push(count));
    expect(copies.toSorted()).toEqual(['tweet', 'tweet_count']);
    expect(counts.length).toBeGreaterThan(2);
    expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
  });

  test('is loaded in batches that divide no row', async () => {
    await tables.clear();
    const archive = new Archive();
    const at = '2026-01-01T00:00:00.000Z';
    const later = '2026-02-01T00:00:00.000Z';
    const follow = (id: number, created_at: string): Change => ({
      ...{ kind: 'follow', follower_id: '1', following_id: String(id + 10) },
      created_at,
    });
    for (let id = 0; id < 14_000; id++) {
      archive.apply(follow(id, at));
      archive.apply(follow(id, later));
      archive.apply({ kind: 'unfollow', follower_id: String(id + 10), following_id: '1', at });
    }
    const counts: number[] = [];
    await loadSnapshot(tables.database, contentOf(archive), (count) => counts.push(count));
    expect(counts.length).toBeGreaterThan(2);
    expect(sortedContent(await tables.content())).toEqual(sortedContent(archive.changes()));
  }, 60_000);
});
