/** Erasures from the tables of each engine, and what PostgreSQL keeps of them. */
import { PostgresArchiveDatabase } from '../../server/engines/postgres/writes/postgres-archive-database.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import { SqlErasedArchive } from '../../server/maintenance/erase/sql-erased-archive.ts';
import { Eraser } from '../../server/maintenance/erase/eraser.ts';
import type { EraseRequest } from '../../server/maintenance/erase/erasure.ts';
import type { SnapshotChange } from '../../server/archive/rules/change.ts';
import { parse } from '../../server/search/language/parse.ts';
import { idsFound } from '../../server/archive/reads/tweet-ids.ts';
import { archiveOn, contentIn, describeEngines, type ArchiveTables } from '../archive/engines.ts';
import { SqlArchive } from '../../server/archive/writes/sql-archive.ts';
import { erasedIn } from '../../server/engines/postgres/maintenance/erased-snapshots.ts';
import { vacuum } from '../../server/engines/postgres/maintenance/vacuum.ts';
import { history, tweets, usernames, users } from '../engines/postgres/changes.ts';
import { readSnapshot } from '../../server/engines/postgres/store/statements.ts';
import { PostgresTables } from '../engines/postgres/tables.ts';
import { testDatabaseUrl } from '../ports/postgres.ts';
import fc from '../support/property.ts';
import { rounds } from '../support/rounds.ts';

const describeDatabase = testDatabaseUrl === undefined ? describe.skip : describe;
const conversations = { countUsing: () => 0, endUsing: async () => 0, purge: async () => {} };
const at = '2026-06-01T00:00:00.000Z';

const request: fc.Arbitrary<EraseRequest> = fc.oneof(
  fc.array(fc.constantFrom(...tweets, '777'), { maxLength: 4 }).map((ids): EraseRequest => ({ kind: 'tweets', ids })),
  fc.constantFrom(...users, ...usernames, 'nobody').map((user): EraseRequest => ({ kind: 'user', user })),
  fc.nat(10).map((step): EraseRequest => ({ kind: 'before', time: 1_770_000_000_000 + step * 60_000 })),
  fc.constantFrom('coffee', 'from:mira', '@mira', '-coffee').map((query): EraseRequest => ({ kind: 'query', query })),
);

describeDatabase('an erasure from tables', () => {
  let tables: PostgresTables;
  let sql: SqlArchive;
  let erased: SqlErasedArchive;
  beforeAll(async () => {
    tables = await PostgresTables.create();
    const { database } = tables;
    sql = new SqlArchive(new PostgresArchiveDatabase(database), { eventRecord: (event) => event, now: () => 0 });
    erased = new SqlErasedArchive({ ...erasedIn(database), archive: sql, deadLetters: () => 0 });
  });
  afterAll(() => tables.dispose());

  test('in steps: no row keeps a text, dead or alive, and the report names what PostgreSQL keeps', async () => {
    await tables.clear();
    // Random letters, so that PostgreSQL stores the document elsewhere.
    const tweet = (number: number): ArchiveRecord => ({
      kind: 'tweet',
      tweet: {
        ...{ id: String(number + 1), author_id: number % 2 === 0 ? '7' : '8', created_at: at },
        text: `secret${number} ${randomBytes(number % 100 === 0 ? 4_000 : 20).toString('hex')} @named`,
        entities: { mentions: [{ username: 'named' }], hashtags: [], cashtags: [], urls: [] },
      },
    });
    const user = (id: string): ArchiveRecord => ({
      kind: 'user',
      user: { id, username: `secretuser${id}`, name: 'secret name', description: 'secret words' },
    });
    await sql.apply([user('7'), user('8'), ...Array.from({ length: 1200 }, (_, number) => tweet(number))]);
    expect(await tables.textCount('secret')).toBeGreaterThan(1200);
    const eraser = new Eraser({
      archive: erased,
      conversations,
      purgeWithinMs: 0,
      uploads: async () => 0,
      damaged: async () => [],
    });
    const steps: number[] = [];
    const report = await eraser.erase({ kind: 'query', query: 'from:secretuser8' }, (done) => steps.push(done));
    expect(report).toMatchObject({ erased: { tweets: 600, users: 0 }, remaining: expect.any(Array) });
    expect(steps).toEqual([500, 600]);
    expect(report.remaining.join()).toMatch(/write-ahead log.*VACUUM FULL/);
    for (const name of ['7', 'secretuser8']) await eraser.erase({ kind: 'user', user: name });
    expect(await tables.textCount('secret')).toBe(0);
    expect(await tables.emptyTablesWithPages()).toEqual([]);
    await expect(eraser.preview({ kind: 'user', user: 'secretuser7' })).rejects.toThrow('no user secretuser7');
    expect(await eraser.preview({ kind: 'user', user: '7' })).toMatchObject({ tweets: 0, users: 0, relations: 0 });
  }, 120_000);

  test('rejects while an older transaction may read the removed rows, and says which one', async () => {
    const { database } = tables;
    await tables.clear();
    await sql.apply([{ kind: 'tweet', tweet: { id: '1', author_id: '7', created_at: at, text: 'secret' } }]);
    await database.transaction(async (run) => {
      await run(readSnapshot);
      const [{ pid } = { pid: 0 }] = await run<{ pid: number }>({ text: 'SELECT pg_backend_pid() AS pid' });
      await sql.apply([{ kind: 'delete', tweet_id: '1' }]);
      // With time for a short transaction of another connection to end.
      await expect(vacuum(database, 300)).rejects.toThrow(
        new RegExp(`keeps removed texts for a transaction of process ${pid} .*pg_terminate_backend\\(${pid}\\)`),
      );
      expect(await run({ text: 'SELECT FROM social_data.tweet' })).toHaveLength(1);
    });
    expect(await tables.emptyTablesWithPages()).not.toEqual([]);
    await vacuum(database);
    expect(await tables.emptyTablesWithPages()).toEqual([]);
  }, 120_000);
});

