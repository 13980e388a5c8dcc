/** Reads the whole content of the tables as changes that create it, in the order of a snapshot, in memory of bounded size. */
import type { Tombstone } from '../../../domain/tombstone.ts';
import type { Run } from '../../../storage/postgres/database.ts';
import type { SnapshotChange } from '../../archive/change.ts';
import { deleteChange, withdrawChanges } from '../../archive/snapshot.ts';
import { relationChanges, relationTables, valuesOfRow, type RelationRow, type RelationTable } from '../rows/content.ts';
import { fromDatabaseId } from '../rows/database-id.ts';
import { tweetColumns, tweetOf, tweetTables, type TweetRow } from '../rows/tweet-record.ts';

/** The parts of the content that a selection can narrow. `t` is the table of a part. */
type PartName = 'user' | 'community' | 'tweet' | 'space' | 'place' | 'list' | 'like' | RelationTable;
/** A condition of SQL for each part; parts without one are left out. */
export type ContentFilter = Readonly<Partial<Record<PartName, string>>>;

/** A table, read in pages by its primary key. */
interface Part {
  /** Undefined for removals: a selection has none. */
  readonly name: PartName | undefined;
  readonly columns: string;
  readonly tables: string;
  readonly where?: string;
  /** The columns of the primary key, with their types. */
  readonly key: readonly (readonly [column: string, type: 'bigint' | 'text'])[];
  readonly read: (row: never) => readonly SnapshotChange[];
}

const pageRows = 1_000;
const isoTime = (at: string): string => new Date(Number(at)).toISOString();
const optionalTime = (name: string, at: string): object => (Number(at) === 0 ? {} : { [name]: isoTime(at) });

/** The content in pages. With a filter: only its parts. Rejects with DatabaseError. */
export async function* contentOf(run: Run, filter?: ContentFilter): AsyncGenerator<readonly SnapshotChange[], void> {
  for (const part of parts) {
    const condition = part.name === undefined ? undefined : filter?.[part.name];
    if (filter === undefined || condition !== undefined) yield* pagesOf(run, part, condition);
  }
}

async function* pagesOf(run: Run, part: Part, filter = 'true'): AsyncGenerator<readonly SnapshotChange[], void> {
  const { columns, tables, where = 'true', key, read } = part;
  const names = key.map(([column]) => `t.${column}`).join(', ');
  const parameters = key.map(([, type], index) => `$${index + 1}::${type}`).join(', ');
  const keyColumns = key.map(([column], index) => `t.${column}::text AS key_${index}`).join(', ');
  let last: readonly string[] | undefined;
  do {
    const rows: readonly Record<string, string>[] = await run<Record<string, string>>({
      text: `SELECT ${columns}, ${keyColumns} FROM ${tables} WHERE ${where} AND ${filter}
        ${last === undefined ? '' : `AND (${names}) > (${parameters})`} ORDER BY ${names} LIMIT ${pageRows}`,
      ...(last === undefined ? {} : { params: last }),
    });
    const changes = rows.flatMap((row) => read(row as never));
    if (changes.length > 0) yield changes;
    const end = rows.length < pageRows ? undefined : rows.at(-1);
    last = end && key.map((_, index) => end[`key_${index}`] ?? '');
  } while (last !== undefined);
}

interface DocumentRow {
  readonly document: string;
}

/** An entity of which a row has the document. */
const entity = (name: 'community' | 'space' | 'place' | 'list'): Part => ({
  name,
  columns: 't.document',
  tables: `social_data.${name} t`,
  key: [['id', 'text']],
  read: ({ document }: DocumentRow) => [{ kind: name, [name]: JSON.parse(document) } as unknown as SnapshotChange],
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
    columns: `t.${owner} AS owner, t.${member} AS member, ${values.join(', ')}`,
    tables: `social_data.${table} t`,
    where: isRemoval ? 't.removed_at IS NOT NULL' : 't.at IS NOT NULL',
    key: [
      [owner, isText ? 'text' : 'bigint'],
      [member, 'bigint'],
    ],
    read: (row: RelationRow) =>
      relationChanges(
        table,
        { owner: isText ? row.owner : fromDatabaseId(row.owner), member: fromDatabaseId(row.member) },
        valuesOfRow(row),
      ),
  };
}

/** As `snapshotOf` in the archive in memory: what follows the removals is there although they are. */
const parts: readonly Part[] = [
  {
    name: undefined,
    columns: 't.user_id, t.at, t.list_ids',
    tables: 'social_data.withdrawn t',
    key: [['user_id', 'bigint']],
    read: ({ user_id, at, list_ids }: { user_id: string; at: string; list_ids: readonly string[] }) =>
      withdrawChanges({ kind: 'withdraw', user_id: fromDatabaseId(user_id), ...optionalTime('at', at) }, list_ids),
  },
  {
    name: undefined,
    columns: 't.document',
    tables: 'social_data.tombstone t',
    key: [['id', 'bigint']],
    read: ({ document }: DocumentRow) => [deleteChange(JSON.parse(document) as Tombstone)],
  },
  {
    name: undefined,
    columns: 't.document',
    tables: 'social_data.geo_scrub t',
    key: [['key', 'text']],
    read: ({ document }: DocumentRow) => [JSON.parse(document) as SnapshotChange],
  },
  relation('follow', 'removals'),
  relation('retweet', 'removals'),
  {
    name: 'user',
    columns: 't.document',
    tables: 'social_data.person t',
    where: 't.described_at IS NULL',
    key: [['id', 'bigint']],
    read: ({ document }: DocumentRow) => [{ kind: 'user', user: JSON.parse(document) }],
  },
  entity('community'),
  {
    name: 'tweet',
    columns: tweetColumns,
    tables: tweetTables,
    key: [['id', 'bigint']],
    read: (row: TweetRow) => [{ kind: 'tweet', tweet: tweetOf(row) }],
  },
  ...(['space', 'place', 'list'] as const).map(entity),
  ...(['list_member', 'follow', 'retweet', 'highlight', 'membership'] as const).map((table) =>
    relation(table, 'starts'),
  ),
  {
    name: 'like',
    columns: 't.tweet_id, t.at',
    tables: 'social_data.tweet_like t',
    where: 't.is_liked',
    key: [['tweet_id', 'bigint']],
    read: ({ tweet_id, at }: { tweet_id: string; at: string }) => [
      { kind: 'like', tweet_id: fromDatabaseId(tweet_id), ...optionalTime('created_at', at) },
    ],
  },
  {
    name: undefined,
    columns: 't.tweet_id, t.at',
    tables: 'social_data.tweet_like t',
    where: 'NOT t.is_liked',
    key: [['tweet_id', 'bigint']],
    read: ({ tweet_id, at }: { tweet_id: string; at: string }) => [
      { kind: 'unlike', tweet_id: fromDatabaseId(tweet_id), at: Number(at) },
    ],
  },
];
