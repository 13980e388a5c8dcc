// Not in `npm run test:fast`: it searches many archives.
// Tests server/engines/sqlite/search-windows.ts.
/** Searches in SQLite give the same pages as the evaluator, which defines the meaning of queries. */
import { expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import type { CountSpan } from '../../../server/ports/platform.ts';
import type { Condition } from '../../../server/search/language/condition.ts';
import { condition, searchableWorld } from '../postgres/arbitrary.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { SqliteSearch } from '../../../server/engines/sqlite/sqlite-search.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { arrivals, SqliteWorld, type Arrival } from './search-world.ts';

const now = Date.UTC(2026, 5, 1);

/** Tweets of a few seconds, with engagement of all levels, by many authors of whom a list has most. */
const crowd: fc.Arbitrary<ArchiveRecord[]> = fc
  .array(
    fc.record({
      second: fc.constantFrom(-9_000_000_000, -1, 0, 1_780_000_000, 1_780_000_001, 9_000_000_000),
      ms: fc.constantFrom(0, 1, 999),
      author: fc.integer({ min: 1, max: 40 }),
      likes: fc.oneof(fc.nat(3), fc.nat(600), fc.nat(100_000)),
      word: fc.constantFrom('coffee', 'beans', 'coffee beans', 'beans coffee'),
      isRetweet: fc.boolean(),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((tweets) => [
    { kind: 'list', list: { id: '801', owner_id: '1', slug: 'press' } },
    ...Array.from({ length: 35 }, (_, n): ArchiveRecord => ({
      kind: 'list_member',
      list_id: '801',
      user_id: String(n + 1),
    })),
    ...tweets.map(({ second, ms, author, likes, word, isRetweet }, n): ArchiveRecord => ({
      kind: 'tweet',
      tweet: {
        // Ids have another order than arrivals.
        ...{
          id: String(((n * 7) % 61) + 1),
          text: word,
          created_at: new Date(second * 1000 + ms).toISOString(),
          author_id: String(author),
        },
        ...{ like_count: likes, ...(isRetweet ? { retweeted_tweet_id: '999' } : {}) },
      },
    })),
  ]);

/** Compares all pages: while some tweets wait for their words, and afterwards. */
async function expectSamePages(
  records: readonly ArchiveRecord[],
  wanted: readonly Condition[],
  limit: number,
  arrival: readonly Arrival[],
): Promise<void> {
  const world = await SqliteWorld.create(records, (place) => arrival[place % arrival.length] ?? 'with its words');
  await expectPagesOf(world, wanted, limit);
  world.writeWords();
  await expectPagesOf(world, wanted, limit);
  world.database.close();
}

async function expectPagesOf(world: SqliteWorld, wanted: readonly Condition[], limit: number): Promise<void> {
  for (const each of wanted)
    for (const order of ['Latest', 'Top'] as const)
      expect([each, order, await world.found(each, order, now, limit)]).toEqual([
        each,
        order,
        world.expected(each, order, now),
      ]);
  for (const each of wanted)
    for (const span of spans) {
      const [expected, counted] = await world.counted(each, span, now);
      expect([each, span, counted]).toEqual([each, span, expected]);
    }
}

/** Of counts: one bucket for everything, buckets of a second, hours that are cut off, and times that share a position. */
const spans: readonly CountSpan[] = [
  { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY },
  { since: 0, until: 1_780_000_001_000, bucketMs: 1000 },
  { since: 1_000, until: 1_780_000_002_000, bucketMs: 3_600_000 },
  { since: 0, until: 9_000_000_000_000, bucketMs: 86_400_000 },
  { since: 0, until: 9_500_000_000_000, bucketMs: 1000 },
];

const someArrivals = fc.array(fc.constantFrom(...arrivals), { minLength: 1, maxLength: 9 });

test('finds what the evaluator finds in random archives, page by page in both orders', async () => {
  await fc.assert(
    fc.asyncProperty(
      searchableWorld,
      fc.array(condition, { minLength: rounds(30, 10), maxLength: rounds(60, 15) }),
      fc.integer({ min: 1, max: 5 }),
      someArrivals,
      expectSamePages,
    ),
    { numRuns: rounds(100, 1) },
  );
});

const crowdCondition: fc.Arbitrary<Condition> = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      is: fc.constant('words' as const),
      within: fc.constant('text' as const),
      tokens: fc.constantFrom(['coffee'], ['beans'], ['coffee', 'beans']),
    }),
    fc.constantFrom<Condition[]>({ is: 'term', term: 'list:801' }, { is: 'term', term: 'filter:nativeretweets' }),
    fc.nat(100_000).map((min): Condition => ({ is: 'count', count: 'like_count', min })),
    fc
      .tuple(
        fc.constantFrom(-9_000_000_000, -1, 0, 1_780_000_000, 9_000_000_000),
        fc.constantFrom(0, 1, 999),
        fc.boolean(),
      )
      .map(([second, ms, isSince]): Condition => {
        const at = second * 1000 + ms;
        return isSince
          ? { is: 'created', since: at, until: Number.POSITIVE_INFINITY }
          : { is: 'created', since: Number.NEGATIVE_INFINITY, until: at };
      }),
    // Ranges with a few tweets, with many and with none.
    fc
      .tuple(fc.integer({ min: -1, max: 61 }), fc.integer({ min: 0, max: 70 }))
      .map(([above, upTo]): Condition => ({ is: 'ids', above: BigInt(above), upTo: BigInt(upTo) })),
    fc.integer({ min: 1, max: 40 }).map((id): Condition => ({ is: 'person', role: 'author', name: String(id) })),
    fc.record({
      is: fc.constantFrom('all' as const, 'any' as const),
      parts: fc.array(tie('condition'), { maxLength: 3 }),
    }),
    tie('condition').map((part): Condition => ({ is: 'not', part })),
  ),
})).condition;

