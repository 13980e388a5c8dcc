// Tests server/archive/reads/community-pages.ts, server/archive/reads/list-pages.ts,
// server/archive/reads/loaded-records.ts, server/archive/reads/touched.ts, server/archive/reads/tweet-snapshots.ts,
// server/archive/reads/tweet-views.ts and server/archive/reads/views.ts.
/** The platform on tables returns what the reference returns, which looks at every record. */
import { beforeAll, expect, test } from '@jest/globals';
import type { PageRequest } from '../../server/contract/page.ts';
import { Archive } from '../../server/archive/rules/archive.ts';
import type { Change } from '../../server/archive/rules/change.ts';
import type { CountSpan, Platform, TweetSnapshot } from '../../server/ports/platform.ts';
import { parse } from '../../server/search/language/parse.ts';
import type { RunSql } from '../../server/archive/sql.ts';
import { StoreError } from '../../server/ports/storage.ts';
import { archiveOn, describeEngines, platformOn, ReadCommits, type ArchiveTables } from './engines.ts';
import { around, describePlatform } from '../ports/platform.ts';
import { SqlPlatform } from '../../server/archive/sql-platform.ts';
import { options } from '../support/call-options.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';
import { history, tweets, usernames, users } from '../engines/postgres/changes.ts';
import { applyUsable, referenceOf, walk, type Ask } from '../engines/postgres/platforms.ts';

