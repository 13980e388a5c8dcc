/**
 * The selection of a partial export: the requested tweets, and what responses with them need. Temporary tables of the connection hold the
 * ids. All steps have a bounded size, so that other work comes between them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isId } from '../../domain/record-id.ts';
import { idOf, idsOf, fromDatabaseId } from '../../archive/content/database-id.ts';
import { findUser } from '../../archive/reads/known-users.ts';
import { idsFound } from '../../archive/reads/tweet-ids.ts';
import type { ContentFilter } from '../../archive/upkeep/contents.ts';
import { among, given, idText, joined, raw, sql, type Fragment, type Integer, type RunSql } from '../../archive/sql.ts';
import { findOperator } from '../../search/language/operators.ts';
import { parse } from '../../search/language/parse.ts';
import type { Query } from '../../domain/query.ts';
import type { TableName } from './table-columns.ts';
import type { Snapshot } from '../../archive/archive-engine.ts';

/** The export criteria. Without criteria: everything. Several members narrow the selection down. */
export interface ExportRequest {
  /** A username or a decimal id. */
  readonly user?: string;
  /** A query of the search language. */
  readonly query?: string;
  /** Tweets created at or after this time, in milliseconds since 1970. */
  readonly since?: number;
  /** Tweets created before this time, in milliseconds since 1970. */
  readonly until?: number;
  /**
   * Only the records of a table: the tweets that are requested, without others that they need, or the users of all records that an export
   * without it has.
   */
  readonly table?: TableName;
}

/** `chosen_tweet`: the requested tweets. `needed_tweet`: these, and the ones that others need. */
const temporary = {
  chosen_tweet: 'bigint',
  needed_tweet: 'bigint',
  needed_user: 'bigint',
  needed_community: 'text',
  needed_place: 'text',
  needed_list: 'text',
  needed_space: 'text',
} as const;
type TemporaryTable = keyof typeof temporary;

const pageRows = 200;
/** A list can have thousands of members. */
const pageLists = 10;

export const unknownUser = (user: string): Error =>
  new Error(`the archive has no user ${user}: write a username or an id that it knows`);
export const userWithoutId = (user: string): Error =>
  new Error(`the archive knows ${user} from mentions only, without an id: there is nothing of this user in it`);

/**
 * Selects over a connection of its own. Rejects with an Error for an unknown user, with ServiceError for a query that cannot be parsed, and with
 * StoreError.
 */
export async function selectContent({ run, search }: Snapshot, request: ExportRequest): Promise<ContentFilter> {
  const query = request.query === undefined ? undefined : parse(request.query);
  const userId = request.user === undefined ? undefined : await userIdOf(run, request.user);
  const isWholeUser = query === undefined && request.since === undefined && request.until === undefined;
  const owner = isWholeUser ? userId : undefined;
  for (const [name, type] of Object.entries(temporary))
    await run(sql`CREATE TEMPORARY TABLE ${raw(name)} (id ${raw(type)} NOT NULL PRIMARY KEY)`);
  const selection = new SelectedIds(run);
  const chosen = { ...request, userId };
  await selection.chooseTweets(
    query === undefined ? pagesOfTweets(run, chosen) : idsFound(search, narrowed(query, chosen)),
    chosen,
  );
  if (request.table === 'tweets') return { tweet: [rowsOf('chosen_tweet', 'id')] };
  await selection.addTweets();
  if (owner !== undefined) await selection.addRelationsOf(owner);
  await selection.addUsers(owner === undefined);
  if (userId !== undefined) await selection.add('needed_user', sql`SELECT ${idOf(userId)} AS id`);
  if (request.table === 'users') return { user: [rowsOf('needed_user', 'id')] };
  await selection.addPlaces();
  return filterFor(owner);
}

/** The tweets that a request selects. */
type ChosenTweets = Pick<ExportRequest, 'since' | 'until'> & { readonly userId: string | undefined };

async function userIdOf(run: RunSql, user: string): Promise<string> {
  const found =
    (await findUser(run, { username: user })) ?? (isId(user) ? await findUser(run, { user_id: user }) : undefined);
  if (found?.user.id !== undefined) return found.user.id;
  throw found === undefined ? unknownUser(user) : userWithoutId(user);
}

/** The condition over `tweet t`. */
const conditionOf = ({ since, until, userId }: ChosenTweets): Fragment =>
  joined(
    [
      ...(userId === undefined ? [] : [sql`t.author_id = ${idOf(userId)}`]),
      ...(since === undefined ? [] : [sql`t.created_at >= ${since}`]),
      ...(until === undefined ? [] : [sql`t.created_at < ${until}`]),
      raw('true'),
    ],
    ' AND ',
  );

/** The query with conditions that leave no requested tweet out, so that the search reads fewer others. */
function narrowed(query: Query, { since, until, userId }: ChosenTweets): Query {
  const conditions = {
    from: userId,
    since_time: since === undefined ? undefined : String(Math.floor(since / 1000)),
    until_time: until === undefined ? undefined : String(Math.ceil(until / 1000)),
  };
  const parts = Object.entries(conditions).flatMap(([name, value]): Query[] =>
    value === undefined || findOperator(name)?.read(value) === undefined
      ? []
      : [{ at: 0, end: 0, is: 'operator', name, value }],
  );
  return { at: 0, end: 0, is: 'and', parts: [query, ...parts] };
}

