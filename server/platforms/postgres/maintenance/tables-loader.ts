/** Loads the content of an archive into empty tables: a snapshot is content already, so no change is applied. */
import type { Database } from '../../../storage/postgres/database.ts';
import type { SnapshotChange } from '../../archive/change.ts';
import {
  itemsOf,
  keyOfChange,
  relationTables,
  relationValues,
  type Item,
  type RelationTable,
} from '../rows/content.ts';
import { keyOf, targetOf } from '../rows/content-rows.ts';
import { ContentWriter } from '../writes/content-writer.ts';
import { upsertRows, type Row } from '../rows/search-rows.ts';

const batchChanges = 2_000;
/** Older than every transaction that a page cursor can name. */
const commit = 0;

/**
 * Writes the changes of a snapshot, many in one transaction. `onProgress` gets the number of changes so far. Returns that number. Rejects with
 * StoreError.
 */
export async function loadSnapshot(
  database: Pick<Database, 'transaction'>,
  changes: Iterable<SnapshotChange>,
  onProgress: (count: number) => void = () => {},
): Promise<number> {
  let count = 0;
  for (const batch of batchesOf(changes)) {
    await load(database, batch);
    count += batch.length;
    onProgress(count);
  }
  return count;
}

/** Batches that divide no row: the changes of one row that follow each other are in one batch. */
function* batchesOf(changes: Iterable<SnapshotChange>): Generator<readonly SnapshotChange[], void> {
  let batch: SnapshotChange[] = [];
  let last: string | undefined;
  for (const change of changes) {
    const key = keyOfChange(change);
    if (batch.length >= batchChanges && key !== last) {
      yield batch;
      batch = [];
    }
    batch.push(change);
    last = key;
  }
  if (batch.length > 0) yield batch;
}

type RelationItem = Extract<Item, { table: RelationTable }>;
const isRelation = (item: Item): item is RelationItem => item.table in relationTables;

async function load(database: Pick<Database, 'transaction'>, batch: readonly SnapshotChange[]): Promise<void> {
  const items = itemsOf(batch);
  const relations = [...items.values()].filter(isRelation);
  for (const { key } of relations) items.delete(key);
  await database.transaction(async (run) => {
    await new ContentWriter(run, commit).write({ before: new Map(), after: items });
    for (const [name, rows] of rowsByTable(relations)) {
      const [table = ''] = name.split(' ');
      const { owner, member } = relationTables[table as RelationTable];
      await run(upsertRows(table, [owner, member], rows));
    }
  });
}

/** The rows of relations by table and columns. Removals and starts of a relation come apart, and neither changes what the other wrote. */
function rowsByTable(items: readonly RelationItem[]): Map<string, Row[]> {
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
