/** Pages of lists by (time, id), newest first. */
import type { BoundedPageRequest, Page, Position } from '../../../contract/page.ts';
import { rowsOfPage } from '../search/rows-of-page.ts';
import { badRequest } from '../../../contract/service-error.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import { isMissing, nextAfterEnd, positionIn } from '../../bounded-page.ts';
import { fromDatabaseId, toDatabaseId } from '../rows/database-id.ts';
import { isId } from '../../../domain/record-id.ts';

/** A list: a statement that selects the columns `at` and `id` of its items, with its parameters. */
export interface ListQuery {
  readonly select: (end: PageEnd) => string;
  readonly params: readonly (string | number | boolean | readonly string[])[];
}

/** The parts of a statement that limit it to a page. */
export interface PageEnd {
  /** The condition for the items behind the position of the page, for the columns with the time and the id. */
  readonly behind: (at: string, id: string) => string;
  /** The end of the statement: order and limit. */
  readonly newest: (at: string, id: string) => string;
}

/** The position of a page. Throws ServiceError 400 for a position of another list. */
function positionOf(after: Position): { at: number; id: string } {
  const position = positionIn(after);
  if (after.length !== 2 || !isId(position.id) || !Number.isSafeInteger(position.at))
    throw badRequest("'cursor' belongs to another data source");
  return position;
}

/** A page of ids. Rejects with StoreError, and with ServiceError 400 for a position of another list. */
export async function listPage(run: Run, list: ListQuery, page: BoundedPageRequest): Promise<Page<string>> {
  const params = [...list.params];
  let behind: PageEnd['behind'] = () => 'true';
  if (page.after !== undefined) {
    const { at, id } = positionOf(page.after);
    const [first, second] = [params.push(at), params.push(toDatabaseId(id))];
    behind = (atColumn, idColumn) => `(${atColumn}, ${idColumn}) < ($${first}::bigint, $${second}::bigint)`;
  }
  const newest: PageEnd['newest'] = (at, id) => `ORDER BY ${at} DESC, ${id} DESC LIMIT ${rowsOfPage(page.limit)}`;
  const rows = await run<{ at: string; id: string }>({
    ...{ text: list.select({ behind, newest }), params, isShort: true },
  });
  const present = rows.filter(({ at }) => !isMissing(page, Number(at)));
  const items = present.slice(0, page.limit);
  const last = items.at(-1);
  const end: Position | undefined = last && [Number(last.at), fromDatabaseId(last.id)];
  return {
    items: items.map(({ id }) => fromDatabaseId(id)),
    next: present.length > page.limit && end !== undefined ? end : nextAfterEnd(page, end),
  };
}

/** The tweets that fulfil a condition over `tweet t` with the parameter `$1`. */
export const tweetsWhere = (where: string, value: string): ListQuery => ({
  select: ({ behind, newest }) => `SELECT t.created_at AS at, t.id FROM social_data.tweet t
    WHERE ${where} AND ${behind('t.created_at', 't.id')} ${newest('t.created_at', 't.id')}`,
  params: [toDatabaseId(value)],
});

/** The members of a relation of an owner. `condition`: what only members with an item fulfil, over `m`. */
export const membersOf = (
  table: 'follow' | 'retweet' | 'membership',
  [owner, member]: readonly [owner: string, member: string],
  ownerId: string,
  condition = 'true',
): ListQuery => ({
  select: ({ behind, newest }) => `SELECT m.at, m.${member} AS id FROM social_data.${table} m
    WHERE m.${owner} = $1 AND m.at IS NOT NULL AND ${condition} AND ${behind('m.at', `m.${member}`)}
    ${newest('m.at', `m.${member}`)}`,
  params: [toDatabaseId(ownerId)],
});

/** The highlights of a user that are there, and pinned tweets that are no highlights. */
export const highlightsOf = (userId: string, pinned: readonly string[]): ListQuery => ({
  select: ({ behind, newest }) => `(SELECT h.at, h.tweet_id AS id FROM social_data.highlight h
      JOIN social_data.tweet t ON t.id = h.tweet_id
      WHERE h.user_id = $1 AND h.at IS NOT NULL AND ${behind('h.at', 'h.tweet_id')} ${newest('h.at', 'h.tweet_id')})
    UNION ALL (SELECT t.created_at, t.id FROM social_data.tweet t
      WHERE t.id = ANY ($2::bigint[]) AND ${behind('t.created_at', 't.id')} AND NOT EXISTS (
        SELECT FROM social_data.highlight h WHERE h.user_id = $1 AND h.tweet_id = t.id AND h.at IS NOT NULL))
    ${newest('at', 'id')}`,
  params: [toDatabaseId(userId), pinned.filter(isId).map(toDatabaseId)],
});

/** Which mentions are those of a user: at least one of both is known. */
export interface MentionedUser {
  readonly id: string | undefined;
  /** The stored form of a username whose mentions count; undefined: none. */
  readonly name: string | undefined;
}

/** The tweets that mention a user within [since, until): by the id, and by the username where the mention has no id. */
export function mentionsOf({ id, name }: MentionedUser, since: number, until: number): ListQuery {
  const part = (
    where: string,
    { behind, newest }: PageEnd,
  ): string => `(SELECT DISTINCT m.created_at AS at, m.tweet_id AS id
    FROM social_data.mention m WHERE ${where} AND m.created_at >= $1::bigint AND m.created_at < $2::bigint
      AND ${behind('m.created_at', 'm.tweet_id')} ${newest('m.created_at', 'm.tweet_id')})`;
  const params: (string | number)[] = [Math.max(since, -maxTime), Math.min(until, maxTime)];
  const conditions: string[] = [];
  if (id !== undefined) conditions.push(`m.user_id = $${params.push(toDatabaseId(id))}`);
  if (name !== undefined)
    conditions.push(`m.username = $${params.push(name)}${id === undefined ? '' : ' AND m.user_id IS NULL'}`);
  return {
    select: (end) => `SELECT at, id FROM (${conditions.map((each) => part(each, end)).join(' UNION ')}) AS found
      ${end.newest('at', 'id')}`,
    params,
  };
}

/** The largest time of a Date, in milliseconds. */
const maxTime = 8.64e15;
