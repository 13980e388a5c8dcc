/** The platform on tables of PostgreSQL returns what the platform on an archive in memory returns. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PageRequest } from '../../../server/contract/page.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { archivePlatform } from '../../../server/platforms/archive/archive-platform.ts';
import type { Change } from '../../../server/platforms/archive/change.ts';
import { changedKeys } from '../../../server/platforms/postgres/rows/commit-log.ts';
import type { KnownCommits } from '../../../server/platforms/postgres/reads/dependent-cache.ts';
import { PostgresPlatform } from '../../../server/platforms/postgres/postgres-platform.ts';
import type { Platform, TweetSnapshot } from '../../../server/ports/platform.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { DatabaseError, type Run } from '../../../server/storage/postgres/database.ts';
import { describePlatform } from '../../ports/platform.ts';
import { testDatabaseUrl } from '../../ports/postgres.ts';
import { options } from '../../support/call-options.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { history, tweets, usernames, users } from './changes.ts';
import { applyUsable, sqlArchive, walk, type Ask } from './platforms.ts';
import { PostgresTables } from './tables.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
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
  const { centres: _centres, ...document } = snapshot.document();
  const views = { full: snapshot.full(), short: snapshot.short(), engagement: snapshot.engagement() };
  return { authorId, authorUsername, mentions, inReplyToId, communityId, includedIds, ...views, document };
}

const entities: ((platform: Platform) => Promise<unknown>)[] = [
  ...refs.flatMap((ref) => [
    (port: Platform): Promise<unknown> => port.user(ref, options),
    (port: Platform): Promise<unknown> => port.userInfo(ref, options),
  ]),
  ...tweets.flatMap((id) => [
    (port: Platform): Promise<unknown> => port.tweet(id, options),
    (port: Platform): Promise<unknown> => port.thread(id, 4, options),
    (port: Platform): Promise<unknown> => port.topReplies(id, 2, options),
    (port: Platform): Promise<unknown> => port.comparableTweets(id, 3, options),
    (port: Platform): Promise<unknown> => port.continuation(id, 3, options),
  ]),
  (port) => port.backgrounds(tweets, options),
  async (port) =>
    (await port.snapshots(tweets, options)).map((each) => (each === undefined || each.isGone ? each : shown(each))),
  (port) => port.space('s1', options),
  async (port) => [await port.hasCommunity('901', options), await port.communityOf('901', '1', options)],
];

/** What a call answers: its value, or the status and message of its error. */
const outcomeOf = async (answer: Promise<unknown>): Promise<unknown> =>
  answer.catch(({ status, message }: { status: number; message: string }) => ({ status, message }));

const firstPage = { after: undefined, limit: 50 };

/** The transactions in the tables, which become known when a test reads them. */
class ReadCommits implements KnownCommits {
  last = 0;
  readonly #tables: PostgresTables;
  readonly #listeners: Parameters<KnownCommits['onCommit']>[0][] = [];

  constructor(given: PostgresTables) {
    this.#tables = given;
  }

  onCommit(listener: Parameters<KnownCommits['onCommit']>[0]): void {
    this.#listeners.push(listener);
  }

  async read(): Promise<void> {
    const rows = await this.#tables.database.run<{ seq: string; record: string }>({
      text: `SELECT seq, record FROM social_data.change WHERE log = 'tables' AND seq > $1 ORDER BY seq`,
      params: [this.last],
    });
    for (const { seq, record } of rows) {
      for (const listener of this.#listeners) listener(changedKeys(record));
      this.last = Number(seq);
    }
  }
}

