/** History of an archive: records without effect, of which a start rewrites the journal when there are more than 100,000. */
import type { LowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';

const superseded = JSON.stringify({ kind: 'position', source: 'x', position: 'p', at: 1 });

/** Appends 110,000 such records to the journal of an open archive. */
export async function appendHistory(store: LowdbStore): Promise<void> {
  const journal = store.journals.get('archive');
  if (journal === undefined) throw new Error('the archive is not open');
  for (let part = 0; part < 11; part++) await journal.append(Array.from({ length: 10_000 }, () => superseded));
}
