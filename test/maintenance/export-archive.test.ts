/** An export has the records of an archive in memory, of one moment. */
import { expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { Export } from '../../server/maintenance/export/export.ts';
import type { ExportRequest } from '../../server/maintenance/export/selected-content.ts';
import { exportOf } from '../../server/maintenance/export/export.ts';
import { Archive } from '../../server/archive/rules/archive.ts';
import { UnusableRecord, type Change, type SnapshotChange } from '../../server/archive/rules/change.ts';
import { contentOf } from '../../server/archive/upkeep/contents.ts';
import { archiveOn, describeEngines } from '../archive/engines.ts';
import { history, usernames, users } from '../engines/postgres/changes.ts';
import { sortedContent } from '../engines/postgres/tables.ts';
import { documentOf } from '../../server/search/document.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { parse } from '../../server/search/language/parse.ts';
import { ContentContext, describedUsers } from '../support/content-context.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const minute = (step: number): number => 1_770_000_000_000 + step * 60_000;

/** The records of an export, in an order of their own. */
async function recordsOf(opening: Promise<Export>): Promise<string[]> {
  const { chunks, counts, close } = await opening;
  let text = '';
  for await (const chunk of chunks) text += chunk;
  await close();
  const records = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ArchiveRecord);
  expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(records.length);
  return sortedContent(records);
}

function applied(archive: Archive, change: Change): void {
  try {
    archive.apply(change);
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
  }
}

const user = fc.constantFrom(...users, ...usernames, 'nobody');
const query = fc.constantFrom(
  'coffee',
  '-coffee',
  'from:mira OR to:mira',
  '(@mira OR @tom OR beans) include:nativeretweets',
);
const since = fc.nat(6).map(minute);
const until = fc.integer({ min: 3, max: 10 }).map(minute);
const request: fc.Arbitrary<ExportRequest> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ user }) },
  { weight: 3, arbitrary: fc.record({ query }) },
  fc.record({ since }),
  fc.record({ since, until }),
  fc.record({ user, until }),
  fc.record({ query, since }),
);

const wholeOf = async (archive: Archive): Promise<Export> => exportOf({ total: undefined, changes: archive.changes() });

/** Compares a partial export with the content: it has the requested tweets, what they need, and no other tweet. */
function expectSelected(archive: Archive, wanted: ExportRequest, lines: readonly string[]): void {
  const content = [...archive.changes()];
  const records = lines.map((line) => JSON.parse(line) as ArchiveRecord);
  const tweets = new Map(
    records.flatMap((each) => (each.kind === 'tweet' ? [[each.tweet.id, each.tweet] as const] : [])),
  );
  const context = new ContentContext(content);
  const condition = wanted.query === undefined ? undefined : compileQuery(parse(wanted.query));
  const owners = new Set(wanted.user === undefined ? [] : idsNamed(content, wanted.user));
  const chosen = context.tweets.filter(
    (tweet) =>
      (wanted.user === undefined || owners.has(tweet.author_id)) &&
      (wanted.since === undefined || Date.parse(tweet.created_at) >= wanted.since) &&
      (wanted.until === undefined || Date.parse(tweet.created_at) < wanted.until) &&
      (condition === undefined || matches(condition, documentOf(tweet, context), Date.now())),
  );
  expect([wanted, chosen.filter(({ id }) => !tweets.has(id)).map(({ id }) => id)]).toEqual([wanted, []]);
  const isThere = new Set(context.tweets.map(({ id }) => id));
  const named = new Set(chosen.map(({ id }) => id));
  for (const each of records) if (each.kind === 'retweet' || each.kind === 'highlight') named.add(each.tweet_id);
  for (const { quoted_tweet_id: quoted, retweeted_tweet_id: retweeted } of tweets.values())
    for (const id of [quoted, retweeted]) if (id !== undefined) named.add(id);
  const [found, needed] = [[...tweets.keys()], [...named].filter((id) => isThere.has(id))];
  expect([wanted, found.toSorted()]).toEqual([wanted, needed.toSorted()]);
  const profiles = new Set(records.flatMap((each) => (each.kind === 'user' ? [each.user.id] : [])));
  for (const { author_id } of tweets.values())
    if (context.profiles.has(author_id)) expect(profiles).toContain(author_id);
  const [ids, held] = [entityIds(records), entityIds(content)];
  for (const { community_id: community, place_id: place } of tweets.values()) {
    if (held.has(`community ${community}`)) expect(ids).toContain(`community ${community}`);
    if (held.has(`place ${place}`)) expect(ids).toContain(`place ${place}`);
  }
}

/** The communities and places in content. */
const entityIds = (content: readonly SnapshotChange[]): Set<string> =>
  new Set(
    content.flatMap((each) => {
      if (each.kind === 'community') return `community ${each.community.id}`;
      return each.kind === 'place' ? `place ${each.place.id}` : [];
    }),
  );

/** The ids that a username or an id can be. */
const idsNamed = (content: readonly SnapshotChange[], user: string): string[] => [
  user,
  ...content.flatMap((each) =>
    each.kind === 'user' && each.user.username.toLowerCase() === user.toLowerCase() ? [each.user.id] : [],
  ),
  ...Array.from(describedUsers(content).values(), ({ user: described }) => described)
    .filter(({ username }) => username.toLowerCase() === user.toLowerCase())
    .map(({ id }) => id),
];

