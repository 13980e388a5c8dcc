import { expect, test } from '@jest/globals';
import { SqlRecords } from '../../server/archive/reads/sql-records.ts';
import { isSampleIncomplete, readSample, seedSample } from '../../server/demo/seed-sample.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';
import { openArchiveIn } from '../support/stored-archive.ts';

test('a start continues the sample after one that ended in the midst', async () => {
  const folder = await temporaryFolder();
  try {
    const first = await openArchiveIn(folder.path);
    let calls = 0;
    const ending: ImportSink = {
      resume: (fingerprint) => first.sink.resume(fingerprint),
      apply(...call) {
        if (++calls > 3) throw new Error('the end of the process');
        return first.sink.apply(...call);
      },
    };
    await expect(seedSample(ending)).rejects.toThrow('the end of the process');
    await first.close();
    const { sink, engine, close } = await openArchiveIn(folder.path);
    const tweets = async (): Promise<number> => (await new SqlRecords(engine.run).entityCounts()).tweet;
    const part = await tweets();
    expect(part).toBeGreaterThan(0);
    expect(await isSampleIncomplete(sink)).toBe(true);
    await seedSample(sink);
    const sample = (await readSample()).filter(({ kind }) => kind === 'tweet');
    expect(part).toBeLessThan(sample.length);
    expect(await tweets()).toBe(sample.length);
    expect(await isSampleIncomplete(sink)).toBe(false);
    await close();
  } finally {
    await folder.dispose();
  }
}, 60_000);
