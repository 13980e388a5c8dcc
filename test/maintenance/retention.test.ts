/** What the housekeeping evicts from the tables of each engine. */
import { expect, test } from '@jest/globals';
import type { ArchiveWriter } from '../../server/archive/writes/sql-archive.ts';
import type { Retain } from '../../server/config/retain.ts';
import { raw, sql } from '../../server/archive/sql.ts';
import type { ArchivedTweet } from '../../server/domain/records.ts';
import { Housekeeping } from '../../server/maintenance/retention/housekeeping.ts';
import { SqlRetainedArchive } from '../../server/maintenance/retention/sql-retained-archive.ts';
import type { Change, SnapshotChange } from '../../server/archive/rules/change.ts';
import { parse } from '../../server/search/language/parse.ts';
import { idsFound } from '../../server/archive/reads/tweet-ids.ts';
import { archiveOn, contentIn, describeEngines, type ArchiveTables } from '../archive/engines.ts';
import { history } from '../engines/postgres/changes.ts';
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
async function evict(archive: SqlRetainedArchive, retain: Retain, keep: string): Promise<number> {
  const logger = { info: () => {}, error: (error: unknown) => Promise.reject(error) };
  const conversations = { usedTweets: () => new Set<string>(), endUsing: async () => 0, stop: () => {} };
  const unfollowed = () => () => true;
  return new Housekeeping({ archive, conversations, retain, keep, logger, unfollowed, now: () => now }).evict();
}

const retained = (tables: ArchiveTables, archive: ArchiveWriter): SqlRetainedArchive =>
  new SqlRetainedArchive({ run: tables.run, archive, search: tables.searchOn(tables.run) });

const timeOf = ({ created_at: at }: ArchivedTweet): number => Date.parse(at);
const tweetsOf = (content: readonly SnapshotChange[]): ArchivedTweet[] =>
  content.flatMap((change) => (change.kind === 'tweet' ? [change.tweet] : []));

/** The tweets beyond a retention, oldest first, which no kept query finds. */
function evictable(content: readonly SnapshotChange[], kept: ReadonlySet<string>, retain: Exclude<Retain, 'off'>) {
  const tweets = tweetsOf(content);
  const candidates = tweets
    .filter(({ id }) => !kept.has(id))
    .toSorted((a, b) => timeOf(a) - timeOf(b) || (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
  const old =
    'tweets' in retain
      ? candidates.slice(0, Math.max(0, tweets.length - retain.tweets))
      : candidates.filter((tweet) => timeOf(tweet) < now - retain.ageMs);
  return old.map(({ id }) => id);
}

/** The users with a profile of before last month whom no tweet of theirs and no relation needs. */
function idleUsers(content: readonly SnapshotChange[]): string[] {
  const needed = new Set<string>();
  for (const change of content) {
    if (change.kind === 'tweet') needed.add(change.tweet.author_id);
    if (change.kind === 'follow') for (const id of [change.follower_id, change.following_id]) needed.add(id);
    if (change.kind === 'retweet' || change.kind === 'membership' || change.kind === 'highlight')
      needed.add(change.user_id);
  }
  return content.flatMap((change) => (change.kind === 'user' && !needed.has(change.user.id) ? [change.user.id] : []));
}

describeEngines('the housekeeping of tables', (tables) => {
  test('evicts after random histories the oldest tweets beyond the retention, and who needs nothing of them', async () => {
    await fc.assert(
      fc.asyncProperty(history, retention, fc.constantFrom(...keeps), async (batches, retain, keep) => {
        await tables().clear();
        const archive = archiveOn(tables());
        for (const changes of batches) await archive.apply(changes);
        const stored = retained(tables(), archive);
        const before = await contentIn(tables());
        const search = tables().searchOn(tables().run);
        const kept = keep === '' ? [] : await flat(idsFound(search, parse(keep)));
        const expected = evictable(before, new Set(kept), retain);
        expect(await flat(stored.evictable({ retain, keep, now }))).toEqual(expected);
        expect(await evict(stored, retain, keep)).toBe(expected.length);
        const after = await contentIn(tables());
        const gone = new Set(expected);
        expect(
          tweetsOf(after)
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(
          tweetsOf(before)
            .flatMap(({ id }) => (gone.has(id) ? [] : [id]))
            .toSorted(),
        );
        expect(idleUsers(after)).toEqual([]);
        const users = after.flatMap((change) => (change.kind === 'user' ? [change.user.id] : []));
        const idle = new Set(
          idleUsers(before.filter((change) => change.kind !== 'tweet' || !gone.has(change.tweet.id))),
        );
        for (const change of before)
          if (change.kind === 'user' && !idle.has(change.user.id)) expect(users).toContain(change.user.id);
        expect(await stored.missing(expected)).toEqual(gone);
      }),
      { numRuns: rounds(6), endOnFailure: true },
    );
  }, 300_000);

  test('evicts thousands without a row that stays', async () => {
    await tables().clear();
    const [archive, ids] = [archiveOn(tables()), Array.from({ length: 2500 }, (_, index) => String(1000 + index))];
    const tweetOf = (id: string, index: number, like_count: number): Change => ({
      kind: 'tweet',
      tweet: {
        ...{ id, author_id: '7', text: `@ada tea ${'word '.repeat(index === 0 ? 20_000 : 3)}`, like_count },
        created_at: new Date(start + Math.floor(index / 7)).toISOString(),
        observed_at: new Date(start + like_count).toISOString(),
        entities: { mentions: [{ username: 'ada', id: '9' }], hashtags: [], cashtags: [], urls: [] },
      },
    });
    await archive.apply(ids.map((id, index) => tweetOf(id, index, 1)));
    await archive.apply(ids.slice(0, 100).map((id, index) => tweetOf(id, index, 2)));
    const stored = retained(tables(), archive);
    expect(await stored.size()).toBe(2500);
    expect([...(await stored.missing(['1000', '9999999']))]).toEqual(['9999999']);
    expect(await evict(stored, { tweets: 1 }, 'tea -word')).toBe(2499);
    expect(await stored.missing(ids)).toEqual(new Set(ids.slice(0, -1)));
    expect(await evict(stored, { ageMs: 1 }, '')).toBe(1);
    for (const table of ['tweet', 'tweet_count', 'mention', 'engagement_before', 'person', 'tombstone'])
      expect([table, await tables().run(sql`SELECT 1 FROM social_data.${raw(table)}`)]).toEqual([table, []]);
  }, 60_000);
});