test('sorts tweets of one second and of one level, and merges alternatives, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(
      crowd,
      fc.array(crowdCondition, { minLength: rounds(20, 8), maxLength: rounds(40, 12) }),
      fc.integer({ min: 1, max: 7 }),
      someArrivals,
      expectSamePages,
    ),
    { numRuns: rounds(400, 3) },
  );
});

test('a page of alternatives has all tweets of a second that one of them has only in part', async () => {
  const tweet = (id: string, text: string): ArchiveRecord => ({
    kind: 'tweet',
    tweet: { id, text, created_at: '2026-05-29T00:00:00.000Z', author_id: '1' },
  });
  const words: Condition = { is: 'words', within: 'text', tokens: ['beans'] };
  const either: Condition = { is: 'any', parts: [words, { is: 'ids', above: 0n, upTo: 99n }] };
  // The tweet with the highest id came first, and has no words.
  const world = await SqliteWorld.create([tweet('58', 'tea'), tweet('1', 'beans'), tweet('56', 'beans')]);
  expect(await world.found(either, 'Latest', now, 1)).toEqual(['58', '56', '1']);
  world.database.close();
});

test('searches for new ids and for a thread read the tweets of these ids only, and not all with the words', async () => {
  const tweets = Array.from({ length: 400 }, (_, n): ArchiveRecord => ({
    kind: 'tweet',
    // The newest tweets have the lowest ids.
    tweet: {
      ...{ id: String(1000 - n), text: 'beans', author_id: '1' },
      created_at: new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString(),
    },
  }));
  const world = await SqliteWorld.create(tweets);
  let windows = 0;
  const search = new SqliteSearch(world.database, { windowRows: 3, maxFew: 4, mayGoOn: () => void windows++ });
  const request = { after: undefined, limit: 20 };
  const windowsOf = async (text: string, expected: readonly string[]): Promise<number> => {
    windows = 0;
    const query = parse(text);
    expect((await search.latest(query, request, now)).items).toEqual(expected);
    expect((await search.top(query, request, now)).items).toEqual(expected);
    return windows;
  };
  expect(await windowsOf('beans since_id:997', ['998', '999', '1000'])).toBe(0);
  expect(await windowsOf('conversation_id:1000', ['1000'])).toBeLessThanOrEqual(await windowsOf('nothing', []));
  expect(await windowsOf('beans since_id:1000', [])).toBe(0);
  expect(await windowsOf('beans since_id:994', ['995', '996', '997', '998', '999', '1000'])).toBeGreaterThan(8);
  world.database.close();
});
