import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import type { Archive } from '../../../server/platforms/archive/archive.ts';
import type { DurableArchive } from '../../../server/platforms/archive/durable-archive.ts';
import { openArchive } from '../../../server/platforms/archive/open-archive.ts';
import type { ArchiveRecord } from '../../../server/domain/records.ts';
import { openLowdbStore, type LowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import { record, world } from './arbitrary.ts';
import { appendHistory } from '../../support/journal-history.ts';
import { rounds } from '../../support/rounds.ts';
import { nightlyTest } from '../../support/nightly.ts';

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'archive-'))));
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Opens the archive, uses it, and closes it again. */
async function withArchive<Result>(
  use: (durable: DurableArchive, store: LowdbStore) => Promise<Result> | Result,
): Promise<Result> {
  const store = await openLowdbStore(directory);
  try {
    return await use(await openArchive(store), store);
  } finally {
    await store.close();
  }
}

const contents = (archive: Archive): string[] => [...archive.changes()].map((change) => JSON.stringify(change));
const progress = { values: 1, done: true };
const liked = (n: number): ArchiveRecord[] => [
  {
    kind: 'tweet',
    tweet: { id: String(n), text: 'x', created_at: '2026-01-01T00:00:00Z', author_id: '1', like_count: 10 },
  },
  { kind: 'like', tweet_id: String(n) },
];

test('a reopened archive is equal, with its imports and its revision', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(record, { maxLength: 20 }), { maxLength: 5 }), async (batches) => {
      await rm(directory, { recursive: true, force: true });
      const before = await withArchive(async (durable) => {
        await durable.apply('file', { values: 1, done: false }, world);
        for (const batch of batches) await durable.apply('file', progress, batch);
        return {
          contents: contents(durable.archive),
          revision: durable.archive.revision,
          progress: await durable.resume('file'),
        };
      });
      const after = await withArchive(async (durable) => ({
        contents: contents(durable.archive),
        revision: durable.archive.revision,
        progress: await durable.resume('file'),
      }));
      expect(after).toEqual(before);
    }),
    { numRuns: rounds(20) },
  );
});

test('an unlike returns true once, also after a restart, and never for a tweet without a like', async () => {
  await withArchive(async (durable) => {
    await durable.apply('file', progress, liked(1));
    expect(await durable.unlike('2')).toBe(false);
    expect(await Promise.all([durable.unlike('1'), durable.unlike('1')])).toEqual([true, false]);
  });
  await withArchive(async (durable) => {
    expect(await durable.unlike('1')).toBe(false);
    expect(durable.archive.tweet(0).like_count).toBe(9);
  });
});

nightlyTest('compacts a mostly outdated journal at start without a change', async () => {
  const before = await withArchive(async (durable, store) => {
    for (let round = 0; round < 3; round++) {
      const seen = new Date(1_770_000_000_000 + round * 1000).toISOString();
      await durable.apply(
        'file',
        progress,
        Array.from(
          { length: 1000 },
          (_, n) =>
            ({
              ...liked(n)[0]!,
              tweet: { ...(liked(n)[0] as { tweet: object }).tweet, like_count: round, observed_at: seen },
            }) as ArchiveRecord,
        ),
      );
    }
    const held = contents(durable.archive);
    // So much history that the next start rewrites the journal.
    await appendHistory(store);
    return held;
  });
  const size = async (): Promise<number> => {
    const folder = join(directory, 'archive');
    const sizes = await Promise.all((await readdir(folder)).map(async (file) => (await stat(join(folder, file))).size));
    return sizes.reduce((sum, each) => sum + each, 0);
  };
  // The process compacts the journal too, at some time.
  expect(await size()).toBeGreaterThan(1_000_000);
  expect(await withArchive(({ archive }) => contents(archive))).toEqual(before);
  expect(await size()).toBeLessThan(1000 * 250);
  expect(await withArchive(({ archive }) => contents(archive))).toEqual(before);
});

/** CRASH_ROUNDS=200 kills as often. */
const kills = Number(process.env.CRASH_ROUNDS ?? rounds(5, 2));
nightlyTest(
  'keeps every acknowledged unlike after a kill at any moment',
  async () => {
    await withArchive((durable) =>
      durable.apply('file', progress, Array.from({ length: 6000 }, (_, n) => liked(n + 1)).flat()),
    );
    const script = new URL('fixtures/unlike.ts', import.meta.url).pathname;
    const acknowledged = new Set<string>();
    for (let round = 0; round < kills; round++) {
      const child = spawn(process.execPath, [script, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
      let killing = false;
      for await (const line of createInterface({ input: child.stdout })) {
        if (line !== 'none left') acknowledged.add(line);
        if (!killing) {
          killing = true;
          setTimeout(() => child.kill('SIGKILL'), Math.random() * 30);
        }
      }
      await withArchive(({ archive }) => {
        expect(archive.size).toBe(6000);
        for (const id of acknowledged) {
          expect(archive.liked(id)).toBe(false);
          expect(archive.tweet(archive.ordinal(id)!).like_count).toBe(9);
        }
        for (let ordinal = 0; ordinal < archive.size; ordinal++) {
          expect(archive.tweet(ordinal).like_count).toBe(archive.liked(String(archive.id(ordinal))) ? 10 : 9);
        }
      });
    }
    // Each process acknowledges at least one before the test ends it.
    expect(acknowledged.size).toBeGreaterThanOrEqual(kills);
  },
  600_000 + kills * 10_000,
);