const span = { since: 1_770_000_100_000, until: 1_770_000_400_000 };
const always = { since: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
const refs = [...users.map((user_id) => ({ user_id })), ...usernames.map((username) => ({ username }))];
const queries = ['coffee', '-coffee', 'from:mira', '@tom', 'filter:replies', 'include:nativeretweets min_faves:3'];
const lists: Ask[] = [
  ...refs.flatMap((ref): Ask[] => [
    (port, page) => port.lastTweets(ref, true, page, options),
    (port, page) => port.lastTweets(ref, false, page, options),
    (port, page) => port.highlights(ref, page, options),
    (port, page) => port.followings(ref, page, options),
    (port, page) => port.followers(ref, page, options),
    (port, page) => port.mentions(ref, span, page, options),
    (port, page) => port.mentions(ref, always, page, options),
  ]),
  ...usernames.map(
    (username): Ask =>
      (port, page) =>
        port.communitiesOf(username, page, options),
  ),
  ...tweets.flatMap((id): Ask[] => [
    (port, page) => port.replies(id, page, options),
    (port, page) => port.quotes(id, page, options),
    (port, page) => port.retweeters(id, page, options),
  ]),
  ...queries.flatMap((query): Ask[] => [
    (port, page) => port.search(parse(query), 'Latest', page, options),
    (port, page) => port.search(parse(query), 'Top', page, options),
  ]),
  (port, page) => port.discover('901', page, options),
  (port, page) => port.communityMedia('901', page, options),
];

/** What a snapshot shows; the counts of a document are in the tweet. */
function shown(snapshot: TweetSnapshot): object {
  const { authorId, authorUsername, mentions, inReplyToId, communityId, includedIds } = snapshot;
  const { centres: _centres, terms, ...rest } = snapshot.document();
  // The order of the terms has no meaning.
  const document = { ...rest, terms: terms.lists.flat().toSorted() };
  const views = { full: snapshot.full(), short: snapshot.short(), engagement: snapshot.engagement() };
  return { authorId, authorUsername, mentions, inReplyToId, communityId, includedIds, ...views, document };
}

/** Counts, their buckets in order. */
const counted =
  (query: string, countSpan: CountSpan) =>
  async (port: Platform): Promise<unknown> => {
    const { buckets, isWhole } = await port.counts(parse(query), countSpan, options);
    // The number of a count that was ended early depends on the engine.
    return isWhole ? buckets.toSorted(([a], [b]) => a - b) : isWhole;
  };

const entities: ((platform: Platform) => Promise<unknown>)[] = [
  ...refs.flatMap((ref) => [
    (port: Platform): Promise<unknown> => port.user(ref, options),
    (port: Platform): Promise<unknown> => port.userInfo(ref, options),
  ]),
  ...tweets.flatMap((id) => [
    (port: Platform): Promise<unknown> => port.tweet(id, options),
    (port: Platform): Promise<unknown> => port.thread(id, 4, options),
    (port: Platform): Promise<unknown> => port.conversation(id, around(2), options),
    (port: Platform): Promise<unknown> => port.repliesBelow([id], { levels: 2, limit: 2 }, options),
    (port: Platform): Promise<unknown> => port.continuation(id, 3, options),
  ]),
  (port) => port.users(refs, options),
  (port) => port.tweets(tweets.toReversed(), options),
  (port) => port.backgrounds(tweets, options),
  async (port) =>
    (await port.snapshots(tweets, options)).map((each) => (each === undefined || each.isGone ? each : shown(each))),
  (port) => port.space('s1', options),
  (port) => port.communityInfo('901', options),
  ...queries.flatMap((query) => [
    counted(query, { since: 1_770_000_000_000, until: 1_770_000_400_000, bucketMs: 60_000 }),
    counted(query, { since: 1_770_000_101_000, until: 1_772_000_000_000, bucketMs: 3_600_000 }),
    counted(query, { since: 1_770_000_101_000, until: 99_999_999_999_000, bucketMs: 86_400_000 }),
    counted(query, { ...always }),
    counted(query, { ...always, most: 2 }),
  ]),
  async (port) => [await port.hasCommunity('901', options), await port.communityOf('901', '1', options)],
];

/** What a call answers: its value, or the status and message of its error. */
const outcomeOf = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch(({ status, message }: { status: number; message: string }) => ({ status, message }));

const firstPage = { after: undefined, limit: 50 };

describeEngines('the platform on tables', (opened) => {
  let tables: ArchiveTables;
  beforeAll(() => void (tables = opened()));

  describePlatform(
    'tables',
    async () => {
      await tables.clear();
      const archive = archiveOn(tables);
      const add = async (changes: readonly Change[]): Promise<void> => void (await archive.apply(changes));
      return {
        platform: platformOn(tables, archive),
        add,
        remove: (tweet_id) => add([{ kind: 'delete', tweet_id }]),
        close: async () => {},
      };
    },
    { canRemove: true },
  );

  test('after random histories, every operation returns the same as the reference, by pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 9 }), async (batches, limit) => {
        await tables.clear();
        const archive = new Archive();
        const stored = archiveOn(tables);
        for (const changes of batches) {
          await stored.apply(changes);
          for (const change of changes) applyUsable(archive, change);
        }
        const memory = referenceOf(archive);
        const platform = platformOn(tables, stored);
        for (const [index, ask] of lists.entries())
          expect([index, await outcomeOf(walk(platform, ask, limit))]).toEqual([
            index,
            await outcomeOf(walk(memory, ask, limit)),
          ]);
        for (const [index, ask] of entities.entries())
          expect([index, await outcomeOf(ask(platform))]).toEqual([index, await outcomeOf(ask(memory))]);
      }),
      { numRuns: rounds(8, 2), endOnFailure: true },
    );
  }, 600_000);

  test('after every transaction, cached views are those of the reference, and a page that was read before needs its keys only', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const archive = new Archive();
        const stored = archiveOn(tables);
        const commits = new ReadCommits(tables);
        let statements = 0;
        const run: RunSql = async (statement) => (statements++, tables.run(statement));
        const platform: Platform = platformOn(tables, stored, { run, commits });
        const asks = [
          ...tweets.map(
            (id) =>
              (port: Platform): Promise<unknown> =>
                port.tweet(id, options),
          ),
          ...refs.map(
            (ref) =>
              (port: Platform): Promise<unknown> =>
                port.lastTweets(ref, true, firstPage, options),
          ),
          (port: Platform): Promise<unknown> => port.search(parse('min_faves:0'), 'Latest', firstPage, options),
        ];
        for (const changes of batches) {
          await stored.apply(changes);
          await commits.read();
          for (const change of changes) applyUsable(archive, change);
          const memory = referenceOf(archive);
          for (const [index, ask] of asks.entries()) {
            const expected = [index, await outcomeOf(ask(memory))];
            expect([index, await outcomeOf(ask(platform))]).toEqual(expected);
          }
        }
        const before = statements;
        await platform.search(parse('min_faves:0'), 'Latest', firstPage, options);
        // The search of SQLite does not run its statements here.
        expect(statements - before).toBeLessThanOrEqual(1);
      }),
      { numRuns: rounds(8, 2), endOnFailure: true },
    );
  }, 600_000);

  test('a page of tweets needs three statements: the user, the ids, and the tweets with their authors', async () => {
    await tables.clear();
    const stored = archiveOn(tables);
    const tweet = { author_id: '1', text: 'coffee', created_at: '2026-01-01T00:00:00Z' };
    await stored.apply([
      { kind: 'user', user: { id: '1', username: 'Mira', name: 'Mira L' } },
      { kind: 'tweet', tweet: { ...tweet, id: '1' } },
      { kind: 'tweet', tweet: { ...tweet, id: '2' } },
    ]);
    let statements = 0;
    const run: RunSql = async (statement) => (statements++, tables.run(statement));
    const platform: Platform = platformOn(tables, stored, { run });
    const { items } = await platform.lastTweets({ username: 'mira' }, true, firstPage, options);
    expect(items.map(({ author }) => author.name)).toEqual(['Mira L', 'Mira L']);
    expect(statements).toBe(3);
  });

  test('up to 100 tweets, and up to 100 users, need at most two statements, with addresses four', async () => {
    await tables.clear();
    const stored = archiveOn(tables);
    const numbers = Array.from({ length: 100 }, (_, index) => String(1000 + index));
    await stored.apply(
      numbers.flatMap((id): Change[] => [
        { kind: 'tweet', tweet: { id, author_id: id, text: 'coffee', created_at: '2026-01-01T00:00:00Z' } },
        // The others are authors without a profile.
        ...(Number(id) % 2 === 0 ? [{ kind: 'user', user: { id, username: `user${id}` } } as const] : []),
      ]),
    );
    let statements = 0;
    const run: RunSql = async (statement) => (statements++, tables.run(statement));
    const platform: Platform = platformOn(tables, stored, { run });
    const counted = async (ask: () => Promise<readonly ({ readonly id: string } | undefined)[]>) => {
      const before = statements;
      const found = await ask();
      return [found.filter((each) => each !== undefined).length, statements - before];
    };
    expect(await counted(() => platform.tweets(numbers, options))).toEqual([100, 1]);
    const addresses = numbers.map((rkey) => ({ repository: 'user1000.example.com', rkey }));
    expect((await counted(() => platform.tweets([...addresses, '1000'], options)))[1]).toBeLessThanOrEqual(4);
    const ids = numbers.map((user_id) => ({ user_id }));
    expect(await counted(() => platform.users(ids, options))).toEqual([100, 2]);
    const usernames = numbers.map((id) => ({ username: `user${id}` }));
    expect(await counted(() => platform.users(usernames, options))).toEqual([50, 1]);
  });

  test('a call that names a user by the username finds the user with one statement', async () => {
    await tables.clear();
    const stored = archiveOn(tables);
    await stored.apply([
      { kind: 'user', user: { id: '1', username: 'Mira', name: 'Mira L' } },
      { kind: 'community', community: { id: '901', name: 'First' } },
      { kind: 'membership', community_id: '901', user_id: '1', role: 'member' },
    ]);
    let statements = 0;
    const run: RunSql = async (statement) => (statements++, tables.run(statement));
    const platform: Platform = platformOn(tables, stored, { run });
    expect(await platform.userInfo({ username: 'mira' }, options)).toMatchObject({ user: { id: '1', name: 'Mira L' } });
    expect(statements).toBe(1);
    const { items } = await platform.communitiesOf('mira', firstPage, options);
    expect(items).toHaveLength(1);
    // The user, the page of ids, and the communities.
    expect(statements).toBe(4);
  });

  test('all pages of Top and discover are as of the first page, while counts change, tweets come and go', async () => {
    await tables.clear();
    const stored = archiveOn(tables);
    const platform: Platform = platformOn(tables, stored);
    const tweet = (id: number, like_count: number, minute = 1): Change => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(id), author_id: '1', text: 'coffee', like_count, community_id: '901' },
        ...{ created_at: '2026-01-01T00:00:00.000Z', observed_at: `2026-01-02T00:0${minute}:00.000Z` },
      },
    });
    await stored.apply([{ kind: 'community', community: { id: '901', name: 'First' } }]);
    await stored.apply([1, 2, 3, 4, 5, 6].map((id) => tweet(id, 10 * id)));
    for (const ask of [
      (page: PageRequest) => platform.search(parse('coffee'), 'Top', page, options),
      (page: PageRequest) => platform.discover('901', page, options),
    ]) {
      const first = await ask({ after: undefined, limit: 2 });
      await stored.apply([tweet(1, 900, 2), tweet(4, 0, 2), tweet(7, 35, 2)]);
      await stored.apply([tweet(1, 5, 3), { kind: 'delete', tweet_id: '3' }]);
      const second = await ask({ after: first.next ?? undefined, limit: 9 });
      const ids = [...first.items, ...second.items].map(({ id }) => id);
      expect(ids).toEqual(['6', '5', '4', '2', '1']);
      await stored.apply([
        { kind: 'restore', tweet_id: '3' },
        { kind: 'delete', tweet_id: '7' },
      ]);
      await stored.apply([{ kind: 'restore', tweet_id: '7' }, tweet(1, 10, 4), tweet(3, 30, 4), tweet(4, 40, 4)]);
      await stored.apply([{ kind: 'evict', tweet_ids: ['7'], user_ids: [], tombstone_ids: ['7'], at: '' }]);
    }
  });

  test('without the database, each call answers 503', async () => {
    const lost = async (): Promise<never> => {
      throw new StoreError('the connection was lost');
    };
    const search = { latest: lost, top: lost, counts: lost, oldest: lost };
    const platform: Platform = new SqlPlatform({ run: lost, archive: { apply: lost }, search, commits: undefined });
    for (const ask of [
      platform.tweet('1', options),
      platform.search(parse('coffee'), 'Top', { after: undefined, limit: 1 }, options),
      platform.counts(parse('coffee'), always, options),
      platform.unlike('1', options),
      platform.snapshots(['1'], options),
    ])
      await expect(ask).rejects.toMatchObject({ status: 503 });
  });
});