/** The tweets that an erasure removes: those that it names, and the native retweets of them. */
async function expectedIn(
  tables: ArchiveTables,
  request: EraseRequest,
): Promise<{ readonly ids: Set<string>; readonly content: readonly SnapshotChange[] }> {
  const content = await contentIn(tables);
  const all = content.flatMap((change) => (change.kind === 'tweet' ? [change.tweet] : []));
  const isUser = ({ author_id: author }: ArchivedTweet, user: string): boolean =>
    author === user ||
    content.some((change) => change.kind === 'user' && change.user.id === author && isNamed(change.user, user));
  const found = request.kind === 'query' ? await flat(idsFound(tables.searchOn(tables.run), parse(request.query))) : [];
  const named = all.filter((tweet) => {
    if (request.kind === 'tweets') return request.ids.includes(tweet.id);
    if (request.kind === 'before') return Date.parse(tweet.created_at) < request.time;
    return request.kind === 'user' ? isUser(tweet, request.user) : found.includes(tweet.id);
  });
  const ids = new Set(named.map(({ id }) => id));
  // A retweet of a retweet.
  for (let size = -1; size !== ids.size;) {
    size = ids.size;
    for (const { id, retweeted_tweet_id: retweeted } of all)
      if (retweeted !== undefined && ids.has(retweeted)) ids.add(id);
  }
  return { ids, content };
}

const isNamed = ({ username }: { readonly username?: string }, name: string): boolean =>
  username?.toLowerCase() === name.toLowerCase();

async function flat<Each>(pages: AsyncIterable<readonly Each[]>): Promise<Each[]> {
  const found: Each[] = [];
  for await (const page of pages) found.push(...page);
  return found;
}

describeEngines('an erasure', (tables) => {
  test('removes what it names and native retweets of it, and nothing else', async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(history, fc.array(request, { minLength: 1, maxLength: 3 }), async (batches, requests) => {
        await tables().clear();
        const archive = archiveOn(tables());
        const { run } = tables();
        const part = new SqlErasedArchive({
          inSnapshot: (read) => read({ run, search: tables().searchOn(run) }),
          ...{ archive, purge: async () => {}, remains: [], deadLetters: () => 0 },
        });
        for (const changes of batches) await archive.apply(changes);
        for (const wanted of requests) {
          // Which id a username has that several users had is another question.
          if (wanted.kind === 'user' && usernames.includes(wanted.user)) continue;
          const { ids, content } = await expectedIn(tables(), wanted);
          const erasure = await part.find(wanted).catch((error: Error) => error.message);
          if (typeof erasure === 'string') {
            expect([wanted, erasure]).toEqual([wanted, expect.stringMatching(/^the archive has no user/)]);
            expect(ids.size).toBe(0);
            continue;
          }
          const known = content.flatMap((change) => (change.kind === 'tweet' ? [change.tweet.id] : []));
          expect([wanted, known.filter((id) => erasure.tweetIds.has(id)).toSorted()]).toEqual([
            wanted,
            [...ids].toSorted(),
          ]);
          expect(await part.count(erasure)).toMatchObject({ tweets: erasure.tweetIds.size });
          for (const record of erasure.records) await part.apply([{ ...record, at } as ArchiveRecord]);
          const after = await contentIn(tables());
          const left = after.flatMap((change) => (change.kind === 'tweet' ? [change.tweet.id] : []));
          expect(left.toSorted()).toEqual(known.filter((id) => !ids.has(id)).toSorted());
          if (erasure.userId !== undefined)
            expect(after.some((change) => change.kind === 'user' && change.user.id === erasure.userId)).toBe(false);
          for (const id of ids)
            expect(
              after.some((change) => change.kind === 'delete' && change.tweet_id === id) || wanted.kind === 'user',
            ).toBe(true);
          found += ids.size;
        }
      }),
      { numRuns: rounds(20), endOnFailure: true },
    );
    expect(found).toBeGreaterThan(rounds(20) / 2);
  }, 300_000);
});
