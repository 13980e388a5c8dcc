/** Opens the bundled sample in an archive: its content, and its replay as live events. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ImportSink } from '../ports/import-sink.ts';
import type { RecordSource } from '../ports/record-source.ts';
import { StoreError } from '../ports/storage.ts';
import type { Replay } from './replay.ts';
import { isSampleIncomplete, readSample, seedSample } from './seed-sample.ts';

/** How often an archive is filled with the sample until the database permits it, and the time between two attempts, in milliseconds. */
const seedAttempts = 10;
const seedPauseMs = 500;

/** An archive that the sample fills. */
export interface DemoArchive {
  readonly sink: ImportSink;
  readonly records: RecordSource;
  isEmpty(): Promise<boolean>;
}

/** Fills an empty archive with the bundled sample, and continues a sample that was interrupted. Rejects with StoreError. */
async function seedEmpty({ sink, isEmpty }: DemoArchive): Promise<void> {
  for (let attempt = 1; (await isEmpty()) || (await isSampleIncomplete(sink)); attempt++) {
    try {
      await seedSample(sink);
      return console.log('the tables were empty: filled them with the bundled sample (DEMO=0 leaves them empty)');
    } catch (error) {
      // Another instance that starts at the same moment may hold the lock for longer than a transaction waits.
      if (!(error instanceof StoreError) || attempt === seedAttempts) throw error;
      await sleep(seedPauseMs);
    }
  }
}

/**
 * Fills an empty archive with the sample if `seeds`, and opens a replay of `perSecond` events a second; it does not play yet. Rejects
 * with StoreError, and with ConfigError where the archive cannot have a replay.
 */
export async function openDemo(
  archive: DemoArchive,
  { seeds, perSecond }: { readonly seeds: boolean; readonly perSecond: number | undefined },
): Promise<Replay | undefined> {
  if (seeds) await seedEmpty(archive);
  if (perSecond === undefined) return undefined;
  const { openReplay } = await import('./replay.ts');
  return openReplay({ sink: archive.sink, source: archive.records, sample: await readSample(), perSecond });
}
