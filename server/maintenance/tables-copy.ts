/** Writes the content of tables as a journal of an archive in memory. */
import { contentOf } from '../archive/upkeep/contents.ts';
import { commitLog } from '../archive/content/commit-log.ts';
import type { Line } from '../platforms/archive/archive-journal.ts';
import { writeJournal, type NumberedRecord } from '../storage/lowdb/journal-writer.ts';
import type { RunAny } from '../storage/postgres/database.ts';
import { readHead } from '../storage/postgres/statements.ts';

/**
 * Writes the journal to a folder that does not exist yet. `run`: the transaction of a snapshot. The numbers begin behind those of the transactions on the
 * tables, so that event cursors and page cursors stay valid. `onProgress` gets the number of records. Returns that number.
 */
export async function writeTablesAsJournal(
  run: RunAny,
  folder: string,
  onProgress: (records: number) => void,
): Promise<number> {
  const [head] = await run<{ seq: string }>(readHead(commitLog));
  let seq = Number(head?.seq ?? 0);
  let records = 0;
  async function* pages(): AsyncGenerator<NumberedRecord[], void> {
    for await (const lines of linesOf(run)) {
      yield lines.map((line) => ({ seq: ++seq, record: JSON.stringify(line) }));
      records += lines.length;
      onProgress(records);
    }
  }
  return writeJournal(folder, pages(), () => seq);
}

async function* linesOf(run: RunAny): AsyncGenerator<readonly Line[], void> {
  yield [{ kind: 'snapshot', is: 'begin' }];
  yield* contentOf(run);
  const imports = await run<{ fingerprint: string; applied: string; done: boolean }>({
    text: 'SELECT fingerprint, applied, done FROM social_data.import_progress ORDER BY fingerprint',
  });
  yield imports.map(({ fingerprint, applied, done }) => ({
    ...{ kind: 'import', fingerprint },
    progress: { values: Number(applied), done },
  }));
  const positions = await run<{ source: string; position: string; at: string }>({
    text: 'SELECT source, position, at FROM social_data.source_position ORDER BY source',
  });
  yield positions.map(({ at, ...reached }) => ({ kind: 'position', ...reached, at: Number(at) }));
  yield [{ kind: 'snapshot', is: 'end' }];
}
