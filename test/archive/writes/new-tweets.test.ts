/** New tweets that are written at once leave the rows, outcomes and events that they leave by way of an archive in memory. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Change } from '../../../server/archive/rules/change.ts';
import { newTweetsOf } from '../../../server/archive/writes/new-tweets.ts';
import { raw, sameTweet, sql, type Fragment } from '../../../server/archive/sql.ts';
import { history } from '../../engines/postgres/changes.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { archiveOn, describeEngines, eventsIn, type ArchiveTables } from '../engines.ts';

const rowTables = [
  ...['mention', 'person', 'retweet', 'tweet_like', 'tombstone', 'withdrawn'],
  ...['geo_scrub', 'engagement_before', 'follow', 'highlight', 'membership', 'list_member', 'list', 'space', 'place'],
];

/** Without effect after the first time; a group with it has no tweets that are written at once. */
const unlike: Change = { kind: 'unlike', tweet_id: '77', at: 1 };
const createdAt = '2026-01-01T00:00:00.000Z';
const tweet = (id: string, more: object = {}): Change => ({
  kind: 'tweet',
  tweet: { id, author_id: '1', text: `text ${id}`, created_at: createdAt, ...more },
});

describeEngines('new tweets', (opened) => {
  let tables: ArchiveTables;
  beforeAll(() => void (tables = opened()));

  const rowsIn = async (): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    const statements = rowTables.map((table): [string, Fragment] => [
      table,
      sql`SELECT * FROM social_data.${raw(table)}`,
    ]);
    const tweets = sql`SELECT c.*, t.* FROM social_data.tweet t JOIN social_data.tweet_count c ON ${sameTweet('c', 't')}`;
    for (const [table, statement] of [...statements, ['tweet', tweets] as const]) {
      const rows = await tables.run<{ pos?: number }>(statement);
      // Tweets of one second have their positions in any order.
      found[table] = rows.map(({ pos: _, ...row }) => JSON.stringify(row)).toSorted();
    }
    return found;
  };

  /** What the batches leave. `isAtOnce`: whether new tweets may be written at once. */
  async function left(batches: readonly (readonly Change[])[], isAtOnce: boolean) {
    await tables.clear();
    const archive = archiveOn(tables);
    const outcomes = [(await archive.apply([unlike])).outcomes];
    for (const changes of batches) {
      const all = isAtOnce ? changes : changes.flatMap((change) => [unlike, change, unlike]);
      const written = await archive.apply(all);
      outcomes.push(isAtOnce ? written.outcomes : written.outcomes.filter((_, place) => place % 3 === 1));
    }
    return { outcomes, rows: await rowsIn(), events: await eventsIn(tables, 0) };
  }

  test('leave after random batches what the archive in memory leaves', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        expect(await left(batches, true)).toEqual(await left(batches, false));
      }),
      { numRuns: rounds(20), endOnFailure: true },
    );
  }, 600_000);

  test('are those that neither the tables nor the other changes of the group concern', async () => {
    await tables.clear();
    await archiveOn(tables).apply([
      ...[tweet('1'), tweet('2'), tweet('11', { author_id: '5', retweeted_tweet_id: '10' })],
      { kind: 'delete', tweet_id: '2', at: createdAt },
      { kind: 'withdraw', user_id: '2', at: createdAt },
      { kind: 'scrub_geo', user_id: '3', tweet_id: '99', at: createdAt },
      { kind: 'retweet', tweet_id: '12', user_id: '4' },
    ]);
    const atOnce = [tweet('20'), tweet('21', { retweeted_tweet_id: '10' }), tweet('22', { in_reply_to_id: '2' })];
    const others: Change[] = [
      ...[tweet('1'), tweet('2'), tweet('30', { author_id: '2' }), tweet('31', { author_id: '3' })],
      ...[tweet('32', { retweeted_tweet_id: '2' }), tweet('33', { author_id: '4', retweeted_tweet_id: '12' })],
      ...[tweet('34'), tweet('34', { text: 'again' }), tweet('035'), tweet('36', { created_at: 'yesterday' })],
      ...[tweet('37', { entities: {} }), tweet('38')],
      ...['39', '40'].map((id) => tweet(id, { author_id: '7', retweeted_tweet_id: '15' })),
      ...[tweet('41', { author_id: '7', retweeted_tweet_id: '16' }), tweet('42', { retweeted_tweet_id: '017' })],
      { kind: 'retweet', tweet_id: '16', user_id: '7' },
      { kind: 'like', tweet_id: '38' },
      { kind: 'user', user: { id: '1', username: 'mira' } },
    ];
    expect(await newTweetsOf(tables.run, [...others, ...atOnce])).toEqual(new Set(atOnce));
    // The record names another author than the tweet, which may be the retweeter too.
    const unsure = [
      tweet('1', { retweeted_tweet_id: '50' }),
      tweet('40', { author_id: '6', retweeted_tweet_id: '50' }),
    ];
    expect(await newTweetsOf(tables.run, unsure)).toEqual(new Set());
    for (const kind of ['delete', 'restore', 'scrub_geo'] as const)
      expect(await newTweetsOf(tables.run, [{ kind, tweet_id: '60' }, tweet('61')])).toEqual(new Set());
  });
});
