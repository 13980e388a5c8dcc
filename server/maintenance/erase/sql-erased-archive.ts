/** Erasures from the tables of an archive. */
import { isId } from '../../domain/record-id.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import type { ErasableTables, Snapshot } from '../../archive/archive-engine.ts';
import { Archive } from '../../archive/rules/archive.ts';
import { ContentReader } from '../../archive/reads/content-reader.ts';
import { idOf, idsOf } from '../../archive/content/database-id.ts';
import { findUser } from '../../archive/reads/known-users.ts';
import type { ArchiveWriter } from '../../archive/writes/sql-archive.ts';
import { idsFound, tweetIdsWhere } from '../../archive/reads/tweet-ids.ts';
import { among, joined, raw, sql, type Fragment, type Integer, type RunSql } from '../../archive/sql.ts';
import { parse } from '../../search/language/parse.ts';
import { unknownUser, type ArchiveCounts, type ErasedArchive, type Erasure, type EraseRequest } from './erasure.ts';

export interface SqlErasedArchiveParts extends ErasableTables {
  readonly archive: ArchiveWriter;
  /** The number of records that could not be applied and are stored with their texts. */
  readonly deadLetters: () => number;
}

/** The ids in one statement. */
const maxIds = 5_000;

export class SqlErasedArchive implements ErasedArchive {
  readonly #parts: SqlErasedArchiveParts;

  constructor(parts: SqlErasedArchiveParts) {
    this.#parts = parts;
  }

  find(request: EraseRequest): Promise<Erasure> {
    return this.#parts.inSnapshot((snapshot) => find(snapshot, request));
  }

  count(erasure: Erasure): Promise<ArchiveCounts> {
    return this.#parts.inSnapshot(({ run }) => count(run, erasure));
  }

  async apply(records: ArchiveRecord[]): Promise<void> {
    await this.#parts.archive.apply(records);
  }

  purge(): Promise<void> {
    return this.#parts.purge();
  }

  async remaining(): Promise<readonly string[]> {
    const deadLetters = this.#parts.deadLetters();
    const records = deadLetters === 0 ? [] : [`the document set-aside: ${deadLetters} records with their texts`];
    return [...this.#parts.remains, ...records];
  }
}

async function find(snapshot: Snapshot, request: EraseRequest): Promise<Erasure> {
  const { run } = snapshot;
  const found = new FoundRemovals(run);
  if (request.kind !== 'user') {
    for await (const ids of requestedIds(snapshot, request)) await found.add(ids, 'erased');
    return { records: found.records, tweetIds: found.tweetIds, userId: undefined };
  }
  const userId = await userIdOf(run, request.user);
  // The tweets first, step by step: a withdrawal is one transaction.
  for await (const ids of tweetIdsWhere(run, sql`author_id = ${idOf(userId)}`)) await found.add(ids, 'account');
  const isLeft = !(await isWithdrawn(run, userId)) || (await hasLists(run, userId));
  const withdrawal: ArchiveRecord[] = isLeft ? [{ kind: 'withdraw', user_id: userId }] : [];
  const records = [...found.records, ...withdrawal];
  return { records, tweetIds: found.tweetIds, userId: records.length > 0 ? userId : undefined };
}

/** The tweets that deletions remove, by the rules of the archive, loaded with what the deletions touch. */
class FoundRemovals {
  readonly records: ArchiveRecord[] = [];
  readonly tweetIds = new Set<string>();
  readonly #run: RunSql;

  constructor(run: RunSql) {
    this.#run = run;
  }

