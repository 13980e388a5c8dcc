/** Pages of lists by (time, id), newest first. */
import type { BoundedPageRequest, Page, Position } from '../../contract/page.ts';
import { badRequest } from '../../contract/service-error.ts';
import { among, joined, raw, sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import { isId } from '../../domain/record-id.ts';
import { isMissing, nextAfterEnd, positionIn } from './bounded-page.ts';
import { fromDatabaseId, idOf, idsOf } from '../content/database-id.ts';
import { rowsOfPage } from './rows-of-page.ts';

/** A list: selects the columns `at` and `id` of its items. */
export type ListQuery = (end: PageEnd) => Fragment;

/** The parts of a statement that limit it to a page. */
export interface PageEnd {
  /** The condition for the items behind the position of the page, for the columns with the time and the id. */
  readonly behind: (at: string, id: string) => Fragment;
  /** The end of the statement: order and limit. */
  readonly newest: (at: string, id: string) => Fragment;
}

/** The position of a page. Throws ServiceError 400 for a position of another list. */
function positionOf(after: Position): { at: number; id: string } {
  const position = positionIn(after);
  if (after.length !== 2 || !isId(position.id) || !Number.isSafeInteger(position.at))
    throw badRequest("'cursor' belongs to another data source");
  return position;
}

/** A page of ids. Rejects with StoreError, and with ServiceError 400 for a position of another list. */
export async function listPage(run: RunSql, list: ListQuery, page: BoundedPageRequest): Promise<Page<string>> {
  let behind: PageEnd['behind'] = () => raw('true');
  if (page.after !== undefined) {
    const { at, id } = positionOf(page.after);
    behind = (atColumn, idColumn) => sql`(${raw(atColumn)}, ${raw(idColumn)}) < (${at}, ${idOf(id)})`;
  }
  const newest: PageEnd['newest'] = (at, id) => raw(`ORDER BY ${at} DESC, ${id} DESC LIMIT ${rowsOfPage(page.limit)}`);
  const rows = await run<{ at: Integer; id: Integer }>(list({ behind, newest }).short());
  const present = rows.filter(({ at }) => !isMissing(page, Number(at)));
  const items = present.slice(0, page.limit);
  const last = items.at(-1);
  const end: Position | undefined = last && [Number(last.at), fromDatabaseId(last.id)];
  return {
    items: items.map(({ id }) => fromDatabaseId(id)),
    next: present.length > page.limit && end !== undefined ? end : nextAfterEnd(page, end),
  };
}

/** The tweets that fulfil a condition over `tweet t`. */
export const tweetsWhere =
  (condition: Fragment): ListQuery =>
  ({ behind, newest }) =>
    sql`SELECT t.created_at AS at, t.id FROM social_data.tweet t
    WHERE ${condition} AND ${behind('t.created_at', 't.id')} ${newest('t.created_at', 't.id')}`;

/** The members of a relation of an owner. `condition`: what only members with an item fulfil, over `m`. */
export const membersOf =
  (
    table: 'follow' | 'retweet' | 'membership',
    [owner, member]: readonly [owner: string, member: string],
    ownerId: string,
    condition: Fragment = raw('true'),
  ): ListQuery =>
  ({ behind, newest }) =>
    sql`SELECT m.at, m.${raw(member)} AS id FROM social_data.${raw(table)} m
    WHERE m.${raw(owner)} = ${idOf(ownerId)} AND m.at IS NOT NULL AND ${condition} AND ${behind('m.at', `m.${member}`)}
    ${newest('m.at', `m.${member}`)}`;

/** The highlights of a user that are there, and pinned tweets that are no highlights. */
export function highlightsOf(userId: string, pinned: readonly string[]): ListQuery {
  const user = idOf(userId);
  return ({ behind, newest }) => sql`SELECT at, id FROM (
      SELECT h.at, h.tweet_id AS id FROM social_data.highlight h JOIN social_data.tweet t ON t.id = h.tweet_id
      WHERE h.user_id = ${user} AND h.at IS NOT NULL AND ${behind('h.at', 'h.tweet_id')} ${newest('h.at', 'h.tweet_id')}
    ) AS highlights UNION ALL SELECT t.created_at, t.id FROM social_data.tweet t
      WHERE ${among('t.id', idsOf(pinned.filter(isId)))} AND ${behind('t.created_at', 't.id')} AND NOT EXISTS (
        SELECT 1 FROM social_data.highlight h WHERE h.user_id = ${user} AND h.tweet_id = t.id AND h.at IS NOT NULL)
    ${newest('at', 'id')}`;
}

/** Which mentions are those of a user: at least one of both is known. */
export interface MentionedUser {
  readonly id: string | undefined;
  /** The stored form of a username whose mentions count; undefined: none. */
  readonly name: string | undefined;
}

/** The tweets that mention a user within [since, until): by the id, and by the username where the mention has no id. */
export function mentionsOf({ id, name }: MentionedUser, since: number, until: number): ListQuery {
  const [first, end] = [Math.max(since, -maxTime), Math.min(until, maxTime)];
  const part = (condition: Fragment, { behind, newest }: PageEnd): Fragment => sql`SELECT at, id FROM (
      SELECT DISTINCT m.created_at AS at, m.tweet_id AS id FROM social_data.mention m
      WHERE ${condition} AND m.created_at >= ${first} AND m.created_at < ${end}
        AND ${behind('m.created_at', 'm.tweet_id')} ${newest('m.created_at', 'm.tweet_id')}) AS part`;
  const conditions: Fragment[] = [];
  if (id !== undefined) conditions.push(sql`m.user_id = ${idOf(id)}`);
  if (name !== undefined)
    conditions.push(sql`m.username = ${name} ${raw(id === undefined ? '' : 'AND m.user_id IS NULL')}`);
  return (page) => {
    const found = conditions.map((each) => part(each, page));
    return sql`SELECT at, id FROM (${joined(found, ' UNION ')}) AS found ${page.newest('at', 'id')}`;
  };
}

/** The largest time of a Date, in milliseconds. */
const maxTime = 8.64e15;
