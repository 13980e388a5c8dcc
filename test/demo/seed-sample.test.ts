import { expect, test } from '@jest/globals';
import { cp, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { isSampleIncomplete, readSample, seedSample } from '../../server/demo/seed-sample.ts';
import { openArchive } from '../../server/platforms/archive/open-archive.ts';
import { openLowdbStore } from '../../server/storage/lowdb/lowdb-store.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a start continues the sample after a crash that has cut its first append', async () => {
  const folder = await temporaryFolder();
  const [before, after] = [join(folder.path, 'before'), join(folder.path, 'after')];
  try {
    const store = await openLowdbStore(before);
    await seedSample(await openArchive(store));
    // As a kill leaves the folder: the catalogue does not have the size of the segment yet.
    await cp(before, after, { recursive: true, filter: (path) => !path.endsWith('lock') });
    await store.close();
    const journal = join(after, 'archive', '0000000000000001.jsonl');
    const lines = await readFile(journal, 'latin1');
    const firstTweet = lines.indexOf('"kind":"tweet"');
    await truncate(journal, lines.indexOf('"kind":"import"', firstTweet));
    const again = await openLowdbStore(after);
    const durable = await openArchive(again);
    const part = durable.archive.size;
    expect(part).toBeGreaterThan(0);
    expect(await isSampleIncomplete(durable)).toBe(true);
    await seedSample(durable);
    const tweets = (await readSample()).filter(({ kind }) => kind === 'tweet');
    expect(part).toBeLessThan(tweets.length);
    expect(durable.archive.size).toBe(tweets.length);
    expect(await isSampleIncomplete(durable)).toBe(false);
    await again.close();
  } finally {
    await folder.dispose();
  }
});
