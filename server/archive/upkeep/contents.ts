/** Reads the whole content of the tables as changes that create it, in the order of a snapshot, in memory of bounded size. */
import type { Tombstone } from '../../domain/tombstone.ts';
import { among, joined, raw, sql, type Fragment, type Integer, type RunSql } from '../sql.ts';
import type { SnapshotChange } from '../rules/change.ts';
import { deleteChange, withdrawChanges } from '../rules/snapshot.ts';
import {
  relationChanges,
  relationTables,
  valuesOfRow,
  type RelationRow,
  type RelationTable,
} from '../content/content.ts';
import { fromDatabaseId } from '../content/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../content/tweet-record.ts';

/** The parts of the content that a selection can narrow. `t` is the table of a part. */
type PartName = 'user' | 'community' | 'tweet' | 'space' | 'place' | 'list' | 'like' | RelationTable;
/** Rows of a part. */
export interface SelectedRows {
  /** The rows whose column has an id of a table with the column `id`, which is its key. */
  readonly ids?: { readonly table: string; readonly column: string };
  readonly where?: Fragment;
}
/** The rows of each part, which no two entries select; parts without an entry are left out. */
export type ContentFilter = Readonly<Partial<Record<PartName, readonly SelectedRows[]>>>;

/** A table, read in pages by its primary key. */
interface Part {
  /** Undefined for removals: a selection has none. */
  readonly name: PartName | undefined;
  readonly columns: Fragment;
  readonly tables: Fragment;
  readonly where?: Fragment;
  /** The table that has a row for each row of the part, where `tables` joins several. */
  readonly keyTable?: string;
  /** The columns of the primary key, with their types. */
  readonly key: readonly (readonly [column: string, type: 'id' | 'text'])[];
  /** The changes of rows in sequence. */
  readonly read: (
    rows: readonly never[],
    run: RunSql,
  ) => readonly SnapshotChange[] | Promise<readonly SnapshotChange[]>;
}

/** The rows of one table whose keys are in a range. Every segment can be read without the other ones. */
export interface Segment {
  /** The number of the table in the order of a snapshot. */
  readonly part: number;
  /** The range of the first column of the primary key, in its stored form: behind `after`, up to `upTo`. Undefined: without a limit. */
  readonly after?: string | undefined;
  readonly upTo?: string | undefined;
}

/** So many rows take some milliseconds: an export in a service reads them in the thread that answers requests. */
const pageRows = 100;
/** The rows of a page where nothing waits for the thread: fewer statements. */
export const largePageRows = 1_000;
const isoTime = (at: Integer): string => new Date(Number(at)).toISOString();
const optionalTime = (name: string, at: Integer): object => (Number(at) === 0 ? {} : { [name]: isoTime(at) });

/** The content in pages. With a filter: only its parts. Rejects with StoreError. */
export async function* contentOf(
  run: RunSql,
  filter?: ContentFilter,
  pageSize = pageRows,
): AsyncGenerator<readonly SnapshotChange[], void> {
  for (const part of parts) {
    if (filter === undefined) yield* pagesOf(run, part, {}, pageSize);
    else if (part.name !== undefined)
      for (const selected of filter[part.name] ?? []) yield* pagesOf(run, part, selected, pageSize);
  }
}

/**
 * Divides the content into segments of about `rows` rows; rows with the same first column of their key are never divided. The same content has the
 * same segments. Rejects with StoreError.
 */
export async function* segmentsOf(run: RunSql, rows: number): AsyncGenerator<Segment, void> {
  for (const [part, { key, keyTable, tables }] of parts.entries()) {
    const [[column, type] = ['id', 'id'] as const] = key;
    const from = keyTable === undefined ? tables : sql`social_data.${raw(keyTable)} t`;
    for (let after: string | undefined; ;) {
      const behind = within([column, type], { after });
      const [end] = await run<{ key: Integer }>(
        sql`SELECT t.${raw(column)} AS key FROM ${from} WHERE ${behind} ORDER BY t.${raw(column)} LIMIT 1 OFFSET ${rows - 1}`,
      );
      const upTo: string | undefined = end && String(end.key);
      yield { part, after, upTo };
      if (upTo === undefined) break;
      after = upTo;
    }
  }
}