/** The ids of the tweets of a user, of a span of time, or both. */
async function* pagesOfTweets(run: RunSql, chosen: ChosenTweets): AsyncGenerator<readonly string[], void> {
  let behind = raw('true');
  for (;;) {
    const rows = await run<{ id: Integer; created_at: Integer }>(
      sql`SELECT t.id, t.created_at FROM social_data.tweet t WHERE ${conditionOf(chosen)} AND ${behind}
        ORDER BY t.created_at, t.id LIMIT ${pageRows}`,
    );
    yield rows.map(({ id }) => fromDatabaseId(id));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    behind = sql`(t.created_at, t.id) > (${Number(last.created_at)}, ${{ id: String(last.id) }})`;
  }
}

class SelectedIds {
  readonly #run: RunSql;

  constructor(run: RunSql) {
    this.#run = run;
  }

  /** Adds the rows of a statement with the column `id`, in one step. */
  async add(table: TemporaryTable, select: Fragment): Promise<void> {
    // `WHERE true`: SQLite would take ON for the condition of a join.
    await this.#run(
      sql`INSERT INTO ${raw(table)} SELECT found.id FROM (${select}) AS found WHERE true ON CONFLICT DO NOTHING`,
    );
    await nextTurn();
  }

  async chooseTweets(pages: AsyncIterable<readonly string[]>, chosen: ChosenTweets): Promise<void> {
    for await (const ids of pages)
      await this.add(
        'chosen_tweet',
        sql`SELECT t.id FROM social_data.tweet t WHERE ${among('t.id', idsOf(ids))} AND ${conditionOf(chosen)}`,
      );
  }

  /** The chosen tweets, and those that they need. */
  async addTweets(): Promise<void> {
    for await (const isOfPage of this.#pages('chosen_tweet'))
      await this.#addWithNeeded(sql`SELECT e.id FROM chosen_tweet e WHERE ${isOfPage}`);
  }

  /** The existing tweets of a statement, those that they quote or retweet, and so on. */
  #addWithNeeded(roots: Fragment): Promise<void> {
    return this.add(
      'needed_tweet',
      sql`WITH RECURSIVE needed (id) AS (
          SELECT t.id FROM (${roots}) AS root JOIN social_data.tweet t ON t.id = root.id
          UNION
          SELECT o.id FROM needed n CROSS JOIN social_data.tweet t CROSS JOIN social_data.tweet o
          WHERE t.id = n.id AND o.id IN (t.quoted_id, t.retweeted_id))
        SELECT id FROM needed`,
    );
  }

  /** What the relations of a user name: tweets, lists, users, spaces and communities. */
  async addRelationsOf(owner: string): Promise<void> {
    const user = idOf(owner);
    for (const table of ['highlight', 'retweet'])
      for await (const ids of this.#related(table, 'user_id', 'tweet_id', owner))
        await this.#addWithNeeded(sql`SELECT given.id FROM ${given({ id: idsOf(ids) })}`);
    for (const [column, other] of [
      ['following_id', 'follower_id'],
      ['follower_id', 'following_id'],
    ] as const)
      for await (const ids of this.#related('follow', column, other, owner))
        await this.add('needed_user', sql`SELECT given.id FROM ${given({ id: idsOf(ids) })}`);
    await this.add('needed_list', sql`SELECT id FROM social_data.list WHERE owner_id = ${user}`);
    await this.add(
      'needed_list',
      sql`SELECT list_id AS id FROM social_data.list_member WHERE user_id = ${user} AND at IS NOT NULL`,
    );
    for await (const isOfPage of this.#pages('needed_list', pageLists))
      await this.add(
        'needed_user',
        sql`SELECT m.user_id AS id FROM needed_list e CROSS JOIN social_data.list_member m
          WHERE ${isOfPage} AND m.list_id = e.id AND m.at IS NOT NULL`,
      );
    await this.add(
      'needed_space',
      sql`SELECT space_id AS id FROM social_data.space_participant WHERE user_id = ${user}`,
    );
    for await (const isOfPage of this.#pages('needed_space'))
      await this.add(
        'needed_user',
        sql`SELECT o.user_id AS id FROM needed_space e CROSS JOIN social_data.space_participant o
          WHERE ${isOfPage} AND o.space_id = e.id`,
      );
    await this.add(
      'needed_community',
      sql`SELECT ${idText('m.community_id')} AS id FROM social_data.membership m
        WHERE m.user_id = ${user} AND m.at IS NOT NULL`,
    );
  }

  /** The authors and the mentioned users of the tweets, and who has retweeted the chosen ones; `withHighlights`: also who highlights them. */
  async addUsers(withHighlights: boolean): Promise<void> {
    for await (const isOfPage of this.#pages('needed_tweet')) {
      const mentions = sql`FROM needed_tweet e CROSS JOIN social_data.mention m WHERE ${isOfPage} AND m.tweet_id = e.id`;
      await this.add(
        'needed_user',
        sql`SELECT t.author_id AS id FROM needed_tweet e CROSS JOIN social_data.tweet t WHERE ${isOfPage} AND t.id = e.id`,
      );
      await this.add('needed_user', sql`SELECT m.user_id AS id ${mentions} AND m.user_id IS NOT NULL`);
      // Who has the username now, as readNames of loaded-records.ts finds it.
      await this.add(
        'needed_user',
        sql`SELECT named.id FROM (SELECT p.id, row_number() OVER (PARTITION BY p.username ORDER BY p.described_at IS NOT NULL,
              p.observed_at DESC, p.described_at DESC, p.described_by DESC, p.id DESC) AS place
            FROM social_data.person p WHERE p.username IN (SELECT m.username ${mentions} AND m.user_id IS NULL)) AS named
          WHERE named.place = 1`,
      );
    }
    for await (const isOfPage of this.#pages('chosen_tweet'))
      for (const table of withHighlights ? ['retweet', 'highlight'] : ['retweet'])
        await this.add(
          'needed_user',
          sql`SELECT r.user_id AS id FROM chosen_tweet e CROSS JOIN social_data.${raw(table)} r
            WHERE ${isOfPage} AND r.tweet_id = e.id AND r.at IS NOT NULL`,
        );
  }

  /** The communities and the places of the tweets. */
  async addPlaces(): Promise<void> {
    for await (const isOfPage of this.#pages('needed_tweet')) {
      const tweets = sql`FROM needed_tweet e CROSS JOIN social_data.tweet t WHERE ${isOfPage} AND t.id = e.id`;
      await this.add('needed_place', sql`SELECT t.place_id AS id ${tweets} AND t.place_id IS NOT NULL`);
      await this.add(
        'needed_community',
        sql`SELECT ${idText('t.community_id')} AS id ${tweets} AND t.community_id IS NOT NULL`,
      );
    }
  }

  /** Pages of a temporary table, as conditions over its alias `e`. Rows that a step adds are in a later page or in none. */
  async *#pages(table: TemporaryTable, rows = pageRows): AsyncGenerator<Fragment, void> {
    const parameter = (value: Integer): Fragment =>
      temporary[table] === 'text' ? sql`${String(value)}` : sql`${{ id: String(value) }}`;
    for (let behind = raw('true'); ;) {
      const [page] = await this.#run<{ last: Integer | null }>(
        sql`SELECT max(page.id) AS last FROM (SELECT e.id FROM ${raw(table)} e WHERE ${behind} ORDER BY e.id LIMIT ${rows}) AS page`,
      );
      if (page?.last == null) return;
      yield sql`${behind} AND e.id <= ${parameter(page.last)}`;
      behind = sql`e.id > ${parameter(page.last)}`;
    }
  }

  /** The ids in a column of the relations that have a user in another one. */
  async *#related(table: string, column: string, other: string, user: string): AsyncGenerator<readonly string[], void> {
    for (let behind = raw('true'); ;) {
      const rows = await this.#run<{ id: Integer }>(
        sql`SELECT r.${raw(other)} AS id FROM social_data.${raw(table)} r
          WHERE r.${raw(column)} = ${idOf(user)} AND r.at IS NOT NULL AND ${behind} ORDER BY r.${raw(other)} LIMIT ${pageRows}`,
      );
      if (rows.length > 0) yield rows.map(({ id }) => fromDatabaseId(id));
      const last = rows.at(-1);
      if (last === undefined || rows.length < pageRows) return;
      behind = sql`r.${raw(other)} > ${{ id: String(last.id) }}`;
    }
  }
}

