/** What live sources read of tables is what they read of an archive in memory. */
import { beforeAll, expect, test } from '@jest/globals';
import type { ArchivedTweet } from '../../../server/domain/records.ts';
import { Archive } from '../../../server/platforms/archive/archive.ts';
import { UnusableRecord } from '../../../server/platforms/archive/change.ts';
import { ArchiveHeldRecords } from '../../../server/platforms/archive/held-records.ts';
import { TablesHeldRecords } from '../../../server/archive/reads/tables-held-records.ts';
import { userId } from '../../../server/domain/tid.ts';
import type { HeldArchive } from '../../../server/ports/held-records.ts';
import type { KnownUser } from '../../../server/ports/platform.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';
import { archiveOn, describeEngines, type ArchiveTables } from '../engines.ts';
import { history, tweets, usernames, users } from '../../platforms/postgres/changes.ts';

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

describeEngines('held records', (opened) => {
  let tables: ArchiveTables;
  let held: TablesHeldRecords;
  beforeAll(() => {
    tables = opened();
    held = new TablesHeldRecords(tables.run, tables.searchOn(tables.run));
  });

  test('are those of an archive in memory after random histories', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        await tables.clear();
        const sql = archiveOn(tables);
        const archive = new Archive();
        const account = { kind: 'user', user: { id: userId(did), username: 'tables.example.com', did } } as const;
        for (const changes of [[account], ...batches]) {
          await sql.apply(changes);
          for (const change of changes)
            try {
              archive.apply(change);
            } catch (error) {
              if (!(error instanceof UnusableRecord)) throw error;
            }
        }
        expect(await answers(held)).toEqual(await answers(new ArchiveHeldRecords(archive)));
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
