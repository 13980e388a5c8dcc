/** The bundled sample: the initial content of an empty archive, so that a new user has data to look at. */
import { fileURLToPath } from 'node:url';
import type { ArchiveRecord } from '../domain/records.ts';
import { openFile } from '../import/input-file.ts';
import type { ImportSink } from '../ports/import-sink.ts';

const file = fileURLToPath(new URL('../../generated/sample.jsonl.gz', import.meta.url));

/** Whether the import of the sample is incomplete, as after a kill during the first start. */
export async function isSampleIncomplete(sink: Pick<ImportSink, 'resume'>): Promise<boolean> {
  const { fingerprint } = await openFile(file);
  return (await sink.resume(fingerprint!))?.done === false;
}

/** Imports the sample, or resumes its import. Throws Error if its file is damaged. */
export async function seedSample(sink: ImportSink): Promise<void> {
  // Most starts import nothing.
  const { importInput } = await import('../import/import.ts');
  const { openInputs } = await import('../import/input.ts');
  for (const input of await openInputs(file)) {
    const fingerprint = input.fingerprint!;
    // In a separate append: a crash can cut the first append of the records, and their progress is behind them.
    if ((await sink.resume(fingerprint)) === undefined) await sink.apply(fingerprint, { values: 0, done: false }, []);
    const { fault } = await importInput(input, sink);
    if (fault !== undefined) throw new Error(`${file}: ${fault}`);
  }
}

/**
 * The records of the sample, in the form that an import passes to an archive. Throws Error if its file is damaged.
 */
export async function readSample(): Promise<ArchiveRecord[]> {
  const read: ArchiveRecord[] = [];
  await seedSample({
    resume: async () => undefined,
    apply: async (_fingerprint, _progress, records) => {
      for (const record of records) read.push(record);
      return records.map(() => 'added');
    },
  });
  return read;
}