  async add(ids: readonly string[], reason: 'erased' | 'account'): Promise<void> {
    const deletions = ids.map((tweet_id) => ({ kind: 'delete' as const, tweet_id, reason }));
    const archive = new Archive();
    archive.restore(await new ContentReader(this.#run).read(deletions));
    for (const deletion of deletions) {
      const removed = archive.removedBy(deletion);
      if (removed.length > 0) this.records.push(deletion);
      for (const id of removed) this.tweetIds.add(id);
    }
  }
}

/** The ids that a request names, page by page. */
async function* requestedIds(
  { run, search }: Snapshot,
  request: Exclude<EraseRequest, { kind: 'user' }>,
): AsyncGenerator<readonly string[]> {
  if (request.kind === 'tweets') return yield* partsOf([...new Set(request.ids)], 500);
  if (request.kind === 'query') return yield* idsFound(search, parse(request.query));
  yield* tweetIdsWhere(run, sql`created_at < ${request.time}`);
}

/** The id of a user to erase. Rejects with an Error where the tables know no such user. */
async function userIdOf(run: RunSql, user: string): Promise<string> {
  const named = await findUser(run, { username: user });
  if (named?.user.id !== undefined) return named.user.id;
  // An id that was erased before has nothing left to be found by.
  const isKnown = isId(user) && ((await isWithdrawn(run, user)) || (await findUser(run, { user_id: user })));
  if (!isKnown) throw unknownUser(user);
  return user;
}

const exists = async (run: RunSql, statement: Fragment): Promise<boolean> =>
  (await run(sql`${statement} LIMIT 1`)).length > 0;

const isWithdrawn = (run: RunSql, userId: string): Promise<boolean> =>
  exists(run, sql`SELECT 1 FROM social_data.withdrawn WHERE user_id = ${idOf(userId)}`);

const hasLists = (run: RunSql, userId: string): Promise<boolean> =>
  exists(run, sql`SELECT 1 FROM social_data.list WHERE owner_id = ${idOf(userId)}`);

/** How often relations began: the first known start, and another one. */
const starts = raw(
  'coalesce(sum(CASE WHEN at IS NULL THEN 0 ELSE 1 END + CASE WHEN last IS NULL THEN 0 ELSE 1 END), 0)',
);

async function count(run: RunSql, { tweetIds, userId }: Erasure): Promise<ArchiveCounts> {
  const ids = [...tweetIds];
  let relations = 0;
  for (const part of partsOf(ids, maxIds)) relations += await countOfTweets(run, part, userId);
  if (userId === undefined) return { tweets: ids.length, users: 0, relations };
  const user = await countOfUser(run, userId);
  return { tweets: ids.length, users: user.users, relations: relations + user.relations };
}

/** The relations to tweets, without those of a user. */
async function countOfTweets(run: RunSql, ids: readonly string[], userId: string | undefined): Promise<number> {
  const isNamed = among('tweet_id', idsOf(ids));
  const others = userId === undefined ? isNamed : sql`${isNamed} AND user_id <> ${idOf(userId)}`;
  const [row] = await run<{ n: Integer }>(
    sql`SELECT (SELECT ${starts} FROM social_data.retweet WHERE ${others})
      + (SELECT ${starts} FROM social_data.highlight WHERE ${others})
      + (SELECT count(*) FROM social_data.tweet_like WHERE ${isNamed} AND is_liked) AS n`,
  );
  return Number(row?.n ?? 0);
}

async function countOfUser(run: RunSql, id: string): Promise<{ users: number; relations: number }> {
  const user = idOf(id);
  const relations = [
    sql`(SELECT ${starts} FROM social_data.follow WHERE follower_id = ${user} OR following_id = ${user})`,
    ...['retweet', 'highlight', 'membership', 'list_member'].map(
      (table) => sql`(SELECT ${starts} FROM social_data.${raw(table)} WHERE user_id = ${user})`,
    ),
    sql`(SELECT count(*) FROM social_data.list WHERE owner_id = ${user})`,
    sql`(SELECT count(*) FROM social_data.space WHERE host_id = ${user})`,
  ];
  const [row] = await run<{ users: Integer; relations: Integer }>(
    sql`SELECT ${joined(relations, ' + ')} AS relations,
      (SELECT count(*) FROM social_data.person WHERE id = ${user} AND described_at IS NULL) AS users`,
  );
  return { users: Number(row?.users ?? 0), relations: Number(row?.relations ?? 0) };
}

function* partsOf<Each>(all: readonly Each[], length: number): Generator<readonly Each[], void> {
  for (let from = 0; from < all.length; from += length) yield all.slice(from, from + length);
}