describeEngines('an export', (tables) => {
  const exported = (wanted: ExportRequest): Promise<Export> => tables().exportOf(wanted);

  test('has the whole content, and parts of it with what their tweets need', async () => {
    let partial = 0;
    await fc.assert(
      fc.asyncProperty(history, fc.array(request, { maxLength: 4 }), async (batches, requests) => {
        await tables().clear();
        const archive = new Archive();
        for (const change of batches.flat()) applied(archive, change);
        for (const changes of batches) await archiveOn(tables()).apply(changes);
        const whole = await recordsOf(exported({}));
        expect(whole).toEqual(await recordsOf(wholeOf(archive)));
        for (const wanted of requests) {
          const found = await recordsOf(exported(wanted)).catch(({ message }: Error) => message);
          if (typeof found === 'string') {
            expect([wanted.user, found]).toEqual([
              expect.any(String),
              expect.stringMatching(/has no user|mentions only/),
            ]);
            continue;
          }
          partial += found.length;
          expect(found.filter((line) => !whole.includes(line))).toEqual([]);
          expectSelected(archive, wanted, found);
        }
      }),
      { numRuns: rounds(24, 24), endOnFailure: true },
    );
    expect(partial).toBeGreaterThan(100);
  }, 300_000);

  test('an import of it into an empty archive in memory gives the same content, and back', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables().clear();
        for (const changes of batches) await archiveOn(tables()).apply(changes);
        const lines = await recordsOf(exported({}));
        const records = lines.map((line) => JSON.parse(line) as ArchiveRecord);
        const archive = new Archive();
        for (const record of records) archive.apply(structuredClone(record));
        await tables().clear();
        await archiveOn(tables()).apply(records);
        const again = await recordsOf(exported({}));
        expect(again).toEqual(await recordsOf(wholeOf(archive)));
      }),
      { numRuns: rounds(10), endOnFailure: true },
    );
  }, 300_000);

  test('of a user and of a query has all of many rows, once each', async () => {
    await tables().clear();
    const ids = Array.from({ length: 460 }, (_, number) => String(1000 + number));
    const changes = ids.flatMap((id, number): Change[] => [
      { kind: 'user', user: { id, username: `u${id}` } },
      { kind: 'follow', follower_id: id, following_id: '7' },
      { kind: 'follow', follower_id: '7', following_id: id },
      { kind: 'retweet', tweet_id: id, user_id: '7' },
      { kind: 'retweet', tweet_id: '1001', user_id: id },
      {
        kind: 'tweet',
        tweet: {
          ...{ id, author_id: number % 2 === 0 ? '7' : id, text: number % 2 === 0 ? 'even' : 'odd' },
          ...(number > 0 && { quoted_tweet_id: String(999 + number) }),
          created_at: new Date(minute(number)).toISOString(),
        },
      },
    ]);
    for (let from = 0; from < changes.length; from += 3000)
      await archiveOn(tables()).apply(changes.slice(from, from + 3000));
    // A service exports in the thread that answers requests, so a page has few rows.
    for await (const page of contentOf(tables().run)) expect(page.length).toBeLessThanOrEqual(100);
    const countsOf = async (wanted: ExportRequest): Promise<object> => {
      const records = await recordsOf(exported(wanted));
      expect(new Set(records).size).toBe(records.length);
      return Object.fromEntries(
        Map.groupBy(records, (line) => (JSON.parse(line) as ArchiveRecord).kind)
          .entries()
          .map(([kind, lines]) => [kind, lines.length]),
      );
    };
    // The newest tweet quotes the one before it, and so on: all are needed. Of user 7, no record describes a name.
    expect(await countsOf({ user: '7' })).toEqual({ user: 460, tweet: 460, follow: 920, retweet: 460 });
    // Of a table, only what is requested.
    expect(await countsOf({ query: 'odd', table: 'tweets' })).toEqual({ tweet: 230 });
    expect(await countsOf({ query: 'odd', table: 'users' })).toEqual({ user: 460 });
    expect(await countsOf({ table: 'tweets' })).toEqual({ tweet: 460 });
    const whole = await exported({ table: 'users' });
    expect(whole.total).toBe(460);
    await whole.close();
    expect(await countsOf({ query: 'odd' })).toEqual({ user: 460, tweet: 460, retweet: 690 });
    const span = { since: minute(100), until: minute(200) };
    expect(await countsOf({ ...span, query: 'even' })).toMatchObject({ tweet: 199, retweet: 50 });
    expect(await countsOf({ ...span, user: '7' })).toMatchObject({ tweet: 199, retweet: 50 });
  }, 60_000);

  test('is of one moment, reads no more than its reader, and leaves nothing behind', async () => {
    await tables().clear();
    const tweet = (number: number): Change => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(number), author_id: '7', text: `number ${number} ${'x'.repeat(200)}` },
        created_at: new Date(minute(number)).toISOString(),
      },
    });
    await archiveOn(tables()).apply(Array.from({ length: 800 }, (_, number) => tweet(number)));
    const wanted: ExportRequest = { query: 'number' };
    const { chunks, counts, close } = await exported(wanted);
    const reader = chunks[Symbol.asyncIterator]();
    await reader.next();
    expect(counts['tweet']).toBeLessThan(400);
    await archiveOn(tables()).apply([
      tweet(9999),
      { kind: 'delete', tweet_id: '700', at: new Date(minute(9999)).toISOString() },
    ]);
    while ((await reader.next()).done !== true);
    expect(counts).toEqual({ tweet: 800 });
    await close();
    const abandoned = await exported(wanted);
    await abandoned.close();
    for (let round = 0; round < 4; round++) await expect(exported({ user: 'x' })).rejects.toThrow('no user x');
    // All connections are free again, and the temporary tables are gone.
    expect(await recordsOf(exported(wanted))).toHaveLength(800);
  }, 60_000);
});