const rowsOf = (table: TemporaryTable, column: string) => ({ ids: { table, column } });

/** What the temporary tables select. */
function filterFor(owner: string | undefined): ContentFilter {
  const filter = {
    tweet: [rowsOf('needed_tweet', 'id')],
    user: [rowsOf('needed_user', 'id')],
    community: [rowsOf('needed_community', 'id')],
    place: [rowsOf('needed_place', 'id')],
    retweet: [rowsOf('chosen_tweet', 'tweet_id')],
    like: [rowsOf('chosen_tweet', 'tweet_id')],
  };
  if (owner === undefined) return { ...filter, highlight: [rowsOf('chosen_tweet', 'tweet_id')] };
  const user = idOf(owner);
  const isNotChosen = sql`NOT EXISTS (SELECT 1 FROM chosen_tweet c WHERE c.id = t.tweet_id)`;
  return {
    ...filter,
    list: [rowsOf('needed_list', 'id')],
    follow: [
      { where: sql`t.follower_id = ${user}` },
      { where: sql`t.following_id = ${user} AND t.follower_id <> ${user}` },
    ],
    retweet: [...filter.retweet, { where: sql`t.user_id = ${user} AND ${isNotChosen}` }],
    highlight: [{ where: sql`t.user_id = ${user}` }],
    membership: [{ where: sql`t.user_id = ${user}` }],
    space: [rowsOf('needed_space', 'id')],
    // All lists that the user is in are needed.
    list_member: [rowsOf('needed_list', 'list_id')],
  };
}
