/**
 * The selection of a partial export from tables, as `Selection` makes it in memory: the requested tweets, and what responses with
 * them need. Temporary tables of the transaction hold the ids, so the memory of this process does not grow with them.
 */
import { isId } from '../../domain/record-id.ts';
import { toDatabaseId } from '../../archive/content/database-id.ts';
import { findUser } from '../../archive/reads/known-users.ts';
import { resolvedQuery } from '../../platforms/postgres/search/sql-search.ts';
import { searchSql, type Parameter } from '../../platforms/postgres/search/search-sql.ts';
import type { ContentFilter } from '../../archive/upkeep/contents.ts';
import { raw } from '../../database/sql.ts';
import { parse } from '../../search/language/parse.ts';
import type { RunAny } from '../../storage/postgres/database.ts';
import { unknownUser, userWithoutId, type ExportRequest } from './selection.ts';

/** `chosen`: the requested tweets. `item`: these, and the ones that others need. */
const temporary = {
  chosen: 'bigint',
  item: 'bigint',
  person: 'bigint',
  community: 'text',
  place: 'text',
  list: 'text',
};

/** The statements that select users: the authors and mentioned users of the tweets. */
const usersOfTweets = [
  'SELECT t.author_id FROM social_data.tweet t JOIN pg_temp.item i ON i.id = t.id',
  `SELECT m.user_id FROM social_data.mention m JOIN pg_temp.item i ON i.id = m.tweet_id WHERE m.user_id IS NOT NULL`,
  // Who has the username now, as readNames of loaded-records.ts finds it.
  `SELECT DISTINCT ON (p.username) p.id FROM social_data.person p WHERE p.username IN (
      SELECT m.username FROM social_data.mention m JOIN pg_temp.item i ON i.id = m.tweet_id WHERE m.user_id IS NULL)
    ORDER BY p.username, p.described_at IS NOT NULL, p.observed_at DESC, p.described_at DESC, p.described_by DESC, p.id DESC`,
  `SELECT r.user_id FROM social_data.retweet r JOIN pg_temp.chosen c ON c.id = r.tweet_id WHERE r.at IS NOT NULL`,
];
const highlighters =
  'SELECT h.user_id FROM social_data.highlight h JOIN pg_temp.chosen c ON c.id = h.tweet_id WHERE h.at IS NOT NULL';
/** The users in relations with a user, `$1`. */
const usersOfOwner = [
  'SELECT f.follower_id FROM social_data.follow f WHERE f.following_id = $1 AND f.at IS NOT NULL',
  'SELECT f.following_id FROM social_data.follow f WHERE f.follower_id = $1 AND f.at IS NOT NULL',
  `SELECT o.user_id FROM social_data.space_participant s
    JOIN social_data.space_participant o ON o.space_id = s.space_id WHERE s.user_id = $1`,
  'SELECT m.user_id FROM social_data.list_member m JOIN pg_temp.list l ON l.id = m.list_id WHERE m.at IS NOT NULL',
];
const textId = (column: string): string => `(${column}::numeric + 9223372036854775808)::text`;

/**
 * Selects in the transaction of a snapshot. Rejects with an Error for an unknown user, with ServiceError for a query that cannot be parsed, and
 * with DatabaseError.
 */
export async function selectContent(run: RunAny, request: ExportRequest): Promise<ContentFilter> {
  const userId = request.user === undefined ? undefined : toDatabaseId(await userIdOf(run, request.user));
  const isWholeUser = request.query === undefined && request.since === undefined && request.until === undefined;
  const owner = isWholeUser ? userId : undefined;
  for (const [name, type] of Object.entries(temporary))
    await run({ text: `CREATE TEMPORARY TABLE ${name} (id ${type} PRIMARY KEY) ON COMMIT DROP` });
  const selection = new TemporarySelection(run);
  await selection.chooseTweets(request, userId);
  await selection.addNeededTweets(owner);
  if (owner !== undefined) await selection.addLists(owner);
  await selection.addUsers(userId, owner);
  await selection.addPlaces(owner);
  return filterFor(owner);
}

async function userIdOf(run: RunAny, user: string): Promise<string> {
  const found =
    (await findUser(run, { username: user })) ?? (isId(user) ? await findUser(run, { user_id: user }) : undefined);
  if (found?.user.id !== undefined) return found.user.id;
  throw found === undefined ? unknownUser(user) : userWithoutId(user);
}

class TemporarySelection {
  readonly #run: RunAny;

  constructor(run: RunAny) {
    this.#run = run;
  }

