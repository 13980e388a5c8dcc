/** A replay that begins behind a position reads exactly the records behind it, and only in the journal that the position is of. */
import { appendFile, cp, readdir, rm, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openLowdbStore } from '../../../server/storage/lowdb/lowdb-store.ts';
import type { Journal, JournalPosition } from '../../../server/ports/storage.ts';
import { temporaryFolder } from '../../support/folder.ts';
import fc from '../../support/property.ts';
import { rounds } from '../../support/rounds.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => void (folder = await temporaryFolder()));
afterEach(() => folder.dispose());

/** Opens the journal, passes it to `use`, and closes it. */
async function withJournal<Result>(
  directory: string,
  use: (journal: Journal) => Promise<Result>,
  segmentBytes = 300,
): Promise<Result> {
  const store = await openLowdbStore(directory, { segmentBytes });
  try {
    return await use(await store.journal('log'));
  } finally {
    await store.close();
  }
}

async function replayed(journal: Journal, after?: JournalPosition): Promise<[seq: number, json: string][]> {
  const records: [number, string][] = [];
  await journal.replay((json, seq) => void records.push([seq, json.toString()]), after);
  return records;
}

const current = async (journal: Journal): Promise<JournalPosition> => {
  const position = await journal.positions?.hold(async (each) => each);
  if (position === undefined) throw new Error('there is no position');
  return position;
};
const contains = (journal: Journal, position: JournalPosition): Promise<boolean> =>
  journal.positions?.contains(position) ?? Promise.resolve(false);
const record = (number: number): string => JSON.stringify({ number, text: 'x'.repeat(number % 40) });

test('a replay behind any position gives the records behind it, with their numbers and places', async () => {
  const property = fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 }), async (sizes) => {
    const data = join(folder.path, String(Math.random()));
    const positions: JournalPosition[] = [];
    await withJournal(data, async (journal) => {
      await replayed(journal);
      await expect(current(journal)).rejects.toThrow('there is no position');
      for (const size of sizes) {
        const numbers = Array.from({ length: size }, (_, index) => journal.lastSeq + 1 + index);
        await journal.append(numbers.map(record));
        positions.push(await current(journal));
      }
    });
    const places: string[] = [];
    const all = await withJournal(data, async (journal) => {
      const records: [number, string][] = [];
      await journal.replay((json, seq, place) => {
        records.push([seq, json.toString()]);
        places.push(JSON.stringify(place));
      });
      return records;
    });
    for (const position of positions)
      await withJournal(data, async (journal) => {
        expect(await contains(journal, position)).toBe(true);
        const seen: string[] = [];
        const scanned: [number, string][] = [];
        await journal.scan(
          '{"number"',
          (_json, seq, place) => void scanned.push([seq, JSON.stringify(place)]),
          position,
        );
        await journal.replay((_json, _seq, place) => void seen.push(JSON.stringify(place)), position);
        expect(seen).toEqual(places.slice(position.seq));
        expect(scanned).toEqual(all.map(([seq], index) => [seq, places[index]]).slice(position.seq));
        // Positions after such a replay are as good.
        if (position === positions.at(-1)) expect(await current(journal)).toEqual(position);
      });
    await rm(data, { recursive: true });
  });
  await fc.assert(property, { numRuns: rounds(30, 5) });
});

async function filled(data: string): Promise<JournalPosition> {
  return withJournal(data, async (journal) => {
    await replayed(journal);
    for (let number = 1; number <= 30; number++) await journal.append([record(number)]);
    const position = await current(journal);
    await journal.append([record(31)]);
    return position;
  });
}

test('a journal does not contain a position of another history', async () => {
  const data = join(folder.path, 'data');
  const position = await filled(data);
  const isIn = (directory: string): Promise<boolean> =>
    withJournal(directory, (journal) => contains(journal, position));
  expect(await isIn(data)).toBe(true);
  const shorter = join(folder.path, 'shorter');
  const other = join(folder.path, 'other');
  for (const [directory, count] of [
    [shorter, 20],
    [other, 31],
  ] as const)
    await withJournal(directory, async (journal) => {
      await replayed(journal);
      for (let number = 1; number <= count; number++) await journal.append([record(number + (number > 10 ? 1 : 0))]);
    });
  expect([await isIn(shorter), await isIn(other)]).toEqual([false, false]);
  for (const proof of ['', '{}', 'null', '{"before":[],"file":"../x","bytes":1,"lines":1,"crc":1}'])
    expect(await withJournal(data, (journal) => contains(journal, { seq: 30, proof }))).toBe(false);
  await expect(withJournal(other, (journal) => replayed(journal, position))).rejects.toThrow('does not contain');
});

test('a rewrite and a purge end the positions before them', async () => {
  const data = join(folder.path, 'data');
  const position = await filled(data);
  const purged = join(folder.path, 'purged');
  await cp(data, purged, { recursive: true });
  await withJournal(purged, async (journal) => {
    await replayed(journal);
    await journal.purge((_json, seq) => seq !== 5 && seq !== 31);
    expect(await contains(journal, position)).toBe(false);
    // The purge has started a new segment, which is empty.
    const empty = await current(journal);
    expect(await contains(journal, empty)).toBe(true);
    expect(empty.seq).toBe(31);
    // A new position holds where gaps are before it.
    await journal.append([record(32)]);
    const newer = await current(journal);
    await journal.append([record(33)]);
    expect([await contains(journal, newer), await contains(journal, empty)]).toEqual([true, true]);
  });
  await withJournal(data, async (journal) => {
    await replayed(journal);
    await journal.rewrite(() => [record(1), record(2)]);
    expect(await contains(journal, position)).toBe(false);
    const newer = await current(journal);
    await journal.append([record(3)]);
    expect(await contains(journal, newer)).toBe(true);
  });
  await withJournal(data, async (journal) => {
    expect((await replayed(journal)).map(([seq]) => seq)).toEqual([32, 33, 34]);
  });
});

test('segments that are not read must be there with their size, and a torn end is cut off', async () => {
  const data = join(folder.path, 'data');
  const position = await filled(data);
  const log = join(data, 'log');
  const files = (await readdir(log)).filter((name) => name.endsWith('.jsonl')).toSorted();
  const broken = join(folder.path, 'broken');
  await cp(data, broken, { recursive: true });
  await truncate(join(broken, 'log', files[0]!), 10);
  await expect(withJournal(broken, (journal) => replayed(journal, position))).rejects.toThrow('is truncated');
  await rm(join(broken, 'log', files[0]!));
  await expect(withJournal(broken, (journal) => replayed(journal, position))).rejects.toThrow('is missing');
  await appendFile(join(log, files.at(-1)!), '0000');
  await withJournal(data, async (journal) => {
    expect(await replayed(journal, position)).toEqual([[31, record(31)]]);
    expect(journal.recovered?.bytes).toBe(4);
  });
});
