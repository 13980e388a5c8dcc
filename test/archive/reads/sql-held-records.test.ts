// Tests server/archive/reads/content-reader.ts.
/** What live sources read of tables is what follows from the whole content. */
import { beforeAll, expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/archive/rules/archive.ts';
import { SqlHeldRecords } from '../../../server/archive/reads/sql-held-records.ts';
import { userId } from '../../../server/domain/tid.ts';
import type { HeldArchive } from '../../../server/ports/held-records.ts';
import type { KnownUser, UserRef } from '../../../server/ports/platform.ts';
import { documentOf } from '../../../server/search/document.ts';
import { compileQuery } from '../../../server/search/language/compile.ts';
import { matches } from '../../../server/search/language/evaluate.ts';
import { parse } from '../../../server/search/language/parse.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { archiveOn, describeEngines, type ArchiveTables } from '../engines.ts';
import { history, tweets, usernames, users } from '../../engines/postgres/changes.ts';
import { applyUsable, referenceOf } from '../../engines/postgres/platforms.ts';
import { ContentContext, older } from '../../support/content-context.ts';
import { options } from '../../support/call-options.ts';

const did = 'did:plc:tables';

async function all<Each>(items: Iterable<Each> | AsyncIterable<Each>): Promise<Each[]> {
  const found: Each[] = [];
  for await (const each of items) found.push(each);
  return found;
}
const byId = (tweets: readonly ArchivedTweet[]) => tweets.toSorted((a, b) => (a.id < b.id ? -1 : 1));

const known = (user: KnownUser | undefined): KnownUser | undefined => user && { id: user.id, username: user.username };

/** Everything that the port answers about the tweets and users of a history. */
async function answers(held: HeldArchive): Promise<object> {
  const ids = [...tweets, '555'];
  const people = [...users, userId(did), '555'];
  const part = await held.read({ tweets: ids, users: people });
  return {
    tweets: ids.map((id) => [part.tweet(id), part.isRemoved(id), part.addressOf(id)]),
    users: people.map((id) => [part.profile(id), part.isWithdrawn(id), part.hasTweets(id)]),
    lists: await Promise.all(
      people.map(async (id) => [[...(await held.followings(id))].toSorted(), await all(held.tweetsOf(id))]),
    ),
    identities: await Promise.all([
      ...people.map(async (user_id) => known(await held.identity({ user_id }))),
      ...usernames.map(async (username) => known(await held.identity({ username }))),
      ...usernames.map(async (username) => held.userIdOfName(username)),
    ]),
    replies: await Promise.all(ids.map(async (id) => held.replyTo(id))),
    everything: byId(await all(held.tweets())),
    counts: [await held.heldTweets([]), await held.heldTweets(users), await held.heldTweets(['1', '2'])],
    found: byId(await all(held.found('coffee'))),
    accounts: (await held.userIdsOf([did, 'did:plc:unknown', '1', '2'])).toSorted(),
  };
}

/** The answers from the content of an archive. Each reads all of it. */
function heldBy(archive: Archive): HeldArchive {
  const content = [...archive.changes()];
  const oldest = content.flatMap((each) => (each.kind === 'tweet' ? [each.tweet] : [])).toSorted(older);
  const ofUsers = (ids: readonly string[]): ArchivedTweet[] => oldest.filter((each) => ids.includes(each.author_id));
  const platform = referenceOf(archive);
  const identity = (ref: UserRef): Promise<KnownUser | undefined> => platform.user(ref, options).catch(() => undefined);
  const timeOf = (tweet: ArchivedTweet | undefined): number | undefined => tweet && Date.parse(tweet.created_at);
  return {
    read: () => ({
      tweet: (id) => archive.tweet(id),
      isRemoved: (id) => archive.isRemoved(id),
      addressOf: (id) => archive.addressOf(id),
      profile: (id) => archive.profile(id),
      isWithdrawn: (id) => archive.isWithdrawn(id),
      hasTweets: (id) => ofUsers([id]).length > 0,
    }),
    followings: (id) => {
      const follows = content.flatMap((each) => (each.kind === 'follow' && each.follower_id === id ? [each] : []));
      return [...new Set(follows.map((each) => each.following_id))];
    },
    tweetsOf: (id) => ofUsers([id]).toReversed(),
    identity,
    userIdOfName: async (username) => (await identity({ username }))?.id,
    replyTo: (id) => oldest.find((each) => each.in_reply_to_id === id),
    async *tweets() {
      yield* oldest;
    },
    heldTweets: (ids) => {
      const found = ofUsers(ids);
      return { tweets: found.length, oldest: timeOf(found[0]), newest: timeOf(found.at(-1)) };
    },
    found: (query) => {
      const context = new ContentContext(content);
      return oldest.filter((each) => matches(compileQuery(parse(query)), documentOf(each, context), Date.now()));
    },
    userIdsOf: (accounts) => {
      const named = content.flatMap((each) =>
        each.kind === 'user' && accounts.includes(each.user.did ?? '') ? [each.user.id] : [],
      );
      return [...new Set([...accounts.filter((each) => /^\d+$/.test(each)), ...named])];
    },
  };
}

describeEngines('held records', (opened) => {
  let tables: ArchiveTables;
  let held: SqlHeldRecords;
  beforeAll(() => {
    tables = opened();
    held = new SqlHeldRecords(tables.run, tables.searchOn(tables.run));
  });

  test('follow from the whole content after random histories', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const sql = archiveOn(tables);
        const archive = new Archive();
        const account = { kind: 'user', user: { id: userId(did), username: 'tables.example.com', did } } as const;
        for (const changes of [[account], ...batches]) {
          await sql.apply(changes);
          for (const change of changes) applyUsable(archive, change);
        }
        expect(await answers(held)).toEqual(await answers(heldBy(archive)));
      }),
      { numRuns: rounds(6), endOnFailure: true },
    );
  }, 300_000);

  test('have all tweets of an author, newest first, also those of several pages', async () => {
    await tables.clear();
    const sql = archiveOn(tables);
    const time = (number: number): string => new Date(1_770_000_000_000 + Math.floor(number / 3) * 1000).toISOString();
    const ids = Array.from({ length: 450 }, (_, index) => String(1000 + index));
    await sql.apply(
      ids.map((id, index) => ({ kind: 'tweet', tweet: { id, author_id: '7', text: 'a', created_at: time(index) } })),
    );
    expect((await all(held.tweetsOf('7'))).map(({ id }) => id)).toEqual(ids.toReversed());
    expect((await all(held.tweets())).map(({ id }) => id)).toEqual(ids);
  });

  test('refuse a look-up that was not read', async () => {
    const part = await held.read({
      tweets: ['1'],
      users: [],
    });
    expect(part.isRemoved('1')).toBe(false);
    expect(() => part.tweet('2')).toThrow(RangeError);
    expect(() => part.profile('1')).toThrow(RangeError);
  });
});