describeDatabase('the platform on tables of PostgreSQL', () => {
  let tables: PostgresTables;
  beforeAll(async () => {
    tables = await PostgresTables.create();
  });
  afterAll(() => tables.dispose());

  describePlatform(
    'tables of PostgreSQL',
    async () => {
      await tables.clear();
      const archive = sqlArchive(tables);
      const add = async (changes: readonly Change[]): Promise<void> => void (await archive.apply(changes));
      return {
        platform: new PostgresPlatform(tables.database, archive),
        add,
        remove: (tweet_id) => add([{ kind: 'delete', tweet_id }]),
        close: async () => {},
      };
    },
    { canRemove: true },
  );

  test('after random histories, every operation returns the same as in memory, by pages of any size', async () => {
    await fc.assert(
      fc.asyncProperty(history, fc.integer({ min: 1, max: 9 }), async (batches, limit) => {
        await tables.clear();
        const archive = new Archive();
        const sql = sqlArchive(tables);
        for (const changes of batches) {
          await sql.apply(changes);
          for (const change of changes) applyUsable(archive, change);
        }
        const memory = archivePlatform({ archive, unlike: async () => false });
        const platform = new PostgresPlatform(tables.database, sql);
        for (const [index, ask] of lists.entries())
          expect([index, await outcomeOf(walk(platform, ask, limit))]).toEqual([
            index,
            await outcomeOf(walk(memory, ask, limit)),
          ]);
        for (const [index, ask] of entities.entries())
          expect([index, await outcomeOf(ask(platform))]).toEqual([index, await outcomeOf(ask(memory))]);
      }),
      { numRuns: rounds(8), endOnFailure: true },
    );
  }, 600_000);

  test('after every transaction, cached views are those of memory, and a page that was read before needs its keys only', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const archive = new Archive();
        const sql = sqlArchive(tables);
        const commits = new ReadCommits(tables);
        let statements = 0;
        const run: Run = async (statement) => (statements++, tables.database.run(statement));
        const platform: Platform = new PostgresPlatform({ run }, sql, commits);
        const memory = archivePlatform({ archive, unlike: async () => false });
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
          await sql.apply(changes);
          await commits.read();
          for (const change of changes) applyUsable(archive, change);
          for (const [index, ask] of asks.entries()) {
            const expected = [index, await outcomeOf(ask(memory))];
            expect([index, await outcomeOf(ask(platform))]).toEqual(expected);
          }
        }
        const before = statements;
        await platform.search(parse('min_faves:0'), 'Latest', firstPage, options);
        expect(statements - before).toBe(1);
      }),
      { numRuns: rounds(8), endOnFailure: true },
    );
  }, 600_000);

  test('a page of tweets needs three statements: the user, the ids, and the tweets with their authors', async () => {
    await tables.clear();
    const sql = sqlArchive(tables);
    const tweet = { author_id: '1', text: 'coffee', created_at: '2026-01-01T00:00:00Z' };
    await sql.apply([
      { kind: 'user', user: { id: '1', username: 'Mira', name: 'Mira L' } },
      { kind: 'tweet', tweet: { ...tweet, id: '1' } },
      { kind: 'tweet', tweet: { ...tweet, id: '2' } },
    ]);
    let statements = 0;
    const run: Run = async (statement) => (statements++, tables.database.run(statement));
    const platform: Platform = new PostgresPlatform({ run }, sql);
    const { items } = await platform.lastTweets({ username: 'mira' }, true, firstPage, options);
    expect(items.map(({ author }) => author.name)).toEqual(['Mira L', 'Mira L']);
    expect(statements).toBe(3);
  });

  test('a call that names a user by the username finds the user with one statement', async () => {
    await tables.clear();
    const sql = sqlArchive(tables);
    await sql.apply([
      { kind: 'user', user: { id: '1', username: 'Mira', name: 'Mira L' } },
      { kind: 'community', community: { id: '901', name: 'First' } },
      { kind: 'membership', community_id: '901', user_id: '1', role: 'member' },
    ]);
    const statements: string[] = [];
    const run: Run = async (statement) => (statements.push(statement.text), tables.database.run(statement));
    const platform: Platform = new PostgresPlatform({ run }, sql);
    expect(await platform.userInfo({ username: 'mira' }, options)).toMatchObject({ user: { id: '1', name: 'Mira L' } });
    expect(statements).toHaveLength(1);
    const { items } = await platform.communitiesOf('mira', firstPage, options);
    expect(items).toHaveLength(1);
    // The user, the page of ids, and the communities.
    expect(statements).toHaveLength(4);
  });

  test('all pages of Top and discover are as of the first page, while counts change, tweets come and go', async () => {
    await tables.clear();
    const sql = sqlArchive(tables);
    const platform: Platform = new PostgresPlatform(tables.database, sql);
    const tweet = (id: number, like_count: number, minute = 1): Change => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(id), author_id: '1', text: 'coffee', like_count, community_id: '901' },
        ...{ created_at: '2026-01-01T00:00:00.000Z', observed_at: `2026-01-02T00:0${minute}:00.000Z` },
      },
    });
    await sql.apply([{ kind: 'community', community: { id: '901', name: 'First' } }]);
    await sql.apply([1, 2, 3, 4, 5, 6].map((id) => tweet(id, 10 * id)));
    for (const ask of [
      (page: PageRequest) => platform.search(parse('coffee'), 'Top', page, options),
      (page: PageRequest) => platform.discover('901', page, options),
    ]) {
      const first = await ask({ after: undefined, limit: 2 });
      await sql.apply([tweet(1, 900, 2), tweet(4, 0, 2), tweet(7, 35, 2)]);
      await sql.apply([tweet(1, 5, 3), { kind: 'delete', tweet_id: '3' }]);
      const second = await ask({ after: first.next ?? undefined, limit: 9 });
      const ids = [...first.items, ...second.items].map(({ id }) => id);
      expect(ids).toEqual(['6', '5', '4', '2', '1']);
      await sql.apply([
        { kind: 'restore', tweet_id: '3' },
        { kind: 'delete', tweet_id: '7' },
      ]);
      await sql.apply([{ kind: 'restore', tweet_id: '7' }, tweet(1, 10, 4), tweet(3, 30, 4), tweet(4, 40, 4)]);
      await sql.apply([{ kind: 'evict', tweet_ids: ['7'], user_ids: [], tombstone_ids: ['7'], at: '' }]);
    }
  });

  test('without the database, each call answers 503', async () => {
    const lost = async (): Promise<never> => {
      throw new DatabaseError('the connection was lost', { isUnknown: false, isDisconnected: true });
    };
    const platform: Platform = new PostgresPlatform({ run: lost }, { apply: lost });
    for (const ask of [
      platform.tweet('1', options),
      platform.search(parse('coffee'), 'Top', { after: undefined, limit: 1 }, options),
      platform.unlike('1', options),
      platform.snapshots(['1'], options),
    ])
      await expect(ask).rejects.toMatchObject({ status: 503 });
  });
});
