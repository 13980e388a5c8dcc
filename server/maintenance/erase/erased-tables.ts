/** Erasures from the tables of PostgreSQL. */
import { isId } from '../../domain/record-id.ts';
import type { ArchiveRecord } from '../../domain/records.ts';
import { Archive } from '../../platforms/archive/archive.ts';
import { ContentReader } from '../../platforms/postgres/reads/content-reader.ts';
import { toDatabaseId } from '../../platforms/postgres/rows/database-id.ts';
import { findUser } from '../../platforms/postgres/reads/known-users.ts';
import type { SqlArchive } from '../../platforms/postgres/writes/sql-archive.ts';
import { idsFound, pagesOf } from '../../platforms/postgres/reads/tweet-ids.ts';
import { parse } from '../../search/language/parse.ts';
import type { Database, Run, Statement } from '../../storage/postgres/database.ts';
import { readSnapshot } from '../../storage/postgres/statements.ts';
import type { ErasedArchive } from './erased-archive.ts';
import { unknownUser, type ArchiveCounts, type Erasure, type EraseRequest } from './erasure.ts';

export interface ErasedTablesParts {
  readonly database: Pick<Database, 'transaction'>;
  readonly archive: Pick<SqlArchive, 'apply'>;
  /** Removes the dead rows. Rejects with StoreError. */
  readonly vacuum: () => Promise<void>;
  /** The number of records that could not be applied and are stored with their texts. */
  readonly setAside: () => number;
}

/** The ids in one statement. */
const maxIds = 5_000;
/** What a database keeps of deleted rows, which no program but the database server reads. */
const databaseRemains = [
  'the write-ahead log, the replicas and the backups of the database',
  'pages of the database that are not overwritten yet: VACUUM FULL rewrites the tables, REINDEX the words of the search index',
];

export class ErasedTables implements ErasedArchive {
  readonly #parts: ErasedTablesParts;

  constructor(parts: ErasedTablesParts) {
    this.#parts = parts;
  }

  find(request: EraseRequest): Promise<Erasure> {
    return this.#inSnapshot((run) => find(run, request));
  }

  count(erasure: Erasure): Promise<ArchiveCounts> {
    return this.#inSnapshot((run) => count(run, erasure));
  }

  async apply(records: ArchiveRecord[]): Promise<void> {
    await this.#parts.archive.apply(records);
  }

  purge(): Promise<void> {
    return this.#parts.vacuum();
  }

  async remaining(): Promise<readonly string[]> {
    const setAside = this.#parts.setAside();
    const records = setAside === 0 ? [] : [`the document set-aside: ${setAside} records with their texts`];
    return [...databaseRemains, ...records];
  }

  #inSnapshot<Result>(read: (run: Run) => Promise<Result>): Promise<Result> {
    return this.#parts.database.transaction(async (run) => {
      await run(readSnapshot);
      return read(run);
    });
  }
}

async function find(run: Run, request: EraseRequest): Promise<Erasure> {
  const found = new FoundRemovals(run);
  if (request.kind !== 'user') {
    for await (const ids of idsOf(run, request)) await found.add(ids, 'erased');
    return { records: found.records, tweetIds: found.tweetIds, userId: undefined };
  }
  const userId = await userIdOf(run, request.user);
  // The tweets first, step by step: a withdrawal is one transaction.
  const written: Statement = {
    text: 'SELECT id FROM social_data.tweet WHERE author_id = $1 AND id >= $2 ORDER BY id LIMIT $3',
    params: [toDatabaseId(userId)],
  };
  for await (const ids of pagesOf(run, written)) await found.add(ids, 'account');
  const isLeft = !(await isWithdrawn(run, userId)) || (await hasLists(run, userId));
  const withdrawal: ArchiveRecord[] = isLeft ? [{ kind: 'withdraw', user_id: userId }] : [];
  const records = [...found.records, ...withdrawal];
  return { records, tweetIds: found.tweetIds, userId: records.length > 0 ? userId : undefined };
}