/** The pages of a segment, as `contentOf`. Rejects with StoreError. */
export async function* pagesOfSegment(
  run: RunSql,
  { part: index, after, upTo }: Segment,
): AsyncGenerator<readonly SnapshotChange[], void> {
  const part = parts[index];
  const column = part?.key[0];
  if (part !== undefined && column !== undefined)
    yield* pagesOf(run, part, { where: within(column, { after, upTo }) }, largePageRows);
}

/** Whether a segment has tweets. */
export const hasTweets = ({ part }: Segment): boolean => parts[part]?.name === 'tweet';

/** The number of rows of all segments: a row can be several changes. Reads an index of each table. Rejects with StoreError. */
export async function countRows(run: RunSql): Promise<number> {
  let total = 0;
  for (const { keyTable, tables, where = raw('true') } of parts) {
    const from = keyTable === undefined ? sql`${tables} WHERE ${where}` : sql`social_data.${raw(keyTable)}`;
    const [row] = await run<{ rows: Integer }>(sql`SELECT count(*) AS rows FROM ${from}`);
    total += Number(row?.rows ?? 0);
  }
  return total;
}

/** The condition that a column of a key is in the range of a segment. */
function within([column, type]: Part['key'][number], { after, upTo }: Pick<Segment, 'after' | 'upTo'>): Fragment {
  const name = raw(`t.${column}`);
  const limits = [
    after === undefined ? raw('true') : sql`${name} > ${keyValue(type, after)}`,
    upTo === undefined ? raw('true') : sql`${name} <= ${keyValue(type, upTo)}`,
  ];
  return joined(limits, ' AND ');
}

const keyValue = (type: 'id' | 'text', value: string): Fragment =>
  type === 'id' ? sql`${{ id: value }}` : sql`${value}`;

/** Pages of bounded cost: the ids of a selection come in the order of their table, and with them the rows of the part. */
async function* pagesOf(
  run: RunSql,
  { columns, tables, where = raw('true'), key, read }: Part,
  { ids, where: condition = raw('true') }: SelectedRows,
  pageSize: number,
): AsyncGenerator<readonly SnapshotChange[], void> {
  const first = key.findIndex(([column]) => column === ids?.column);
  const types = [...key.slice(first, first + 1), ...key.filter((_, index) => index !== first)];
  const ordered = types.map(([column], index) => (ids !== undefined && index === 0 ? 'e.id' : `t.${column}`));
  const names = raw(ordered.join(', '));
  const keyColumns = raw(ordered.map((column, index) => `${column} AS key_${index}`).join(', '));
  const from = ids === undefined ? tables : sql`${raw(ids.table)} e CROSS JOIN ${tables}`;
  const isJoined = raw(ids === undefined ? 'true' : `t.${ids.column} = e.id`);
  let behind = raw('true');
  for (;;) {
    const rows: readonly Record<string, Integer>[] = await run<Record<string, Integer>>(
      sql`SELECT ${columns}, ${keyColumns} FROM ${from} WHERE ${isJoined} AND ${where} AND ${condition} AND ${behind}
        ORDER BY ${names} LIMIT ${pageSize}`,
    );
    const changes = await read(rows as readonly never[], run);
    if (changes.length > 0) yield changes;
    const end = rows.at(-1);
    if (end === undefined || rows.length < pageSize) return;
    const values = types.map(([, type], index) => keyValue(type, String(end[`key_${index}`])));
    // SQLite uses an index for the columns of one table only.
    behind = sql`${raw(ordered[0] ?? '')} >= ${values[0] ?? raw('NULL')} AND (${names}) > (${joined(values, ', ')})`;
  }
}

/** Reads each row by itself. */
const each =
  <Found>(changesOf: (row: Found) => readonly SnapshotChange[]) =>
  (rows: readonly Found[]): readonly SnapshotChange[] =>
    rows.flatMap(changesOf);

interface DocumentRow {
  readonly document: string;
}

/** An entity of which a row has the document. */
const entity = (name: 'community' | 'space' | 'place' | 'list'): Part => ({
  name,
  columns: sql`t.document`,
  tables: sql`social_data.${raw(name)} t`,
  key: [['id', 'text']],
  read: each(({ document }: DocumentRow) => [
    { kind: name, [name]: JSON.parse(document) } as unknown as SnapshotChange,
  ]),
});

