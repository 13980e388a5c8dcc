/** The rows of content that is loaded into empty tables: it is content already, so no change is applied. */
import { sql, type Insertion, type Integer, type Row, type RunSql } from '../sql.ts';
import type { DocumentContext } from '../../search/document.ts';
import type { SnapshotChange } from '../rules/change.ts';
import { relationTables, relationValues, type Item, type RelationTable } from '../content/content.ts';
import { childRowsOf, childTables, keyOf, rowOf, targetOf } from '../content/content-rows.ts';
import { fromDatabaseId } from '../content/database-id.ts';
import { contentOf, largePageRows, pagesOfSegment, type Segment } from '../upkeep/contents.ts';
import { contextOf } from './tweet-writer.ts';

/** A part of the content, and the profiles and the authors of its tweets. */
export interface ContentPage {
  readonly changes: Iterable<SnapshotChange>;
  readonly context: DocumentContext;
}

/** The users that are described at once. */
const batchUsers = 2_000;

/** The content of other tables, or of one segment of it. Rejects with StoreError. */
export async function* contentPages(run: RunSql, segment?: Segment): AsyncGenerator<ContentPage, void> {
  for await (const changes of segment === undefined
    ? contentOf(run, undefined, largePageRows)
    : pagesOfSegment(run, segment)) {
    const tweets = changes.flatMap((change) => (change.kind === 'tweet' ? [change.tweet] : []));
    yield { changes, context: await contextOf(run, tweets) };
  }
}

/** The rows of records that are neither tweets nor users, and of removals. */
export function insertionsOf(items: readonly Item[]): Insertion[] {
  const insertions: Insertion[] = [];
  for (const [table, [first, ...rest]] of Map.groupBy(items, ({ table }) => table)) {
    const target = first === undefined || table in relationTables || table === 'user' ? undefined : targetOf(first);
    if (first === undefined || target === undefined) continue;
    const all = [first, ...rest];
    const rows = all.map(rowOf).filter((row) => row !== undefined);
    insertions.push({ table: target.table, rows, conflict: { keys: target.keys, action: 'replace' } });
    const children = childTables[table];
    const childRows = all.flatMap(childRowsOf);
    if (children !== undefined && childRows.length > 0)
      insertions.push({ table: children.table, rows: childRows, conflict: { keys: [], action: 'keep' } });
  }
  for (const [name, rows] of rowsOfRelations(items.filter(isRelation))) {
    const [table = ''] = name.split(' ');
    const { owner, member } = relationTables[table as RelationTable];
    insertions.push({ table, rows, conflict: { keys: [owner, member], action: 'replace' } });
  }
  return insertions;
}

type RelationItem = Extract<Item, { table: RelationTable }>;
const isRelation = (item: Item): item is RelationItem => item.table in relationTables;

/** The rows of relations by table and columns. Removals and starts of a relation come apart, and neither changes what the other wrote. */
function rowsOfRelations(items: readonly RelationItem[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const item of items) {
    const [owner = '', member = ''] = keyOf(item);
    const { keys } = targetOf(item) ?? { keys: [] };
    const key = { [keys[0] ?? '']: owner, [keys[1] ?? '']: member };
    const { at, last, removed_at, ...role } = relationValues(item.changes);
    const add = (part: string, values: Row): void => {
      const name = `${item.table} ${part}`;
      const rows = groups.get(name);
      if (rows === undefined) groups.set(name, [{ ...key, ...values }]);
      else rows.push({ ...key, ...values });
    };
    if (removed_at !== null) add('removals', { removed_at });
    if (at !== null) add('starts', { at, last, ...role });
  }
  return groups;
}

/** Calls `describe` with the ids of the users without a profile that mentions name, part by part. Rejects with StoreError. */
export async function describeUsers(run: RunSql, describe: (ids: readonly string[]) => Promise<void>): Promise<void> {
  let behind = sql`m.user_id IS NOT NULL`;
  for (;;) {
    const rows = await run<{ id: Integer }>(
      sql`SELECT DISTINCT m.user_id AS id FROM social_data.mention m WHERE ${behind}
          AND NOT EXISTS (SELECT 1 FROM social_data.person p WHERE p.id = m.user_id AND p.described_at IS NULL)
        ORDER BY m.user_id LIMIT ${batchUsers}`,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    await describe(rows.map(({ id }) => fromDatabaseId(id)));
    behind = sql`m.user_id > ${{ id: String(last.id) }}`;
  }
}