/** The tweets that deletions remove, by the code of the archive in memory, which has what the deletions touch. */
class FoundRemovals {
  readonly records: ArchiveRecord[] = [];
  readonly tweetIds = new Set<string>();
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  async add(ids: readonly string[], reason: 'erased' | 'account'): Promise<void> {
    const deletions = ids.map((tweet_id) => ({ kind: 'delete' as const, tweet_id, reason }));
    const archive = new Archive();
    archive.restore(await new ContentReader(this.#run).read(deletions));
    for (const deletion of deletions) {
      const changes = archive.changesFor(deletion);
      if (changes.length > 0) this.records.push(deletion);
      for (const change of changes) if (change.kind === 'delete') this.tweetIds.add(change.tweet_id);
    }
  }
}

/** The ids that a request names, page by page. */
async function* idsOf(run: Run, request: Exclude<EraseRequest, { kind: 'user' }>): AsyncGenerator<readonly string[]> {
  if (request.kind === 'tweets') return yield* partsOf([...new Set(request.ids)], 500);
  if (request.kind === 'query') return yield* idsFound(run, parse(request.query));
  yield* pagesOf(run, {
    text: 'SELECT id FROM social_data.tweet WHERE created_at < $1 AND id >= $2 ORDER BY id LIMIT $3',
    params: [request.time],
  });
}

/** The id of a user to erase. Rejects with an Error where the tables know no such user. */
async function userIdOf(run: Run, user: string): Promise<string> {
  const named = await findUser(run, { username: user });
  if (named?.user.id !== undefined) return named.user.id;
  // An id that was erased before has nothing left to be found by.
  const isKnown = isId(user) && ((await isWithdrawn(run, user)) || (await findUser(run, { user_id: user })));
  if (!isKnown) throw unknownUser(user);
  return user;
}

async function exists(run: Run, text: string, ...params: readonly string[]): Promise<boolean> {
  return (await run({ text: `${text} LIMIT 1`, params })).length > 0;
}

const isWithdrawn = (run: Run, userId: string): Promise<boolean> =>
  exists(run, 'SELECT FROM social_data.withdrawn WHERE user_id = $1', toDatabaseId(userId));

const hasLists = (run: Run, userId: string): Promise<boolean> =>
  exists(run, 'SELECT FROM social_data.list WHERE owner_id = $1', toDatabaseId(userId));

/** How often relations began: the first known start, and another one. */
const starts = 'coalesce(sum((at IS NOT NULL)::int + (last IS NOT NULL)::int), 0)::float8';

async function count(run: Run, { tweetIds, userId }: Erasure): Promise<ArchiveCounts> {
  const ids = Array.from(tweetIds, toDatabaseId);
  let relations = 0;
  for (const part of partsOf(ids, maxIds)) relations += await countOfTweets(run, part, userId);
  if (userId === undefined) return { tweets: ids.length, users: 0, relations };
  const user = await countOfUser(run, toDatabaseId(userId));
  return { tweets: ids.length, users: user.users, relations: relations + user.relations };
}

/** The relations to tweets, without those of a user. */
async function countOfTweets(run: Run, ids: readonly string[], userId: string | undefined): Promise<number> {
  const others = 'tweet_id = ANY ($1::bigint[]) AND user_id IS DISTINCT FROM $2::bigint';
  const [row] = await run<{ n: number }>({
    text: `SELECT (SELECT ${starts} FROM social_data.retweet WHERE ${others})
      + (SELECT ${starts} FROM social_data.highlight WHERE ${others})
      + (SELECT count(*) FROM social_data.tweet_like WHERE tweet_id = ANY ($1::bigint[]) AND is_liked) AS n`,
    params: [ids, userId === undefined ? null : toDatabaseId(userId)],
  });
  return row?.n ?? 0;
}

async function countOfUser(run: Run, id: string): Promise<{ users: number; relations: number }> {
  const relations = [
    `SELECT ${starts} FROM social_data.follow WHERE follower_id = $1 OR following_id = $1`,
    ...['retweet', 'highlight', 'membership', 'list_member'].map(
      (table) => `SELECT ${starts} FROM social_data.${table} WHERE user_id = $1`,
    ),
    'SELECT count(*) FROM social_data.list WHERE owner_id = $1',
    'SELECT count(*) FROM social_data.space WHERE host_id = $1',
  ];
  const [row] = await run<{ users: number; relations: number }>({
    text: `SELECT ${relations.map((each) => `(${each})`).join(' + ')} AS relations,
      (SELECT count(*)::int FROM social_data.person WHERE id = $1 AND described_at IS NULL) AS users`,
    params: [id],
  });
  return row ?? { users: 0, relations: 0 };
}

function* partsOf<Each>(all: readonly Each[], length: number): Generator<readonly Each[], void> {
  for (let from = 0; from < all.length; from += length) yield all.slice(from, from + length);
}