  async chooseTweets({ query, since, until }: ExportRequest, userId: string | undefined): Promise<void> {
    const params: Parameter[] = [];
    const conditions: string[] = [];
    let counts = '';
    if (userId !== undefined) conditions.push(`t.author_id = $${params.push(userId)}::bigint`);
    if (since !== undefined) conditions.push(`t.created_at >= $${params.push(since)}::bigint`);
    if (until !== undefined) conditions.push(`t.created_at < $${params.push(until)}::bigint`);
    if (query !== undefined) {
      const { where, usesCounts } = searchSql(await resolvedQuery(this.#run, parse(query), Date.now()), params);
      conditions.push(where);
      if (usesCounts) counts = 'JOIN social_data.tweet_count c ON c.id = t.id';
    }
    const where = conditions.join(' AND ');
    await this.#add('chosen', [`SELECT t.id FROM social_data.tweet t ${counts} WHERE ${where}`], params);
  }

  /** The tweets that the chosen ones quote or retweet, and so on; and those that relations of the user name. */
  async addNeededTweets(owner: string | undefined): Promise<void> {
    const named = ['highlight', 'retweet'].map(
      (table) => `SELECT tweet_id FROM social_data.${table} WHERE user_id = $1 AND at IS NOT NULL`,
    );
    const roots = ['SELECT id FROM pg_temp.chosen', ...(owner === undefined ? [] : named)].join(' UNION ALL ');
    const needed = `WITH RECURSIVE needed (id) AS (
        SELECT t.id FROM (${roots}) AS root (id) JOIN social_data.tweet t ON t.id = root.id
        UNION
        SELECT o.id FROM needed n JOIN social_data.tweet t ON t.id = n.id
          CROSS JOIN LATERAL (VALUES (t.quoted_id), (t.retweeted_id)) AS other (id)
          JOIN social_data.tweet o ON o.id = other.id)
      SELECT id FROM needed`;
    await this.#add('item', [needed], owner === undefined ? [] : [owner]);
  }

  /** The lists of a user, and those that the user is in. */
  addLists(owner: string): Promise<void> {
    const memberships = 'SELECT list_id FROM social_data.list_member WHERE user_id = $1 AND at IS NOT NULL';
    return this.#add('list', ['SELECT id FROM social_data.list WHERE owner_id = $1', memberships], [owner]);
  }

  async addUsers(userId: string | undefined, owner: string | undefined): Promise<void> {
    await this.#add('person', [...usersOfTweets, ...(owner === undefined ? [highlighters] : [])]);
    if (userId !== undefined) await this.#add('person', ['SELECT $1::bigint'], [userId]);
    if (owner !== undefined) for (const each of usersOfOwner) await this.#add('person', [each], [owner]);
  }

  /** The communities and the places. */
  async addPlaces(owner: string | undefined): Promise<void> {
    const ofTweets = (column: string): string =>
      `SELECT ${column} FROM social_data.tweet t JOIN pg_temp.item i ON i.id = t.id WHERE ${column} IS NOT NULL`;
    await this.#add('place', [ofTweets('t.place_id')]);
    await this.#add('community', [`SELECT ${textId('c.id')} FROM (${ofTweets('t.community_id')}) AS c (id)`]);
    const memberships = `SELECT ${textId('community_id')} FROM social_data.membership WHERE user_id = $1 AND at IS NOT NULL`;
    if (owner !== undefined) await this.#add('community', [memberships], [owner]);
  }

  async #add(
    name: keyof typeof temporary,
    selects: readonly string[],
    params: readonly Parameter[] = [],
  ): Promise<void> {
    for (const text of selects) {
      const used = text.includes('$1') ? params : [];
      await this.#run({ text: `INSERT INTO pg_temp.${name} ${text} ON CONFLICT DO NOTHING`, params: used });
    }
    await this.#run({ text: `ANALYZE pg_temp.${name}` });
  }
}

/** What the temporary tables select. The stored id of a user is a number, so it needs no parameter. */
function filterFor(owner: string | undefined): ContentFilter {
  return Object.fromEntries(Object.entries(conditionsFor(owner)).map(([name, text]) => [name, raw(text)]));
}

function conditionsFor(owner: string | undefined): Readonly<Partial<Record<keyof ContentFilter, string>>> {
  const isIn = (column: string, name: keyof typeof temporary): string =>
    `t.${column} IN (SELECT id FROM pg_temp.${name})`;
  const filter = {
    tweet: isIn('id', 'item'),
    user: isIn('id', 'person'),
    community: isIn('id', 'community'),
    place: isIn('id', 'place'),
    retweet: isIn('tweet_id', 'chosen'),
    like: isIn('tweet_id', 'chosen'),
  };
  if (owner === undefined) return { ...filter, highlight: isIn('tweet_id', 'chosen') };
  const id = `${BigInt(owner)}::bigint`;
  return {
    ...filter,
    list: isIn('id', 'list'),
    follow: `(t.follower_id = ${id} OR t.following_id = ${id})`,
    retweet: `(${filter.retweet} OR t.user_id = ${id})`,
    highlight: `t.user_id = ${id}`,
    membership: `t.user_id = ${id}`,
    space: `t.id IN (SELECT space_id FROM social_data.space_participant WHERE user_id = ${id})`,
    list_member: `(t.user_id = ${id} OR ${isIn('list_id', 'list')})`,
  };
}