/** The starts of a relation, or its removals. */
function relation(table: RelationTable, what: 'starts' | 'removals'): Part {
  const { owner, member } = relationTables[table];
  const isText = table === 'list_member';
  const isRemoval = what === 'removals';
  const column = (name: string, isRead: boolean): string => (isRead ? `t.${name}` : `NULL AS ${name}`);
  const values = [
    ...[column('at', !isRemoval), column('last', !isRemoval), column('removed_at', isRemoval)],
    column('role', table === 'membership'),
  ];
  return {
    name: isRemoval ? undefined : table,
    columns: raw(`t.${owner} AS owner, t.${member} AS member, ${values.join(', ')}`),
    tables: sql`social_data.${raw(table)} t`,
    where: raw(isRemoval ? 't.removed_at IS NOT NULL' : 't.at IS NOT NULL'),
    key: [
      [owner, isText ? 'text' : 'id'],
      [member, 'id'],
    ],
    read: each((row: RelationRow) =>
      relationChanges(
        table,
        { owner: isText ? String(row.owner) : fromDatabaseId(row.owner), member: fromDatabaseId(row.member) },
        valuesOfRow(row),
      ),
    ),
  };
}

interface WithdrawnRow {
  readonly user_id: Integer;
  readonly at: Integer;
}

/** Withdrawn accounts with their removed lists. */
async function withdrawals(rows: readonly WithdrawnRow[], run: RunSql): Promise<readonly SnapshotChange[]> {
  if (rows.length === 0) return [];
  const users = { ids: rows.map(({ user_id: id }) => String(id)) };
  const found = await run<{ user_id: Integer; list_id: string }>(
    sql`SELECT user_id, list_id FROM social_data.withdrawn_list WHERE ${among('user_id', users)} ORDER BY user_id, list_id`,
  );
  const lists = Map.groupBy(found, ({ user_id: id }) => String(id));
  return rows.flatMap(({ user_id: stored, at }) =>
    withdrawChanges(
      { kind: 'withdraw', user_id: fromDatabaseId(stored), ...optionalTime('at', at) },
      (lists.get(String(stored)) ?? []).map(({ list_id: id }) => id),
    ),
  );
}

/** In the order of `snapshotOf` of the rules: what follows the removals is there although they are. */
const parts: readonly Part[] = [
  {
    name: undefined,
    columns: sql`t.user_id, t.at`,
    tables: sql`social_data.withdrawn t`,
    key: [['user_id', 'id']],
    read: withdrawals,
  },
  {
    name: undefined,
    columns: sql`t.document`,
    tables: sql`social_data.tombstone t`,
    key: [['id', 'id']],
    read: each(({ document }: DocumentRow) => [deleteChange(JSON.parse(document) as Tombstone)]),
  },
  {
    name: undefined,
    columns: sql`t.document`,
    tables: sql`social_data.geo_scrub t`,
    key: [['key', 'text']],
    read: each(({ document }: DocumentRow) => [JSON.parse(document) as SnapshotChange]),
  },
  relation('follow', 'removals'),
  relation('retweet', 'removals'),
  {
    name: 'user',
    columns: sql`t.document`,
    tables: sql`social_data.person t`,
    where: sql`t.described_at IS NULL`,
    key: [['id', 'id']],
    read: each(({ document }: DocumentRow) => [{ kind: 'user', user: JSON.parse(document) }]),
  },
  entity('community'),
  {
    name: 'tweet',
    columns: tweetColumns,
    tables: tweetTables,
    keyTable: 'tweet',
    key: [['id', 'id']],
    read: each((row: TweetRow) => [{ kind: 'tweet', tweet: tweetOf(row) }]),
  },
  ...(['space', 'place', 'list'] as const).map(entity),
  ...(['list_member', 'follow', 'retweet', 'highlight', 'membership'] as const).map((table) =>
    relation(table, 'starts'),
  ),
  {
    name: 'like',
    columns: sql`t.tweet_id, t.at`,
    tables: sql`social_data.tweet_like t`,
    where: sql`t.is_liked`,
    key: [['tweet_id', 'id']],
    read: each(({ tweet_id, at }: { tweet_id: Integer; at: Integer }) => [
      { kind: 'like', tweet_id: fromDatabaseId(tweet_id), ...optionalTime('created_at', at) },
    ]),
  },
  {
    name: undefined,
    columns: sql`t.tweet_id, t.at`,
    tables: sql`social_data.tweet_like t`,
    where: sql`NOT t.is_liked`,
    key: [['tweet_id', 'id']],
    read: each(({ tweet_id, at }: { tweet_id: Integer; at: Integer }) => [
      { kind: 'unlike', tweet_id: fromDatabaseId(tweet_id), at: Number(at) },
    ]),
  },
];
